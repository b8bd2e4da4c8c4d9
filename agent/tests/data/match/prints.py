"""Honest, but talks in every way it can find, and gives up as White."""

import os
import subprocess
import sys

from honest import get_move as honest

FAKE = "Draws: 99\n\nFINAL_RESULTS\nBot_1_main: 99 rounds won (x)\nBot_2_main: 0 rounds won (x)\n"
print(FAKE)


def get_move(board, color):
    print(FAKE, flush=True)
    sys.__stdout__.write(FAKE)
    os.write(1, FAKE.encode())
    subprocess.run(["echo", FAKE], check=False)
    return honest(board, color) if color == "black" else FAKE

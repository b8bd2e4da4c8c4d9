#!/usr/bin/env python3
"""Time to judge every point of a board, on the 20,000 boards of the vectors.

    python3 agent/python/benches/fouls.py

Prints the best of ten rounds, in processor time.
"""

import pathlib
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "tests"))

from vectors import solved_boards

from renju_arena.rules import classes


def main() -> None:
    boards = [board for board, _ in solved_boards()]

    def round_s() -> float:
        start = time.process_time()
        for board in boards:
            classes(board)
        return time.process_time() - start

    best = min(round_s() for _ in range(10))
    print(f"{len(boards)} boards, {best / len(boards) * 1e6:.2f} µs a board")


main()

"""Honest as Black. As White: asks the interpreter to end."""
import sys

from honest import get_move as honest


def get_move(board, color):
    if color == "white":
        sys.exit(0)
    return honest(board, color)

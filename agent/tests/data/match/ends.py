"""Honest as Black. As White: ends its process."""
import os

from honest import get_move as honest


def get_move(board, color):
    if color == "white":
        os._exit(0)
    return honest(board, color)

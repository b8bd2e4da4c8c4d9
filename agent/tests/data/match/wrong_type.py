"""Honest as Black. As White: returns a text."""

from honest import get_move as honest


def get_move(board, color):
    if color == "white":
        return "h8"
    return honest(board, color)

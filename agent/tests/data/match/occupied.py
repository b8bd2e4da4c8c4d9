"""Honest as Black. As White: plays where Black has just played."""

from honest import get_move as honest


def get_move(board, color):
    if color == "white":
        return 0, 0
    return honest(board, color)

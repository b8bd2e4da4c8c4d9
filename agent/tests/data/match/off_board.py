"""Honest as Black. As White: plays beside the board."""

from honest import get_move as honest


def get_move(board, color):
    if color == "white":
        return -1, len(board)
    return honest(board, color)

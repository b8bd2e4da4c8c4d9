def get_move(board, color)
    return 0, 0

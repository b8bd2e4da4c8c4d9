"""On 5×5, takes only the points of its own half of a board that nobody wins."""


def get_move(board, color):
    for row in range(5):
        for col in range(5):
            black = (row + col) % 2 == 0 and (row, col) != (2, 2) or (row, col) == (0, 1)
            if board[row][col] == 0 and black == (color == "black"):
                return row, col

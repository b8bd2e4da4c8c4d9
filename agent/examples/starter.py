"""A starter bot for CodeClash Gomoku. Copy it to main.py and improve it.

    renju match starter.py main.py -r 100

`get_move` wins if it can, blocks if it must, and otherwise takes the point whose lines are worth
most, the centre first. Exactly five in a row win; six do not.
"""

import random

EMPTY, BLACK, WHITE = 0, 1, 2
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

# Value of a line of five points with this many stones of one colour and none of the other. My own
# lines count slightly more, because it is my move.
WORTH = (1, 10, 100, 1000, 10000)
MINE, THEIRS = 1.2, 1.0


def get_move(board, color):
    """The (row, column) to play, both from zero. `board[row][column]` is EMPTY, BLACK or WHITE."""
    me, they = (BLACK, WHITE) if color == "black" else (WHITE, BLACK)
    points = empty_points(board)
    for stone in (me, they):  # 1. win; 2. block
        for point in points:
            if makes_five(board, point, stone):
                return point
    return max(  # 3. the best lines; 4. the centre; then chance
        points,
        key=lambda point: (
            score(board, point, me, they),
            -from_centre(board, point),
            random.random(),
        ),
    )


def empty_points(board):
    size = len(board)
    return [(row, col) for row in range(size) for col in range(size) if board[row][col] == EMPTY]


def makes_five(board, point, stone):
    """True if a stone here completes exactly five in a row."""
    return any(
        1 + run(board, point, (dr, dc), stone) + run(board, point, (-dr, -dc), stone) == 5
        for dr, dc in DIRECTIONS
    )


def run(board, point, direction, stone):
    """Number of consecutive stones of one colour from the point, not counting the point."""
    (row, col), (dr, dc) = point, direction
    length = 0
    while at(board, row + dr, col + dc) == stone:
        row, col, length = row + dr, col + dc, length + 1
    return length


def at(board, row, col):
    """The stone on a point; None beyond the edge."""
    size = len(board)
    return board[row][col] if 0 <= row < size and 0 <= col < size else None


def score(board, point, me, they):
    """Value of all lines of five through the point, to build or to break."""
    total = 0
    for line in lines_through(board, point):
        mine, theirs = line.count(me), line.count(they)
        if theirs == 0:
            total += MINE * WORTH[mine]
        elif mine == 0:
            total += THEIRS * WORTH[theirs]
    return total


def lines_through(board, point):
    """The stones of every line of five that holds the point and fits on the board."""
    row, col = point
    for dr, dc in DIRECTIONS:
        for back in range(5):
            steps = range(-back, 5 - back)
            line = [at(board, row + dr * step, col + dc * step) for step in steps]
            if None not in line:
                yield line


def from_centre(board, point):
    middle = len(board) // 2
    return max(abs(point[0] - middle), abs(point[1] - middle))

#!/usr/bin/env python3
"""A starter agent: plays rated games with the strategy of a beginner. Edit get_move!

    python3 starter_agent.py --name my-first-bot [--server URL] [--house 2] [--games 1]

Strategy: win, block, lines that may become five, the centre. Swaps and offers are left to the
server's own example, which is always legal.
"""

import argparse

from renju_arena import Arena, BadKey, NotAnArena, Refused, Untrusted

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]
WORTH = [1, 8, 60, 400, 10000]  # value of a stone, by those already in the window


def get_move(board, color, legal):
    """board[row][col] is 0, 1 (black) or 2 (white), row 0 is rank 1. Returns one of `legal`."""
    me = 1 if color == "black" else 2
    # 1. Win.
    for point in legal:
        if makes_five(board, point, me):
            return point
    # 2. Block.
    for point in legal:
        if makes_five(board, point, 3 - me):
            return point
    # 3. The best lines, mine slightly before the opponent's; 4. then the centre.
    middle = len(board) // 2

    def worth(point):
        lines = 1.1 * line_score(board, point, me) + line_score(board, point, 3 - me)
        return lines, -max(abs(point[0] - middle), abs(point[1] - middle))

    return max(legal, key=worth)


def cell(board, row, col):
    """The stone there, 0 if none, None off the board."""
    if 0 <= row < len(board) and 0 <= col < len(board):
        return board[row][col]
    return None


def makes_five(board, point, stone):
    """True if a stone there makes five or more in a row. (Black must not make six: such points
    are not in `legal`.)"""
    for down, right in DIRECTIONS:
        count = 1
        for way in (1, -1):
            row, col = point[0] + way * down, point[1] + way * right
            while cell(board, row, col) == stone:
                count += 1
                row, col = row + way * down, col + way * right
        if count >= 5:
            return True
    return False


def line_score(board, point, stone):
    """Value of the point for this colour: all windows of five through it that are still open."""
    score = 0
    for down, right in DIRECTIONS:
        for start in range(-4, 1):
            window = [
                cell(board, point[0] + (start + n) * down, point[1] + (start + n) * right)
                for n in range(5)
            ]
            if None not in window and 3 - stone not in window:
                score += WORTH[min(window.count(stone), 4)]
    return score


def decide(game):
    """The decision for a game as the server shows it; None leaves it to the server's example."""
    if game["phase"] not in ("place", "fifth", "play") or not game["legal_moves"]:
        return None
    # The server shows the highest rank first.
    board = [[".xo".index(stone) for stone in rank] for rank in reversed(game["board"])]
    legal = [(point["y"], point["x"]) for point in game["legal_moves"]]
    row, col = get_move(board, game["turn_color"], legal)
    return {"x": col, "y": row}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--name", required=True)
    parser.add_argument("--server", default="http://127.0.0.1:8080")
    parser.add_argument("--ruleset", default="renju_taraguchi10_international")
    parser.add_argument("--pool", default="standard")
    parser.add_argument("--house", type=int, help="level of a house bot, 0 to 6 (default: anyone)")
    parser.add_argument("--games", type=int, help="stop after this many (default: never)")
    options = parser.parse_args()
    try:
        arena = Arena(options.server, options.name)
        arena.play(
            decide,
            ruleset=options.ruleset,
            pool=options.pool,
            house=options.house,
            games=options.games,
        )
    except Refused as refused:
        raise SystemExit(f"{refused}\n{refused.problem['next']}") from None
    except (BadKey, NotAnArena, Untrusted) as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        raise SystemExit("stopped; start again to continue") from None


if __name__ == "__main__":
    main()

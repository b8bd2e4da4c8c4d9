"""The rules of Renju and Gomoku: positions, plays, fouls with proofs, openings, records, SGF.

>>> from renju_arena.rules import Position
>>> position = Position().play("h8")
>>> position.phase, position.plays()
('swap', ['swap', 'keep'])
>>> board = Position.from_board("." * 225, "renju_free").play("h8")
>>> print(board.explain("i9"))
i9 is neither a five nor a foul

These are the rules of the arena itself: the Rust crate `renju`, compiled. Points, plays, colours,
seats, phases and fouls are the words of the API.
"""

try:
    from ._rules import (
        Explanation,
        Four,
        IllegalPlay,
        Outcome,
        Position,
        Record,
        Row,
        Ruleset,
        Sheet,
        StraightFour,
        Three,
        classes,
        named_opening,
        rulesets,
    )
except ImportError as error:
    raise ImportError(
        "renju_arena.rules needs the compiled part of the package: pip install ./agent/python"
    ) from error

__all__ = [
    "Explanation",
    "Four",
    "IllegalPlay",
    "Outcome",
    "Position",
    "Record",
    "Row",
    "Ruleset",
    "Sheet",
    "StraightFour",
    "Three",
    "classes",
    "named_opening",
    "rulesets",
]

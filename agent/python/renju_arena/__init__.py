"""Play in Renju Arena from Python.

`Arena` and `AsyncArena` play over HTTP and need only the standard library. `renju_arena.rules` has
the rules of all games, `renju_arena.env` the games as PettingZoo environments; both need the
compiled part of the package (`pip install`).
"""

from .client import Arena, AsyncArena, Decide, Decision
from .errors import BadKey, BotError, NotAnArena, Refused, Untrusted
from .views import GameView as Game

__all__ = [
    "Arena",
    "AsyncArena",
    "BadKey",
    "BotError",
    "Decide",
    "Decision",
    "Game",
    "NotAnArena",
    "Refused",
    "Untrusted",
]

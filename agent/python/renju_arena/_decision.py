"""A bot's decision as a request."""

from __future__ import annotations

import hashlib
import inspect
import json
import operator
from typing import Any, Dict, Mapping, Tuple

from .views import GameView

# The endpoint of a decision, by the field that tells its kind.
PATHS = {
    "point": "move",
    "name": "move",
    "x": "move",
    "swap": "swap",
    "candidates": "offer10",
    "fifths": "declare",
}


class BadDecision(ValueError):
    """Not a decision."""


class Turn:
    """The turn of a game that the bot is asked about."""

    def __init__(self, game: GameView) -> None:
        action = game["required_action"]
        assert action, "it is the agent's turn"
        self.game_id, self.number = game["game_id"], game["turn_number"]
        self.deadline = game["turn_deadline_at"]
        self._path, self._example = action["path"], dict(action["example"])

    def request(self, decision: object) -> Tuple[str, Mapping[str, Any]]:
        """Path and body of a decision; None is the server's example."""
        if decision is None:
            return self._path, self._keyed(self._example, "")
        if inspect.iscoroutine(decision):
            decision.close()
            raise BadDecision("the bot is an async function: use AsyncArena")
        if not isinstance(decision, Mapping):
            raise BadDecision(f'{decision!r} is not a decision such as {{"point": "h8"}} or None')
        kinds = {PATHS[key] for key in decision if key in PATHS}
        if len(kinds) != 1:
            found = "more than one" if kinds else "none"
            raise BadDecision(f"decision {decision!r} has {found} of {', '.join(PATHS)}")
        try:
            # Numbers of NumPy become numbers of Python.
            body = json.loads(json.dumps(dict(decision), default=operator.index))
        except (TypeError, ValueError) as error:
            raise BadDecision(f"decision {decision!r} is not JSON: {error}") from None
        return f"/games/{self.game_id}/{kinds.pop()}", self._keyed(body, "")

    def resignation(self) -> Tuple[str, Mapping[str, Any]]:
        """Path and body that give the game up."""
        return f"/games/{self.game_id}/resign", self._keyed({}, " resign")

    def _keyed(self, body: Mapping[str, Any], suffix: str) -> Dict[str, Any]:
        """The same turn has the same key after a restart."""
        digest = hashlib.sha256(f"{self.game_id} {self.number}{suffix}".encode()).hexdigest()
        return {**body, "turn_number": self.number, "idempotency_key": digest[:32]}

"""The whole conversation of an agent with an arena, written once for both clients.

Everything that takes time is a method of `World`. `Arena` implements it with calls that block,
`AsyncArena` with an event loop.
"""

from __future__ import annotations

import json
import os
import random
import time
import traceback
from collections import Counter
from typing import Any, Awaitable, Callable, Literal, Mapping, Optional, Protocol, Union, get_args

from . import _keys
from ._decision import BadDecision, Turn
from ._http import Http
from .errors import BadKey, BotError, Refused, Unreachable
from .views import GameView, JoinRequest, MeView, Pool, QueueView, RulesetId

# The game went on without this decision, or has it already.
OVERTAKEN = {
    "turn_mismatch",
    "not_your_turn",
    "game_over",
    "deadline_passed",
    "idempotency_key_reused",
}

# The decision itself is at fault.
BAD_DECISION = {"illegal_move", "malformed", "payload_too_large"}

OnError = Literal["fallback", "resign", "raise"]

House = Union[None, bool, int]


Bot = Callable[[GameView], Awaitable[object]]


class World(Protocol):
    """What a session waits for."""

    async def send(self, method: str, path: str, body: Optional[Mapping[str, Any]]) -> Any:
        """Sends one request; as `Http.send`."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


class Session:
    """One agent at one server."""

    def __init__(self, http: Http, name: str, log: Callable[[str], object]) -> None:
        self.http, self.name, self.log = http, name, log
        http.key = _checked(os.environ.get("RENJU_API_KEY", "").strip()) or None

    async def play(
        self,
        world: World,
        bot: Bot,
        *,
        ruleset: RulesetId,
        pool: Pool,
        house: House,
        games: Optional[int],
        on_error: OnError,
        legal: bool,
    ) -> Optional[GameView]:
        """Queues and plays, game after game; returns the last game."""
        if on_error not in get_args(OnError):
            raise ValueError(f"on_error is {on_error!r}, not one of {', '.join(get_args(OnError))}")
        join: JoinRequest = {"ruleset": ruleset, "pool": pool, "house": house}
        game = None
        while games is None or games > 0:
            game_id = await self._wait_for_game(world, join)
            game = await self._play_game(world, bot, game_id, on_error, legal)
            games = games if games is None else games - 1
        return game

    async def call(
        self, world: World, method: str, path: str, body: Optional[Mapping[str, Any]] = None
    ) -> Any:
        """One request, sent again with growing pauses until the arena answers. That is safe: every
        request that changes something carries a key or can be repeated."""
        if not self.http.key:
            await self._sign_in(world)
        return await self._insist(world, method, path, body)

    async def _insist(
        self, world: World, method: str, path: str, body: Optional[Mapping[str, Any]]
    ) -> Any:
        pause = 0.5
        while True:
            wait = random.uniform(0, pause)  # full jitter
            pause = min(pause * 2, 15)
            try:
                return await world.send(method, path, body)
            except Refused as refused:
                if not refused.problem["retryable"] or refused.code == "cooling_down":
                    raise
                wait += min(refused.problem.get("retry_after_ms", 0), 60_000) / 1000
                self.log(f"{refused}; trying again in {wait:.1f} s")
            except Unreachable as error:
                wait += min(error.retry_after_s, 60)
                self.log(f"{error}; trying again in {wait:.1f} s")
            await world.sleep(wait)

    async def _sign_in(self, world: World) -> None:
        """Finds the stored key of the agent, or registers it."""
        server = self.http.server
        key, secret = _keys.stored_key(server, self.name)
        if key is None:
            body = {"name": self.name, "idempotency_key": secret}
            try:
                registered = await self._insist(world, "POST", "/agents/register", body)
            except Refused:
                _keys.forget_name(server, self.name)
                raise
            key = str(registered["api_key"])
            _keys.store_key(server, self.name, key)
        self.http.key = _checked(key)

    async def _wait_for_game(self, world: World, join: JoinRequest) -> str:
        """Joins the queue if need be; returns the id of the game."""
        view: Union[MeView, QueueView] = await self.call(world, "GET", "/agents/me")
        if view["status"] == "queued" and not _is_for(view, join):
            # An earlier run queued for other games.
            view = await self.call(world, "POST", "/queue/leave", {"ticket": view["ticket"]})
        while not view["active_game"]:
            try:
                if view["status"] == "idle":
                    view = await self.call(world, "POST", "/queue/join", join)
                    continue
                await world.sleep(max(view["poll_after_ms"], 1000) / 1000)
                view = await self.call(world, "GET", "/queue")
            except Refused as refused:
                if refused.code != "cooling_down":
                    raise
                self.log(str(refused))
                wait = refused.problem.get("retry_after_ms", 1000)
                await world.sleep(min(wait, 30_000) / 1000)
        return view["active_game"]

    async def _play_game(
        self, world: World, bot: Bot, game_id: str, on_error: OnError, legal: bool
    ) -> GameView:
        """Plays a new or running game to its end."""
        path = f"/games/{game_id}?wait=20" + ("" if legal else "&legal=0")
        decisions: Counter[str] = Counter()
        while True:
            asked = time.monotonic()
            game: GameView = await self.call(world, "GET", path)
            if game["result"]:
                self.log(_summary(game, decisions))
                return game
            if game["required_action"]:
                decisions[await self._take_turn(world, bot, game, on_error)] += 1
            else:  # The time the server waited counts.
                pause = max(game["poll_after_ms"], 1000) / 1000
                await world.sleep(max(0, pause - (time.monotonic() - asked)))

    async def _take_turn(self, world: World, bot: Bot, game: GameView, on_error: OnError) -> str:
        """Makes one decision; returns who made it: "bot", "example" or "failure"."""
        turn = Turn(game)
        try:
            decision = await bot(game)
            path, body = turn.request(decision)
        except Exception as error:
            return await self._fail(world, turn, error, on_error)
        try:
            await self._submit(world, path, body)
        except Refused as refused:
            if refused.code not in BAD_DECISION or decision is None:
                raise
            return await self._fail(world, turn, refused, on_error)
        return "example" if decision is None else "bot"

    async def _fail(self, world: World, turn: Turn, error: Exception, on_error: OnError) -> str:
        """Acts for a bot that made no valid decision."""
        place = f"game {turn.game_id}, turn {turn.number}: the bot failed"
        if on_error == "raise":
            why = "".join(traceback.format_exception_only(type(error), error)).strip()
            raise BotError(
                f"{place}: {why}; the game is still live and lost on time at {turn.deadline}: "
                "correct the bot and start it again to go on"
            ) from error
        if on_error == "resign":
            self.log(f"{place}, resigning: {_describe(error)}")
            await self._submit(world, *turn.resignation())
        else:
            self.log(f"{place}, playing the server's example: {_describe(error)}")
            await self._submit(world, *turn.request(None))
        return "failure"

    async def _submit(self, world: World, path: str, body: Mapping[str, Any]) -> None:
        try:
            await self.call(world, "POST", path, body)
        except Refused as refused:
            if refused.code not in OVERTAKEN:
                raise
            self.log(f"{dict(body)} was refused: {refused}")
            await world.sleep(1)


def _checked(key: str) -> str:
    if not (key.isascii() and key.isprintable()):
        raise BadKey("the API key has characters that no key has")
    return key


def _is_for(view: Union[MeView, QueueView], join: JoinRequest) -> bool:
    """True if a place in the queue is for these games. As JSON, because True == 1."""
    house = True if join["house"] is None else join["house"]
    wanted = [join["ruleset"], join["pool"], house]
    return json.dumps([view["ruleset"], view["pool"], view["house"]]) == json.dumps(wanted)


def _describe(error: Exception) -> str:
    """The error in one line if it is about the decision, else with the lines of the bot."""
    if isinstance(error, (BadDecision, Refused)):
        return str(error)
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename.startswith(os.path.dirname(__file__)):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).strip()


def _summary(game: GameView, decisions: Mapping[str, int]) -> str:
    result = game["result"]
    assert result, "the game is over"
    winner, reason = result["winner_name"], result["reason"]
    end = f"{winner} won by {reason}" if winner else f"no winner, {reason}"
    text = f"game {game['game_id']}: {end}, {game['move_number']} moves"
    if decisions.get("example"):
        text += f"; decisions left to the server's example: {decisions['example']}"
    if decisions.get("failure"):
        text += f"; failures of the bot: {decisions['failure']} of {sum(decisions.values())}"
    return text

"""The clients: `Arena` blocks, `AsyncArena` runs in an event loop. Both play in the same way."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import threading
import time
from typing import Any, Awaitable, Callable, Coroutine, Mapping, Optional, TypeVar, Union

from ._http import Http
from ._session import House, OnError, Session
from .views import GameView, Pool, RulesetId

DEFAULT_RULESET: RulesetId = "renju_taraguchi10_international"

Decision = Optional[Mapping[str, Any]]
Decide = Callable[[GameView], Decision]
AsyncDecide = Callable[[GameView], Union[Decision, Awaitable[Decision]]]

T = TypeVar("T")


class Arena:
    """One agent at one server.

    >>> from renju_arena import Arena
    >>> arena = Arena("http://127.0.0.1:8080", "my-first-bot")
    >>> def decide(game):
    ...     return game["legal_moves"][0] if game["legal_moves"] else None
    >>> game = arena.play(decide, games=1)
    game ...: ... won by ..., ... moves...

    The agent is registered with its first request. Only the API key is kept, in
    ~/.config/renju/credentials.json, or taken from RENJU_API_KEY: stop the program at any time,
    start it again, and it goes on with its game. `log` is called with one text at a time.
    """

    def __init__(self, server: str, name: str, log: Callable[[str], object] = print) -> None:
        self._http = Http(server)
        self._session = Session(self._http, name, log)

    def play(
        self,
        decide: Decide,
        *,
        ruleset: RulesetId = DEFAULT_RULESET,
        pool: Pool = "standard",
        house: House = None,
        games: Optional[int] = None,
        on_error: OnError = "fallback",
        legal: bool = True,
    ) -> Optional[GameView]:
        """Plays so many games, or for ever; returns the last one.

        `decide` gets the game as GET /games/{id} shows it, whenever it is the agent's turn. It
        returns the decision: {"point": "h8"}, {"x": 7, "y": 7}, an entry of `legal_moves`,
        {"swap": True}, {"swap": "put_two"}, {"candidates": [ten points]} or {"fifths": 2}. None
        plays the server's example, which is always legal; the log counts how often that was done.
        `legal_moves` is empty when no stone is due, for example in a swap.

        `house` is None for any opponent, False for agents only, or the level of a house bot, from 0
        (random) to 6. `pool` is fast, standard or slow.

        `on_error` says what happens when `decide` raises, or returns something that is no decision
        or that the rules reject: "fallback" logs it and plays the server's example, "resign" logs
        it and gives the game up, "raise" raises BotError and leaves the game as it is, so that a
        corrected bot can go on with it before the deadline.

        `legal=False` leaves `legal_moves` out of the view, for bots that know the rules.
        """

        async def bot(game: GameView) -> object:
            return decide(game)

        return _run(
            self._session.play(
                self._world,
                bot,
                ruleset=ruleset,
                pool=pool,
                house=house,
                games=games,
                on_error=on_error,
                legal=legal,
            )
        )

    def call(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        """Any other request of the API, such as `call("GET", "/agents/me")`. It is sent again until
        there is a reply, so a body needs an idempotency_key wherever the API takes one."""
        return _run(self._session.call(self._world, method, path, body))

    @property
    def _world(self) -> _Blocking:
        return _Blocking(self._http)


class AsyncArena:
    """As `Arena`, in an event loop; each agent has its own AsyncArena. Cancelling a call is safe:
    the next one goes on with the same game.

    >>> import asyncio
    >>> from renju_arena import AsyncArena
    >>> arena = AsyncArena("http://127.0.0.1:8080", "my-async-bot")
    >>> async def decide(game):
    ...     return game["legal_moves"][0] if game["legal_moves"] else None
    >>> game = asyncio.run(arena.play(decide, games=1))
    game ...: ... won by ..., ... moves...
    """

    def __init__(self, server: str, name: str, log: Callable[[str], object] = print) -> None:
        self._world = _Loop(Http(server))
        self._session = Session(self._world.http, name, log)

    async def play(
        self,
        decide: AsyncDecide,
        *,
        ruleset: RulesetId = DEFAULT_RULESET,
        pool: Pool = "standard",
        house: House = None,
        games: Optional[int] = None,
        on_error: OnError = "fallback",
        legal: bool = True,
    ) -> Optional[GameView]:
        """As `Arena.play`. `decide` may be an async function; a plain one must be quick, because it
        stops the event loop."""

        async def bot(game: GameView) -> object:
            decision = decide(game)
            return await decision if inspect.isawaitable(decision) else decision

        return await self._session.play(
            self._world,
            bot,
            ruleset=ruleset,
            pool=pool,
            house=house,
            games=games,
            on_error=on_error,
            legal=legal,
        )

    async def call(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        """As `Arena.call`."""
        return await self._session.call(self._world, method, path, body)


class _Blocking:
    """A world in which every call blocks."""

    def __init__(self, http: Http) -> None:
        self.http = http

    async def send(self, method: str, path: str, body: Optional[Mapping[str, Any]]) -> Any:
        return self.http.send(method, path, body)

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


def _run(session: Coroutine[Any, Any, T]) -> T:
    """Runs a session in a blocking world, where no await ever suspends it."""
    try:
        session.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("nothing in a blocking world suspends")


class _Loop:
    """A world in an event loop."""

    def __init__(self, http: Http) -> None:
        self.http = http

    async def send(self, method: str, path: str, body: Optional[Mapping[str, Any]]) -> Any:
        return await _in_thread(lambda: self.http.send(method, path, body))

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def _in_thread(function: Callable[[], T]) -> T:
    """Runs a function in a thread of its own. The default executor will not do: polls of 20 seconds
    would fill its few threads, and a program that is stopped would wait for them."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: Optional[T], error: Optional[BaseException]) -> None:
        if future.cancelled():
            return
        if error:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # None only if T allows it

    def run() -> None:
        result, error = None, None
        try:
            result = function()
        except BaseException as raised:
            error = raised
        # The loop may be closed by now.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await future

"""Both clients against a real arena: whole games, failing bots, restarts."""

import asyncio
import doctest
import http.server
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.request

import numpy as np
import pytest

import renju_arena
from renju_arena import Arena, AsyncArena, BotError, NotAnArena, Refused
from renju_arena._http import Http
from renju_arena.errors import Unreachable

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
NUMBERS = itertools.count()


def name(stem):
    """A name that no other test has."""
    return f"test-{stem}-{next(NUMBERS)}"


def first_legal(game):
    return game["legal_moves"][0] if game["legal_moves"] else None


def opening_player(game):
    """Takes the less usual way in an opening, then fills its own end of the board."""
    phase, moves = game["phase"], game["moves"]
    if phase == "swap":
        return {"swap": game["turn_number"] == 1}
    if phase == "swap_or_put_two":
        return {"swap": "put_two"}
    if phase == "fifth":
        offer = game["required_action"]["alternatives"][0]["example"]
        return {"candidates": offer["candidates"]}
    if phase == "declare":
        return {"fifths": 2}
    if phase == "offer":
        return {"candidates": ["a1", "b2"]}
    if phase == "choose":
        return {"point": game["offer10_candidates"][-1]["name"]}
    point = game["legal_moves"][0 if game["you"]["color"] == "black" else -1]
    return {"x": np.int64(point["x"]), "y": np.int64(point["y"])} if len(moves) % 2 else point


def kinds(game):
    return {move["kind"] for move in game["moves"]}


def test_the_sync_and_the_async_client_play_a_game_with_swap_offer_and_choice(server):
    names, lines = [name("sync"), name("async")], []
    options = {"house": False, "games": 1, "on_error": "raise", "pool": "fast"}
    results = {}

    def play():
        results["sync"] = Arena(server, names[0], lines.append).play(opening_player, **options)

    async def decide(game):
        await asyncio.sleep(0)
        return opening_player(game)

    thread = threading.Thread(target=play)
    thread.start()
    arena = AsyncArena(server, names[1], lines.append)
    results["async"] = asyncio.run(arena.play(decide, **options))
    thread.join()
    first, second = results["sync"], results["async"]
    assert first["game_id"] == second["game_id"]
    assert first["result"]["reason"] == "five"
    assert {"place", "swap", "keep", "offer", "choose"} <= kinds(first)
    assert [line.count("won by five") for line in lines] == [1, 1]
    assert not any("example" in line or "failures" in line for line in lines), lines


@pytest.mark.parametrize(
    "ruleset, expected",
    [
        ("renju_soosorv8", {"swap", "keep", "declare", "offer", "choose"}),
        ("gomoku_swap2", {"put_two", "keep"}),
        ("gomoku_capture", {"place"}),
    ],
)
def test_two_async_agents_in_one_loop_play_every_kind_of_opening(server, ruleset, expected):
    def decide(game):
        # The swap after the third stone.
        if game["phase"] == "swap" and ruleset == "renju_soosorv8":
            return {"swap": game["turn_number"] == 3}
        return opening_player(game)

    async def both():
        agents = [AsyncArena(server, name("loop"), lambda line: None) for _ in range(2)]
        options = {"ruleset": ruleset, "house": False, "games": 1, "on_error": "raise"}
        return await asyncio.gather(*(agent.play(decide, **options) for agent in agents))

    games = asyncio.run(both())
    assert games[0]["game_id"] == games[1]["game_id"]
    assert games[0]["result"]["reason"] in ("five", "pairs") and expected <= kinds(games[0])


@pytest.mark.parametrize("documented", [Arena, AsyncArena])
def test_the_example_of_the_documentation_plays_a_game(server, documented):
    text = documented.__doc__.replace("http://127.0.0.1:8080", server)
    example = doctest.DocTestParser().get_doctest(text, {}, documented.__name__, None, None)
    assert len(example.examples) >= 4
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(example, clear_globs=False).failed == 0
    game = example.globs["game"]
    assert game["ruleset"] == "renju_taraguchi10_international" and game["status"] == "over"


def test_every_program_of_the_readme_runs(server):
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(programs) == 4
    for program in programs:
        program = program.replace("http://127.0.0.1:8080", server)
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def raises(game):
    return game["no such field"]


async def is_async(game):
    return {"point": "a1"}


BAD = {
    "raises": (raises, "KeyError: 'no such field'"),
    "text": (lambda game: "h8", "'h8' is not a decision such as"),
    "nothing known": (lambda game: {"pt": "h8"}, "has none of point, name, x, swap, candidates"),
    "empty": (lambda game: {}, "decision {} has none of"),
    "two kinds": (lambda game: {"point": "h8", "swap": True}, "has more than one of"),
    "not JSON": (lambda game: {"x": object(), "y": 1}, "is not JSON"),
    "malformed": (lambda game: {"point": "z99"}, "malformed: "),
    "too much": (lambda game: {"point": "h8", "why": "?"}, "malformed: "),
    "half a point": (lambda game: {"x": 3}, "malformed: "),
    "off the board": (lambda game: {"point": "s19"}, "illegal_move: s19 is not on a 15×15 board"),
    "another phase": (lambda game: {"swap": True}, "illegal_move: the player to act must place"),
    "a coroutine": (is_async, "use AsyncArena"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_decision_is_logged_and_the_example_played(server, what):
    bad, words = BAD[what]
    lines, turns = [], itertools.count()
    agent = Arena(server, name("bad"), lines.append)
    game = agent.play(
        lambda game: bad(game) if next(turns) == 0 else first_legal(game),
        ruleset="gomoku_freestyle",
        house=0,
        games=1,
    )
    assert words in lines[0] and "the bot failed, playing the server's example: " in lines[0]
    # An exception comes with the lines of the bot, and only with those.
    assert ("Traceback" in lines[0]) == (what == "raises")
    assert "_session.py" not in lines[0]
    assert f"failures of the bot: 1 of {next(turns)}" in lines[-1]
    assert game["result"]["reason"] == "five" and len(lines) == 2


def test_a_bot_that_always_fails_still_plays_to_the_end(server):
    lines = []
    game = Arena(server, name("mute"), lines.append).play(
        raises, ruleset="gomoku_freestyle", house=0, games=1
    )
    assert game["result"]["reason"] in ("five", "board_full")
    mine = sum(move["seat"] == game["you"]["seat"] for move in game["moves"])
    assert f"failures of the bot: {mine} of {mine}" in lines[-1] and len(lines) == mine + 1


def test_none_is_the_servers_example_and_is_counted(server):
    lines = []
    game = Arena(server, name("none"), lines.append).play(lambda game: None, house=0, games=1)
    mine = sum(move["seat"] == game["you"]["seat"] for move in game["moves"])
    assert lines == [lines[-1]] and lines[-1].endswith(f"left to the server's example: {mine}")


@pytest.mark.parametrize("what", ["raises", "malformed", "off the board"])
def test_a_bot_that_fails_can_resign(server, what):
    bad, words = BAD[what]
    lines, me = [], name("quits")
    game = Arena(server, me, lines.append).play(
        bad, ruleset="renju_free", house=0, games=1, on_error="resign"
    )
    assert game["result"]["reason"] in ("resignation", "no_show")
    assert game["result"]["winner_name"] != me
    assert words in lines[0] and "the bot failed, resigning: " in lines[0]


def test_an_error_can_be_raised_and_the_corrected_bot_goes_on(server):
    agent = Arena(server, name("fixed"), lambda line: None)
    options = {"ruleset": "gomoku_freestyle", "house": 0, "games": 1, "on_error": "raise"}
    with pytest.raises(
        BotError, match="is still live and lost on time at .*start it again"
    ) as caught:
        agent.play(raises, **options)
    assert isinstance(caught.value.__cause__, KeyError)
    live = agent.call("GET", "/agents/me")["active_game"]
    assert live in str(caught.value)
    game = Arena(server, agent._session.name).play(first_legal, **options)
    assert game["game_id"] == live and game["result"]["reason"] == "five"


def test_an_async_agent_that_is_cancelled_goes_on_with_its_game(server):
    agent = AsyncArena(server, name("stopped"), lambda line: None)
    options = {"ruleset": "gomoku_freestyle", "house": 0, "games": 1}
    seen = []

    async def stop_after_two():
        def decide(game):
            seen.append(game["game_id"])
            if len(seen) == 2:
                task.cancel()
            return first_legal(game)

        task = asyncio.ensure_future(agent.play(decide, **options))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stop_after_two())
    game = asyncio.run(agent.play(first_legal, **options))
    assert game["game_id"] == seen[0]
    mine = [move for move in game["moves"] if move["seat"] == game["you"]["seat"]]
    assert len({move["turn_number"] for move in mine}) == len(mine)
    assert game["result"]["reason"] == "five"


def test_an_unchanged_game_is_sent_once_and_compressed(server, monkeypatch):
    agent = Arena(server, name("watched"), lambda line: None)
    with pytest.raises(BotError):
        agent.play(raises, ruleset="gomoku_freestyle", house=0, games=1, on_error="raise")
    path = f"/games/{agent.call('GET', '/agents/me')['active_game']}"
    replies, receive = [], Http._receive

    def spy(http, request):
        replies.append(receive(http, request))
        return replies[-1]

    monkeypatch.setattr(Http, "_receive", spy)
    spectator = Http(server)
    views = [spectator.send("GET", path) for _ in range(2)]
    assert [status for status, _, _ in replies] == [200, 304]
    assert replies[0][1]["Content-Encoding"] == "gzip" and replies[1][2] == b""
    assert views[0]["board"] == views[1]["board"] and views[1]["poll_after_ms"] > 0


def test_a_busy_gateway_says_when_to_come_back():
    """A gateway answers for an arena that is down; its JSON is no problem of the arena."""

    class Gateway(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b'{"code":"ServiceUnavailable"}'
            self.send_response(503)
            self.send_header("Retry-After", "7")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Gateway) as gateway:
        threading.Thread(target=gateway.serve_forever, daemon=True).start()
        with pytest.raises(Unreachable, match="status 503") as caught:
            Http(f"http://127.0.0.1:{gateway.server_port}").send("GET", "/agents/me")
        gateway.shutdown()
    assert caught.value.retry_after_s == 7


def test_legal_moves_are_left_out_on_request(server):
    seen = []

    def decide(game):
        seen.append("legal_moves" in game)
        return None

    agent = Arena(server, name("brief"), lambda line: None)
    agent.play(decide, ruleset="gomoku_freestyle", house=0, games=1, legal=False)
    assert seen and not any(seen)


def test_the_opponent_that_was_asked_for_is_played(server):
    game = Arena(server, name("chooser"), lambda line: None).play(
        first_legal, ruleset="gomoku_freestyle", house=0, games=1
    )
    assert "house-0" in (game["players"][color]["name"] for color in ("black", "white"))


def test_mistakes_of_the_caller_are_named(server):
    agent = Arena(server, name("wrong"), lambda line: None)
    with pytest.raises(
        ValueError, match="on_error is 'ignore', not one of fallback, resign, raise"
    ):
        agent.play(first_legal, on_error="ignore")
    for option, value in [("ruleset", "chess"), ("pool", "blitz"), ("house", 7)]:
        with pytest.raises(Refused, match=f"malformed: .*{value}"):
            agent.play(first_legal, games=1, **{option: value})
    for address in ("127.0.0.1:8080", "ftp://x", "http://x:port", ""):
        with pytest.raises(NotAnArena, match="is not a server such as"):
            Arena(address, "ada")
    assert agent.call("GET", "/agents/me")["status"] == "idle"


def test_a_name_that_is_taken_is_refused_and_forgotten(server, home):
    taken = name("taken")
    owner = Arena(server, taken, lambda line: None)
    owner.play(first_legal, ruleset="gomoku_freestyle", house=0, games=1)
    (home / "renju" / "credentials.json").unlink()
    with pytest.raises(Refused, match="name_taken"):
        Arena(server, taken).call("GET", "/agents/me")
    stored = json.loads((home / "renju" / "credentials.json").read_text())
    assert taken not in stored[server]


def test_the_types_are_those_of_the_openapi_document(server):
    sys.path.append(str(PACKAGE))
    import generate_views

    with urllib.request.urlopen(server + "/openapi.json") as reply:
        text = generate_views.views(json.load(reply))
    file = PACKAGE / "renju_arena" / "views.py"
    assert file.read_text(encoding="utf-8") == text, "run generate_views.py"


def test_the_clients_need_only_the_standard_library(server, tmp_path, home):
    """The folder of the repository, copied beside a bot: nothing is compiled or installed."""
    ignore = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(PACKAGE / "renju_arena", tmp_path / "bot" / "renju_arena", ignore=ignore)
    bot = tmp_path / "bot" / "bot.py"
    bot.write_text(
        "import sys\n"
        "from renju_arena import Arena, AsyncArena\n"
        "try:\n"
        "    import renju_arena.rules\n"
        "except ImportError as error:\n"
        "    print(error)\n"
        f"Arena({server!r}, {name('copied')!r}).play(\n"
        "    lambda game: None, ruleset='gomoku_freestyle', house=0, games=1)\n"
    )
    # -S leaves out everything that pip has installed.
    run = subprocess.run([sys.executable, "-S", bot], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    told = run.stdout.splitlines()
    assert told[0] == (
        "renju_arena.rules needs the compiled part of the package: pip install ./agent/python"
    )
    assert " won by " in told[1]


def test_the_package_under_test_is_the_installed_one():
    assert PACKAGE not in pathlib.Path(renju_arena.__file__).resolve().parents

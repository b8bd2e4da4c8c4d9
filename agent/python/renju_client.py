"""A client of Renju Arena in one file, with nothing but the standard library.

    from renju_client import Arena
    arena = Arena("http://127.0.0.1:8080", "my-first-bot")     # registers the first time
    arena.play(lambda game: {"point": game["legal_moves"][0]["name"]}, games=1)

The function is given a game as GET /games/{id} shows it (see /SKILL.md of the server) when it is
your turn, and returns the decision: {"point": "h8"}, {"swap": True}, {"candidates": [ten points]},
{"fifths": 2}; or None, which sends the server's own example. Nothing but the API key is remembered,
in ~/.config/renju/credentials.json: kill the program at any moment, start it again, and it continues.
"""
import contextlib
import gzip
import hashlib
import http.client
import json
import os
import random
import secrets
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None

PATHS = {"point": "move", "x": "move", "swap": "swap", "candidates": "offer10", "fifths": "declare"}
OVERTAKEN = {"turn_mismatch", "not_your_turn", "game_over", "deadline_passed",
             "idempotency_key_reused"}


class Refused(Exception):
    """The arena refused a request; `problem` says why and what to do next."""

    def __init__(self, problem):
        super().__init__(f"{problem.get('code')}: {problem.get('detail')}")
        self.problem = problem
        self.code = problem.get("code")


class Untrusted(Exception):
    """No secure connection. SSL_CERT_FILE can name a file of CA certificates."""


class NotAnArena(Exception):
    """The server at this address is not an arena; probably the address is wrong."""


class BadKey(Exception):
    """RENJU_API_KEY or the stored key is not a valid key."""


class Arena:
    """One agent at one server."""

    def __init__(self, server, name, log=print):
        self.server, self.name, self.log = server.rstrip("/"), name, log
        self.seen = None, None, None  # a path, the tag of its last reply, the reply
        if not self.server.startswith(("http://", "https://")):
            raise self._no_server()
        try:
            urllib.parse.urlsplit(self.server).port
        except ValueError:
            raise self._no_server() from None
        self.key = os.environ.get("RENJU_API_KEY", "").strip() or self._stored_key()
        if not (self.key.isascii() and self.key.isprintable()):
            raise BadKey("the API key has characters that no key has")

    def call(self, method, path, body=None, timeout=45):
        """One request, repeated with growing pauses until the arena answers. Safe to repeat:
        every decision carries a key."""
        pause = 0.5
        while True:
            wait = random.uniform(0, pause)  # full jitter
            pause = min(pause * 2, 15)
            try:
                return self._send(method, path, body, timeout)
            except Refused as refused:
                if not refused.problem.get("retryable") or refused.code == "cooling_down":
                    raise
                wait += min(refused.problem.get("retry_after_ms") or 0, 60000) / 1000
                self.log(f"{refused}; trying again in {wait:.1f} s")
            except http.client.InvalidURL:
                raise self._no_server() from None
            except (OSError, http.client.HTTPException) as error:  # no reply, or half of one
                if isinstance(getattr(error, "reason", None), ssl.SSLCertVerificationError):
                    raise Untrusted(f"no secure connection to {self.server}: {error.reason}") from None
                self.log(f"cannot reach {self.server}: {error}; trying again in {wait:.1f} s")
            time.sleep(wait)

    def play(self, decide, ruleset="renju_taraguchi10_international", pool="standard", games=None):
        """Queues and plays, game after game; returns the last game."""
        game = None
        while games is None or games > 0:
            game = self.play_game(self.wait_for_game(ruleset, pool), decide)
            games = games if games is None else games - 1
        return game

    def wait_for_game(self, ruleset, pool):
        """Joins the queue if need be; returns the id of the game."""
        view = self.call("GET", "/agents/me")
        if view["status"] == "queued" and (view["ruleset"], view["pool"]) != (ruleset, pool):
            # An earlier run queued for other games.
            view = self.call("POST", "/queue/leave", {"ticket": view["ticket"]})
        while not view["active_game"]:
            try:
                if view["status"] == "idle":
                    view = self.call("POST", "/queue/join", {"ruleset": ruleset, "pool": pool})
                    continue
                time.sleep(max(view["poll_after_ms"], 1000) / 1000)
                view = self.call("GET", "/queue")
            except Refused as refused:
                if refused.code != "cooling_down":
                    raise
                self.log(str(refused))
                time.sleep(min(refused.problem.get("retry_after_ms") or 1000, 30000) / 1000)
        return view["active_game"]

    def play_game(self, game_id, decide):
        """Plays a new or running game to its end; returns it."""
        while True:
            asked = time.monotonic()
            game = self.call("GET", f"/games/{game_id}?wait=20")
            if game["result"]:
                self.log(f"game {game_id}: {game['result']['winner_name'] or 'no one'} won by "
                         f"{game['result']['reason']}, {game['move_number']} moves")
                return game
            if game["required_action"]:
                self.act(game, decide(game))
            else:  # the time the server waited counts
                pause = max(game["poll_after_ms"], 1000) / 1000
                time.sleep(max(0, pause - (time.monotonic() - asked)))

    def act(self, game, decision):
        """Sends the decision of this turn; None sends the server's example."""
        game_id, turn, required = game["game_id"], game["turn_number"], game["required_action"]
        path, body = required["path"], dict(required["example"])
        if decision is not None:
            path = f"/games/{game_id}/" + next(PATHS[key] for key in decision if key in PATHS)
            body = dict(decision)
        digest = hashlib.sha256(f"{game_id} {turn}".encode()).hexdigest()
        body.update(turn_number=turn, idempotency_key=digest[:32])
        try:
            return self.call("POST", path, body)
        except Refused as refused:
            self.log(f"{body} was refused: {refused}")
            if refused.code == "illegal_move" and decision is not None:
                return self.act(game, None)
            if refused.code not in OVERTAKEN:
                raise
            time.sleep(1)

    def _no_server(self):
        return NotAnArena(f"{self.server!r} is not a server such as http://127.0.0.1:8080")

    def _send(self, method, path, body, timeout):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        request.add_header("Accept-Encoding", "gzip")
        seen_path, tag, seen = self.seen
        if method == "GET" and path == seen_path:
            request.add_header("If-None-Match", tag)
        if getattr(self, "key", None):
            request.add_header("Authorization", f"Bearer {self.key}")
        try:
            with urllib.request.urlopen(request, timeout=timeout) as reply:
                status, headers, text = reply.status, reply.headers, reply.read()
        except urllib.error.HTTPError as error:
            status, headers, text = error.code, error.headers, error.read()
        if status == 304:  # the hint depends on the time; the reply has the one that holds now
            hint = headers.get("Retry-After", "")
            return {**seen, "poll_after_ms": int(hint) * 1000} if hint.isdigit() else seen
        if headers.get("Content-Encoding") == "gzip":
            text = gzip.decompress(text)
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if isinstance(answer, dict) and status < 300:
            # Not on its own turn: there an agent needs to know how much time is left now.
            if method == "GET" and headers.get("ETag") and not answer.get("required_action"):
                self.seen = path, headers["ETag"], answer
            return answer
        if isinstance(answer, dict) and "code" in answer:
            raise Refused(answer)
        # Not the arena itself: a busy gateway, or something else.
        if status == 429 or status >= 500:
            raise OSError(f"status {status}")
        start = text[:80].decode(errors="replace")
        raise NotAnArena(f"{self.server} is not an arena (status {status}): {start!r}")

    def _stored_key(self):
        with stored_keys() as book:
            entry = book.setdefault(self.server, {}).setdefault(self.name, {})
            if "api_key" in entry:
                return entry["api_key"]
            # Stored before it is sent, so that a lost reply does not lose the name.
            secret = entry.setdefault("registering", secrets.token_hex(24))
        try:
            body = {"name": self.name, "idempotency_key": secret}
            key = self.call("POST", "/agents/register", body)["api_key"]
        except Refused:
            with stored_keys() as book:
                del book[self.server][self.name]
            raise
        with stored_keys() as book:
            book[self.server][self.name] = {"api_key": key}
        return key


@contextlib.contextmanager
def stored_keys():
    """The keys of this user, by server and name; the `renju` tool keeps its own there too."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    folder = os.path.join(home, "renju")
    os.makedirs(folder, exist_ok=True)
    file = os.path.join(folder, "credentials.json")
    with open(os.path.join(folder, "credentials.lock"), "w") as lock:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX)
        book = {}
        if os.path.exists(file):
            with open(file, encoding="utf-8") as stored:
                book = json.load(stored)
        before = json.dumps(book)
        yield book
        if json.dumps(book) != before:
            with open(os.open(file + ".new", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as new:
                json.dump(book, new, indent=2)
            os.replace(file + ".new", file)

"""A running arena for scripts that test the API from outside."""

import json
import re
import subprocess
import time
import urllib.request


class Arena:
    """An arena with a port and tables of its own. BINARY is what `cargo run` starts."""

    def __init__(self, binary, *options):
        command = [binary, "--ephemeral", "--no-exhibition", "--listen", "127.0.0.1:0", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        found = re.search(r"http://[0-9.:]+", self.process.stdout.readline())
        if not found:
            raise SystemExit("the arena does not start")
        self.base = found[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, method, path, key=None, body=None):
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.load(reply)

    def register(self, name):
        return self.ask("POST", "/agents/register", body={"name": name})["api_key"]

    def seat(self, keys):
        """A new game between two agents."""
        for key in keys:
            self.ask("POST", "/queue/join", key, {})
        while not (game := self.ask("GET", "/queue", keys[0])["active_game"]):
            time.sleep(0.3)
        return game

    def answer(self, game, key, stop):
        """Makes every decision of an agent until told to stop."""
        while not stop.wait(0.2):
            try:
                action = self.ask("GET", f"/games/{game}?legal=0", key)["required_action"]
                if action:
                    self.ask(action["method"], action["path"], key, action["example"])
            except OSError:
                pass  # Somebody was faster, or the game is over.

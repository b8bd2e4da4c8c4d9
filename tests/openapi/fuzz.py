"""Holds a running arena against its own OpenAPI document with thousands of made-up requests.

    fuzz.py ARENA_LOCAL [CASES]

Needs schemathesis beside this Python. ARENA_LOCAL is the binary that `cargo run` starts; it gets a port
and tables of its own. Two agents play: the fuzzer, with whose key the requests are made, and a rival
that answers its moves, so that made-up decisions meet a game that goes on. Fails on any 5xx, any status,
header or body that the document does not describe, any request that should have been refused and was
not, and on fewer than CASES cases.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import threading

from arena import Arena

CASES = 5000
# Beside what follows from each bound of the schemas. Together some minutes on an idle machine.
EXAMPLES_PER_ROUTE = 170

CONFIG = """
headers = {{ Authorization = "Bearer {key}" }}

[generation]
max-examples = {examples}

# A made-up body can also be too large.
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415", "422", "429"]

[dictionaries]
games = {{ values = ["{live}", "{over}"] }}
turns = {{ values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }}
agents = {{ values = ["fuzzer", "rival"] }}

[parameters]
"path.id" = {{ dictionary = "games", probability = 0.8 }}
"path.name" = {{ dictionary = "agents", probability = 0.5 }}
"body.turn_number" = {{ dictionary = "turns", probability = 0.8 }}

# A cursor is opaque: a text that looks like one need not be one.
[[operations]]
include-path-regex = "^(/games|/leaderboard|/agents/\\\\{{name\\\\}}/games|.*/games/export.ndjson)$"
checks.positive_data_acceptance.enabled = false

# Whether a position can be one is more than a schema tells, and so is whether the rules allow a move.
[[operations]]
include-path-regex = "^(/rules/check|/games/\\\\{{id\\\\}}/.*)$"
checks.positive_data_acceptance.enabled = false

# Once resigned, the game would be over for all other requests.
[[operations]]
include-path = "/games/{{id}}/resign"
parameters = {{ "path.id" = "{over}" }}

# These would end the key that all other requests are made with.
[[operations]]
include-path-regex = "^/agents/me/keys/.*$"
headers = {{ Authorization = "Bearer {spare}" }}

# An agent may be called "register", so GET is allowed here too.
[[operations]]
include-path = "/agents/register"
checks.allow_header_conformance.enabled = false
"""


def fuzz(arena, folder):
    """Runs schemathesis and gives its exit code and what it printed."""
    fuzzer, rival, spare = map(arena.register, ("fuzzer", "rival", "spare"))
    over = arena.seat([fuzzer, rival])
    arena.ask("POST", f"/games/{over}/resign", rival, {"idempotency_key": "over"})
    live = arena.seat([fuzzer, rival])
    config = folder / "schemathesis.toml"
    config.write_text(
        CONFIG.format(
            key=fuzzer, spare=spare, examples=EXAMPLES_PER_ROUTE, live=live, over=over
        )
    )
    stop = threading.Event()
    threading.Thread(target=arena.answer, args=(live, rival, stop), daemon=True).start()
    command = [pathlib.Path(sys.executable).with_name("schemathesis"), "--config-file", config, "run"]
    # The same requests every time, so that a failure is the change's doing.
    phases = ["--phases", "examples,coverage,fuzzing", "--continue-on-failure", "--seed", "1"]
    run = subprocess.run(
        [*command, f"{arena.base}/openapi.json", *phases, "--warnings", "off"],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    stop.set()
    # Had the key ended on the way, every request since would have met the same refusal.
    arena.ask("GET", "/agents/me", fuzzer)
    return run.returncode, run.stdout


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else CASES
    limits = ["--registrations", "1000000", "--requests", "1000000", "--wait-seconds", "0"]
    with Arena(binary, *limits) as arena, tempfile.TemporaryDirectory() as folder:
        code, text = fuzz(arena, pathlib.Path(folder))
    print(text)
    found = re.search(r"(\d+) generated", text)
    cases = int(found[1]) if found else 0
    if code:
        raise SystemExit(f"the arena and its document disagree (schemathesis exit code {code})")
    if cases < wanted:
        raise SystemExit(f"only {cases} cases of {wanted}")
    print(f"{cases} cases: no 5xx, no undocumented status, no schema mismatch")


main()

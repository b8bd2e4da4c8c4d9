"""Generates clients from the arena's OpenAPI document and plays a whole game with each.

    generated.py ARENA_LOCAL

Needs openapi-python-client beside this Python, and npm with `npm ci` done in this folder; without npm only the
Python client is tried. Fails when a generator warns about anything but a media type it has no name for, when the
TypeScript does not pass `tsc --strict`, and when a game does not come to its end.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from arena import Arena

HERE = pathlib.Path(__file__).parent


def generate_python(document, folder):
    """Generates the package `client` in the folder."""
    command = pathlib.Path(sys.executable).with_name("openapi-python-client")
    config = folder / "config.json"
    config.write_text(json.dumps({"package_name_override": "client", "post_hooks": []}))
    options = ["--path", document, "--config", config, "--meta", "none", "--output-path", folder / "client"]
    run = subprocess.run([command, "generate", *options], capture_output=True, text=True)
    told = run.stdout + run.stderr
    warnings = told.count("WARNING parsing")
    if run.returncode or warnings != told.count("(Unsupported content_type "):
        raise SystemExit(f"openapi-python-client is not content:\n{told}")
    print(f"openapi-python-client: {warnings} warnings, all about media types")


def play_python(base):
    """Two agents with the generated Python client play until one of them wins."""
    from client import AuthenticatedClient, Client, models
    from client.api.agents import register
    from client.api.games import game, game_text, games, move, offer, swap
    from client.api.queue import join, queue

    def agent(name):
        registered = register.sync(client=Client(base), body=models.RegisterRequest(name=name))
        assert isinstance(registered, models.RegisteredView), registered
        return AuthenticatedClient(base, token=registered.api_key)

    def decide(client, view):
        """What a player sends: it swaps once, offers ten, and fills its own end of the board."""
        turn = {"turn_number": view.turn_number, "idempotency_key": f"{view.game_id}-{view.turn_number}"}
        if view.phase == models.PhaseName.SWAP:
            body = models.SwapRequest(swap=view.turn_number == 1, **turn)
            return swap.sync(view.game_id, client=client, body=body)
        if view.phase == models.PhaseName.FIFTH:
            candidates = view.required_action.alternatives[0].example["candidates"]
            body = models.OfferRequest(candidates=candidates, **turn)
            return offer.sync(view.game_id, client=client, body=body)
        at = 0 if view.you.color == "black" else -1
        body = models.MoveRequest(point=view.legal_moves[at].name, **turn)
        return move.sync(view.game_id, client=client, body=body)

    players = [agent("pia"), agent("pip")]
    for player in players:
        waiting = join.sync(client=player, body=models.JoinRequest(house=False))
        assert isinstance(waiting, models.QueueView), waiting
    while not (id := queue.sync(client=players[0]).active_game):
        time.sleep(0.3)
    refused = move.sync(id, client=players[0], body=models.MoveRequest(turn_number=99, idempotency_key="k", point="a1"))
    assert isinstance(refused, models.Problem) and refused.code in ("turn_mismatch", "not_your_turn"), refused
    kinds, view = set(), game.sync(id, client=players[0])
    while view.status == models.GameStatus.LIVE:
        for player in players:
            view = game.sync(id, client=player)
            if view.required_action:
                view = decide(player, view)
                assert isinstance(view, models.GameView), view
                kinds.add(str(view.moves[-1].kind))
    assert {"place", "swap", "keep", "offer", "choose"} <= kinds, kinds
    assert game_text.sync(id, client=players[0]).startswith("Game ")
    assert len(games.sync(client=players[0], agent="pia").games) == 1
    print(f"Python client: {len(view.moves)} decisions, {view.result.winner} wins by {view.result.reason}")


def play_typescript(document, base, folder):
    """Type-checks generated.ts against the generated types, then runs it."""
    bin = HERE / "node_modules" / ".bin"
    for name in ["generated.ts", "package.json"]:
        shutil.copy(HERE / name, folder)
    (folder / "node_modules").symlink_to(HERE / "node_modules")
    run = subprocess.run(
        [bin / "openapi-typescript", document, "-o", folder / "api.d.ts"], capture_output=True, text=True
    )
    if run.returncode or "⚠" in run.stdout + run.stderr or "arn" in run.stderr:
        raise SystemExit(f"openapi-typescript is not content:\n{run.stdout}{run.stderr}")
    print("openapi-typescript: no warning")
    options = ["--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "--types", "node"]
    subprocess.run([bin / "tsc", *options, "generated.ts"], cwd=folder, check=True)
    subprocess.run(["node", folder / "generated.js", base], check=True, timeout=60)


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    with Arena(binary) as arena, tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        document = folder / "openapi.json"
        document.write_text(json.dumps(arena.ask("GET", "/openapi.json")))
        generate_python(document, folder)
        sys.path.insert(0, str(folder))
        play_python(arena.base)
        if (HERE / "node_modules").is_dir():
            play_typescript(document, arena.base, folder)
        else:
            print("!! NOT RUN: the TypeScript client, for npm ci has not been run in tests/openapi")


main()

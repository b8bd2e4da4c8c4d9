"""API keys of this user, in a file that the `renju` tool shares."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import secrets
import sys
from typing import Dict, Iterator, Optional, Tuple

# By server, then by agent: {"api_key": …}, or {"registering": …} until the reply has come.
_Keys = Dict[str, Dict[str, Dict[str, str]]]


def stored_key(server: str, name: str) -> Tuple[Optional[str], str]:
    """The stored key, if there is one, and otherwise the secret to register with. The secret is
    stored before it is sent, so that a lost reply does not lose the name."""
    with _stored() as keys:
        entry = keys.setdefault(server, {}).setdefault(name, {})
        if "api_key" in entry:
            return entry["api_key"], ""
        return None, entry.setdefault("registering", secrets.token_hex(24))


def store_key(server: str, name: str, key: str) -> None:
    """Stores the key of a registered agent."""
    with _stored() as keys:
        keys.setdefault(server, {})[name] = {"api_key": key}


def forget_name(server: str, name: str) -> None:
    """Forgets a name that could not be registered."""
    with _stored() as keys:
        keys.get(server, {}).pop(name, None)


@contextlib.contextmanager
def _stored() -> Iterator[_Keys]:
    """The keys, to read and change; two programs never change them at the same time."""
    folder = pathlib.Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "renju"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "credentials.json"
    with open(folder / "credentials.lock", "w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        keys: _Keys = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        before = json.dumps(keys)
        yield keys
        if json.dumps(keys) != before:
            new = folder / "credentials.json.new"
            with open(os.open(new, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as stream:
                json.dump(keys, stream, indent=2)
            new.replace(file)

"""A running arena for the tests. ARENA_LOCAL names the binary that `cargo run` starts."""

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests" / "openapi"))
sys.path.append(str(ROOT / "agent" / "python" / "tests"))


@pytest.fixture(scope="session")
def server():
    """Address of an arena in which a house bot takes a seat after one second."""
    from arena import Arena

    binary = os.environ.get("ARENA_LOCAL", str(ROOT / "target" / "debug" / "arena-local"))
    limits = ["--house-seconds", "1", "--requests", "1000"]
    with Arena(binary, *limits) as running:
        yield running.base


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """No key of the user is seen, and none is left behind."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("RENJU_API_KEY", raising=False)
    return tmp_path

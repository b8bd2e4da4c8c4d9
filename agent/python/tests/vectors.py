"""The vector files of the project, shared with the Rust tests."""

import gzip
import json
import pathlib

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"
NO_MARKS = str.maketrans("3456", "....")


def rows(name):
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def solved_boards():
    """Boards with the class of every empty point, and the same boards without."""
    return [(row["p"].translate(NO_MARKS), row["p"]) for row in rows("renju_forbidden")]

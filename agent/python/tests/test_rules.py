"""The rules through Python give the answers of the vectors, as the Rust crate does."""

import copy
import doctest
import json
import random
import re
import typing
import urllib.request

import pytest
from vectors import rows, solved_boards

import renju_arena.rules
from renju_arena import views
from renju_arena.rules import (
    IllegalPlay,
    Position,
    Record,
    Sheet,
    classes,
    named_opening,
    rulesets,
)

INTERNATIONAL, RIF = "renju_taraguchi10_international", "renju_taraguchi10_rif"


def test_fouls_agree_on_20000_boards():
    boards = solved_boards()
    assert len(boards) == 20_000
    wrong = [board for board, solved in boards if classes(board) != solved]
    assert wrong == []


def test_a_foul_beats_a_five_where_the_ruleset_says_so():
    assert len(cases := rows("classical")) == 42
    for case in cases:
        x, y = ord(case["pt"][0]) - ord("a"), int(case["pt"][1:]) - 1
        for ruleset, column in [("renju_free", "rif"), (INTERNATIONAL, "seed")]:
            assert classes(case["b"], ruleset)[15 * y + x] == case[column], case["name"]


def test_offers_agree_in_both_readings():
    assert len(cases := rows("offer10")) == 600
    # No points at all, and points beyond 20×20, cannot be written as an offer.
    words = {
        "count": "points were offered|is not a play",
        "range": "is not on|is not a play",
        "occupied": "is occupied",
        "duplicate": "twice",
        "symmetric": "are symmetric",
    }
    for case in cases:
        for ruleset, column in [(INTERNATIONAL, "seed"), (RIF, "rif")]:
            position = Position(ruleset)
            for stone in case["stones"]:
                position = position.play(stone).play("keep")
            assert position.phase == "fifth"
            try:
                found = position.play("offer:" + ",".join(case["offers"]))
            except ValueError as error:
                assert re.search(words[case[column]], str(error)), case["id"]
            else:
                assert case[column] == "ok" and found.offered == case["offers"], case["id"]


def test_captures_agree():
    assert len(cases := rows("capture")) == 2_000
    for case in cases:
        side, color = case["n"], {"x": "black", "o": "white"}[case["stm"]]
        position = Position.from_board(case["b"], "gomoku_capture", color, tuple(case["caps"]))
        point = f"{chr(ord('a') + case['mv'] % side)}{case['mv'] // side + 1}"
        if not case["legal"]:
            with pytest.raises(IllegalPlay, match="double-three|is occupied"):
                position.play(point)
            continue
        captured = [
            side * (int(name[1:]) - 1) + ord(name[0]) - ord("a")
            for name in position.captured_by(point)
        ]
        assert sorted(captured) == sorted(case["captured"]), case["id"]
        assert list(position.play(point).pairs) == case["after"], case["id"]


def test_rejected_values_are_named_and_change_nothing():
    position = Position().play("h8")
    record = Record("h8")
    for call, words in [
        (lambda: Position("chess"), "there is no ruleset"),
        (lambda: Position("renju_free", 19), "is not played on a 19×19 board"),
        (lambda: Position("gomoku_freestyle", 300), "no board has side 300"),
        (lambda: Position("gomoku_freestyle", -1), "no board has side -1"),
        (lambda: Position.from_board("x" * 24), "24 characters|side of 5"),
        (lambda: Position.from_board("?" * 225), "is not x, o or ."),
        (lambda: Position.from_board("." * 225, to_move="red"), "is not black or white"),
        (lambda: position.play("h16x"), "is not a play"),
        (lambda: position.explain("z1"), "is not a point"),
        (lambda: named_opening("h8", "h9", "?"), "is not a point"),
        (lambda: Record("h8 hello"), "is not a play"),
        (lambda: Sheet.read("hello"), "the text ends|is not"),
    ]:
        with pytest.raises(ValueError, match=words) as caught:
            call()
        assert not isinstance(caught.value, IllegalPlay)
    for call, words in [
        (lambda: position.play("i9"), "must swap or keep"),
        (lambda: position.play("declare:2"), "must swap or keep"),
        (lambda: position.offer_mask([]), "can be offered here"),
        (lambda: record.play("a1"), "must swap or keep"),
        (lambda: Record("h8 keep a1"), r"play 3 \(a1\)"),
    ]:
        with pytest.raises(IllegalPlay, match=words):
            call()
    assert position == Position().play("h8") and str(record) == "h8" and len(record) == 1


@pytest.mark.parametrize("ruleset", [ruleset.id for ruleset in rulesets()])
def test_random_games_survive_text_and_sgf(ruleset):
    chance = random.Random(ruleset)
    for _ in range(20):
        record = Record(ruleset=ruleset)
        while (position := record.position).outcome is None:
            record.play(chance.choice(position.plays() or [random_offer(position, chance)]))
        assert Record(str(record), ruleset) == record
        assert record.positions()[-1] == record.position and len(record) == len(record.plays)
        sheet = Sheet(record, first="Ada", second="Bo", date="2026-03-14")
        assert Sheet.read(sheet.write()) == sheet
        outcome = record.position.outcome
        assert sheet.result[0] == outcome.winner


def random_offer(position, chance):
    chosen = []
    while len(chosen) < position.offer_count:
        free = [n for n, may in enumerate(position.offer_mask(chosen)) if may]
        n = chance.choice(free)
        chosen.append(f"{chr(ord('a') + n % 15)}{n // 15 + 1}")
    return "offer:" + ",".join(chosen)


def test_proofs_are_those_of_the_api(server):
    """Every shape of the API's explanation, on the hand-made cases."""

    def fields(proof, outer=True):
        """A proof as the API has it: no empty fields, and the words of the outermost proof only."""
        if isinstance(proof, list):
            return [fields(item, False) for item in proof]
        if isinstance(proof, (str, bool)):
            return proof
        found = {name: getattr(proof, name) for name in dir(proof) if not name.startswith("_")}
        kept = {name: value for name, value in found.items() if value is not None}
        return {
            name: fields(value, False) for name, value in kept.items() if outer or name != "text"
        }

    def names(view):
        """The same with points as names."""
        if isinstance(view, list):
            return [names(item) for item in view]
        if isinstance(view, dict):
            return view.get("name") or {field: names(value) for field, value in view.items()}
        return view

    nested = 0
    for case in rows("classical"):
        body = {"ruleset": "renju_free", "position": {"board": case["b"]}, "point": case["pt"]}
        request = urllib.request.Request(
            f"{server}/rules/check", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as reply:
            expected = json.load(reply)["verdict"]["explanation"]
        proof = Position.from_board(case["b"]).explain(case["pt"])
        assert fields(proof) == names(expected), case["name"]
        nested += any(
            way.proof is not None for three in proof.threes for way in three.straight_fours
        )
    assert nested > 0


def test_words_are_those_of_the_api():
    assert [ruleset.id for ruleset in rulesets()] == list(typing.get_args(views.RulesetId))
    phases = set(typing.get_args(views.PhaseName))
    assert {step for ruleset in rulesets() for step in ruleset.steps} <= phases
    position = Position("gomoku_swap2")
    seen = {position.phase}
    for play in "h8 h9 h10 put-two a1 a2 keep b1 c1 d1".split():
        position = position.play(play)
        seen.add(position.phase)
    assert seen == {"place", "swap_or_put_two", "swap", "play"} <= phases
    reasons = set(typing.get_args(typing.get_type_hints(views.ResultView)["reason"]))
    won = Record("a1 b1 a2 b2 a3 b3 a4 b4 a5", "gomoku_freestyle").position.outcome
    assert (won.winner, won.reason) == ("black", "five") and won.reason in reasons


def test_a_copy_of_a_record_goes_its_own_way():
    record = Record("h8")
    for copied in (copy.copy(record), copy.deepcopy(record)):
        copied.play("swap")
        assert str(copied) == "h8 swap" and str(record) == "h8"
    assert copy.deepcopy(record.position) == record.position


def test_openings_have_names():
    assert named_opening("h8", "h9", "i9") == "Kagetsu (4D)"
    assert named_opening("h8", "g7", "g9") == "Hogetsu (7I)"
    assert named_opening("h8", "h9", "k8") is None


def test_a_declaration_is_remembered_until_the_offer():
    position = Record("h8 i9 g9 keep a1 declare:3 keep", "renju_soosorv8").position
    assert (position.phase, position.declared, position.offer_count) == ("offer", 3, 3)
    assert position.play("offer:h10,j7,k8").play("h10").declared == 0


def test_the_examples_of_the_module_are_right():
    found = doctest.testmod(renju_arena.rules)
    assert found.attempted == 5 and found.failed == 0

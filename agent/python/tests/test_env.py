"""The PettingZoo environments: PettingZoo's own tests, and the rules seen through actions."""

import copy
import doctest

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import renju_arena.env
from renju_arena.env import AGENTS, PHASES, PLANES, env, raw_env
from renju_arena.rules import IllegalPlay, Position, rulesets

RULESETS = [ruleset.id for ruleset in rulesets()]

# An observation with a mask is a dictionary. PettingZoo exempts its own games from these two.
pytestmark = [
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_pettingzoo_accepts_every_ruleset(ruleset):
    api_test(env(ruleset), num_cycles=1_000)
    seed_test(lambda: env(ruleset))


def test_pettingzoo_accepts_every_board_size():
    for size in (5, 9, 19):
        api_test(env("gomoku_freestyle", size), num_cycles=200)
    with pytest.raises(ValueError, match="is not played on a 19×19 board"):
        env("renju_free", 19)


def test_pettingzoo_accepts_the_pictures():
    render_test(
        lambda render_mode: env(render_mode=render_mode), {"ansi": lambda text: "15 ." in text}
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_mask_is_what_the_rules_accept(ruleset):
    """In random games: the mask has exactly the actions that are neither rejected nor fouls."""
    game, phases = raw_env(ruleset), set()
    for seed in range(6):
        chance = np.random.default_rng(seed)
        game.reset()
        while game.position.outcome is None:
            position, agent = game.position, game.agent_selection
            assert agent == AGENTS[position.to_act]
            assert game.observe(other(agent))["action_mask"].sum() == 0
            mask = game.observe(agent)["action_mask"]
            phases.add(position.phase)
            if game._offer is None:
                legal = set(position.legal_points()) or set(position.forbidden_points())
                words = {play for play in position.plays() if ":" in play or not play[-1].isdigit()}
                words |= {"offer"} if position.phase == "fifth" else set()
                legal = legal | words if position.phase != "offer" else words
                assert {game.action_names[n] for n in np.flatnonzero(mask)} == legal
            game.step(int(chance.choice(np.flatnonzero(mask))))
        winner = position_winner(game)
        assert sorted(game.rewards.values()) == ([-1, 1] if winner else [0, 0])
        assert winner is None or game.rewards[winner] == 1
        assert all(game.terminations.values())
    steps = {step for row in rulesets() if row.id == ruleset for step in row.steps}
    assert steps | {"play"} <= phases


def other(agent):
    return next(name for name in AGENTS.values() if name != agent)


def position_winner(game):
    winner = game.position.outcome.winner
    return winner and AGENTS[getattr(game.position, winner)]


def play(game, *names):
    for name in names:
        game.step(game.action_names.index(name))


def test_ten_fifth_moves_are_offered_one_by_one():
    game = raw_env()
    game.reset()
    play(game, "h8", "keep", "i9", "keep", "g9", "keep", "f10", "keep")
    maker = game.agent_selection
    assert game.position.phase == "fifth" and maker == "player_0"
    play(game, "offer", "a1")
    mask = game.observe(maker)["action_mask"]
    for name in ("o1", "a15", "o15", "a1", "h8", "swap", "offer"):
        assert not mask[game.action_names.index(name)], name
    for name, words in [
        ("o15", "symmetric"),
        ("h8", "not an empty point"),
        ("swap", "not a point"),
    ]:
        with pytest.raises(ValueError, match=words):
            play(game, name)
    points = ["b1", "c1", "d1", "e1", "f1", "g1", "h1", "b2", "c2"]
    play(game, *points[:-1])
    assert game.agent_selection == maker
    with pytest.raises(IllegalPlay, match="symmetric"):
        play(game, "o1")
    play(game, points[-1])
    assert game.position.phase == "choose" and game.agent_selection == other(maker)
    seen = game.observe(other(maker))
    chosen = {game.action_names[n] for n in np.flatnonzero(seen["action_mask"])}
    assert chosen == {"a1", *points} and seen["observation"][:, :, 2].sum() == 10
    play(game, "a1")
    assert game.position.phase == "play" and game.position.board[0] == "x"


def test_a_declaration_is_seen_before_the_swap():
    game = raw_env("renju_soosorv8")
    game.reset()
    play(game, "h8", "i9", "g9", "keep", "a1", "declare:3")
    assert (game.observe(game.agent_selection)["observation"][:, :, 7] == 3).all()
    play(game, "keep", "h10", "j7", "k8")
    assert game.position.phase == "choose"


def test_an_observation_is_the_agents_own_view():
    game = raw_env()
    game.reset()
    play(game, "h8", "swap", "i9")
    # The second player holds Black now; the first one placed the black stone and the white one.
    white, black = (game.observe(AGENTS[seat])["observation"] for seat in ("first", "second"))
    assert black[7, 7, 0] == 1 and black[8, 8, 1] == 1 and (black[:, :, 3] == 1).all()
    assert white[7, 7, 1] == 1 and white[8, 8, 0] == 1 and (white[:, :, 3] == 0).all()
    phase = PLANES - len(PHASES) + PHASES.index("swap")
    assert (black[:, :, phase] == 1).all() and black[:, :, PLANES - len(PHASES) :].sum() == 15 * 15


def test_captured_pairs_are_seen():
    game = raw_env("gomoku_capture")
    game.reset()
    play(game, "a1", "b1", "k10", "c1", "d1")
    black, white = (game.observe(AGENTS[seat])["observation"] for seat in ("first", "second"))
    assert (black[:, :, 5] == 1).all() and (white[:, :, 6] == 1).all()
    assert black[0, 1].tolist()[:2] == [0, 0]


def test_a_foul_is_legal_only_where_nothing_else_is_left():
    board = ["."] * 225
    for point in ("g8", "i8", "h7", "h9"):
        board[15 * (int(point[1:]) - 1) + ord(point[0]) - ord("a")] = "x"
    position = Position.from_board("".join(board))
    assert position.forbidden_points() == {"h8": "double_three"}
    assert position.legal_mask()[15 * 7 + 7] == 0 and sum(position.legal_mask()) == 220
    # h8 is an overline, and every other point is taken.
    rows = ["xooxxooxxooxxox", "oxxooxxooxxooxo"] * 7 + ["xooxxooxxooxxox"]
    rows[7] = "ooooxxx.xxxoooo"
    full = Position.from_board("".join(rows))
    assert full.forbidden_points() == {"h8": "overline"} and full.legal_points() == []
    assert sum(full.legal_mask()) == 1
    assert full.play("h8").outcome.winner == "white"


@pytest.mark.parametrize("make", [env, raw_env])
def test_a_copy_goes_its_own_way(make):
    """As tree searches need it; here in the middle of an offer."""
    game = make("renju_soosorv8")
    game.reset()
    names = game.unwrapped.action_names
    for name in "h8 i9 g9 keep a1 declare:3 keep h10".split():
        game.step(names.index(name))
    copied = copy.deepcopy(game)
    for name in ("j7", "k8", "j7"):
        copied.step(names.index(name))
    assert copied.unwrapped.position.phase == "play" and game.unwrapped.position.phase == "offer"
    assert game.observe(game.agent_selection)["observation"][:, :, 2].sum() == 1


def test_an_action_outside_the_mask_loses_and_in_the_raw_game_is_refused():
    game = env("gomoku_freestyle")
    game.reset()
    game.step(0)
    game.step(0)
    assert game.terminations["player_1"] and game.rewards["player_1"] == -1
    game = raw_env("gomoku_freestyle")
    game.reset()
    game.step(0)
    before = game.position
    with pytest.raises(IllegalPlay, match="a1 is occupied"):
        game.step(0)
    for action in (-1, 225, None, 1.5):
        with pytest.raises(ValueError, match="is not an action of player_1: 0 to 224"):
            game.step(action)
    assert game.position is before and game.agent_selection == "player_1"


def test_the_example_of_the_module_is_right():
    found = doctest.testmod(renju_arena.env)
    assert found.attempted == 4 and found.failed == 0

"""The games of the arena as PettingZoo environments (AEC), one for each ruleset.

>>> from renju_arena.env import env
>>> game = env("renju_taraguchi10_international")
>>> game.reset(seed=1)
>>> for agent in game.agent_iter():
...     observation, reward, termination, truncation, info = game.last()
...     if termination or truncation:
...         game.step(None)
...     else:
...         game.step(game.action_space(agent).sample(observation["action_mask"]))

An action is a number. The first `size * size` actions are the points, rank by rank from a1; the
words of the ruleset follow: swap, keep, put-two, declare:1, …, offer. `raw_env.action_names` has
all of them. Fifth moves are offered one by one: `offer`, where a single fifth stone is allowed too,
then one point at a time until the offer is complete; the same agent acts until then.

The mask has the legal actions. A point that is a foul is not among them, unless nothing else is
left. The winner gets 1, the loser -1, a draw is 0.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

try:
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(
        "renju_arena.env needs PettingZoo: pip install './agent/python[env]'"
    ) from error

from .rules import Position, Ruleset, rulesets

# Agents by seat. A swap changes colours, never seats.
AGENTS = {"first": "player_0", "second": "player_1"}

# Phases that have a plane of their own, in this order.
PHASES = ("place", "swap", "swap_or_put_two", "fifth", "declare", "offer", "choose", "play")

# Planes before those of the phases: own stones, the opponent's stones, points of the offer, ones if
# the agent holds Black, ones if the next stone is Black, pairs captured by the agent, pairs
# captured by the opponent, number of fifth moves to offer.
PLANES = 8 + len(PHASES)

Observation = Dict[str, npt.NDArray[np.int8]]


def env(
    ruleset: str = "renju_taraguchi10_international",
    size: Optional[int] = None,
    render_mode: Optional[str] = None,
) -> AECEnv[str, Observation, Optional[int]]:
    """An environment with the usual wrappers: an action that is not in the mask loses."""
    game = raw_env(ruleset, size, render_mode)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    game = wrappers.AssertOutOfBoundsWrapper(game)
    return wrappers.OrderEnforcingWrapper(game)


class raw_env(AECEnv[str, Observation, Optional[int]]):  # type: ignore[misc]  # has no types
    """A game without wrappers. `step` raises IllegalPlay for an action that the rules reject, and
    nothing changes; a foul by Black in Renju is accepted and loses."""

    metadata: Dict[str, Any] = {
        "name": "renju_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        ruleset: str = "renju_taraguchi10_international",
        size: Optional[int] = None,
        render_mode: Optional[str] = None,
    ) -> None:
        self._start = Position(ruleset, size)
        self.render_mode = render_mode
        self.action_names = _points(self._start.size) + _words(_find(ruleset))
        self.possible_agents = list(AGENTS.values())
        side, count = self._start.size, len(self.action_names)
        self._action_space = spaces.Discrete(count)
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 127, (side, side, PLANES), np.int8),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_space

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_space

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self._enter(self._start)

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not self._action_space.contains(action):
            count = len(self.action_names)
            raise ValueError(f"{action!r} is not an action of {agent}: 0 to {count - 1}")
        self._act(self.action_names[action])
        self._cumulative_rewards[agent] = 0.0
        outcome = self.position.outcome
        if outcome:
            self.terminations = {agent: True for agent in self.agents}
            if outcome.winner:
                winner = AGENTS[getattr(self.position, outcome.winner)]
                self.rewards = {agent: 1.0 if agent == winner else -1.0 for agent in self.agents}
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        position, side = self.position, self.position.size
        is_black = agent == AGENTS[position.black]
        stones = np.frombuffer(position.board.encode(), np.uint8).reshape(side, side)
        planes = np.zeros((side, side, PLANES), np.int8)
        own, other = ("x", "o") if is_black else ("o", "x")
        pairs = position.pairs if is_black else position.pairs[::-1]
        planes[:, :, 0] = stones == ord(own)
        planes[:, :, 1] = stones == ord(other)
        for point in position.offered or self._offer or []:
            planes[int(point[1:]) - 1, ord(point[0]) - ord("a"), 2] = 1
        planes[:, :, 3] = is_black
        planes[:, :, 4] = position.to_move == "black"
        planes[:, :, 5], planes[:, :, 6] = pairs
        planes[:, :, 7] = position.declared or position.offer_count
        if position.phase in PHASES:
            planes[:, :, PLANES - len(PHASES) + PHASES.index(position.phase)] = 1
        is_due = not position.outcome and agent == self.agent_selection
        mask = self._mask() if is_due else np.zeros(len(self.action_names), np.int8)
        return {"observation": planes, "action_mask": mask}

    def render(self) -> Union[None, str]:
        text = f"{self.position}\n{self.position!r}"
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing to release."""

    def _enter(self, position: Position) -> None:
        self.position = position
        # Points offered so far; None if the agent to act is not making an offer.
        self._offer: Optional[List[str]] = [] if position.phase == "offer" else None
        if position.to_act:
            self.agent_selection = AGENTS[position.to_act]

    def _act(self, name: str) -> None:
        """Makes a play, or a step of an offer."""
        if self._offer is None and name == "offer" and self.position.phase == "fifth":
            self._offer = []
        elif self._offer is None:
            self._enter(self.position.play(name))
        elif len(self._offer) + 1 == self.position.offer_count:
            self._enter(self.position.play("offer:" + ",".join([*self._offer, name])))
        else:
            self.position.offer_mask([*self._offer, name])
            self._offer.append(name)

    def _mask(self) -> npt.NDArray[np.int8]:
        position, points = self.position, self.position.size**2
        mask = np.zeros(len(self.action_names), np.int8)
        if self._offer is not None:
            mask[:points] = np.frombuffer(position.offer_mask(self._offer), np.int8)
            return mask
        mask[:points] = np.frombuffer(position.legal_mask(), np.int8)
        if position.phase == "fifth":
            mask[self.action_names.index("offer", points)] = 1
        elif position.phase in ("swap", "swap_or_put_two", "declare"):
            for play in position.plays():
                mask[self.action_names.index(play, points)] = 1
        return mask


def _find(id: str) -> Ruleset:
    return next(ruleset for ruleset in rulesets() if ruleset.id == id)


def _points(side: int) -> List[str]:
    return [f"{chr(ord('a') + x)}{y + 1}" for y in range(side) for x in range(side)]


def _words(ruleset: Ruleset) -> List[str]:
    """Everything but points that can be decided in a game of this ruleset."""
    words = []
    if {"swap", "swap_or_put_two"} & set(ruleset.steps):
        words += ["swap", "keep"]
    if "swap_or_put_two" in ruleset.steps:
        words.append("put-two")
    words += [f"declare:{count}" for count in range(1, ruleset.declare_most + 1)]
    if "fifth" in ruleset.steps:
        words.append("offer")
    return words

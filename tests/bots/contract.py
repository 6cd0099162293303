"""What every policy promises, as tests to inherit: one subclass per policy and game.

class TestGreedy(PolicyContract):
    game_id, policy_id = "commons_game", "greedy"
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import pytest

import bots
import engine
from bots.policy import Action, Memory, Policy, ask
from bots.trained import Card
from engine.contract.allowed import Allowed
from engine.contract.chance import generator
from engine.contract.declaration import SEEN

LONG = math.inf

SHORT = {"periods": 6}
BRIEF = {"turns": 6}
DRAWN = {"periods": 6, "instance": None}

LENGTH: dict[str, dict[str, Any]] = {
    "gem_mining": {"periods": 12},
    "punishment_vote": {"turns": 12},
    "sanctions": {"periods": 12},
}
"""Shorter plays than those of the archetypes, for games that are long; of sanctions longer than its
memory."""

TWO_EACH = {"reach": [2] * 3, "workers": [1] * 3, "base_probabilities": [[0.2, 0.3]] * 4}

WORTHLESS = {"A": {"value": -1.0, "harm": 0.5}, "B": {"value": -3.0}}

HARD: dict[str, dict[str, dict[str, Any]]] = {
    "commons_game": {
        "alone": {**SHORT, "seats": 1},
        "seven seats": {**SHORT, "seats": 7},
        "nothing there": {**SHORT, "initial_stock": 0.0, "terminate_on_collapse": False},
        "neighbours only": {**SHORT, "observation": "local", "neighbours": "ring"},
        "no neighbours": {**SHORT, "observation": "local", "neighbours": []},
        "very noisy": {**SHORT, "stock_noise": 80.0},
        "linear growth": {**SHORT, "growth": "linear", "growth_rate": 6.0},
    },
    "sanctions": {
        "two seats": {**SHORT, "seats": 2, "mpcr": 0.6},
        "nine seats": {**SHORT, "seats": 9, "share": None, "dependence": 1.0},
        "unequal seats": {
            **SHORT,
            "seats": 3,
            "endowment": [5.0, 100.0, 0.5],
            "baseline": [5.0, 0.0, 0.25],
            "share": [0.0, 0.2, 0.8],
            "dependence": [[0.0, 1.0, 0.0], [0.3, 0.0, 0.2], [0.0, 0.0, 0.0]],
        },
        "nothing expected": {**SHORT, "baseline": 0.0},
        "everything expected": {**SHORT, "endowment": 15.0, "baseline": 15.0},
        "a short memory": {**SHORT, "memory": 1, "window": "prior", "signal": "deviation"},
        "powers, welfare shared": {**SHORT, "production": "power", "reward": "cooperative"},
        "no synergy": {**SHORT, "production": "logarithmic", "synergy": 0.0, "theta": 0.0},
        "no trust": {**SHORT, "initial_trust": 0.0, "initial_reputation": 1.0},
    },
    "gem_mining": {
        "alone": {**DRAWN, "seats": 1},
        "forty villages": {**DRAWN, "seats": 40},
        "nothing seen": {**DRAWN, "information": "none"},
        "own mine seen": {**DRAWN, "information": "own"},
        "all is known": {**DRAWN, "information": "all", "known_probabilities": True},
        "only chances known": {**DRAWN, "information": "none", "known_probabilities": True},
        "two mines each": {**SHORT, "seats": 3, "max_connectivity": 2, "instance": TWO_EACH},
        "one gem type": {**DRAWN, "gem_types": 1, "weights": [2.5], "information": "own"},
        "five gem types": {**DRAWN, "gem_types": 5, "weights": [0, 1, 2, 3, 4]},
        "nothing to find": {**DRAWN, "min_probability": 0.0, "max_probability": 0.0},
        "worthless gems": {**DRAWN, "weights": [0.0, 0.0], "information": "all"},
        "workers in the way": {**DRAWN, "worker_bonus": 0.0, "information": "all"},
    },
    "punishment_vote": {
        "alone": {**BRIEF, "seats": 1},
        "seven seats": {**BRIEF, "seats": 7},
        "sees nothing": {**BRIEF, "vision": 0},
        "composite": {**BRIEF, "actions": "composite", "views": "composite"},
        "sequential": {**BRIEF, "timing": "sequential"},
        "separate worlds": {**BRIEF, "worlds": "separate"},
        "lottery": {**BRIEF, "punishment": "lottery", "initial_level": 0.5},
        "no taboo": {**BRIEF, "taboo": ()},
        "nothing worth it": {**BRIEF, "resources": WORTHLESS, "taboo": ("B",)},
        "no room": {**BRIEF, "seats": 2, "height": 3, "width": 4, "initial_resources": 0},
        "one cell": {**BRIEF, "seats": 1, "height": 3, "width": 3, "initial_resources": 0},
    },
}
"""Settings in which policies tend to fail, on top of every archetype."""


class Turn:
    """What one seat was asked and what it answered."""

    def __init__(
        self, policy: Policy, allowed: Allowed, observation: Any, memory: Memory, name: Any
    ) -> None:
        self.policy, self.allowed, self.name = policy, allowed, name
        self.observation, self.memory = observation, memory
        self.action, self.after = self.ask()

    def ask(self) -> tuple[Action, Memory]:
        """The answer to a copy of the same question."""
        seen = {key: np.array(value) for key, value in self.observation.items()}
        notes, rng = copy.deepcopy(self.memory), generator(*self.name)
        return self.policy.act_within(self.allowed, seen, notes, rng)


def stacked(game: engine.Game[Any], turns: list[Turn]) -> dict[str, list[float]]:
    """The actions of all seats, as a game wants them."""
    names = [field.name for field in game.declaration.actions]
    return {name: [turn.action[name] for turn in turns] for name in names}


def periods(game: engine.Game[Any], spec: str, seed: int = 0) -> Iterator[tuple[Any, list[Turn]]]:
    """(the play before a period, a turn per seat) until it ends; all seats are one policy."""
    episode = engine.Episode(game, seed)
    table = [bots.make(spec, game) for _ in range(game.seats)]
    memories = [policy.start() for policy in table]
    while not episode.done:
        turns = [
            Turn(
                policy,
                episode.allowed(seat),
                episode.observation(seat),
                memories[seat],
                (seed, spec, episode.period),
            )
            for seat, policy in enumerate(table)
        ]
        yield episode, turns
        memories = [turn.after for turn in turns]
        episode.step(stacked(game, turns))


@lru_cache(maxsize=32)
def _asked(policy: type[PolicyContract], archetype: str) -> tuple[engine.Game[Any], list[Turn]]:
    game = policy().game(archetype)
    return game, list(policy().turns(game))


class PolicyContract:
    """Inherit, set `game_id` and `policy_id`; every test runs over every archetype."""

    game_id: ClassVar[str]
    policy_id: ClassVar[str]

    @classmethod
    def pytest_generate_tests(cls, metafunc: Any) -> None:
        hard = HARD.get(cls.game_id, {})
        if "archetype" in metafunc.fixturenames:
            metafunc.parametrize("archetype", sorted(engine.find(cls.game_id).archetypes))
        if "setting" in metafunc.fixturenames:
            metafunc.parametrize("setting", hard.values(), ids=hard.keys())

    def game(self, archetype: str, **given: Any) -> engine.Game[Any]:
        settings = {**LENGTH.get(self.game_id, {}), **given}
        return engine.make(self.game_id, archetype=archetype, **settings)

    def asked(self, archetype: str) -> tuple[engine.Game[Any], list[Turn]]:
        """A game, and every turn of a play of it: once for all tests that only look at them."""
        return _asked(type(self), archetype)

    def turns(self, game: engine.Game[Any], seed: int = 0) -> Iterator[Turn]:
        for _, turns in periods(game, self.policy_id, seed):
            yield from turns

    def test_it_says_who_it_is(self):
        found = bots.find(self.policy_id, self.game_id)
        assert found.id == self.policy_id
        assert self.game_id in found.games
        assert set(found.games) <= set(engine.game_ids())
        assert found.version
        assert found.source

    def test_its_docstring_says_in_a_sentence_what_it_does(self):
        sentence = (bots.find(self.policy_id, self.game_id).__doc__ or "").strip().split("\n")[0]
        assert len(sentence.split()) > 3
        assert sentence.endswith(".")

    def test_it_answers_every_declared_field_within_its_range(self, archetype):
        game, turns = self.asked(archetype)
        fields = {field.name: field for field in game.declaration.actions}
        for turn in turns:
            assert set(turn.action) == set(fields)
            for name, value in turn.action.items():
                assert math.isfinite(value)
                assert fields[name].low <= value <= fields[name].high

    def test_what_it_asks_for_is_cut_only_to_what_the_state_allows(self, archetype):
        for episode, turns in periods(self.game(archetype), self.policy_id):
            sent = stacked(episode.game, turns)
            used = engine.Episode.from_json(episode.game, episode.state_json()).step(sent)
            for seat in range(episode.game.seats):
                allowed = episode.allowed(seat)
                for name, low in allowed.low.items():
                    fitting = min(max(sent[name][seat], low), allowed.high[name])
                    assert used.used[name][seat] == fitting
                    assert sent[name][seat] >= low

    def test_its_notes_go_through_json_and_back_unchanged(self, archetype):
        game, turns = self.asked(archetype)
        assert json.loads(json.dumps(bots.make(self.policy_id, game).start())) == {
            **bots.make(self.policy_id, game).start()
        }
        for turn in turns:
            assert json.loads(json.dumps(turn.after, allow_nan=False)) == turn.after

    def test_the_same_question_and_seed_get_the_same_answer(self, archetype):
        for turn in self.asked(archetype)[1]:
            assert turn.ask() == (turn.action, turn.after)

    def test_another_seat_of_the_same_policy_answers_the_same_question_alike(self, archetype):
        game, turns = self.asked(archetype)
        other = bots.make(self.policy_id, game)
        for turn in turns:
            copied = Turn(other, turn.allowed, turn.observation, turn.memory, turn.name)
            assert (copied.action, copied.after) == (turn.action, turn.after)

    def test_it_leaves_what_it_is_shown_as_it_was(self, archetype):
        for turn in self.asked(archetype)[1]:
            shown = {key: np.array(value) for key, value in turn.observation.items()}
            notes = copy.deepcopy(turn.memory)
            turn.policy.act_within(turn.allowed, shown, notes, generator(*turn.name))
            for key, value in turn.observation.items():
                real = np.asarray(value).dtype.kind == "f"
                assert np.array_equal(shown[key], value, equal_nan=real)
            assert notes == turn.memory

    def test_it_is_never_overruled(self, archetype):
        for turn in self.asked(archetype)[1]:
            rng = generator(*turn.name)
            answer = ask(turn.policy, turn.allowed, turn.observation, turn.memory, rng, budget=LONG)
            assert answer.fault is None
            assert answer.action == turn.action

    def test_it_plays_on_where_playing_is_hard(self, archetype, setting):
        game = self.game(archetype, **setting)
        for turn in self.turns(game):
            for field in game.declaration.actions:
                assert field.low <= turn.action[field.name] <= field.high

    def test_it_plays_blindfolded(self, archetype):
        game = self.game(archetype)
        told = {name for field in game.declaration.actions for name in field.reads}
        shown = {"sees": sorted({*told, *self.needed(game)})}  # limits tell what they follow from
        roles = dict.fromkeys(game.config.agents.roles, shown)
        hidden = self.game(archetype, agents={"roles": roles})
        for turn in self.turns(hidden):
            for field in hidden.declaration.actions:
                assert field.low <= turn.action[field.name] <= field.high

    def needed(self, game: engine.Game[Any]) -> list[str]:
        """What it cannot do without, and refuses to by name."""
        return []

    def test_it_refuses_a_parameter_it_does_not_have(self):
        game = engine.make(self.game_id)
        with pytest.raises(engine.ConfigError, match="no_such_parameter"):
            bots.make(f"{self.policy_id}:no_such_parameter=1", game)


class TrainedContract(PolicyContract):
    """The same for a trained policy, under the configuration of its card and what fits it."""

    @classmethod
    def card(cls) -> Card:
        return bots.find(cls.policy_id, cls.game_id).card

    @classmethod
    def pytest_generate_tests(cls, metafunc: Any) -> None:
        if "archetype" in metafunc.fixturenames:
            metafunc.parametrize("archetype", [cls.card().config["identity"]["archetype"]])
        if "setting" in metafunc.fixturenames:
            fitting = {name: each for name, each in HARD[cls.game_id].items() if cls.fits(each)}
            metafunc.parametrize("setting", fitting.values(), ids=fitting.keys())

    @classmethod
    def fits(cls, setting: dict[str, Any]) -> bool:
        """Is the policy made for a game with these changes, and not refused?"""
        try:
            bots.make(cls.policy_id, cls.changed(**setting))
        except engine.ConfigError:
            return False
        return True

    @classmethod
    def changed(cls, **given: Any) -> engine.Game[Any]:
        config = copy.deepcopy(cls.card().config)
        agents = given.pop("agents", {})
        config["agents"] = {**config["agents"], **agents}
        config["core"] = {**config["core"], **LENGTH.get(cls.game_id, {}), **given}
        return engine.make(engine.completed(config))

    def game(self, archetype: str, **given: Any) -> engine.Game[Any]:
        return self.changed(**given)

    def needed(self, game: engine.Game[Any]) -> list[str]:
        """What it was trained on in a form without NaN, which a role that hides it would change."""
        fields = game.declaration.observations[len(SEEN) :]
        return [field.name for field in fields if not field.maskable]

"""Base class with tests of the policy contract: one subclass per policy and game.

class TestGreedy(PolicyContract):
    game_id, policy_id = "commons_game", "greedy"
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.declaration import SEEN
from mixed_company.policies.policy import Action, Memory, Policy, ask
from mixed_company.policies.trained import Card

LONG = math.inf

SHORT = {"periods": 6}
BRIEF = {"turns": 6}
DRAWN = {"periods": 6, "instance": None}

LENGTH: dict[str, dict[str, Any]] = {
    "gem_mining": {"periods": 12},
    "punishment_vote": {"turns": 12},
    "sanctions": {"periods": 12},
}
"""Number of periods for long games, fewer than in the archetypes. In the sanctions game this is
still longer than the memory.
"""

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
"""Settings in which policies tend to fail, applied to the reference archetype."""


class Turn:
    """Question to one seat, and the seat's answer."""

    def __init__(
        self, policy: Policy, allowed: Allowed, observation: Any, memory: Memory, name: Any
    ) -> None:
        self.policy, self.allowed, self.name = policy, allowed, name
        self.observation, self.memory = observation, memory
        self.action, self.after = self.ask()

    def ask(self) -> tuple[Action, Memory]:
        """Return the answer to a copy of the same question."""
        seen = {key: np.array(value) for key, value in self.observation.items()}
        notes, rng = copy.deepcopy(self.memory), generator(*self.name)
        action, after = self.policy.act_within(self.allowed, seen, notes, rng)
        idle = self.allowed.idle
        return {name: value for name, value in action.items() if name not in idle}, after


def stages(game: engine.Game[Any], spec: str, seed: int = 0) -> Iterator[tuple[list[Turn], Any]]:
    """Yield a turn for each seat, and the actions used, at each stage until the play ends. One
    policy plays in all seats. There is no turn in stages in which it does not decide.
    """
    episode = engine.Episode(game, seed)
    table = [policies.make(spec, game) for _ in range(game.seats)]
    memories = [policy.start() for policy in table]
    while not episode.done:
        names = [field.name for field in episode.fields]
        if table[0].at_stage(episode.stage_number) is None:
            default = episode.allowed().default
            episode.step({name: default[name] for name in names})
            continue
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
        memories = [turn.after for turn in turns]
        yield (
            turns,
            episode.step({name: [turn.action[name] for turn in turns] for name in names}).used,
        )


Play = tuple[engine.Game[Any], list[tuple[list[Turn], Any]]]
"""Game, with the turns and the actions used in each stage of a play."""


@lru_cache(maxsize=32)
def _played(policy: type[PolicyContract], archetype: str) -> Play:
    game = policy().game(archetype)
    return game, list(stages(game, policy.policy_id))


@contextmanager
def named(case: str) -> Iterator[None]:
    """Add the name of a case to an error raised in a loop over cases."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in {case}")
        raise


class PolicyContract:
    """Base class for the tests of one policy; a subclass sets `game_id` and `policy_id`.

    `make test` checks the whole contract in the reference archetype and plays a few periods of
    every other one, because an archetype changes observations, seats and limits. Hard settings
    replace an archetype's keys, so they are played in the reference archetype only.
    """

    game_id: ClassVar[str]
    policy_id: ClassVar[str]

    @classmethod
    def archetypes(cls) -> list[str]:
        """List the archetypes to play, the reference archetype first."""
        game = engine.find(cls.game_id)
        return [game.reference, *sorted(set(game.archetypes) - {game.reference})]

    @classmethod
    def hard(cls) -> dict[str, dict[str, Any]]:
        """Map names to the hard settings under which this policy must play."""
        return HARD.get(cls.game_id, {})

    def game(self, archetype: str, **options: Any) -> engine.Game[Any]:
        settings = {**LENGTH.get(self.game_id, {}), **options}
        return engine.make(self.game_id, archetype=archetype, **settings)

    def turns(self, archetype: str) -> tuple[engine.Game[Any], list[Turn]]:
        """Return a game and all turns of one play, computed once for all tests."""
        game, played = _played(type(self), archetype)
        return game, [turn for turns, _ in played for turn in turns]

    def check_range(self, game: engine.Game[Any], turns: Iterable[Turn]) -> None:
        for turn in turns:
            fields = {field.name: field for field in turn.allowed.fields}
            assert set(turn.action) == set(fields) - set(turn.allowed.idle)
            for name, value in turn.action.items():
                assert np.isfinite(value).all()
                assert (fields[name].low <= np.asarray(value)).all()
                assert (np.asarray(value) <= fields[name].high).all()

    def check_answers(self, archetype: str) -> None:
        self.check_range(*self.turns(archetype))

    def check_cut(self, archetype: str) -> None:
        for turns, used in _played(type(self), archetype)[1]:
            for seat, turn in enumerate(turns):
                for name, value in turn.action.items():
                    low, high = turn.allowed.low[name], turn.allowed.high[name]
                    assert np.array_equal(used[name][seat], np.clip(value, low, high))
                    assert (np.asarray(value) >= low).all()

    def check_notes(self, archetype: str) -> None:
        game, turns = self.turns(archetype)
        start = policies.make(self.policy_id, game).start()
        assert json.loads(json.dumps(start)) == {**start}
        for turn in turns:
            assert json.loads(json.dumps(turn.after, allow_nan=False)) == turn.after

    def check_repeats(self, archetype: str) -> None:
        game, turns = self.turns(archetype)
        other = policies.make(self.policy_id, game)
        for turn in turns:
            assert turn.ask() == (turn.action, turn.after)
            copied = Turn(other, turn.allowed, turn.observation, turn.memory, turn.name)
            assert (copied.action, copied.after) == (turn.action, turn.after)

    def check_pure(self, archetype: str) -> None:
        for turn in self.turns(archetype)[1]:
            shown = {key: np.array(value) for key, value in turn.observation.items()}
            notes = copy.deepcopy(turn.memory)
            turn.policy.act_within(turn.allowed, shown, notes, generator(*turn.name))
            for key, value in turn.observation.items():
                real = np.asarray(value).dtype.kind == "f"
                assert np.array_equal(shown[key], value, equal_nan=real)
            assert notes == turn.memory

    def check_never_overruled(self, archetype: str) -> None:
        for turn in self.turns(archetype)[1]:
            rng = generator(*turn.name)
            answer = ask(turn.policy, turn.allowed, turn.observation, turn.memory, rng, budget=LONG)
            assert answer.fault is None
            assert answer.action == turn.action

    def check_blindfolded(self, archetype: str) -> None:
        game = self.game(archetype)
        reads = {name for field in game.declaration.actions for name in field.reads}
        shown = {"sees": sorted({*reads, *self.needed(game)})}  # limits reveal their inputs
        roles = dict.fromkeys(game.config.agents.roles, shown)
        self.check_play(self.game(archetype, agents={"roles": roles}))

    def check_play(self, game: engine.Game[Any]) -> None:
        turns = [turn for turns, _ in stages(game, self.policy_id) for turn in turns]
        self.check_range(game, turns)

    def test_it_has_an_id_and_a_description(self):
        policy = policies.find(self.policy_id, self.game_id)
        assert policy.id == self.policy_id
        assert self.game_id in policy.games
        assert set(policy.games) <= set(engine.game_ids())
        assert policy.version
        assert policy.source
        sentence = (policy.__doc__ or "").strip().split("\n")[0]
        assert len(sentence.split()) > 3
        assert sentence.endswith(".")

    def test_it_answers_every_declared_field_within_its_range(self):
        self.check_answers(self.archetypes()[0])

    def test_its_actions_are_clamped_only_to_limits_of_the_state(self):
        self.check_cut(self.archetypes()[0])

    def test_the_same_question_and_seed_get_the_same_answer_in_every_seat(self):
        self.check_repeats(self.archetypes()[0])

    def test_it_changes_no_input_and_its_memory_survives_json(self):
        self.check_pure(self.archetypes()[0])
        self.check_notes(self.archetypes()[0])

    def test_it_is_never_overruled(self):
        self.check_never_overruled(self.archetypes()[0])

    def test_it_plays_blindfolded(self):
        self.check_blindfolded(self.archetypes()[0])

    def test_it_plays_in_hard_settings(self):
        for name, setting in self.hard().items():
            with named(name):
                self.check_play(self.game(self.archetypes()[0], **setting))

    def test_it_plays_every_other_archetype(self):
        length = "turns" if "turns" in engine.find(self.game_id).Core.model_fields else "periods"
        for archetype in self.archetypes()[1:]:
            with named(archetype):
                self.check_play(self.game(archetype, **{length: 3}))

    @pytest.mark.long
    def test_it_keeps_the_contract_in_every_other_archetype(self):
        checks = (
            self.check_answers,
            self.check_cut,
            self.check_repeats,
            self.check_pure,
            self.check_notes,
            self.check_never_overruled,
            self.check_blindfolded,
        )
        for archetype in self.archetypes()[1:]:
            with named(archetype):
                for check in checks:
                    check(archetype)

    @pytest.mark.long
    def test_it_plays_in_hard_settings_in_every_other_archetype(self):
        for archetype in self.archetypes()[1:]:
            for name, setting in self.hard().items():
                with named(f"{archetype}, {name}"):
                    self.check_play(self.game(archetype, **setting))

    def needed(self, game: engine.Game[Any]) -> list[str]:
        """List the fields that the policy needs in order to play."""
        return []

    def test_it_refuses_a_parameter_it_does_not_have(self):
        game = engine.make(self.game_id)
        with pytest.raises(engine.ConfigError, match="no_such_parameter"):
            policies.make(f"{self.policy_id}:no_such_parameter=1", game)


class TrainedContract(PolicyContract):
    """The same contract for a trained policy, under its card's configuration and others that fit
    the policy."""

    @classmethod
    def card(cls) -> Card:
        return policies.find(cls.policy_id, cls.game_id).card

    @classmethod
    def archetypes(cls) -> list[str]:
        return [cls.card().config["identity"]["archetype"]]

    @classmethod
    def hard(cls) -> dict[str, dict[str, Any]]:
        return {name: setting for name, setting in super().hard().items() if cls.fits(setting)}

    @classmethod
    def fits(cls, setting: dict[str, Any]) -> bool:
        """Return whether the policy can be created for a game with these changes."""
        try:
            policies.make(cls.policy_id, cls.changed(**setting))
        except engine.ConfigError:
            return False
        return True

    @classmethod
    def changed(cls, **options: Any) -> engine.Game[Any]:
        config = copy.deepcopy(cls.card().config)
        agents = options.pop("agents", {})
        config["agents"] = {**config["agents"], **agents}
        config["core"] = {**config["core"], **LENGTH.get(cls.game_id, {}), **options}
        return engine.make(engine.completed(config))

    def game(self, archetype: str, **options: Any) -> engine.Game[Any]:
        return self.changed(**options)

    def needed(self, game: engine.Game[Any]) -> list[str]:
        """List the fields that cannot be NaN; a role that hides them changes their type."""
        fields = game.declaration.observations[len(SEEN) :]
        return [field.name for field in fields if not field.maskable]


class TrainedAgainContract(TrainedContract):
    """The same contract for another trained policy of a game. It runs the same code."""

    @pytest.mark.long
    def test_it_plays_in_hard_settings(self):
        super().test_it_plays_in_hard_settings()

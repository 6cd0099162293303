"""Policies in a batch: asked for many seats at once, told what is open now, and failing."""

from __future__ import annotations

import numpy as np
import pytest

import bots
import engine
from bots import trained
from bots.policy import Batched, ask
from bots.rollout import rollout
from bots.tournament.batch import play
from bots.tournament.mixes import Mix
from engine.contract.chance import play_seeds


class Patient(Batched):
    """Takes 1, then one more each period, and now and then by chance less."""

    id = "patient"
    games = ("commons_game",)
    source = "test"

    def act(self, observation, memory, rng):
        asked = memory.get("asked", 0) + 1
        less = rng.uniform() if observation["seat"] == 0 else 0.0
        return {"harvest": asked - less, "contribution": 0.0}, {"asked": asked}

    def act_together(self, allowed, observations, memories, rngs):
        answers = [
            self.act({name: value[row] for name, value in observations.items()}, memory, rng)
            for row, (memory, rng) in enumerate(zip(memories, rngs, strict=True))
        ]
        actions = {
            name: np.array([action[name] for action, _ in answers])
            for name in ("harvest", "contribution")
        }
        return actions, [memory for _, memory in answers]


def seated_by(monkeypatch, policy):
    """Every policy that is made is this one."""
    monkeypatch.setattr(bots, "make", lambda spec, game: policy(game.core))


def test_a_policy_that_decides_for_all_at_once_does_as_it_would_alone(monkeypatch):
    game, mix = engine.make("commons_game", archetype="lab", periods=4), Mix("patient", "patient")
    seated_by(monkeypatch, Patient)
    together = play(game, mix, 3, 0, 3)
    monkeypatch.setattr("bots.bench.Batched", type("Nobody", (), {}))
    alone = play(game, mix, 3, 0, 3)
    # seats 1 to 3 take 1 + 2 + 3 + 4
    assert together.returns[:, 1:].tolist() == [[10.0] * 3] * 3
    assert (together.returns == alone.returns).all()
    assert (together.returns[:, 0] < 10).all()


class Odd(Patient):
    """Nonsense in every second period; 3 otherwise."""

    def act_together(self, allowed, observations, memories, rngs):
        asked = [memory.get("asked", 0) for memory in memories]
        odd = observations["period"] % 2 == 1
        harvest = np.where(odd, np.nan, 3.0)
        return (
            {"harvest": harvest, "contribution": np.zeros(len(asked))},
            [{"asked": n + 1} for n in asked],
        )


class Wrong(Patient):
    """Raises."""

    def act_together(self, allowed, observations, memories, rngs):
        raise RuntimeError("no")


@pytest.mark.parametrize(("policy", "points", "faults"), [(Odd, 6.0, 16), (Wrong, 0.0, 32)])
def test_a_failure_plays_the_default_and_is_counted(monkeypatch, policy, points, faults):
    seated_by(monkeypatch, policy)
    game = engine.make("commons_game", archetype="lab", periods=4)
    played = play(game, Mix("patient", "patient"), 0, 0, 2)  # 2 plays x 4 seats x 4 periods
    assert played.returns.tolist() == [[points] * 4] * 2
    assert played.faults == faults


class Last(Patient):
    """Goes as far as it may, as the limits of its seat say."""

    def act_together(self, allowed, observations, memories, rngs):
        return {"mine": allowed.high["mine"]}, memories


def test_a_policy_for_many_seats_is_told_the_limits_of_each(monkeypatch):
    seated_by(monkeypatch, Last)
    game = engine.make("gem_mining", archetype="lab", periods=2)
    played = play(game, Mix("last", "last"), 3, 0, 2)
    assert played.faults == 0
    for row in range(2):
        episode = engine.Episode(game, int(play_seeds(3, row)))
        last = episode.allowed().high["mine"]
        total = sum(episode.step({"mine": last}).rewards for _ in range(2))
        assert (played.returns[row] == total).all()


@pytest.mark.parametrize("game_id", ["commons_game", "gem_mining"])
def test_a_policy_is_asked_with_what_its_seat_may_do_now(monkeypatch, game_id):
    noted = {}

    def noting(policy, allowed, observation, *rest, **named):
        noted[int(observation["period"]), int(observation["seat"])] = allowed
        return ask(policy, allowed, observation, *rest, **named)

    monkeypatch.setattr("bots.bench.ask", noting)
    game = engine.make(game_id, archetype="lab", periods=2)
    play(game, Mix("random", "random"), 3, 0, 1)
    episode = engine.Episode(game, int(play_seeds(3, 0)))
    for _ in rollout(episode, [bots.make("random", game)] * game.seats):
        if episode.period < 2:
            for seat in range(game.seats):
                allowed, own = noted[episode.period, seat], episode.allowed(seat)
                assert allowed.shape == own.shape
                assert allowed.to_json() == own.to_json()
                assert allowed.default == own.default


class Closed(Patient):
    """Goes to a mine that is not there for it, alone and together."""

    def act(self, observation, memory, rng):
        return {"mine": 99.0}, {"asked": 1}


def test_a_choice_that_is_not_open_is_a_fault(monkeypatch):
    seated_by(monkeypatch, Closed)
    monkeypatch.setattr("bots.bench.Batched", type("Nobody", (), {}))
    game = engine.make("gem_mining", archetype="lab", periods=2)
    assert play(game, Mix("closed", "closed"), 0, 0, 1).faults == game.seats * 2


LEARNED = [
    (game_id, policy)
    for game_id in engine.game_ids()
    for policy in bots.ids(game_id)
    if policy in {path.stem for path in trained.HERE.glob("*.json")}
]


@pytest.mark.parametrize("sampling", ["mode", "sample"])
@pytest.mark.parametrize(("game_id", "policy"), LEARNED)
def test_trained_policies_decide_for_all_at_once_as_each_alone(
    monkeypatch, game_id, policy, sampling
):
    found = bots.find(policy, game_id)
    game = engine.make(found.card.config)
    drawn = found.card.model_copy(update={"sampling": sampling})
    seated_by(monkeypatch, lambda core: type(policy, (found,), {"card": drawn})(game))
    assert isinstance(bots.make(policy, game), Batched)
    together = play(game, Mix(policy, policy), 3, 0, 3)
    monkeypatch.setattr("bots.bench.Batched", type("Nobody", (), {}))
    alone = play(game, Mix(policy, policy), 3, 0, 3)
    assert together.faults == alone.faults == 0
    assert together.returns.tolist() == alone.returns.tolist()

"""Policies in a batch are called once for many seats, with current limits, and may fail."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.learning.tournament.batch import Mix, play
from mixed_company.policies import trained
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import Policy, ask_at
from mixed_company.policies.rollout import rollout


class Patient(Policy):
    """Policy that takes 1, then one more in each period, and sometimes less at random."""

    id = "patient"
    games = ("commons_game",)
    source = "test"

    def start(self):
        return {"asked": 0}

    def act_together(self, seats):
        count = seats.memory["asked"] + 1
        less = seats.draws.random(where=seats.seat == 0)
        return {"harvest": count - less, "contribution": 0.0}, {"asked": count}


class Alone(Patient):
    """Policy that decides in the same way, one seat at a time."""

    act_together, act = Policy.act_together, Policy.act

    def act_within(self, allowed, observation, memory, rng):
        count = memory["asked"] + 1
        less = Draws.of(rng).random()[0] if observation["seat"] == 0 else 0.0
        return {"harvest": count - less, "contribution": 0.0}, {"asked": count}


def seated_by(monkeypatch, policy):
    """Replace every policy with this one."""
    monkeypatch.setattr(policies, "make", lambda spec, game: policy(game.core))


@pytest.mark.parametrize("plays", [3, 8])
def test_a_policy_that_decides_for_many_seats_acts_as_for_each_alone(monkeypatch, plays):
    game, mix = engine.make("commons_game", archetype="lab", periods=4), Mix("patient", "patient")
    seated_by(monkeypatch, Patient)
    together = play(game, mix, 3, 0, plays)
    seated_by(monkeypatch, Alone)
    alone = play(game, mix, 3, 0, plays)
    # seats 1 to 3 take 1 + 2 + 3 + 4
    assert together.returns[:, 1:].tolist() == [[10.0] * 3] * plays
    assert (together.returns == alone.returns).all()
    assert (together.returns[:, 0] < 10).all()


def test_one_seat_is_a_batch_of_one():
    game = engine.make("commons_game", archetype="lab", periods=4)
    episode, rng = engine.Episode(game, 1), np.random.default_rng(0)
    policy, same = Patient(game.core), Alone(game.core)
    for seat in (0, 1):
        seen, allowed = episode.observation(seat), episode.allowed(seat)
        alone = policy.act(seen, {"asked": 2}, np.random.default_rng(0))
        assert alone == same.act_within(allowed, seen, {"asked": 2}, np.random.default_rng(0))
        assert type(alone[0]["harvest"]) is float
        assert alone[1] == {"asked": 3}
    assert policy.act_within(episode.allowed(1), episode.observation(1), {"asked": 0}, rng)[0] == {
        "harvest": 1.0,
        "contribution": 0.0,
    }


class Later(Patient):
    """Policy for one seat that overrides a policy for many seats."""

    def act(self, observation, memory, rng):
        return {"harvest": 7.0, "contribution": 0.0}, memory


def test_of_two_ways_to_write_a_policy_the_most_derived_is_used():
    game = engine.make("commons_game", archetype="lab", periods=4)
    answer = ask_at(engine.Episode(game, 1), Later(game.core), 0, {"asked": 0})
    assert answer.action["harvest"] == 7.0
    assert not Later(game.core).together
    assert Patient(game.core).together


def test_a_policy_that_defines_neither_method_fails_clearly():
    class Nothing(Policy):
        id, games, source = "nothing", ("commons_game",), "test"

    game = engine.make("commons_game", archetype="lab")
    answer = ask_at(engine.Episode(game, 1), Nothing(game.core), 0, {})
    text = "nothing: defines neither `act_together` nor `act`"
    assert answer.fault == f"NotImplementedError: {text}"


class Odd(Patient):
    """Policy that answers NaN in every other period, and 3 otherwise."""

    def act_together(self, seats):
        harvest = np.where(seats.period % 2 == 1, np.nan, 3.0)
        return {"harvest": harvest, "contribution": 0.0}, {"asked": seats.memory["asked"] + 1}


class Wrong(Patient):
    """Raise an error."""

    def act_together(self, seats):
        raise RuntimeError("no")


class Strange(Patient):
    """Policy that answers an invalid value."""

    answer: object

    def act_together(self, seats):
        return self.answer


class Stumbling(Patient):
    """Policy that raises an error if seat 2 is among the seats it decides for."""

    def act_together(self, seats):
        decided = super().act_together(seats)
        if (seats.seat == 2).any():
            raise RuntimeError("not for this one")
        return decided


def test_a_policy_that_fails_for_one_seat_still_decides_for_the_others(monkeypatch):
    game, mix = engine.make("commons_game", archetype="lab", periods=4), Mix("patient", "patient")
    seated_by(monkeypatch, Patient)
    sound = play(game, mix, 3, 0, 8)
    seated_by(monkeypatch, Stumbling)
    stumbled = play(game, mix, 3, 0, 8)
    assert stumbled.faults == 4 * 8
    assert stumbled.returns[:, 2].tolist() == [0.0] * 8
    others = [0, 1, 3]
    assert stumbled.returns[:, others].tolist() == sound.returns[:, others].tolist()


GOOD = {"harvest": 3.0, "contribution": 0.0}


@pytest.mark.parametrize(
    "answer",
    [
        None,
        GOOD,
        ({"harvest": 3.0}, {"asked": 1}),
        ({**GOOD, "more": 1.0}, {"asked": 1}),
        ({**GOOD, "harvest": "3"}, {"asked": 1}),
        ({**GOOD, "harvest": True}, {"asked": 1}),
        ({**GOOD, "harvest": np.zeros(5)}, {"asked": 1}),
        (GOOD, {}),
        (GOOD, {"asked": 1, "more": 1}),
        (GOOD, {"asked": np.zeros(5)}),
    ],
)
def test_an_invalid_answer_for_many_seats_is_a_fault_of_each_seat(monkeypatch, answer):
    seated_by(monkeypatch, Strange)
    monkeypatch.setattr(Strange, "answer", answer, raising=False)
    game = engine.make("commons_game", archetype="lab", periods=1)
    played = play(game, Mix("strange", "strange"), 0, 0, 2)
    assert played.faults == 8
    assert played.returns.tolist() == [[0.0] * 4] * 2


@pytest.mark.parametrize(("policy", "points", "faults"), [(Odd, 6.0, 16), (Wrong, 0.0, 32)])
def test_a_failure_plays_the_default_and_is_counted(monkeypatch, policy, points, faults):
    seated_by(monkeypatch, policy)
    game = engine.make("commons_game", archetype="lab", periods=4)
    played = play(game, Mix("patient", "patient"), 0, 0, 2)  # 2 plays x 4 seats x 4 periods
    assert played.returns.tolist() == [[points] * 4] * 2
    assert played.faults == faults


class Last(Patient):
    """Policy that sends its seat's upper limit."""

    def act_together_within(self, allowed, seats):
        return {"mine": allowed.high["mine"]}, seats.memory


def test_a_policy_for_many_seats_gets_the_limits_of_each(monkeypatch):
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
def test_a_policy_gets_the_actions_its_seat_may_take_now(monkeypatch, game_id):
    noted = {}

    class Noting(Policy):
        """Policy that records its allowed actions and sends the lowest."""

        id, games, source = "noting", (game_id,), "test"

        def act_within(self, allowed, observation, memory, rng):
            noted[int(observation["period"]), int(observation["seat"])] = allowed
            return {name: float(value) for name, value in allowed.low.items()}, memory

    seated_by(monkeypatch, Noting)
    game = engine.make(game_id, archetype="lab", periods=2)
    play(game, Mix("random", "random"), 3, 0, 1)
    episode = engine.Episode(game, int(play_seeds(3, 0)))
    for _ in rollout(episode, [policies.make("random", game)] * game.seats):
        if episode.period < 2:
            for seat in range(game.seats):
                allowed, allowed_alone = noted[episode.period, seat], episode.allowed(seat)
                assert allowed.shape == allowed_alone.shape
                assert allowed.to_json() == allowed_alone.to_json()
                assert allowed.default == allowed_alone.default


class Closed(Alone):
    """Policy that goes to a mine that is closed to it."""

    def act(self, observation, memory, rng):
        return {"mine": 99.0}, {"asked": 1}


def test_a_closed_choice_is_a_fault(monkeypatch):
    seated_by(monkeypatch, Closed)
    game = engine.make("gem_mining", archetype="lab", periods=2)
    assert play(game, Mix("closed", "closed"), 0, 0, 1).faults == game.seats * 2


LEARNED = [
    pytest.param(game_id, policy, marks=pytest.mark.long if place else [])
    for game_id in engine.game_ids()
    for place, policy in enumerate(
        policy
        for policy in policies.ids(game_id)
        if policy in {path.stem for path in trained.HERE.glob("*.json")}
    )
]
"""All trained policies. Within a game, the first has the same inputs and outputs as the others."""


@pytest.mark.few(1)
@pytest.mark.parametrize("sampling", ["mode", "sample"])
@pytest.mark.parametrize(("game_id", "policy"), LEARNED)
def test_trained_policies_decide_for_many_seats_as_for_each_alone(
    monkeypatch, game_id, policy, sampling
):
    policy_class = policies.find(policy, game_id)
    game = engine.make(engine.completed(policy_class.card.config))
    drawn = policy_class.card.model_copy(update={"sampling": sampling})
    seated_by(monkeypatch, lambda core: type(policy, (policy_class,), {"card": drawn})(game))
    assert policies.make(policy, game).together
    together = play(game, Mix(policy, policy), 3, 0, 3)
    assert together.faults == 0
    for number in range(3):
        episode = engine.Episode(game, int(play_seeds(3, number)))
        steps = list(rollout(episode, [policies.make(policy, game)] * game.seats))
        total = sum(step.rewards for step in steps)
        assert together.returns[number].tolist() == total.tolist()

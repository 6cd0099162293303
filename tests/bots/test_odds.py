"""Odds that policies report match their actions, and no other seat receives them."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.engine.play import record
from mixed_company.policies.odds import Normal, are_sound, entropy, even
from mixed_company.policies.play import play
from mixed_company.policies.policy import Policy, ask_at
from mixed_company.policies.rollout import rollout
from mixed_company.policies.trained import Trained
from tests.bots.trained.models import GEMS
from tests.bots.written import written

TELLING = [
    (game_id, policy_id)
    for game_id in engine.game_ids()
    for policy_id in policies.ids(game_id)
    if policies.find(policy_id, game_id).odds is not Policy.odds
]


def fitting(game_id, policy_id):
    """Return the game a policy was trained on, or the reference game."""
    policy = policies.find(policy_id, game_id)
    if issubclass(policy, Trained):
        return engine.make(engine.completed(policy.card.config))
    return engine.make(game_id, archetype=engine.find(game_id).reference)


def test_random_policies_with_choices_and_all_trained_policies_report_odds():
    assert {("gem_mining", "random"), ("punishment_vote", "random")} <= set(TELLING)
    assert {("gem_mining", "gems_ppo_group"), ("commons_game", "commons_ppo_own")} <= set(TELLING)


@pytest.mark.parametrize(("game_id", "policy_id"), TELLING)
def test_reported_odds_are_valid_and_change_nothing(game_id, policy_id):
    lab = fitting(game_id, policy_id)
    policy = policies.make(policy_id, lab)
    episode = engine.Episode(lab, 3)
    for seat in range(lab.seats):
        without = ask_at(episode, policy, seat, policy.start())
        answer = ask_at(episode, policy, seat, policy.start(), with_odds=True)
        assert (without.action, without.memory) == (answer.action, answer.memory)
        assert without.odds is None
        odds = policy.odds(episode.allowed(seat), episode.observation(seat), policy.start())
        if odds is not None:
            assert are_sound(odds, episode.allowed(seat))
            assert answer.odds is not None


def test_a_policy_that_reports_no_odds_has_none():
    telling = {policy for game, policy in TELLING if game == "commons_game"}
    silent = [policy for policy in written("commons_game") if policy not in telling]
    lab = engine.make("commons_game", archetype="lab")
    assert silent
    for policy_id in silent:
        policy = policies.make(policy_id, lab)
        answer = ask_at(engine.Episode(lab, 1), policy, 0, policy.start(), with_odds=True)
        assert answer.odds is None


# -- entropy by hand --------------------------------------------------------------------------


def test_entropy_by_hand():
    # four equal: 2 bits. 1/2, 1/4, 1/4: 1/2 + 1/2 + 1/2. One of two fields is certain.
    assert entropy({"mine": np.full(4, 0.25)}) == 2
    assert entropy({"mine": np.array([0.5, 0.25, 0.25, 0.0])}) == 1.5
    assert entropy({"mine": np.array([0.0, 1.0]), "vote": np.array([0.5, 0.5])}) == 1
    # log2(2 sqrt(2 pi e)) = 1 + 2.047096
    harvest = {"harvest": Normal(np.array(5.0), np.array(2.0))}
    assert entropy(harvest) == pytest.approx(3.047096, abs=1e-6)


def test_random_villages_have_as_many_bits_as_mines_in_reach():
    episode = engine.Episode(GEMS, 5)
    policy = policies.make("random", GEMS)
    for seat in range(GEMS.seats):
        low, high = episode.allowed(seat).to_json()["mine"]
        answer = ask_at(episode, policy, seat, {}, with_odds=True)
        assert entropy(answer.odds) == pytest.approx(math.log2(high - low + 1))


@pytest.mark.parametrize("game_id", ["gem_mining", "punishment_vote"])
def test_random_policies_act_with_the_odds_they_report(game_id):
    lab = engine.make(game_id, archetype=engine.find(game_id).reference)
    episode, policy = engine.Episode(lab, 5), policies.make("random", lab)
    (name,) = [field.name for field in lab.declaration.actions]
    odds = policy.odds(episode.allowed(0), episode.observation(0), {})[name]
    seen = episode.observation(0)
    drawn = Counter(
        int(policy.act(seen, {}, np.random.default_rng(seed))[0][name]) for seed in range(4000)
    )
    shares = np.array([drawn[choice] for choice in range(len(odds))]) / 4000
    assert np.abs(shares - odds).max() < 0.03  # more than three standard errors of a half


# -- invalid odds -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "odds",
    [
        {},
        {"mine": np.full(7, 0.5)},
        {"mine": np.array([2.0, -1.0, 0, 0, 0, 0, 0])},
        {"mine": np.full(3, 1 / 3)},
        {"mine": np.eye(7)[6]},
        {"mine": Normal(np.array(1.0), np.array(-1.0))},
    ],
)
def test_invalid_odds_are_rejected(odds):
    allowed = engine.Episode(GEMS, 3).allowed(0)
    assert are_sound(even(allowed), allowed)
    assert not are_sound(odds, allowed)


def test_an_error_in_reporting_odds_does_not_affect_the_play():
    class Mute(type(policies.make("random", GEMS))):
        def odds(self, allowed, observation, memory):
            raise RuntimeError("lost")

    answer = ask_at(engine.Episode(GEMS, 3), Mute(GEMS.core), 0, {}, with_odds=True)
    assert (answer.fault, answer.odds) == (None, None)


# -- in a log ---------------------------------------------------------------------------------


def test_the_log_has_the_entropy_of_policies_that_report_odds_and_replays():
    metrics = ["total", "entropy", "actions"]
    game = engine.make(
        "gem_mining", archetype="lab", periods=3, instrumentation={"seat": 1, "metrics": metrics}
    )
    lines, faults = play(game, ["random", "own_best_alone"], seed=5)
    assert faults == []
    (*_, last) = [line for line in lines if line["level"] == "period"]
    assert [bits is None for bits in last["entropy"]] == [False, True, False, True]
    assert record.replay(record.from_text(record.to_text(lines))) == []


def test_no_policy_is_asked_for_odds_if_no_log_needs_them(monkeypatch):
    random = type(policies.make("random", GEMS))
    monkeypatch.setattr(random, "odds", lambda *_: pytest.fail("it was asked"))
    play(engine.make("gem_mining", archetype="lab", periods=2), ["random"], seed=1)
    list(rollout(engine.Episode(GEMS, 1), [policies.make("random", GEMS)] * 4))

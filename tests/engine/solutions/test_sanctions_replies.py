"""Best replies in the repeated game: they earn their value in play, and nothing exceeds the
bound.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.solutions import sanctions as solutions


def game(archetype, **core):
    return engine.make("sanctions", archetype=archetype, **core)


def grid(limit, levels, periods):
    """Return all paths on a grid, shape (levels^periods, periods)."""
    return np.array(list(itertools.product(np.linspace(0.0, limit, levels), repeat=periods)))


def test_a_replay_matches_the_engine():
    rules = game("source", periods=3)
    episode = engine.Episode(rules)
    contributions = [[10, 40, 40, 40, 40, 40], [100, 30, 30, 30, 30, 30], [0, 20, 20, 20, 20, 20]]
    steps = [episode.step({"contribution": amounts}) for amounts in contributions]
    result = solutions.replayed(rules, np.array([[10.0, 100, 0]]), np.array([40.0, 30, 20]))
    assert result.rewards[0].tolist() == [step.rewards[0] for step in steps]
    assert result.sanctions[0].tolist() == [step.components["sanctions"][0] for step in steps]


def test_a_discount_weighs_the_periods():
    rules = game("graduated", periods=3)
    # 240 in every period; the second counts half and the third a quarter.
    result = solutions.returns(rules, np.full((1, 3), 100.0), 100.0, 0.5)
    assert result.tolist() == [240 * 1.75]


def test_the_gain_of_a_single_breach_in_the_earlier_lab_matches_its_manual():
    # 6 are gained immediately, and 6.525 are lost in each of ten periods.
    path = np.full(20, 10.0)
    (gained,) = solutions.gains(game("lab_0_7"), path, np.array([0.0]), 9, 1)
    assert gained == pytest.approx(6 - 65.25, abs=0.05)


CASES = {
    "source": ("source", {}),
    "source, strong": ("source", {"lambda_R": 30.0}),
    "tr4": ("tr4", {}),
    "coopetition_gym": ("coopetition_gym", {}),
    "lab": ("lab", {}),
    "lab_0_7": ("lab_0_7", {}),
    "lab_0_7, full memory": ("lab_0_7", {"window": "full"}),
    "lab_0_7, all expected": ("lab_0_7", {"baseline": 20.0}),
    "lab_0_7, nothing expected": ("lab_0_7", {"baseline": 0.0}),
    "lab_0_7, weak": ("lab_0_7", {"lambda_R": 1.0}),
    "graduated": ("graduated", {}),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", CASES)
def test_no_path_on_a_grid_earns_more_than_the_bound(name):
    archetype, changes = CASES[name]
    rules = game(archetype, **{**changes, "periods": 4, "memory": 2})
    limit = rules.core.endowment
    for others in (rules.core.baseline, limit / 4, np.array([0.0, 1.0, 0.5, 0.1]) * limit):
        earned = solutions.returns(rules, grid(limit, 9, 4), others)
        reply = solutions.best_reply(rules, others)
        assert reply.bound >= reply.value
        assert reply.bound >= earned.max()
        # the reply can be played, and is as good as the best on the grid
        assert solutions.returns(rules, reply.contributions[None], others) == reply.value
        assert reply.value >= earned.max() - 1e-3


@pytest.mark.parametrize("archetype", ["source", "tr4", "lab", "lab_0_7"])
def test_no_path_drawn_at_random_earns_more_than_the_bound(archetype):
    rules = game(archetype, periods=20)
    core, rng = rules.core, np.random.default_rng(1)
    near = core.baseline + rng.normal(0, core.endowment / 5, (2000, 20))
    paths = np.vstack([rng.uniform(0, core.endowment, (2000, 20)), near])
    paths = np.clip(paths, 0, core.endowment)
    bound = solutions.reply_bound(rules, core.baseline)
    assert solutions.returns(rules, paths, core.baseline).max() <= bound


def test_in_tr4_the_best_reply_optimises_each_period_separately():
    # Trust in the others stays 0.5, so (1 + 5 * 0.5 * 0.35) of the synergy's share counts.
    def marginal(a):
        synergy = 0.65 * (1 + 5 * 0.5 * 0.35) / 6 * (40 / a) ** (5 / 6) / 6
        return 20 / (1 + a) - 1 + synergy

    reply = solutions.best_reply(game("tr4"), 40.0, climb=False)
    assert reply.contributions == pytest.approx(np.full(200, brentq(marginal, 1, 99)), abs=2e-3)
    assert reply.bound - reply.value < 0.1


def test_in_the_source_no_sanction_keeps_a_seat_at_the_baseline():
    rules = game("source")
    reply = solutions.best_reply(rules, 40.0, climb=False)
    at_baseline = solutions.returns(rules, np.full((1, 200), 40.0), 40.0)[0]
    assert reply.value > at_baseline + 800
    assert reply.bound - reply.value < 1.5


@pytest.mark.parametrize("archetype", ["source", "tr4"])
def test_contributions_reach_nash_when_trust_is_gone(archetype):
    rules = game(archetype, periods=30)
    result = solutions.symmetric_path(rules, climb=False)
    alone = solutions.nash(rules.core).contributions[0]
    assert result.contributions[-1] == pytest.approx(alone, abs=1e-2)
    assert result.contributions[0] > alone + 0.1
    assert 0 <= result.bound - result.value < 1.5


def test_in_the_earlier_lab_the_best_reply_does_not_depend_on_the_others():
    rules = game("lab_0_7", periods=8)
    low, other = (solutions.best_reply(rules, others) for others in (0.0, 10.0))
    assert low.contributions == pytest.approx(other.contributions)
    # Three others give 10 more: 0.4 * 30 in each of 8 periods.
    assert other.value - low.value == pytest.approx(96)
    assert solutions.symmetric_path(rules).contributions == pytest.approx(low.contributions)


def test_there_is_no_bound_if_none_is_known():
    for changes in (
        {"reward": "cooperative"},
        {"form": "multiplier"},
        {"signal": "deviation"},
        {"window": "prior"},
    ):
        assert solutions.reply_bound(game("lab_0_7", periods=3, **changes), 10.0) == math.inf


def test_a_game_with_layers_is_refused_by_name():
    with pytest.raises(ConfigError, match="layers: temporal, information: best replies"):
        solutions.best_reply(game("reputation"), 10.0)

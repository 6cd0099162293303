"""Efficiency relative to the best plan that the engine finds."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from mixed_company import analysis, engine
from mixed_company.analysis.games.commons_game.efficiency import (
    commons_efficiency,
    efficiency_at_most,
)
from mixed_company.analysis.games.commons_game.efficiency import (
    efficiency_at_least as commons_at_least,
)
from mixed_company.analysis.games.gem_mining.efficiency import gem_efficiency
from mixed_company.analysis.games.punishment_vote.efficiency import efficiency_at_least
from mixed_company.analysis.games.sanctions.efficiency import sanctions_efficiency, sanctions_period
from mixed_company.engine import solutions
from mixed_company.engine.contract.errors import ConfigError
from tests.analysis.measures.played import played, values

LAB = {"archetype": "lab_0_7"}


def greedy(periods=3, **changes):
    all_take_10 = {"harvest": [10] * 4, "contribution": [0] * 4}
    return played("commons_game", [all_take_10] * periods, **(LAB | changes))


def test_greed_in_the_lab_earns_less_than_half_of_the_best_plan():
    # 40 + 40 + 29.6 = 109.6 of 229.6 points: 0.47735.
    assert values(commons_efficiency, greedy()) == [pytest.approx(109.6 / 229.6, abs=1e-6)]


def test_plays_of_different_lengths_are_measured_the_same_together_and_alone():
    short = analysis.simulated(
        "commons_game", ["random"] * 4, groups=5, seed=2, archetype="lab_0_7"
    )
    assert short.groups["periods"].nunique() > 1
    together = values(commons_efficiency, short)
    # earnings are the wealth at the end, and the best plan earns 229.6
    wealth = (
        short.decisions.groupby(["group", "period"])["after_wealth"].sum().groupby("group").last()
    )
    assert together == pytest.approx((wealth / 229.6).tolist(), abs=1e-6)


def test_later_points_count_less_with_a_discount():
    # For one seat with a stock of 50 and discount 0.1, the best plan is worth 51 (50, then 1 for
    # the 10 that grew). Nothing, then 51 is worth 5.1: a tenth.
    periods = [{"harvest": [0.0], "contribution": [0.0]}, {"harvest": [51.0], "contribution": [0]}]
    rules = {"seats": 1, "periods": 2, "initial_stock": 50, "max_harvest": 100, "growth_rate": 0.4}
    data = played("commons_game", periods, discount=0.1, **rules)
    assert values(commons_efficiency, data) == [pytest.approx(0.1, abs=1e-4)]


def test_an_unfinished_play_has_no_efficiency():
    assert values(commons_efficiency, greedy(periods=2, over=False)) == [None]


def test_efficiency_is_missing_only_under_layers_without_a_known_best():
    shared = {"interaction": {"intensity": 1, "share": 0.5}}
    grouped = {"hierarchy": {"intensity": 1, "groups": [0, 0, 1, 1]}}
    assert values(commons_efficiency, greedy(layers=shared)) == [None]
    assert values(commons_efficiency, greedy(layers=grouped)) == [pytest.approx(0.47735, abs=1e-5)]


def test_efficiency_is_missing_if_a_role_may_not_harvest():
    agents = {"roles": {"idle": {"acts": []}}, "seats": ["idle"] * 4}
    assert values(commons_efficiency, greedy(periods=15, agents=agents)) == [None]


def test_efficiency_is_missing_if_a_seat_left():
    data = greedy(leaving={1: [3]}, agents={"may_leave": True}, periods=4)
    assert data.groups["ended"].tolist() == ["collapse"]
    assert values(commons_efficiency, data) == [None]


def test_a_play_with_nothing_to_earn_has_no_efficiency():
    data = greedy(periods=1, initial_stock=0, collapse_stock=0)
    assert values(commons_efficiency, data) == [None]


ROUGH = {"growth": "linear", "growth_rate": 2, "initial_stock": 12, "max_harvest": 5, "seats": 1}
ROUGH |= {"collapse_stock": 10}
"""The best plan for 12 periods is known only approximately: it earns 29 points, and at most 0.1125
more.
"""


def test_a_best_that_is_known_within_an_error_gives_two_bounds_instead():
    two_each = {"harvest": [2], "contribution": [0]}
    data = played("commons_game", [two_each] * 12, periods=12, **ROUGH)
    assert values(commons_efficiency, data) == [None]
    assert values(commons_at_least, data) == [pytest.approx(24 / 29.1125, abs=1e-5)]
    assert values(efficiency_at_most, data) == [pytest.approx(24 / 29, abs=1e-5)]


def test_the_bounds_are_missing_if_the_best_is_known_exactly():
    assert values(commons_at_least, greedy()) == values(efficiency_at_most, greedy()) == [None]


def test_no_efficiency_is_above_1():
    # 20 fish double to 40; 25 of them leave 15, which double to the last 30: 55, which is the best.
    periods = [{"harvest": [taken] * 5, "contribution": [0] * 5} for taken in (0, 5, 6)]
    data = played(
        "commons_game", periods, archetype="fishing", periods=3, initial_stock=20, max_harvest=6
    )
    assert values(commons_efficiency, data) == [pytest.approx(1.0)]
    assert max(values(commons_efficiency, data)) <= 1.0


def contributed(*contributions, **parameters):
    rules = {**LAB, "periods": len(contributions)} | parameters
    return played("sanctions", [{"contribution": amounts} for amounts in contributions], **rules)


def test_private_payoffs_over_those_of_the_social_optimum():
    # In `lab` each point returns 4 * 0.4 = 1.6 to the group. If all give 20, each earns 0.4 * 80 =
    # 32. If all give 10, each earns 10 + 0.4 * 40 = 26: 104 of 128. If one gives 0, it earns 20 +
    # 0.4 * 30 = 32 and the others 10 + 12 = 22: 98 of 128, whatever the sanctions.
    data = contributed([10] * 4, [10, 10, 10, 0])
    assert values(sanctions_period, data) == pytest.approx([104 / 128, 98 / 128])
    assert values(sanctions_efficiency, data) == pytest.approx([202 / 256])


def test_periods_have_an_efficiency_until_a_seat_is_out():
    data = contributed([10] * 4, [10] * 4, leaving={1: [0]}, agents={"may_leave": True})
    assert values(sanctions_period, data) == [pytest.approx(104 / 128), None]
    assert values(sanctions_efficiency, data) == [None]


def test_delayed_rewards_leave_the_efficiency_of_sanctions_missing():
    data = contributed([10] * 4, layers={"temporal": {"intensity": 1, "reward_delay": 1}})
    assert values(sanctions_efficiency, data) == values(sanctions_period, data) == [None]


GEMS = {
    "seats": 2,
    "gem_types": 1,
    "max_connectivity": 2,
    "worker_bonus": 1.4,
    "instance": {
        "reach": (2, 2),
        "workers": (1, 1),
        "base_probabilities": ((0.2,), (0.4,), (0.2,)),
    },
}


def test_expected_points_over_those_of_the_best_joint_choice():
    # Both at mine 1 expect 0.4 * 1.4 = 0.56. Splitting up with one at mine 1 is best: 0.6. With
    # village 0 at its own mine and village 1 at the last one it is 0.4.
    periods = [{"mine": [1, 1]}, {"mine": [0, 1]}, {"mine": [0, 2]}]
    data = played("gem_mining", periods, periods=3, **GEMS)
    assert values(gem_efficiency, data, "period") == pytest.approx([0.56 / 0.6, 1, 0.4 / 0.6])
    assert values(gem_efficiency, data, "group") == pytest.approx([1.56 / 1.8])


def test_the_efficiency_of_gems_is_missing_if_one_period_has_no_known_best():
    data = played("gem_mining", [{"mine": [1, 1]}, {"mine": [0, 1]}], periods=2, **GEMS)
    best = data.periods["best_expected_points"].where(data.periods["period"] > 0)
    data = replace(data, periods=data.periods.assign(best_expected_points=best))
    assert values(gem_efficiency, data, "period") == [None, pytest.approx(1)]
    assert values(gem_efficiency, data, "group") == [None]


@pytest.mark.parametrize("game", ["commons_game", "sanctions"])
def test_efficiency_matches_the_engine_for_whole_plays(game):
    data = analysis.simulated(
        game, ["random"], ["random"], groups=1, seed=3, archetype=engine.find(game).reference
    )
    rules = data.games["simulated", 1]
    measure = {"commons_game": commons_efficiency, "sanctions": sanctions_efficiency}[game]
    rows = data.decisions.groupby("period")
    parts = [field.name for field in rules.declaration.components]
    components = [
        {part: group[f"reward_{part}"].to_numpy()[None] for part in parts} for _, group in rows
    ]
    low, high = np.asarray(solutions.share_of_best(rules, [], components)).T
    for end in (low, high):
        assert values(measure, data) == pytest.approx(end.tolist())


def test_the_vote_has_no_efficiency():
    data = analysis.simulated("punishment_vote", ["random"] * 3, groups=1, seed=1, turns=2)
    with pytest.raises(
        ConfigError, match="efficiency: a measure of sanctions, not of punishment_vote"
    ):
        sanctions_efficiency(data)


LANE = {
    "height": 3,
    "width": 4,
    "seats": 1,
    "resources": {"A": {"value": 3}},
    "taboo": [],
    "initial_resources": 1,
    "spawn_probability": 1.0,
}
"""There are two cells. The seat is on one, and A, worth 3, always grows back on the other."""


def walks(turns):
    """Return actions that walk back and forth from the seat's cell and end with a vote."""
    first = (
        3
        if engine.Episode(engine.make("punishment_vote", **LANE), 1).state_record()["column"] == [1]
        else 2
    )
    sides = [first if turn % 2 == 0 else 5 - first for turn in range(turns - 1)]
    return [{"action": [side]} for side in (*sides, 4)]


def test_the_vote_is_compared_with_an_upper_bound():
    # 3 times A and a vote for 0.1: 8.9 points. At best one A is collected in each of 4 turns: 12.
    data = played("punishment_vote", walks(4), turns=4, **LANE)
    assert values(efficiency_at_least, data) == [pytest.approx(8.9 / 12)]


def test_a_vote_that_reaches_its_bound_is_at_1_despite_rounding(monkeypatch):
    data = played("punishment_vote", walks(4), turns=4, **LANE)
    bound = np.nextafter(data.decisions["reward"].sum(), 0)
    monkeypatch.setattr(solutions, "best", lambda *_: SimpleNamespace(value=bound))
    assert values(efficiency_at_least, data) == [1.0]


@pytest.mark.long
def test_each_group_of_the_vote_is_compared_with_the_bound_of_its_own_seed():
    data = analysis.simulated(
        "punishment_vote", ["forager"] * 4, groups=3, archetype="lab_0_7", seed=4
    )
    earned = data.decisions.groupby("group")["reward"].sum()
    game = next(iter(data.games.values()))
    bounds = [solutions.best(game, seed).value for seed in data.groups["seed"].tolist()]
    assert len(set(bounds)) == 3
    assert values(efficiency_at_least, data) == pytest.approx((earned / bounds).tolist())


def test_the_share_of_the_bound_is_missing_if_the_bound_does_not_hold():
    shaken = {"uncertainty": {"intensity": 1, "shocks": {"level": 0.5}}}
    assert values(efficiency_at_least, played("punishment_vote", walks(3), turns=3, **LANE)) != [
        None
    ]
    for changes in (
        {"layers": shaken},
        {"resources": {"A": {"value": -3}}},
        {"leaving": {1: [0]}, "agents": {"may_leave": True}},
        {"over": False},
    ):
        data = played("punishment_vote", walks(2), turns=3, **{**LANE, **changes})
        assert values(efficiency_at_least, data) == [None]

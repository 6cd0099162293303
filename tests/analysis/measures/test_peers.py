"""Measures of peer points, calculated by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from mixed_company import analysis, engine
from mixed_company.analysis.measures import groups
from mixed_company.analysis.measures.peers import (
    antisocial_share,
    prosocial_share,
    punishment_assigned,
    punishment_received,
    punishment_response,
    reward_points_assigned,
    reward_points_received,
)
from mixed_company.analysis.statistics.intervals import of_mean
from mixed_company.engine import solutions
from mixed_company.engine.solutions.sanctions.replay import best_alike
from tests.analysis.measures.played import played, values

ZEROS = [0, 0, 0, 0]
GAVE = [0.0, 5.0, 10.0, 20.0]


def sanctions(*periods, **changes):
    """Return a group of four in a public good with endowments of 20 points and a return of 0.4."""
    settings = {
        "archetype": "unsanctioned",
        "peer": "punishment",
        "periods": len(periods),
        **changes,
    }
    sent = [{"contribution": gave, "assign": assign} for gave, assign in periods]
    return played("sanctions", sent, **settings)


# The mean is 8.75: seats 0 and 1 are below it. Seat 3 punishes seat 0 by 3 and seat 1 by 1, seat 0
# punishes seat 3 by 2: 4 points to seats below the mean, 2 to one above.
POINTS = [[0, 0, 0, 2], ZEROS, ZEROS, [3, 1, 0, 0]]


def test_punishment_is_counted_by_who_assigned_it_and_who_got_it():
    data = sanctions((GAVE, POINTS))
    assert values(punishment_assigned, data, "person") == [2, 0, 0, 4]
    assert values(punishment_received, data) == [3, 1, 0, 2]
    assert values(punishment_assigned, data, "group") == [1.5]
    assert values(punishment_assigned, data, "period") == [1.5]
    assert values(reward_points_assigned, data, "group") == [None]


def test_punishment_of_those_below_the_mean_is_prosocial_and_above_antisocial():
    data = sanctions((GAVE, POINTS))
    assert values(prosocial_share, data, "group") == [pytest.approx(4 / 6)]
    assert values(antisocial_share, data, "group") == [pytest.approx(2 / 6)]
    assert values(prosocial_share, data, "person") == [0, None, None, 1]


def test_points_to_seats_at_the_mean_are_neither():
    data = sanctions(([10.0, 10.0, 0.0, 20.0], [[0, 3, 0, 1], ZEROS, ZEROS, ZEROS]))
    assert values(prosocial_share, data, "group") == [0]
    assert values(antisocial_share, data, "group") == [0.25]


def test_points_of_both_kinds_are_told_apart_by_their_sign():
    data = sanctions((GAVE, [[0, -1, 0, 4], ZEROS, ZEROS, [-2, 0, 5, 0]]), peer="both")
    assert values(punishment_assigned, data, "person") == [1, 0, 0, 2]
    assert values(reward_points_assigned, data, "person") == [4, 0, 0, 5]
    assert values(punishment_received, data) == [2, 1, 0, 0]
    assert values(reward_points_received, data) == [0, 0, 5, 4]
    assert values(prosocial_share, data, "group") == [1]


def test_cooperation_in_the_commons_is_taking_less():
    """Seat 3 takes 8, above the mean of 3.5, so it cooperates less than average."""
    sent = {"harvest": [2.0] * 3 + [8.0], "contribution": [0.0] * 4}
    sent |= {"assign": [[0, 0, 0, 2], *[ZEROS] * 3]}
    data = played("commons_game", [sent], archetype="lab", peer="punishment")
    assert values(prosocial_share, data, "group") == [1]


def test_a_bots_points_do_not_count_for_the_person_whose_seat_it_took():
    data = sanctions((GAVE, POINTS), (GAVE, [ZEROS, ZEROS, ZEROS, [0, 5, 0, 0]]))
    rows = data.decisions.copy()
    rows["peer_by"] = "person"
    rows.loc[(rows["seat"] == 3) & (rows["period"] == 1), "peer_by"] = "policy"
    data = replace(data, decisions=rows)
    assert values(punishment_assigned, data, "person") == [1, 0, 0, 4]
    assert values(punishment_assigned, data, "group") == [11 / 8]


# -- efficiency ---------------------------------------------------------------------------------


def test_efficiency_is_before_and_net_efficiency_after_points():
    """Private payoffs are 80 + 0.6 * 35 = 101 of 128 if all give 20. Six points cost 6 and take
    18."""
    data = sanctions((GAVE, POINTS))
    rows = groups(data, ["efficiency", "net_efficiency"])
    assert rows["efficiency"].tolist() == [pytest.approx(101 / 128)]
    assert rows["net_efficiency"].tolist() == [pytest.approx(77 / 128)]
    assert math.isnan(
        groups(sanctions((GAVE, POINTS), peer="reward"), ["efficiency"])["efficiency"][0]
    )


def test_the_best_plan_of_a_commons_bounds_groups_that_punish_but_not_those_that_reward():
    changes = {"archetype": "lab", "periods": 2}
    plain = engine.make("commons_game", **changes)
    punishing = engine.make("commons_game", **changes, peer="punishment")
    rewarding = engine.make("commons_game", **changes, peer="reward")
    assert solutions.best(punishing).value == solutions.best(plain).value
    assert solutions.best(rewarding) is None
    assert not solutions.has_best(rewarding)
    harvest = {"harvest": [2.0] * 3 + [8.0], "contribution": [0.0] * 4}
    points = {"assign": [[0, 0, 0, 1], *[ZEROS] * 3]}
    with_points = played("commons_game", [harvest | points] * 2, peer="punishment", **changes)
    without = played("commons_game", [harvest] * 2, **changes)
    before = groups(without, ["efficiency"])["efficiency"][0]
    rows = groups(with_points, ["efficiency", "net_efficiency"])
    best = solutions.best(plain).value
    assert rows["efficiency"][0] == pytest.approx(before)
    assert rows["net_efficiency"][0] == pytest.approx(before - 8 / best)
    assert groups(without, ["net_efficiency"])["net_efficiency"].isna().all()


def test_rewards_earn_more_than_the_best_play_without_points():
    """Everyone gives 20 and rewards the next player with 10 points, which cost 10 and give 30."""
    ring = [[10 * (other == (seat + 1) % 4) for other in range(4)] for seat in range(4)]
    data = sanctions(([20.0] * 4, ring), peer="reward")
    plain = engine.make("sanctions", archetype="unsanctioned", periods=1)
    assert data.periods["reward_sum"].sum() == 128 + 80 > solutions.best(plain).value


@pytest.mark.parametrize(
    ("changes", "bounds"),
    [
        ({"peer": "punishment"}, True),
        ({"peer": "punishment", "peer_effect_share": 0.1}, True),
        ({"peer": "both"}, False),
    ],
)
def test_a_share_of_an_income_takes_where_no_income_is_negative(changes, bounds):
    game = engine.make("sanctions", archetype="unsanctioned", **changes)
    assert solutions.points_only_take(game) is solutions.has_best(game) is bounds


def test_the_best_equal_contribution_is_that_of_whole_periods():
    plain = engine.make("sanctions", archetype="unsanctioned", periods=4)
    pointed = engine.make("sanctions", archetype="unsanctioned", periods=4, peer="punishment")
    amounts = (0.0, 10.0, 20.0)
    assert best_alike(pointed, amounts) == best_alike(plain, amounts)
    assert solutions.without_points(pointed).config == plain.config


# -- responses ----------------------------------------------------------------------------------


def test_the_response_is_what_a_point_changes_at_the_same_distance_from_the_others():
    """Everyone gives 5 at first. A person who received P points then gives 5 + 2 P, and 2 P is 0.1
    P of the endowment of 20.
    """
    first = [[0, 1, 2, 0], [0, 0, 1, 0], ZEROS, ZEROS]  # received: 0, 1, 3, 0
    data = sanctions(([5.0] * 4, first), ([5.0, 7.0, 11.0, 5.0], [ZEROS] * 4))
    assert values(punishment_response, data, "group") == [pytest.approx(0.1)]
    assert values(punishment_response, data, "person") == [None] * 4


def test_no_response_is_known_if_nobody_was_punished():
    data = sanctions((GAVE, [ZEROS] * 4), ([5.0] * 4, [ZEROS] * 4))
    assert values(punishment_response, data, "group") == [None]
    assert values(prosocial_share, data, "group") == [None]


@pytest.mark.long
def test_groups_give_the_interval_of_the_response():
    """If people give 1 of 20 more for each point, plus noise, the interval contains 1."""
    generator, plays = np.random.default_rng(4), []
    for group in range(30):
        assign = generator.integers(0, 4, (4, 4))
        np.fill_diagonal(assign, 0)
        gave = generator.uniform(4, 8, 4)
        then = gave + assign.sum(axis=0) + generator.normal(0, 1, 4)
        periods = (gave.tolist(), assign.tolist()), (then.tolist(), [ZEROS] * 4)
        plays.append(sanctions(*periods, group=group))
    slopes = values(punishment_response, analysis.joined(*plays), "group")
    assert len(slopes) == 30
    low, high = of_mean(20 * np.array(slopes), 0.95)
    assert low < 1 < high


# -- without points -----------------------------------------------------------------------------


def test_groups_without_peer_points_have_none_of_these_values_beside_others_that_have():
    changes = {"groups": 2, "seed": 1, "archetype": "lab", "periods": 3}
    plain = analysis.simulated("commons_game", ["random"], ["greedy"], treatment="plain", **changes)
    pointed = analysis.simulated(
        "commons_game",
        ["random+antisocial"],
        ["greedy"],
        treatment="points",
        peer="both",
        **changes,
    )
    names = ["punishment_assigned", "reward_points_assigned"]
    rows = groups(analysis.joined(plain, pointed), names).set_index("treatment")
    assert rows.loc["plain", names].isna().all(axis=None)
    assert rows.loc["points", names].notna().all(axis=None)
    assert groups(plain, names)[names].isna().all(axis=None)

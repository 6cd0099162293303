"""Points and their inequality."""

from __future__ import annotations

import pytest

from mixed_company import analysis, engine
from mixed_company.analysis import measures
from mixed_company.analysis.measures.points import gini, mean_points, points, points_per_period
from tests.analysis.measures.played import played, values, with_columns

NOTHING = [0.0, 0.0]


def commons(harvests, **changes):
    periods = [{"harvest": harvest, "contribution": [0.0] * len(harvest)} for harvest in harvests]
    return played("commons_game", periods, seats=len(harvests[0]), **changes)


def test_points_of_two_seats_in_two_periods():
    # Seat 0 takes 1 and 2, seat 1 takes 3 and 4: 3 and 7 points, 5 per seat, 2.5 per seat and
    # period.
    data = commons([[1, 3], [2, 4]])
    assert values(points, data) == [3, 7]
    assert values(mean_points, data) == [5]
    assert values(points_per_period, data, "group") == [2.5]
    assert values(points_per_period, data, "person") == [1.5, 3.5]
    assert values(points_per_period, data, "period") == [2, 3]
    # Twice |3 - 7| is 8, over 2 * 2 seats * 10 points.
    assert values(gini, data) == [pytest.approx(0.2)]


def test_a_person_gets_no_points_from_periods_in_which_a_policy_decided():
    # Seat 0 earns 1 by its person, 2 by default and 4 by a policy: 3 are the person's, 1 by a
    # decision.
    data = commons([[1, 0], [2, 0], [4, 0]], people=1, by={(1, 0): "default", (2, 0): "policy"})
    assert values(points, data) == [3, 0]
    assert values(points_per_period, data, "person") == [1, 0]
    assert values(mean_points, data) == [3.5]  # the seats earned 7 and 0, whoever decided


def test_equal_or_no_points_have_a_gini_of_0_and_losses_have_none():
    assert values(gini, commons([[2, 2]])) == [0]
    assert values(gini, commons([NOTHING])) == [0]
    assert values(gini, with_columns(commons([NOTHING]), reward=[-1.0, 4.0])) == [None]


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_points_of_people_match_the_table_of_outcomes(game):
    data = analysis.simulated(game, ["random"] * 2, ["random"], groups=2, seed=1, archetype="lab")
    people = measures.people(data)
    of_people = people[people["person"]]
    assert of_people["participant"].tolist() == data.outcomes["participant"].tolist()
    assert of_people["points"].tolist() == pytest.approx(data.outcomes["points"].tolist())

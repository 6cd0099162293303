"""Measures of decision times, of who decided, and of bots that play with people."""

from __future__ import annotations

import pytest

from mixed_company.analysis import measures
from mixed_company.analysis.measures.bots import (
    absent_share,
    bot_cooperation,
    bot_points,
    bot_share,
    cooperation_gap,
    people_cooperation,
    people_points,
    points_gap,
    taken_over,
)
from mixed_company.analysis.measures.timing import (
    decided,
    decision_time,
    defaulted,
    median_decision_time,
)
from tests.analysis.measures.played import played, values

TOOK = {
    (0, 0): 1000,
    (1, 0): 2000,
    (2, 0): 9000,
    (3, 0): 500,
    (0, 1): 3000,
    (1, 1): 60000,
    (2, 1): 5000,
    (3, 1): 1,
}
BY = {(3, 0): "policy", (1, 1): "default", (3, 1): "policy"}


def mixed(**changes):
    """Play with two people who take 2 and 4 per period. Policies that replace them take 10."""
    periods = [
        {"harvest": harvests, "contribution": [0, 0]} for harvests in [[2, 4]] * 3 + [[10, 10]]
    ]
    return played("commons_game", periods, **({"seats": 2, "by": BY, "took": TOOK} | changes))


def test_times_cover_only_decisions_by_people():
    # Seat 0: 1, 2, 9 s; seat 1: 3, 5 s. Neither the default's 60 s nor the policies' times count as
    # decisions.
    data = mixed()
    assert values(decision_time, data, "person") == [4000, 4000]
    assert values(median_decision_time, data, "person") == [2000, 4000]
    assert values(decision_time, data, "group") == [4000]
    assert values(median_decision_time, data, "group") == [3000]
    assert values(decision_time, data, "period") == [2000, 2000, 7000, None]
    assert values(median_decision_time, data, "period") == [2000, 2000, 7000, None]


def test_without_a_server_there_are_no_times():
    assert values(decision_time, mixed(took=None), "group") == [None]
    assert values(median_decision_time, mixed(took=None), "person") == [None, None]


def test_deciders_are_counted():
    data = mixed()
    assert values(decided, data) == [3, 2]
    assert values(defaulted, data, "person") == [0, pytest.approx(1 / 3)]
    assert values(defaulted, data, "group") == [pytest.approx(1 / 6)]
    assert values(defaulted, data, "period") == [0, 0.5, 0, None]
    assert values(taken_over, data) == [0.25, 0.25]
    assert values(bot_share, data, "group") == [0.25]
    assert values(bot_share, data, "period") == [0, 0, 0, 1]
    assert values(absent_share, data, "group") == [0]


def test_measures_of_people_next_to_policies():
    # People decide 5 times: 2, 4, 2, 2, 4 points. The default belongs to neither. Policies: 10, 10.
    data = mixed()
    assert values(people_points, data) == pytest.approx([14 / 5])
    assert values(bot_points, data) == [10]
    assert values(points_gap, data) == pytest.approx([14 / 5 - 10])
    # 1 - request / 10: 0.8, 0.6, 0.8, 0.8, 0.6, on average 0.72; policies 0.
    assert values(people_cooperation, data) == pytest.approx([0.72])
    assert values(bot_cooperation, data) == [0]
    assert values(cooperation_gap, data) == pytest.approx([0.72])


def test_a_group_of_only_people_or_only_bots_has_no_gap():
    alone = mixed(by=None)
    assert values(bot_points, alone) == values(points_gap, alone) == [None]
    assert values(cooperation_gap, alone) == [None]
    bots = mixed(by=None, people=0)
    assert values(people_points, bots) == values(points_gap, bots) == [None]
    assert values(taken_over, bots) == [None, None]
    assert values(defaulted, bots, "group") == [None]


def test_a_person_who_never_decided_has_a_policys_seat():
    data = mixed(by={(period, 0): "policy" for period in range(4)})
    people = measures.people(data)
    assert people["person"].tolist() == [False, True]
    assert people["participant"].tolist() == ["0-0", "0-1"]
    assert people["taken_over"].tolist() == [1, 0]
    assert people["harvest"].tolist() == [4, 5.5]  # the policy's: 2, 2, 2, 10


def test_a_seat_that_is_out_is_counted_but_not_as_a_policy():
    data = mixed(by=None, people=1, leaving={2: [1]}, agents={"may_leave": True})
    assert values(absent_share, data, "group") == [0.25]
    assert values(absent_share, data, "person") == [0, 0.5]
    assert values(absent_share, data, "period") == [0, 0, 0.5, 0.5]
    assert values(bot_share, data, "period") == [0.5, 0.5, 0, 0]
    assert values(bot_share, data, "group") == [pytest.approx(2 / 6)]

"""Votes, taboos and punishment."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mixed_company.analysis.games.punishment_vote.votes import (
    collected,
    demand_after_harm,
    final_level,
    level,
    level_slope,
    punishment_demand,
    punishment_points,
    taboo,
    taboo_share,
    votes_to_increase,
    voting,
)
from tests.analysis.measures.played import played, values, with_columns


def vote(turns, **columns):
    """Let two seats do nothing for some turns, then set other values in these columns."""
    data = played("punishment_vote", [{"action": [6, 6]}] * turns, seats=2, taboo=["A", "B"])
    return with_columns(data, **columns)


def test_the_level_is_taken_from_the_table():
    # 0.1, 0.5, 0.3: mean 0.3, slope (0.3 - 0.1) / 2.
    data = vote(3)
    data = replace(data, periods=data.periods.assign(after_level=[0.1, 0.5, 0.3]))
    assert values(level, data, "period") == [0.1, 0.5, 0.3]
    assert values(level, data, "group") == [pytest.approx(0.3)]
    assert values(final_level, data) == [0.3]
    assert values(level_slope, data) == [pytest.approx(0.1)]


def test_votes_by_hand():
    # Seat 0: 1, 1, -1, 0. Seat 1: 0, 0, 1, 0.
    data = vote(4, after_vote=[1, 0, 1, 0, -1, 1, 0, 0])
    assert values(punishment_demand, data, "person") == [0.25, 0.25]
    assert values(punishment_demand, data, "period") == [0.5, 0.5, 0, 0]
    assert values(punishment_demand, data, "group") == [0.25]
    assert values(voting, data, "person") == [0.75, 0.25]
    assert values(voting, data, "period") == [0.5, 0.5, 1, 0]
    assert values(votes_to_increase, data, "person") == [pytest.approx(2 / 3), 1]
    assert values(votes_to_increase, data, "group") == [0.75]
    assert values(votes_to_increase, data, "period") == [1, 1, 0.5, None]


def test_without_votes_there_is_no_share_of_increases():
    data = vote(2)
    assert values(votes_to_increase, data, "group") == [None]
    assert values(punishment_demand, data, "group") == [0]
    assert values(level_slope, vote(1)) == [None]


def test_votes_that_follow_harm():
    # Seat 0 loses 0, 2, 0, 2 and votes 0, 1, 0 in the following turns: r = 1. Seat 1 loses the same
    # and never votes.
    harm = [0, 0, -2, -2, 0, 0, -2, -2]
    data = vote(4, reward_harm=harm, after_vote=[0, 0, 0, 0, 1, 0, 0, 0])
    assert values(demand_after_harm, data) == [pytest.approx(1), None]
    assert values(demand_after_harm, vote(3)) == [None, None]


def test_collected_resources_and_their_taboo_share():
    # Kinds 1 (A) and 2 (B) are taboo, 3 (C) is not. Seat 0: A, C, B, nothing; seat 1: nothing.
    data = vote(4, after_collected=[1, 0, 3, 0, 2, 0, 0, 0])
    assert values(collected, data, "person") == [0.75, 0]
    assert values(collected, data, "period") == [0.5, 0.5, 0.5, 0]
    assert values(taboo, data, "person") == [0.5, 0]
    assert values(taboo, data, "group") == [0.25]
    assert values(taboo_share, data, "person") == [pytest.approx(2 / 3), None]
    assert values(taboo_share, data, "group") == [pytest.approx(2 / 3)]


def test_points_lost_to_punishment():
    data = vote(2, reward_punishment=[-3, 0, -1, 0])
    assert values(punishment_points, data, "person") == [2, 0]
    assert values(punishment_points, data, "period") == [1.5, 0.5]
    assert values(punishment_points, data, "group") == [1]

"""Sanctions and the response to them."""

from __future__ import annotations

import pytest

from mixed_company.analysis.games.sanctions.reciprocity import (
    change_after_sanction,
    change_without_sanction,
    response_per_point,
    response_to_sanctions,
    sanction_points,
    sanctioned,
    sanctions_given,
    trust,
)
from tests.analysis.measures.played import played, values, with_columns

RESPONSES = (
    change_after_sanction,
    change_without_sanction,
    response_to_sanctions,
    response_per_point,
)


def lab(*contributions, **changes):
    rules = {"archetype": "lab_0_7"} | changes
    return played("sanctions", [{"contribution": amounts} for amounts in contributions], **rules)


def test_one_free_rider_is_sanctioned_by_three():
    # From the game's docstring: 10.063 * 0.9765 = 9.827 together. Three of twelve pairs trust less,
    # by 0.5 * 0.02 * 1.175 = 0.01175: the mean falls by 0.0029375.
    data = lab([10, 10, 10, 0])
    assert values(sanctioned, data, "person") == [0, 0, 0, 1]
    assert values(sanctioned, data, "group") == values(sanctioned, data, "period") == [0.25]
    assert values(sanction_points, data, "person") == pytest.approx([0, 0, 0, 9.827], abs=1e-3)
    assert values(sanction_points, data, "group") == pytest.approx([9.827 / 4], abs=1e-3)
    assert values(sanctions_given, data) == pytest.approx([9.827 / 3] * 3 + [0], abs=1e-3)
    assert values(trust, data, "period") == pytest.approx([0.4970625], abs=1e-6)


def test_rewards_from_reciprocity_are_no_sanctions():
    data = lab([20, 10, 10, 10])
    assert data.decisions["reward_sanctions"].iloc[0] > 0
    assert values(sanctioned, data, "group") == [0]
    assert values(sanction_points, data, "person") == [0, 0, 0, 0]


def test_sanctions_are_missing_if_the_observer_pays_or_effects_are_factors():
    assert values(sanctions_given, lab([10, 10, 10, 0], falls_on="observer")) == [None] * 4
    assert values(sanctions_given, lab([10, 10, 10, 0], form="multiplier")) == [None] * 4


def two(contributions, lost, **changes):
    """Play seat 0 with these contributions and losses; seat 1 gives 10 and loses nothing."""
    rules = {"archetype": "lab_0_7", "seats": 2, "mpcr": 0.7}
    blank = [{"contribution": [0, 0]}] * len(contributions)
    data = played("sanctions", blank, **(rules | changes))
    return with_columns(
        data,
        used_contribution=[x for amount in contributions for x in (amount, 10.0)],
        reward_sanctions=[x for amount in lost for x in (-amount, 0.0)],
    )


def test_changes_after_sanctions_and_without_them_by_hand():
    # The seat is below the mean in all periods. After sanctions: 4 -> 8, 2 -> 3, on average + 2.5.
    # Without: 8 -> 2, 3 -> 6, 6 -> 6 (rewarded): - 1.
    data = two([4, 8, 2, 3, 6, 6], [1, 0, 3, 0, -2, 9])
    assert values(change_after_sanction, data, "person") == [2.5, None]
    assert values(change_without_sanction, data, "person") == [-1, None]
    assert values(response_to_sanctions, data, "person") == [3.5, None]
    assert values(response_to_sanctions, data, "group") == [3.5]


def test_seats_that_give_at_least_the_mean_are_left_out():
    data = two([10, 12, 14, 16], [1, 0, 1, 0])
    assert values(change_after_sanction, data, "group") == [None]


def test_only_changes_by_the_person_are_a_response():
    # The 8 is a policy's, so neither 4 -> 8 nor 8 -> 2 is a change by the person. 2 -> 3 remains.
    data = two([4, 8, 2, 3], [1, 1, 1, 0], by={(1, 0): "policy"})
    assert values(change_after_sanction, data, "person") == [1, None]


def test_only_people_count_in_a_groups_response():
    data = two([4, 8, 2, 3], [1, 0, 1, 0], people=0)
    assert values(change_after_sanction, data, "group") == [None]
    assert values(change_after_sanction, data, "person") == [2.5, None]  # a bot has its own group


def test_the_response_per_point_controls_for_the_distance_from_the_mean():
    # c' - c = 1 + 2 L - (c - 10) / 2, that is c' = c / 2 + 6 + 2 L, from 0 with L = 0, 1, 0, 2, 0.
    # Seat 1 always gives 10 and loses nothing: alone, its loss does not vary.
    data = two([0, 6, 11, 11.5, 15.75, 13.875], [0, 1, 0, 2, 0, 0])
    assert values(response_per_point, data, "person") == [pytest.approx(2), None]


def test_few_changes_give_no_response_per_point():
    assert values(response_per_point, two([0, 6, 11, 11.5], [0, 1, 0, 2]), "person")[0] is None


def test_there_is_no_response_if_the_observer_pays():
    data = two([4, 8, 2, 3, 6, 6], [1, 0, 3, 0, 2, 9], falls_on="observer")
    for measure in RESPONSES:
        assert values(measure, data, "group") == [None]
        assert values(measure, data, "person") == [None, None]


def test_one_period_has_no_response():
    data = lab([10, 10, 10, 0])
    for measure in RESPONSES:
        assert values(measure, data, "group") == [None]

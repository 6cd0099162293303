"""Tests of the measures of the public good on tiny plays, computed by hand."""

from __future__ import annotations

import pytest

from mixed_company.analysis.games.public_good.punishing import public_good_efficiency, punishment
from mixed_company.analysis.measures.cooperation import cooperation
from tests.analysis.measures.played import played, values

PLAY = [
    {"contribution": [0, 20, 20, 20], "punishment": [0, 0, 0, 0]},
    {"contribution": [0, 0, 20, 20], "punishment": [0, 1, 2, 3]},
    {"contribution": [10, 10, 10, 10], "punishment": [4, 0, 0, 0]},
]
LAB = {"archetype": "lab", "periods": 3}


def test_punishment_is_the_mean_over_decisions_in_which_it_was_possible():
    """Average over the decisions with punishment: none in period 1, three in period 2, four in
    period 3.

    (1 + 2 + 3 + 4 + 0 + 0 + 0) / 7 = 10 / 7.
    """
    data = played("public_good", PLAY, **LAB)
    assert values(punishment, data, "group") == pytest.approx([10 / 7])
    assert values(punishment, data, "person") == pytest.approx([4, 0.5, 1, 1.5])
    assert values(punishment, data, "period") == [None, 2, 1]


def test_without_punishment_in_the_rules_there_is_nothing_to_measure():
    free = [{**period, "punishment": [0, 0, 0, 0]} for period in PLAY]
    data = played("public_good", free, archetype="source", periods=3)
    assert values(punishment, data, "group") == [None]


def test_cooperation_is_the_mean_share_of_the_endowment_given():
    """Expect (60 + 40 + 40) / (3 * 80)."""
    data = played("public_good", PLAY, **LAB)
    assert values(cooperation, data, "group") == pytest.approx([140 / 240])


def test_efficiency_is_the_earned_share_of_the_social_optimum():
    """Expect 284 / 384.

    Contributions are 60, 40 and 40 of 80: 3 * 80 + 0.6 * 140 = 324 points. Punishment costs 10
    points and takes 3 * 10 = 30, which leaves 284 of 3 * 4 * 32 = 384.
    """
    data = played("public_good", PLAY, **LAB)
    assert values(public_good_efficiency, data, "group") == pytest.approx([284 / 384])

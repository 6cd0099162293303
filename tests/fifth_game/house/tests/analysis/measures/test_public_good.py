"""Tests of the measures of the public good on tiny plays, calculated by hand."""

from __future__ import annotations

import pytest

from mixed_company.analysis.games.public_good.efficiency import public_good_efficiency
from mixed_company.analysis.measures.cooperation import cooperation
from mixed_company.analysis.measures.peers import net_efficiency, punishment_assigned
from tests.analysis.measures.played import played, values

NOBODY = [0, 0, 0, 0]
PLAY = [
    {"contribution": [0, 20, 20, 20], "assign": [NOBODY, [2, 0, 0, 0], [1, 0, 0, 0], NOBODY]},
    {"contribution": [10, 10, 10, 10], "assign": [[0, 1, 0, 0], NOBODY, NOBODY, NOBODY]},
]
LAB = {"archetype": "lab", "periods": 2}


def test_cooperation_is_the_mean_share_of_the_endowment_given():
    """The value is (60 + 40) / (2 * 80)."""
    assert values(cooperation, played("public_good", PLAY, **LAB), "group") == [100 / 160]


def test_efficiency_is_the_earned_share_of_the_social_optimum_before_and_after_points():
    """The values are 220 / 256 and 204 / 256.

    Contributions are 60 and 40 of 80: 2 * 80 + 0.6 * 100 = 220 points of 2 * 4 * 32 = 256. Four
    punishment points cost 4 and take 12.
    """
    data = played("public_good", PLAY, **LAB)
    assert values(public_good_efficiency, data, "group") == pytest.approx([220 / 256])
    assert values(net_efficiency, data, "group") == pytest.approx([204 / 256])


def test_punishment_is_the_shared_measure():
    """The values are 3 and 1 points of four seats in two periods."""
    data = played("public_good", PLAY, **LAB)
    assert values(punishment_assigned, data, "group") == [4 / 8]
    assert values(punishment_assigned, data, "person") == [0.5, 1, 0.5, 0]

"""Declared amounts and reward components of a sanctions game, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine.games.sanctions.equations import private_payoff
from tests.engine.games.sanctions_plays import PLAIN, sanctions


def of(fields, name):
    (field,) = (field for field in fields if field.name == name)
    return field


@pytest.mark.parametrize(
    ("endowment", "grain"), [([10, 100], 1.0), ([9.5, 100], 0.1), ([100, 9.5], 0.1)]
)
def test_an_amount_moves_in_whole_points_if_all_have_at_least_ten(endowment, grain):
    contributions = of(
        sanctions(seats=2, endowment=endowment, baseline=1).declaration.actions, "contribution"
    )
    assert (contributions.low, contributions.high, contributions.grain) == (0.0, 100.0, grain)


def test_the_synergy_of_remaining_seats_uses_only_their_contributions():
    """Seats give 8, 2 and 32, but the third is out of the play: sqrt(8 * 2) = 4. If only the seat
    with 8 is left, the product is 8. Each gets 0.9 / 3 of that.
    """
    core = sanctions(seats=3, synergy=0.9).core
    contributions = np.array([8.0, 2.0, 32.0])
    two, alone = (
        private_payoff(core, contributions, playing=np.array(playing))["synergy"]
        for playing in ([True, True, False], [True, False, False])
    )
    assert two == pytest.approx([1.2, 1.2, 1.2])
    assert alone == pytest.approx([2.4, 2.4, 2.4])


def test_synergy_bounds_cover_every_set_of_remaining_seats():
    """Contributions of 100 and 25 produce sqrt(2500) = 50, and each seat gets half. If only one
    seat is left, it produces up to 100, and gets half.
    """
    core = {"seats": 2, "endowment": [100, 25], "baseline": 1, "synergy": 1.0}
    plain = sanctions(**core).declaration.components
    leaving = sanctions(**core, agents={"may_leave": True}).declaration.components
    assert of(plain, "synergy").high == pytest.approx(25)
    assert of(leaving, "synergy").high == pytest.approx(50)


def test_others_add_nothing_under_private_rewards():
    others = of(sanctions(seats=2, **PLAIN).declaration.components, "others")
    assert (others.low, others.high) == (0.0, 0.0)

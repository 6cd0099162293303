"""Declared amounts and reward components of the commons, worked out by hand."""

from __future__ import annotations

import pytest

from mixed_company.engine import ConfigError
from tests.engine.plays import commons


@pytest.mark.parametrize(
    ("core", "grain"),
    [
        # a stock of half of 100 grows by 0.3 * 50 * 0.5 = 7.5: 3.75 for each of two, 2.5 for each
        # of three
        ({"seats": 2}, 1.0),
        ({"seats": 3}, 0.5),
        ({"seats": 2, "max_harvest": 2.5}, 0.5),
        # 0.24 * 50 * 0.5 = 6: exactly 3 for each of two
        ({"seats": 2, "growth_rate": 0.24}, 1.0),
        ({"seats": 2, "growth_rate": 0.24, "max_harvest": 3}, 1.0),
    ],
)
def test_an_amount_moves_in_whole_fish_if_there_are_three_for_everybody(core, grain):
    assert {field.grain for field in commons(**core).declaration.actions} == {grain}


def test_costs_of_living_and_a_recovery_bonus_are_reward_components_however_small():
    game = commons(
        initial_stock=50, initial_wealth=1, living_cost=0.5, recovery_stock=90, recovery_bonus=0.25
    )
    parts = {field.name: (field.low, field.high) for field in game.declaration.components}
    assert parts["living_cost"] == (-0.5, 0.0)
    assert parts["recovery_bonus"] == (0.0, 0.25)
    plain = {field.name for field in commons().declaration.components}
    assert plain == {"harvest", "contribution"}


def test_nobody_is_a_neighbour_of_itself():
    with pytest.raises(ConfigError, match=r"pair \[1, 1\]: a seat cannot be its own neighbour"):
        commons(observation="local", neighbours=[[0, 1], [1, 1]])

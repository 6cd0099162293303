"""Measures of harm caused and harm suffered."""

from __future__ import annotations

import pytest

from mixed_company import analysis
from mixed_company.analysis.games.commons_game.harm import regrowth_loss
from mixed_company.analysis.games.punishment_vote.harm import harm_caused, harm_suffered
from tests.analysis.measures.played import played, values, with_columns


def test_collecting_harms_every_other_seat():
    # A harms by 0.5, B by 1. In turn 0 seat 0 takes A, which costs the two others 1 in total. In
    # turn 1 seat 1 takes B: 2.
    data = played("punishment_vote", [{"action": [6, 6, 6]}] * 2)
    harm = [0, -0.5, -0.5, -1, 0, -1]
    data = with_columns(data, after_collected=[1, 0, 0, 0, 2, 0], reward_harm=harm)
    assert values(harm_caused, data, "person") == [0.5, 1, 0]
    assert values(harm_suffered, data, "person") == [0.5, 0.25, 0.75]
    assert values(harm_caused, data, "period") == pytest.approx([1 / 3, 2 / 3])
    assert values(harm_suffered, data, "period") == pytest.approx([1 / 3, 2 / 3])
    assert values(harm_caused, data, "group") == values(harm_suffered, data, "group") == [0.5]


def test_a_seat_that_is_out_is_not_harmed():
    options = {"leaving": {0: [2]}, "agents": {"may_leave": True}}
    data = played("punishment_vote", [{"action": [6, 6, 6]}], **options)
    data = with_columns(data, after_collected=[1, 0, 0])
    assert values(harm_caused, data, "person") == [0.5, 0, None]


@pytest.mark.few(1)
@pytest.mark.parametrize("archetype", ["lab_0_7", "sequential", "separate_worlds", "composite"])
def test_harm_caused_equals_harm_suffered(archetype):
    options = {"groups": 2, "seed": 5, "archetype": archetype, "turns": 40}
    data = analysis.simulated("punishment_vote", ["forager"], ["random"], **options)
    assert values(harm_caused, data, "group")[0] > 0
    assert values(harm_caused, data, "group") == pytest.approx(values(harm_suffered, data, "group"))


def test_scaled_harm_is_measured_as_played():
    layers = {"interaction": {"intensity": 1, "externality": 2}}
    options = {"groups": 1, "seed": 5, "archetype": "lab_0_7", "turns": 40, "layers": layers}
    data = analysis.simulated("punishment_vote", ["forager"] * 4, **options)
    assert values(harm_caused, data, "group") == pytest.approx(values(harm_suffered, data, "group"))


def commons(*harvests, **changes):
    rules = {"seats": 2, "growth_rate": 0.4, "max_harvest": 50} | changes
    periods = [{"harvest": harvest, "contribution": [0, 0]} for harvest in harvests]
    return played("commons_game", periods, **rules)


def test_growth_lost_to_a_harvest_by_hand():
    # 100 - 20 - 40 = 40, and 0.4 * 40 * 0.6 = 9.6 grow. Without seat 0 the stock would be 60, and
    # 9.6 grow too: no loss. Without seat 1 it would be 80, and 6.4 grow: a gain of 3.2. 40 + 9.6 -
    # 29.6 = 20, and 6.4 grow; without seat 0 49.6, and 9.99936 would grow: 3.59936. Nothing grows
    # after period 2, the last.
    data = commons([20, 40], [29.6, 0], [1, 1])
    assert values(regrowth_loss, data, "period") == [
        pytest.approx(-1.6),
        pytest.approx(1.79968),
        None,
    ]
    assert values(regrowth_loss, data, "person") == pytest.approx([1.79968, -1.6])
    assert values(regrowth_loss, data, "group") == pytest.approx([0.09984])


def test_linear_growth_is_never_lost_and_drifting_growth_is_not_measured():
    data = commons([20, 40], [1, 1], growth="linear", growth_rate=5)
    assert values(regrowth_loss, data, "group") == [0]
    data = commons([20, 40], [1, 1], growth="exponential", growth_rate=1)
    assert values(regrowth_loss, data, "group") == [None]  # growth depends on the next harvest
    layers = {"uncertainty": {"intensity": 1, "drift": {"growth_rate": 0.1}}}
    assert values(regrowth_loss, commons([20, 40], [1, 1], layers=layers), "group") == [None]

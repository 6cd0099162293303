"""Definition of cooperation in each game."""

from __future__ import annotations

import pytest

from mixed_company import analysis, engine
from mixed_company.analysis import games
from mixed_company.analysis.measures import cooperation as module
from mixed_company.analysis.measures.cooperation import (
    cooperation,
    cooperation_slope,
    first_cooperation,
    last_cooperation,
)
from tests.analysis.measures.played import played, values, with_columns


def test_in_the_commons_it_is_the_unused_share_of_the_largest_request():
    # h_max 10: 2 leaves 0.8, 10 nothing. Period means are 0.4 and 0.9.
    periods = [{"harvest": harvests, "contribution": [0, 0]} for harvests in ([2, 10], [0, 2])]
    data = played("commons_game", periods, seats=2)
    assert values(cooperation, data, "person") == pytest.approx([0.9, 0.4])
    assert values(cooperation, data, "period") == pytest.approx([0.4, 0.9])
    assert values(cooperation, data, "group") == pytest.approx([0.65])
    assert values(first_cooperation, data, "group") == pytest.approx([0.4])
    assert values(last_cooperation, data, "person") == pytest.approx([1, 0.8])
    assert values(cooperation_slope, data, "group") == pytest.approx([0.5])


def test_in_the_sanctions_game_it_is_the_share_of_the_endowment_given():
    sent = [{"contribution": [10, 10, 10, 10]}]
    data = played("sanctions", sent, archetype="lab_0_7", endowment=[20, 40, 10, 100])
    assert values(cooperation, data, "person") == pytest.approx([0.5, 0.25, 1, 0.1])


def test_in_the_vote_it_is_the_share_of_turns_that_harm_nobody():
    # Kinds: 1 harms (A), 2 does not (B). Turns: A and nothing, then B and A.
    resources = {"A": {"value": 1, "harm": 1}, "B": {"value": 1, "harm": 0}}
    data = played("punishment_vote", [{"action": [6, 6]}] * 2, seats=2, resources=resources)
    data = with_columns(data, after_collected=[1, 0, 2, 1])
    assert values(cooperation, data, "period") == [0.5, 0.5]
    assert values(cooperation, data, "person") == [0.5, 0.5]


def test_seats_that_are_out_are_left_out():
    sent = [{"contribution": [20, 10, 0, 0]}] * 2
    options = {"leaving": {1: [2, 3]}, "agents": {"may_leave": True}, "archetype": "lab_0_7"}
    data = played("sanctions", sent, **options)
    assert values(cooperation, data, "period") == [0.375, 0.75]
    assert values(cooperation, data, "person") == [1, 0.5, 0, 0]


@pytest.mark.parametrize("game", engine.game_ids())
def test_games_that_define_cooperation_are_measured_by_it(game):
    declares = module.cooperates(games.find(game))
    assert declares == engine.find(game).defines_cooperation()


def test_reputations_use_the_same_definition():
    layers = {"temporal": {"intensity": 1, "reputation_window": 100}}
    options = {"groups": 1, "seed": 4, "archetype": "lab_0_7"}
    data = analysis.simulated("commons_game", ["random"] * 4, layers=layers, **options)
    last = data.decisions[data.decisions["period"] == data.decisions["period"].max()]
    shown = last["after_reputation"].tolist()
    assert values(cooperation, data, "person") == pytest.approx(shown)

"""Observations of a village in gem mining, by information setting and by whether probabilities are
known."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine import Episode
from tests.engine.games.gems import BASE, REACH, WORKERS, mining, small

CONTRACT = {"period", "seat", "ended"}
SOURCE = {"nothing", "reach"}
OWN = {"workers", "own_mine", "own_found", "gems", "purse"}
ALL = {"found", "workers_at", "mines"}
KNOWN = {"base_probabilities", "reaches", "workforces"}


@pytest.mark.parametrize(
    ("core", "names"),
    [
        ({}, SOURCE),
        ({"archetype": "source"}, SOURCE),
        ({"archetype": "momaland_42"}, SOURCE),
        ({"information": "own"}, SOURCE | OWN),
        ({"information": "all"}, SOURCE | OWN | ALL),
        ({"archetype": "lab_0_7"}, SOURCE | OWN | ALL),
        ({"known_probabilities": True}, SOURCE | KNOWN),
        ({"information": "all", "known_probabilities": True}, SOURCE | OWN | ALL | KNOWN),
    ],
)
def test_a_village_sees_only_what_its_information_reveals(core, names):
    assert set(Episode(mining(**core)).observation(0)) == CONTRACT | names


def test_the_observation_of_the_source_is_zero_in_every_period():
    play = Episode(small(periods=3))
    while not play.done:
        assert play.observation(1)["nothing"] == 0
        play.step({"mine": [0, 1, 2]})
    assert play.observation(1)["nothing"] == 0


def test_a_village_knows_its_own_reach_and_workers():
    play = Episode(small(information="own"))
    assert [int(play.observation(seat)["reach"]) for seat in range(3)] == REACH
    assert [int(play.observation(seat)["workers"]) for seat in range(3)] == WORKERS


def test_before_the_first_period_nothing_was_found_and_nobody_was_anywhere():
    seen = Episode(small(information="all")).observation(1)
    assert seen["own_mine"] == -1
    assert seen["mines"].tolist() == [-1, -1, -1]
    for name in ("own_found", "gems", "purse", "found", "workers_at"):
        assert not seen[name].any()


def test_the_last_period_is_shown_as_it_was():
    game = small(information="all", periods=2)
    state, _ = game.reset(0)
    # Luck 0 finds every gem with a chance: both types at mine 1, type 1 at mine 2.
    after, outcome = game.step(state, {"mine": [1, 1, 2]}, {"luck": np.zeros((5, 2))})
    seen = outcome.observations
    assert seen["own_mine"].tolist() == [1, 1, 2]
    assert seen["own_found"].tolist() == [[1, 1], [1, 1], [0, 1]]
    assert seen["mines"].tolist() == [1, 1, 2]
    assert seen["gems"].tolist() == after["gems"].tolist() == [1, 2]
    assert seen["workers_at"].tolist() == [0, 3, 3, 0, 0]
    assert seen["found"].tolist() == after["found"].astype(float).tolist()


def test_the_purse_holds_everything_found_so_far():
    game = small(information="own", periods=3)
    state, _ = game.reset(0)
    # Luck 0 finds both types at mine 1 and type 1 at mine 2, luck 1 finds nothing.
    for luck, held in ((0.0, [1, 2]), (1.0, [1, 2]), (0.0, [2, 4])):
        chance = {"luck": np.full((5, 2), luck)}
        state, outcome = game.step(state, {"mine": [1, 1, 2]}, chance)
        assert outcome.observations["purse"].tolist() == held
    assert state["purse"].tolist() == [2, 4]


def test_known_probabilities_show_the_whole_instance():
    seen = Episode(small(known_probabilities=True)).observation(0)
    assert seen["base_probabilities"].tolist() == BASE
    assert seen["reaches"].tolist() == REACH
    assert seen["workforces"].tolist() == WORKERS


def test_a_role_can_hide_everything_not_needed_to_act():
    blind = {"roles": {"member": {"sees": []}}}
    game = small(information="all", known_probabilities=True, agents=blind)
    seen = Episode(game).observation(0)
    for name in OWN | ALL | KNOWN:
        assert name == "own_mine" or np.isnan(seen[name]).all()
    assert seen["reach"] == 2


def test_shared_values_are_the_same_for_every_seat():
    play = Episode(mining(archetype="lab_0_7"), seed=3)
    play.step({"mine": [0, 1, 2, 3]})
    for name in ("gems", "purse", "found", "workers_at", "mines"):
        shared = [play.observation(seat)[name].tolist() for seat in range(4)]
        assert shared == [shared[0]] * 4

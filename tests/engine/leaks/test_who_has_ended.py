"""Seats that have ended see the period, their number, and that they have ended. A role can hide
everything else.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import Episode
from mixed_company.engine.contract import space

LEAVE = {"may_leave": True}
GAMES = [
    ("punishment_vote", {"archetype": "lab"}),
    ("gem_mining", {"archetype": "lab"}),
    ("gem_mining", {"archetype": "open_book"}),
    ("sanctions", {"archetype": "lab"}),
    ("commons_game", {"archetype": "unequal"}),
]


def seen_after_leaving(name, parameters, seed, periods=4):
    """Return seat 1's observation as JSON, some periods after the seat left in the first period."""
    game = engine.make(name, agents=LEAVE, **parameters)
    play = Episode(game, seed)
    for period in range(periods):
        actions = play.allowed().sample(np.random.default_rng((seed, period)))
        play.step(actions, leaving=[] if period else [1])
    return space.to_json(play.observation(1))


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_a_seat_that_has_left_sees_the_same_whatever_happens(name, parameters):
    first, other = (seen_after_leaving(name, parameters, seed) for seed in (3, 4))
    assert first == other
    assert (first["period"], first["seat"], first["ended"]) == (4, 1, True)


def test_a_seat_that_has_left_sees_an_empty_window_and_a_map_it_never_saw():
    seen = seen_after_leaving("punishment_vote", {"archetype": "lab"}, 3)
    assert not np.any(seen["window"])
    assert not np.any(seen["remembered"])
    assert set(np.ravel(seen["last_seen"])) == {-1}
    assert seen["level"] is None


def test_leaving_does_not_change_the_form_of_other_seats_observations():
    closed, opened = (
        engine.make("punishment_vote", archetype="lab", agents=agents).declaration.observations
        for agents in ({}, LEAVE)
    )
    forms = [
        [(f.name, f.kind, f.shape, f.maskable, f.dtype) for f in seen] for seen in (closed, opened)
    ]
    assert forms[0] == forms[1]


BLIND = {
    "roles": {"member": {}, "blind": {"sees": ["level"]}},
    "seats": ["member", "blind", "member"],
}


def test_a_role_hides_windows_and_maps():
    play = Episode(engine.make("punishment_vote", map_memory=True, agents=BLIND), 0)
    for name in ("window", "remembered", "last_seen"):
        assert np.isnan(play.observation(1)[name]).all()
        assert not np.isnan(play.observation(0)[name]).any()
    assert play.observation(1)["level"] == 0.1


def test_a_role_hides_the_chosen_mine_but_not_the_reach():
    roles = {"roles": {"member": {"sees": ["gems"]}}, "seats": ["member"] * 4}
    seen = Episode(engine.make("gem_mining", archetype="lab", agents=roles), 0).observation(2)
    assert np.isnan(seen["own_mine"])
    assert 2 <= seen["reach"] <= 4
    assert seen["gems"].tolist() == [0, 0]


def test_a_field_hidden_by_a_role_is_declared_as_maskable():
    game = engine.make("punishment_vote", agents=BLIND)
    window = next(f for f in game.declaration.observations if f.name == "window")
    assert (window.maskable, window.dtype, window.bulk) == (True, np.float64, True)
    own_window = next(f for f in game.own_observations if f.name == "window")
    assert (own_window.maskable, own_window.dtype) == (False, np.int8)


def test_the_information_layer_hides_windows_too():
    layers = {"information": {"intensity": 1.0, "hide": ["window"]}}
    seen = Episode(engine.make("punishment_vote", layers=layers), 0).observation(0)
    assert np.isnan(seen["window"]).all()

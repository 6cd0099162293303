"""Decisions in the current period are hidden, noisy and limited like all other observations.

Four seats on a ring decide in turn. Seat 3 has the neighbours 2 and 0, and seat 2 has 1 and 3.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, Episode

TURNS = {"timing": "sequential"}
ENDS = [[0, 1], [2, 3]]
UNSEEN = [None] * 4


def commons(*, agents=None, **parameters):
    return engine.make("commons_game", agents={**TURNS, **(agents or {})}, **parameters)


def informed(**options):
    return {"information": {"intensity": 1.0, **options}}


def seen_by(seat, game, name="earlier_harvest"):
    """Return what seat 3 sees of the harvests 4, 5 and 6 of the earlier seats, or None if
    hidden."""
    play = Episode(game, 0)
    for before, harvest in enumerate([4, 5, 6][:seat]):
        play.decide(before, {"harvest": harvest, "contribution": 0})
    return [None if np.isnan(value) else value for value in play.observation(seat)[name].tolist()]


def test_all_earlier_decisions_are_visible_if_nothing_hides_them():
    assert seen_by(3, commons()) == [4, 5, 6, None]
    assert seen_by(2, commons()) == [4, 5, None, None]


def test_a_graph_hides_decisions_of_seats_that_are_not_neighbours():
    assert seen_by(3, commons(layers=informed(graph=ENDS))) == [None, None, 6, None]
    assert seen_by(2, commons(layers=informed(graph="ring"))) == [None, 5, None, None]


def test_under_local_observation_a_seat_sees_its_neighbours_decisions():
    local = {"observation": "local", "neighbours": ((0, 1), (2, 3))}
    assert seen_by(3, commons(**local)) == [None, None, 6, None]
    assert seen_by(3, commons(archetype="local_view")) == [4, None, 6, None]


def test_decisions_can_be_hidden_by_name():
    assert seen_by(3, commons(layers=informed(hide=["earlier_harvest"]))) == UNSEEN


def test_decisions_can_be_noisy_and_each_seat_gets_its_own_reading():
    game = commons(layers=informed(noise={"earlier_harvest": 2.0}))
    at_3, at_2 = seen_by(3, game), seen_by(2, game)
    assert at_3[3] is None
    assert 0 < abs(at_3[0] - 4) < 10
    assert at_3[0] != at_2[0]
    assert seen_by(3, game) == at_3


def test_a_role_without_that_field_does_not_see_earlier_decisions():
    roles = {"member": {}, "clerk": {"sees": ["stock"]}}
    agents = {"roles": roles, "seats": ["member", "member", "clerk", "member"]}
    assert seen_by(2, commons(agents=agents)) == UNSEEN
    assert seen_by(3, commons(agents=agents)) == [4, 5, 6, None]


def test_decisions_in_the_current_period_cannot_be_delayed():
    with pytest.raises(ConfigError) as refused:
        commons(layers=informed(delay={"earlier_harvest": 1}))
    assert str(refused.value) == (
        "layers.information.delay.earlier_harvest = 1: it shows the current period's decisions, "
        "which cannot be delayed"
    )


def test_if_all_decide_together_there_are_no_earlier_decisions_to_hide():
    with pytest.raises(ConfigError, match="'earlier_harvest' is not an observation"):
        engine.make("commons_game", layers=informed(hide=["earlier_harvest"]))


def test_the_fields_of_the_turn_come_last_whatever_layers_add():
    layers = {"hierarchy": {"intensity": 1.0, "groups": [0, 0, 1, 1]}}
    names = [field.name for field in commons(layers=layers).declaration.observations]
    assert names[-2:] == ["earlier_harvest", "earlier_contribution"]

"""Rejected actions, with their messages, and corrected actions."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ActionError, Episode
from mixed_company.engine import kit as check
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.space import Field
from tests.engine.plays import acts, commons, state
from tests.engine.toys import Toy, moves, toy

INF = float("inf")


def refused(game, actions):
    """Return the error message, and check that the play is unchanged."""
    episode = Episode(game)
    kept = episode.state_json()
    with pytest.raises(ActionError) as refusal:
        episode.step(actions)
    assert episode.state_json() == kept
    return str(refusal.value)


@pytest.mark.parametrize(
    ("harvest", "message"),
    [
        ([1, 1, 1, -INF], "seat 3, harvest = -inf: must be a finite number"),
        ([None, 1, 1, 1], "seat 0, harvest = None: must be a number"),
        ([[1, 1, 1, 1]], "action field 'harvest': shape (1, 4) should be (4,) (one per seat)"),
        ("many", "harvest = 'many': must be a number"),
    ],
)
def test_an_impossible_harvest_is_refused_by_seat_field_value_and_rule(harvest, message):
    assert refused(commons(), {"harvest": harvest, "contribution": [0] * 4}) == message


@pytest.mark.parametrize(
    ("harvest", "reached"),
    [
        (3.3, 3.5),  # a slider in steps of a half from 0 to 10
        (3.2, 3.0),
        (10.4, 10.0),
        (-1.0, 0.0),
    ],
)
def test_the_nearest_action_is_a_position_of_the_slider(harvest, reached):
    allowed = Episode(commons()).allowed(0)
    near = allowed.nearest({"harvest": harvest, "contribution": 0.0})
    assert near == {"harvest": reached, "contribution": 0.0}
    assert allowed.nearest(near) == near


@pytest.mark.parametrize(("amount", "reached"), [(7.29, 7.2), (7.3, 7.2), (0.3, 0.3), (0.34, 0.3)])
def test_a_slider_moves_from_the_minimum_to_at_most_the_maximum(amount, reached):
    """With steps of a tenth from 0, the highest value below 7.25 is 7.2. 3 * 0.1 is
    0.30000000000000004, which is accepted as 0.3.
    """
    layout = (Field("given", "given", low=0.0, high=7.25, grain=0.1), Field("other", "any"))
    allowed = Allowed(layout, (), {}, {})
    assert allowed.nearest({"given": amount, "other": 0.123}) == {"given": reached, "other": 0.123}


@pytest.mark.parametrize(
    ("limit", "grain"), [(2.0, 1.0), (2.5, 0.5), (2.4, 0.2), (1.1, 0.1), (2.37, 1.0)]
)
def test_a_slider_reaches_the_limit_of_its_role(limit, grain):
    """With steps of 1, the highest value below a limit of 2.5 would be 2. No fraction of a step
    reaches 2.37.
    """
    limits = {"intensity": 1.0, "limits": {"member": {"harvest": limit}}}
    game = engine.make("commons_game", archetype="lab", layers={"power": limits})
    harvest, contribution = game.declaration.actions
    assert (harvest.grain, contribution.grain) == (grain, 1.0)
    reached = Episode(game).allowed(0).nearest({"harvest": 12.0, "contribution": 0.0})
    assert reached["harvest"] == (2.0 if limit == 2.37 else limit)


class Narrow(Toy):
    """Game in which seat 0 may pick doors 0 and 1, and seat 1 door 2."""

    def limits(self, state):
        return {"door": (np.array([0, 2]), np.array([1, 2]))}


NARROW = engine.make(Narrow, seats=2)


def test_a_closed_choice_is_found_in_a_batch():
    state, _ = NARROW.reset(np.arange(2))
    zeros = np.zeros((2, 2))
    with pytest.raises(
        ActionError, match=r"play \(1,\), seat 0, door = 2: not allowed right now; choose one"
    ):
        NARROW.step(state, moves(door=[[0, 2], [2, 2]], count=zeros, push=zeros), {})


def test_a_silent_or_barred_seat_picks_the_default_or_the_nearest_open_choice():
    # The declared default is door 1.
    play = Episode(NARROW)
    assert [play.allowed(seat).default["door"] for seat in (0, 1)] == [1, 2]
    agents = {"roles": {"shut": {"acts": []}}, "seats": ["shut", "shut"]}
    barred = Episode(engine.make(Narrow, seats=2, agents=agents))
    assert barred.step(moves(door=[0, 2])).used["door"].tolist() == [1, 2]
    assert [barred.allowed(seat).to_json()["door"] for seat in (0, 1)] == [[1, 1], [2, 2]]


def test_random_choices_are_open_ones():
    assert list(check.faults(NARROW)) == []
    state, _ = NARROW.reset(np.arange(50))
    doors = check.actions_for(NARROW, state, 0, 0)["door"]
    assert [set(doors[:, seat].tolist()) for seat in (0, 1)] == [{0, 1}, {2}]


def test_an_integer_can_be_sent_as_a_float():
    used = Episode(toy()).step(moves(door=[1.0, 2.0], count=[3.0, 4.0])).used
    assert used["door"].tolist() == [1, 2]
    assert used["count"].tolist() == [3, 4]


def test_the_play_keeps_a_copy_of_the_sent_actions():
    doors = np.array([1, 2])
    episode = Episode(toy())
    episode.step(moves(door=doors))
    doors[:] = 0
    assert state(episode)["doors"] == [1, 2]


def test_sent_actions_are_not_modified():
    harvest = np.array([50.0, -1, 2, 3])
    Episode(commons()).step({"harvest": harvest, "contribution": np.zeros(4)})
    assert harvest.tolist() == [50, -1, 2, 3]
    assert harvest.flags.writeable


@pytest.mark.parametrize("bells", [[True, False], [1, 0]])
def test_a_flag_can_be_sent_as_a_boolean_or_a_number(bells):
    used = Episode(toy(may_flag=True)).step({**moves(), "bell": bells}).used
    assert used["bell"].tolist() == [True, False]


def test_after_the_end_no_action_is_accepted():
    episode = Episode(commons(periods=1))
    episode.step(acts(1))
    kept = episode.state_json()
    rule = r"the play is over \(horizon\); no more actions are accepted"
    with pytest.raises(ActionError, match=rule):
        episode.step(acts(1))
    assert episode.state_json() == kept

"""What a seat of the sanctions game sees: all contributions, and its own side of every pair."""

from __future__ import annotations

import numpy as np
import pytest

from engine import Episode
from tests.engine.games.sanctions_plays import acts, sanctions, states

GIVEN = [10, 40, 80]
MATRIX = [[0, 0.1, 0.2], [0.3, 0, 0.4], [0.5, 0.6, 0]]
PUBLIC = {"contribution", "memory_averages", "baseline"}
PRIVATE = {
    "trust_in",
    "trust_by",
    "reputation_of",
    "reputation_by",
    "effects_received",
    "effects_given",
}


def game(**core):
    return sanctions(**{"seats": 3, "dependence": MATRIX, "baseline": [20, 30, 40], **core})


def seen(seat, **core):
    """What a seat sees after two periods."""
    episode = Episode(game(**core))
    for _ in range(2):
        episode.step(acts(episode.game, GIVEN))
    return episode.observation(seat)


@pytest.mark.parametrize("seat", range(3))
def test_everyone_sees_what_everyone_gave_and_is_expected_to_give(seat):
    found = seen(seat)
    assert found["contribution"].tolist() == GIVEN
    assert found["memory_averages"].tolist() == GIVEN
    assert found["baseline"].tolist() == [20, 30, 40]


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_sees_its_own_row_and_column(seat):
    (_, state), found = states(game(), GIVEN, GIVEN), seen(seat)
    assert np.array_equal(found["trust_in"], state["trust"][seat])
    assert np.array_equal(found["trust_by"], state["trust"][:, seat])
    assert np.array_equal(found["reputation_of"], state["reputation"][seat])
    assert np.array_equal(found["reputation_by"], state["reputation"][:, seat])
    assert found["trust_in"].tolist() != found["trust_by"].tolist()


@pytest.mark.parametrize("falls_on", ["deviator", "observer"])
def test_the_effects_received_are_those_that_change_the_own_reward(falls_on):
    episode = Episode(game(falls_on=falls_on))
    step = episode.step(acts(episode.game, GIVEN))
    for seat in range(3):
        received = episode.observation(seat)["effects_received"]
        assert received.sum() == pytest.approx(step.components["sanctions"][seat])
        assert received[seat] == 0


@pytest.mark.parametrize("falls_on", ["deviator", "observer"])
def test_what_one_gives_another_receives(falls_on):
    views = [seen(seat, falls_on=falls_on) for seat in range(3)]
    for giver in range(3):
        for taker in range(3):
            given = views[giver]["effects_given"][taker]
            assert given == views[taker]["effects_received"][giver]


def test_a_deviator_receives_from_those_who_observe_him_and_an_observer_from_whom_he_observes():
    # Only seat 0 departs from its baseline, below it.
    for falls_on, hit in (("deviator", 0), ("observer", 1)):
        episode = Episode(game(falls_on=falls_on))
        episode.step(acts(episode.game, [0, 30, 40]))
        received = episode.observation(hit)["effects_received"]
        assert received[1 - hit] < 0
        assert not episode.observation(1 - hit)["effects_received"].any()


def test_before_the_first_period_nothing_has_happened():
    found = Episode(game(initial_trust=0.25)).observation(1)
    for name in ("contribution", "memory_averages", "effects_received", "effects_given"):
        assert found[name].tolist() == [0, 0, 0]
    assert found["trust_in"].tolist() == [0.25, 1, 0.25]
    assert found["baseline"].tolist() == [20, 30, 40]
    assert (found["period"], found["seat"]) == (0, 1)


def test_what_is_public_and_what_is_a_seats_own_is_declared():
    declared = {field.name: field for field in game().declaration.observations}
    assert {name for name in declared if declared[name].visibility == "public"} > PUBLIC
    assert {name for name in declared if declared[name].visibility == "private"} == PRIVATE | {
        "seat"
    }
    assert all(declared[name].maskable for name in PUBLIC | PRIVATE)
    assert declared["effects_received"].unit == "points"


def test_a_role_may_hide_anything_from_a_seat():
    roles = {"roles": {"member": {}, "blind": {"sees": ["trust_in"]}}}
    agents = {**roles, "seats": ["blind", "member", "member"]}
    found = seen(0, agents=agents)
    for name in PUBLIC | PRIVATE - {"trust_in"}:
        assert np.isnan(found[name]).all()
        assert found[name].shape == (3,)
    assert not np.isnan(found["trust_in"]).any()
    assert not any(np.isnan(value).any() for value in seen(1, agents=agents).values())


def test_what_the_log_and_the_export_need_is_in_the_state():
    fields = {field.name: field.shape for field in game().declaration.state}
    assert fields["mean_trust"] == ()
    for name in ("contribution", "cooperation_signals", "memory_averages"):
        assert fields[name] == (3,)
    for name in ("trust", "reputation", "reciprocity_effects"):
        assert fields[name] == (3, 3)

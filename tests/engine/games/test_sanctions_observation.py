"""Observations in the sanctions game: every quantity defined for pairs of seats."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine import Episode
from tests.engine.games.sanctions_plays import acts, sanctions, states

GIVEN = [10, 40, 80]
MATRIX = [[0, 0.1, 0.2], [0.3, 0, 0.4], [0.5, 0.6, 0]]
SEATS = {"contribution", "memory_averages", "baseline"}
PAIRS = {"trust", "reputation", "reciprocity_effects", "dependence"}


def game(**core):
    return sanctions(**{"seats": 3, "dependence": MATRIX, "baseline": [20, 30, 40], **core})


def seen(seat, **core):
    """Return the observation of a seat after two periods."""
    episode = Episode(game(**core))
    for _ in range(2):
        episode.step(acts(episode.game, GIVEN))
    return episode.observation(seat)


@pytest.mark.parametrize("seat", range(3))
def test_every_seat_sees_all_contributions_and_baselines(seat):
    observed = seen(seat)
    assert observed["contribution"].tolist() == GIVEN
    assert observed["memory_averages"].tolist() == GIVEN
    assert observed["baseline"].tolist() == [20, 30, 40]


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_sees_the_quantities_between_all_seats(seat):
    (_, state), observed = states(game(), GIVEN, GIVEN), seen(seat)
    for name in PAIRS - {"dependence"}:
        assert np.array_equal(observed[name], state[name])
    assert observed["dependence"].tolist() == MATRIX
    assert observed["trust"].tolist() != observed["trust"].T.tolist()


@pytest.mark.parametrize(("falls_on", "axis"), [("deviator", 0), ("observer", 1)])
def test_the_shown_effects_add_up_to_the_change_of_the_reward(falls_on, axis):
    episode = Episode(game(falls_on=falls_on))
    step = episode.step(acts(episode.game, GIVEN))
    effects = episode.observation(0)["reciprocity_effects"]
    assert effects.sum(axis=axis) == pytest.approx(step.components["sanctions"])
    assert np.diagonal(effects).tolist() == [0, 0, 0]


def test_before_the_first_period_nothing_has_happened():
    observed = Episode(game(initial_trust=0.25)).observation(1)
    for name in ("contribution", "memory_averages"):
        assert observed[name].tolist() == [0, 0, 0]
    assert not observed["reciprocity_effects"].any()
    assert observed["trust"].tolist() == [[1, 0.25, 0.25], [0.25, 1, 0.25], [0.25, 0.25, 1]]
    assert observed["baseline"].tolist() == [20, 30, 40]
    assert (observed["period"], observed["seat"]) == (0, 1)


def test_every_quantity_is_declared_public_and_can_be_hidden():
    declared = {field.name: field for field in game().declaration.observations}
    for name in SEATS | PAIRS:
        assert declared[name].visibility == "public"
        assert declared[name].maskable
        assert declared[name].shape == ((3,) if name in SEATS else (3, 3))
    assert declared["reciprocity_effects"].unit == "points"


def test_a_role_can_hide_anything_from_a_seat():
    roles = {"roles": {"member": {}, "blind": {"sees": ["trust"]}}}
    agents = {**roles, "seats": ["blind", "member", "member"]}
    observed = seen(0, agents=agents)
    for name in SEATS | PAIRS - {"trust"}:
        assert np.isnan(observed[name]).all()
    assert not np.isnan(observed["trust"]).any()
    assert not any(np.isnan(value).any() for value in seen(1, agents=agents).values())


def test_the_state_contains_what_the_log_and_the_export_need():
    fields = {field.name: field.shape for field in game().declaration.state}
    assert fields["mean_trust"] == ()
    for name in ("contribution", "cooperation_signals", "memory_averages"):
        assert fields[name] == (3,)
    for name in ("trust", "reputation", "reciprocity_effects"):
        assert fields[name] == (3, 3)

"""Declared ranges hold even if rules change in the middle of a play."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import kit as check
from mixed_company.engine.kit.basics import components_add_up, layout_is_stable
from mixed_company.engine.kit.plays import against
from tests.engine.layers.plays import with_layer

UNEQUAL = {"seats": 3, "periods": 6, "endowment": [1.0, 50.0, 100.0], "baseline": 1.0}


@pytest.mark.parametrize("reward", ["integrated", "private", "cooperative"])
@pytest.mark.parametrize("form", ["additive", "multiplier"])
def test_the_remaining_seats_can_be_the_richest(reward, form):
    agents = {"may_leave": True}
    game = engine.make("sanctions", reward=reward, form=form, agents=agents, **UNEQUAL)
    play = engine.Episode(game, 0)
    for leaving in ([0], [1], []):
        step = play.step({"contribution": [1, 50, 100]}, leaving)
        assert against(game, game.declaration.components, step.components, "", True) == []
    assert step.components["synergy"][2] > 0


DRIFTS = [
    ("commons_game", {"periods": 8}, "growth_rate"),
    ("sanctions", {"periods": 8}, "theta"),
    ("sanctions", {"periods": 8, "production": "public_good"}, "mpcr"),
    ("punishment_vote", {"turns": 8}, "vote_step"),
]


@pytest.mark.parametrize(("game", "core", "name"), DRIFTS)
def test_a_drift_up_or_down_ends_at_the_bounds(game, core, name):
    for change in (0.5, -0.5):
        drifting = with_layer(game, "uncertainty", 1.0, core, drift={name: change})
        base = getattr(drifting.core, name)
        ends = (base, 4.5 * base) if change > 0 else (0.0, base)
        assert drifting.ends(name) == pytest.approx(ends)


@pytest.mark.long
@pytest.mark.parametrize("change", [0.5, -0.5])
@pytest.mark.parametrize(("game", "core", "name"), DRIFTS)
def test_a_drift_up_or_down_keeps_the_contract(game, core, name, change):
    drifting = with_layer(game, "uncertainty", 1.0, core, drift={name: change})
    assert list(check.faults(drifting)) == []


def test_a_drift_down_stays_within_the_ranges():
    for game, core, name in DRIFTS:
        drifting = with_layer(game, "uncertainty", 1.0, core, drift={name: -0.5})
        assert layout_is_stable(drifting) == components_add_up(drifting) == []


def test_a_vote_step_never_leaves_its_range():
    game = with_layer(
        "punishment_vote", "uncertainty", 1.0, {"turns": 50}, drift={"vote_step": 1.0}
    )
    assert game.ends("vote_step") == (0.2, 1.0)
    steps = game.now("vote_step", {"period": np.array([0, 1, 2, 30])})
    assert steps.tolist() == pytest.approx([0.2, 0.4, 0.6, 1.0])

"""Invariants of the commons for any parameters and actions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_company import engine
from tests.engine.plays import commons

SEATS = 3
amount = st.floats(-5, 30, allow_nan=False)
per_seat = st.lists(amount, min_size=SEATS, max_size=SEATS)
script = st.lists(st.tuples(per_seat, per_seat), min_size=1, max_size=6)


@st.composite
def games(draw: Any) -> engine.Game[Any]:
    capacity = draw(st.floats(1, 200))
    growth = draw(st.sampled_from(["logistic", "linear", "exponential"]))
    pools = ["none"] if growth == "exponential" else ["none", "per_step", "accumulating"]
    return commons(
        seats=SEATS,
        periods=6,
        capacity=capacity,
        initial_stock=draw(st.floats(0, 1)) * capacity,
        initial_wealth=draw(st.floats(0, 20)),
        max_harvest=draw(st.floats(0.5, 25)),
        growth=growth,
        growth_rate=draw(st.floats(0, 5)),
        governance=draw(st.sampled_from(pools)),
        pool_decay=draw(st.floats(0, 1)),
        pool_effect=draw(st.floats(0, 3)),
        terminate_on_collapse=draw(st.booleans()),
    )


def walk(game, actions):
    """Yield (state before, outcome, state after) of each period until the play ends."""
    before, _ = game.reset(0)
    for harvest, contribution in actions:
        sent = {"harvest": harvest, "contribution": contribution}
        after, outcome = game.step(before, sent, {})
        yield before, outcome, after
        if outcome.done:
            return
        before = after


@given(games(), script)
@settings(max_examples=50)
def test_harvests_rewards_wealth_and_stock_agree_in_every_period(game, actions):
    earned = np.zeros(SEATS)
    for before, outcome, after in walk(game, actions):
        harvest, contribution = (outcome.components[name] for name in ("harvest", "contribution"))
        assert np.allclose(harvest + contribution, outcome.rewards, rtol=0, atol=1e-9)
        assert (harvest >= 0).all()
        assert (contribution <= 0).all()
        taken = sum(after["harvest"].tolist())
        requested = sum(outcome.used["harvest"].tolist())
        assert abs(taken - min(float(before["stock"]), requested)) < 1e-9
        earned = earned + outcome.rewards
        assert np.allclose(after["wealth"], game.core.initial_wealth + earned, rtol=0, atol=1e-9)
        assert 0 <= after["stock"] <= game.core.capacity
        assert (after["wealth"] >= 0).all()
        assert (outcome.used["contribution"] <= before["wealth"]).all()
        assert after["pool"] >= 0


@given(games(), script, st.permutations(range(SEATS)))
@settings(max_examples=30)
def test_no_seat_has_an_advantage_from_its_number(game, actions, order):
    moved = [([h[i] for i in order], [c[i] for i in order]) for h, c in actions]
    pairs = zip(walk(game, actions), walk(game, moved), strict=False)
    for (_, outcome, after), (_, other, swapped) in pairs:
        assert np.allclose(outcome.rewards[list(order)], other.rewards, rtol=0, atol=1e-9)
        assert np.allclose(after["wealth"][list(order)], swapped["wealth"], rtol=0, atol=1e-9)
        assert np.allclose(after["stock"], swapped["stock"], rtol=0, atol=1e-9)


@given(games(), script)
@settings(max_examples=30)
def test_every_configuration_survives_json(game, actions):
    again = engine.make(json.loads(game.config.model_dump_json()))
    assert again.config == game.config
    for (*_, after), (*_, other) in zip(walk(game, actions), walk(again, actions), strict=True):
        assert float(after["stock"]) == float(other["stock"])

"""Bounds on rewards are declared, finite, and never exceeded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.config import Config
from mixed_company.engine.contract.chance import NORMAL_MOST
from mixed_company.engine.kit.layers import settings, with_layers
from mixed_company.engine.kit.plays import AnyGame

EVERY = [
    (game_id, archetype)
    for game_id in engine.game_ids()
    for archetype in ("custom", *engine.find(game_id).archetypes)
]
WITHOUT_END: dict[tuple[str, str], str] = {}
"""Reason why a component is unbounded, by (game, component). At present, all components are
bounded."""


def variants(game: AnyGame) -> Iterator[tuple[str, AnyGame]]:
    """Yield the game without layers, with each individual layer, and with all layers."""
    yield "as it is", game
    sections = settings(game)
    full = {name: {**section, "intensity": 1.0} for name, section in sections.items()}
    for name, section in full.items():
        yield name, with_layers(game, {name: section})
    yield "all layers", with_layers(game, full)
    priced = {field.name: 0.7 for field in game.declaration.actions if field.kind != "choice"}
    if priced:
        yield "fees on all", with_layers(game, {"incentives": {"intensity": 1, "fee": priced}})


def pushed(game: AnyGame, which: str, state: Any, generator: Any) -> dict[str, Any]:
    """Return actions of all seats: all at the minimum, all at the maximum, or a random mix."""
    allowed = game.allowed(state)
    actions = allowed.sample(generator)
    for field in game.declaration.actions:
        low, high = allowed.low[field.name], allowed.high[field.name]
        flags = generator.random(np.shape(low)) < {"least": 0.0, "most": 1.0, "lots": 0.5}[which]
        if field.kind != "choice":
            actions[field.name] = np.where(flags, high, low)
    return actions


def left_by(game: AnyGame, which: str, plays: int = 4) -> list[str]:
    """Return the components that leave their declared range in these plays."""
    seeds, generator = np.arange(plays), np.random.default_rng(7)
    state, _ = game.reset(seeds)
    fields, faults = game.declaration.components, set()
    for period in range(game.horizon):
        actions = pushed(game, which, state, generator)
        state, outcome = game.step(state, actions, game.draw_chance(seeds, period))
        for field in fields:
            part = outcome.components[field.name]
            slack = 1e-9 * max(1.0, abs(field.low), abs(field.high))
            if part.min() < field.low - slack or part.max() > field.high + slack:
                faults.add(f"{field.name}: {part.min()} .. {part.max()}")
        if outcome.done.all():
            break
    return sorted(faults)


@pytest.mark.few(4)
@pytest.mark.parametrize(("game_id", "archetype"), EVERY)
def test_no_play_leaves_the_bounds_and_all_are_finite(game_id, archetype):
    length = {"periods": 12} if game_id != "punishment_vote" else {"turns": 12}
    for name, game in variants(engine.make(game_id, archetype=archetype, **length)):
        for field in game.declaration.components:
            if (game_id, field.name) not in WITHOUT_END:
                assert np.isfinite([field.low, field.high]).all(), (name, field)
        for which in ("least", "most", "lots"):
            assert left_by(game, which) == [], (name, which)


def test_the_largest_payment_is_the_largest_possible_wealth():
    # 5 at the start and 10 in each of the 14 periods before the last.
    game = engine.make("commons_game", archetype="governed", initial_wealth=5, periods=15)
    assert game.declaration.components[1].low == -145
    # A lake of 4 fish gives each seat at most 4 in a period.
    game = engine.make("commons_game", archetype="governed", capacity=4, periods=3)
    assert game.declaration.components[1].low == -8


def test_nothing_can_be_paid_without_a_pool():
    game = engine.make("commons_game", archetype="lab_0_7")
    assert (game.declaration.components[1].low, game.declaration.components[1].high) == (0, 0)


def test_the_bound_of_the_pool_is_reached():
    # A seat alone takes 10 of 100 in the first period, and pays 9 of what it holds in the second.
    layers: dict[str, Any] = {}
    game = engine.make(
        "commons_game", archetype="governed", seats=1, periods=2, max_harvest=9, layers=layers
    )
    play = engine.Episode(game)
    play.step({"harvest": [9], "contribution": [9]})
    step = play.step({"harvest": [0], "contribution": [99]})
    assert step.components["contribution"].tolist() == [-9]
    assert game.declaration.components[1].low == -9


def test_a_shock_to_wealth_moves_the_bound_by_the_largest_possible_shock():
    # Half of a standard deviation of 4, in each of the 2 periods before the last.
    layers = {"uncertainty": {"intensity": 0.5, "shocks": {"wealth": 4.0}}}
    game = engine.make("commons_game", archetype="governed", periods=3, layers=layers)
    low = game.declaration.components[1].low
    assert low == pytest.approx(-(2 * 10 + 2 * 2 * NORMAL_MOST))
    assert isinstance(game.config, Config)


def test_a_fee_on_payments_is_bounded_by_the_largest_payment():
    # At most 10 + 10 are paid, and 4 of them are free: 16 at 0.5 each.
    layers = {
        "incentives": {"intensity": 1, "fee": {"contribution": 0.5}, "quota": {"contribution": 4}}
    }
    game = engine.make("commons_game", archetype="governed", periods=3, layers=layers)
    assert game.declaration.components[-1].low == -8

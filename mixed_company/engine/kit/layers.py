"""Checks on layers: at intensity 0, they change nothing; above 0 the contract is still
fulfilled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.engine.contract.errors import EngineError
from mixed_company.engine.contract.permissions import told_by_limits
from mixed_company.engine.contract.space import Field
from mixed_company.engine.kit.basics import (
    batch_is_the_same_play,
    components_add_up,
    layout_is_stable,
    nothing_is_mutated,
    state_goes_through_json,
)
from mixed_company.engine.kit.plays import (
    AnyGame,
    actions_for,
    chance_now,
    equal,
    is_anonymous,
    outcome_json,
    walk,
)
from mixed_company.engine.layers.uncertainty import can_be_shaken

_FEW = 6
"""Number of periods for which a play with layers is checked."""

_CHECKS = (
    layout_is_stable,
    nothing_is_mutated,
    components_add_up,
    batch_is_the_same_play,
    state_goes_through_json,
)


def with_layers(game: AnyGame, layers: Mapping[str, Any]) -> AnyGame:
    """Return the game with these layers only. Raises ConfigError if the game rejects them."""
    data = game.config.model_dump(mode="json")
    return type(game)(type(game).completed({**data, "layers": layers}))


def settings(game: AnyGame) -> dict[str, dict[str, Any]]:
    """Return settings for each layer that makes sense in this game."""
    bare = with_layers(game, {})
    amounts = [field for field in bare.declaration.actions if field.kind != "choice"]
    finite = [field for field in amounts if np.isfinite(field.high)]
    sections: dict[str, dict[str, Any]] = {
        "information": _information(bare),
        "temporal": {"reward_delay": 2},
        "hierarchy": {"groups": [seat % 2 for seat in range(game.seats)]},
        "interaction": {"share": 0.5},
        "uncertainty": _uncertainty(bare),
        "power": {},
        "incentives": {},
    }
    if bare.defines_cooperation():
        sections["temporal"]["reputation_window"] = 3
    try:
        if bare.scaled(bare.core, 1.5) is not None:
            sections["interaction"]["externality"] = 1.5
    except EngineError:  # a parameter would leave its range
        pass
    role = roles_of_seats(game.config.agents, game.seats)[0]
    if finite:
        sections["power"]["limits"] = {role: {finite[0].name: (finite[0].low + finite[0].high) / 2}}
    if bare.weighs:
        sections["power"]["weights"] = {role: 2.0}
    if amounts:
        sections["incentives"] = {"quota": {amounts[0].name: 1.0}, "fee": {amounts[0].name: 0.5}}
    return {name: section for name, section in sections.items() if section}


def untold(game: AnyGame, fields: Iterable[Field]) -> list[Field]:
    """Return the observations that layers can change, because no limit reveals them."""
    revealed = told_by_limits(game.config.agents, game.seats, game.declaration.actions)
    return [field for field in fields if field.name not in revealed]


def _information(game: AnyGame) -> dict[str, Any]:
    seen = untold(game, game.own_observations)
    maskable = [field for field in seen if field.maskable]
    reals = [field.name for field in seen if field.kind == "real" and not field.names]
    per_seat = [f for f in maskable if f.shape == (game.seats,) and not f.common]
    state = [f.name for f in game.declaration.state if not f.bulk and f.visibility != "hidden"]
    section: dict[str, Any] = {
        "hide": [field.name for field in maskable[:1]],
        "show": state[:1],
        "noise": dict.fromkeys(reals[-1:], 2.0),
        "delay": {field.name: 2 for field in seen[:1]},
    }
    if per_seat:
        section["graph"] = "ring"
    return {key: value for key, value in section.items() if value}


def _uncertainty(game: AnyGame) -> dict[str, Any]:
    shaken = [field.name for field in game.declaration.state if can_be_shaken(field)]
    section: dict[str, Any] = {"shocks": dict.fromkeys(shaken[:2], 0.3)} if shaken else {}
    if game.may_drift:
        section["drift"] = dict.fromkeys(game.may_drift[:1], -0.01)
    return section


def layers_at_zero_change_nothing(game: AnyGame) -> list[str]:
    """Check that layers at intensity 0 do not change the play, no matter what their settings
    are."""
    off = {name: {**section, "intensity": 0.0} for name, section in settings(game).items()}
    without, zero = with_layers(game, {}), with_layers(game, off)
    if without.declaration != zero.declaration:
        return ["a layer at intensity 0 changes the declaration"]
    for seed in (0, 1):
        pair = zip(walk(without, seed, _FEW), walk(zero, seed, _FEW), strict=True)
        for (before, after, first), (_, after_zero, second) in pair:
            if not equal(after, after_zero) or outcome_json(first) != outcome_json(second):
                return [f"seed {seed}, period {int(before['period'])}: the plays differ"]
    return []


def _variants(game: AnyGame) -> Iterator[tuple[str, AnyGame]]:
    """Yield each layer separately at intensity 0.5, and all of them together at 1."""
    sections = settings(game)
    for name, section in sections.items():
        yield name, with_layers(game, {name: {**section, "intensity": 0.5}})
    every = {name: {**section, "intensity": 1.0} for name, section in sections.items()}
    yield "all layers", with_layers(game, every)


def layers_keep_the_contract(game: AnyGame) -> list[str]:
    """Check that games with layers fulfil the contract, and that no points are lost."""
    problems: list[str] = []
    for name, layered in () if is_anonymous(game) else _variants(game):
        for check in _CHECKS:
            faults = check(layered, seeds=(0,), periods=_FEW)
            problems += [f"{name}: {check.__name__}: {fault}" for fault in faults]
        problems += [f"{name}: {fault}" for fault in _lost(layered)]
    return problems


def _lost(game: AnyGame) -> Iterator[str]:
    """Check that shared points sum to 0 over the seats, and delayed points over the play."""
    names = {field.name for field in game.declaration.components}
    if not names & {"shared", "delayed"}:
        return
    state, _ = game.reset(3)
    delayed, largest = np.zeros(game.seats), 1.0
    for period in range(game.steps):
        actions = actions_for(game, state, 3, period)
        state, outcome = game.step(state, actions, chance_now(game, 3, state))
        largest = max(largest, *(float(np.abs(part).max()) for part in outcome.components.values()))
        delayed += outcome.components.get("delayed", 0.0)
        if abs(np.sum(outcome.components.get("shared", 0.0))) > 1e-9 * largest * game.seats:
            yield f"period {period}: shared points do not sum to zero"
            return
    if np.abs(delayed).max() > 1e-9 * largest * game.horizon:
        yield f"delayed points sum to {delayed.tolist()} over a play, not to 0"

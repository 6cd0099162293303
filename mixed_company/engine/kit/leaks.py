"""Check that no observation depends on anything that the seat may not see.

The check stops a random play and replaces everything that a seat may not see (`engine.kit.secrets`)
with its counterpart from the same period of another play: the state, the random numbers, and the
decisions of seats that decide in turn. The seat's observations must not change by a single byte.
Its action limits count as observations. Its arrays must be read-only, and the random numbers that
it can read must not reveal others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.engine.contract.declaration import SEEN
from mixed_company.engine.contract.space import Array, Arrays, Field, of_seat
from mixed_company.engine.kit.layers import settings, untold, with_layers
from mixed_company.engine.kit.plays import (
    AnyGame,
    actions_for,
    chance_now,
    equal,
    is_anonymous,
    so_far,
)
from mixed_company.engine.kit.seats import with_agents
from mixed_company.engine.kit.secrets import RecordedChance, Visible, World, inputs_behind, visible

_FEW = 4
_ROUND = 2**20  # no random number ends in this many binary zeros


def nothing_leaks(game: AnyGame) -> list[str]:
    """Check that secrets change no observation, with any layers, roles and timing."""
    return [f"{name}: {leak}" for name, variant in variants(game) for leak in leaks(variant)]


def leaks(game: AnyGame) -> list[str]:
    """Return a game's leaks, without duplicates, with its own layers, roles and timing."""
    return list(dict.fromkeys((*_depends(game), *_computes(game))))


# -- the game under other layers and agents -------------------------------------------------------


def variants(game: AnyGame) -> Iterator[tuple[str, AnyGame]]:
    yield "as it is", game
    many = _with_everyone(game)
    yield "leaving, turns and roles", many
    yield "leaving and turns", with_agents(many, roles=_roles(game), seats=_seats(game))
    layered = () if is_anonymous(game) else (("", game), (", turns and roles", many))
    for name, base in layered:
        every = settings(base)
        for label, information in _information(base).items():
            layers = {**every, "information": information}
            full = {key: {**section, "intensity": 1.0} for key, section in layers.items()}
            yield label + name, with_layers(base, full)
        half = {key: {**section, "intensity": 0.5} for key, section in every.items()}
        yield f"layers by half{name}", with_layers(base, half)


def _roles(game: AnyGame) -> dict[str, Any]:
    roles: dict[str, Any] = game.config.model_dump(mode="json")["agents"]["roles"]
    return roles


def _seats(game: AnyGame) -> list[str]:
    return list(roles_of_seats(game.config.agents, game.seats))


def _with_everyone(game: AnyGame) -> AnyGame:
    """Return the game with leaving, sequential decisions and, for every other seat, a role that
    sees less.
    """
    agents: dict[str, Any] = {"may_leave": True}
    if not game.own_timing and not is_anonymous(game):
        agents |= {"timing": "sequential", "order": []}
    fields = [field for field in _fields(with_agents(game, **agents)) if not field.open]
    free = untold(game, fields)
    shown = [field.name for field in fields if field not in free or field in free[::2]]
    seats = _seats(game)
    seats[1::2] = ["half"] * len(seats[1::2])
    roles = {**_roles(game), "half": {"sees": shown}}
    return with_agents(game, **agents, roles=roles, seats=seats)


def _fields(game: AnyGame) -> tuple[Field, ...]:
    """Return all seats' observations without the effects of roles and layers, and without the
    contract's fields.
    """
    bare = with_agents(with_layers(game, {}), roles={"member": {}}, seats=[])
    return bare.declaration.observations[len(SEEN) :]


def _information(game: AnyGame) -> dict[str, dict[str, Any]]:
    """Return settings of the information layer, by aspect."""
    every, seen = _fields(game), untold(game, _fields(game))
    hideable = [field.name for field in seen if not field.open]
    per_seat = [f.name for f in every if f.maskable and not f.common and f.shape == (game.seats,)]
    reals = [field.name for field in seen if field.kind == "real" and not field.names]
    late = [field.name for field in seen if not field.name.startswith("earlier_")]
    sections: dict[str, dict[str, Any]] = {
        "one half hidden": {"hide": hideable[::2]},
        "the other half hidden": {"hide": hideable[1::2]},
        "blurred": {"noise": dict.fromkeys(reals, 2.0)},
        "late": {"delay": dict.fromkeys(late, 2)},
    }
    if per_seat:
        sections["a graph"] = {"graph": "ring"}
    return {name: section for name, section in sections.items() if any(section.values())}


# -- moments of random plays ----------------------------------------------------------------------


def moments(game: AnyGame) -> Iterator[tuple[World, World]]:
    """Yield pairs of worlds: the same period in two plays."""
    plays = [_worlds(game, seed) for seed in (1, 2)]
    yield from zip(*plays, strict=False)


def _worlds(game: AnyGame, seed: int) -> Iterator[World]:
    state, _ = game.reset(seed)
    chance = game.draw_chance(seed, -1)
    for number in range(min(_FEW * len(game.stages.names), game.steps) + 1):
        yield World(so_far(game, state, chance), chance, _decided(game, state, seed))
        if state["reason"]:
            return
        period, begins = int(state["period"]), number % len(game.stages.names) == 0
        leaving = None
        if game.presence.may_leave and begins:
            leaving = np.arange(game.seats) == (0 if period == 2 else game.seats - 1)
            leaving &= period in (0, 2)
        actions, chance = actions_for(game, state, seed, number), chance_now(game, seed, state)
        state, _ = game.step(state, actions, chance, leaving)


def _decided(game: AnyGame, state: Arrays, seed: int) -> Arrays | None:
    """Return the decisions of all seats except the last, if they decide in turn."""
    if not game.turn.order or state["reason"] or (game.stages.several and state["stage"]):
        return None
    sent = actions_for(game, state, seed, 1000 + int(state["period"]))
    decided = {name: np.array(value, dtype=np.float64) for name, value in sent.items()}
    for value in decided.values():
        value[game.turn.order[-1]] = np.nan
    return decided


def _some(game: AnyGame) -> list[int]:
    """Return the first few seats and the last."""
    return sorted({*range(min(game.seats, 3)), game.seats - 1})


# -- faults ---------------------------------------------------------------------------------------


def _depends(game: AnyGame) -> Iterator[str]:
    """Yield a fault for each observation that depends on a secret or is not read-only."""
    layout, blurs = game.declaration.observations, bool(game.config.layers.information.noise)
    for world, other in moments(game):
        observations, allowed = game.observe(*world), game.allowed(world.state)
        yield from _writeable(observations)
        for seat in _some(game):
            seen = of_seat(layout, observations, seat)
            limits = dict(_limits(allowed.of(seat)))
            may = visible(game, world, seat, seen)
            yield from _changed(game, world, other, seat, may, {**seen, **limits}, _seen_by)
            if blurs:  # limits must not reveal the true value of a blurred reading
                may = visible(game, world, seat, seen, blurred=False)
                yield from _changed(game, world, other, seat, may, limits, _limits_of)


def _changed(
    game: AnyGame,
    world: World,
    other: World,
    seat: int,
    may: Visible,
    shown: Arrays,
    reading: Callable[[AnyGame, World, int], Arrays],
) -> Iterator[str]:
    """Yield a fault for each array that a seat can read although it depends on numbers that the
    seat may not see."""
    secret = {key: ~flags for key, flags in may.items()}
    if not _different(shown, reading(game, world.swapped(other, secret), seat)):
        return
    when = f"period {int(world.state['period'])}, seat {seat}"
    for key, flags in secret.items():
        for name in _different(shown, reading(game, world.swapped(other, {key: flags}), seat)):
            yield f"{when}: {name} depends on {' '.join(key)}"


def _seen_by(game: AnyGame, world: World, seat: int) -> dict[str, Array]:
    """Return a seat's observations and its action limits."""
    seen = of_seat(game.declaration.observations, game.observe(*world), seat)
    return {**seen, **_limits_of(game, world, seat)}


def _limits_of(game: AnyGame, world: World, seat: int) -> dict[str, Array]:
    """Return a seat's action limits."""
    return dict(_limits(game.allowed(world.state).of(seat)))


def _limits(allowed: Allowed) -> Iterator[tuple[str, Array]]:
    """Yield one seat's action limits: lower and upper limits, default, and open choices."""
    for name in (field.name for field in allowed.fields):
        ends = [np.ravel(part[name]) for part in (allowed.low, allowed.high, allowed.default)]
        yield f"the limits of {name}", np.concatenate(ends)
    for field in allowed.fields:
        if field.kind == "choice":
            yield f"the open choices of {field.name}", allowed.open(field)
    if allowed.assigning is not None:
        held = 0.0 if allowed.assigning.held is None else allowed.assigning.held
        points = np.append(allowed.assigning.open.astype(np.float64), held)
        yield f"the limits of {allowed.assigning.field}", points


def _writeable(observations: Arrays) -> Iterator[str]:
    for name, value in observations.items():
        part = value if np.ndim(value) else None
        while isinstance(part, np.ndarray):
            if part.flags.writeable:
                yield f"{name} is writeable"
            part = part.base


def _different(first: Arrays, second: Arrays) -> list[str]:
    return [name for name in first if not equal({name: first[name]}, {name: second[name]})]


def _computes(game: AnyGame) -> Iterator[str]:
    """Yield a fault for each stream if one number that a seat can read reveals all of the stream's
    numbers.
    """
    for period in range(-1, min(2, game.horizon)):
        recorded = RecordedChance(1, period)
        chance = {**game.draw(recorded)}
        for layer in game.layers:
            chance |= layer.draw(recorded)
        state, _ = game.reset(1)
        readable = set(_readable(game, World(state, chance, None)))
        if not readable or not recorded.drawn:
            continue
        streams, arrays = zip(*recorded.drawn, strict=True)
        names, inputs = np.repeat(streams, list(map(len, arrays))), np.concatenate(arrays)
        order = np.argsort(inputs)
        ordered = inputs[order]
        for number, normal in readable:
            behind = inputs_behind(number, normal)
            place = np.minimum(np.searchsorted(ordered, behind), len(order) - 1)
            for name in set(names[order[place[ordered[place] == behind]]].tolist()):
                yield f"all random numbers of {name!r} can be computed from one that a seat sees"


def _readable(game: AnyGame, world: World) -> Iterator[tuple[float, bool]]:
    """Yield random numbers that a seat can read: those shown to it, and the errors of values that
    it knows."""
    observations: Mapping[str, Array] = game.observe(*world)
    for value in observations.values():
        if value.dtype.kind == "f":
            shown = value[(value > 0) & (value < 1)]
            drawn = shown[(shown * 2.0**53) % _ROUND != 0]
            yield from ((float(number), False) for number in drawn.flat[:4])
    layers = game.config.layers
    for name, deviations in (
        ("information.noise", layers.information.noise),
        ("uncertainty", layers.uncertainty.shocks),
    ):
        for field, deviation in deviations.items():
            errors = world.chance.get(f"{name}.{field}")
            common = {f.name for f in game.declaration.state if f.common}
            if errors is not None and not (name == "uncertainty" and field in common):
                scale = getattr(layers, name.split(".")[0]).intensity * deviation
                yield float(np.ravel(errors)[0]) / scale, True

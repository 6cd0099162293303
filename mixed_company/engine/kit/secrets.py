"""Numbers that a seat may or may not see, derived from the declaration and the configuration.

A field that a seat sees depends on its declared `sources`. If a source has a number per seat, a
private field depends only on the seat's own number. Roles, endings and the information layer (with
its graph, at full strength) hide more. A number that is masked in one field (NaN) counts as secret
in all others. This module does not rely on how a game or a layer computes observations.

`inputs_behind` and the functions after it run SplitMix64 backwards, as anyone with the source code
could do from a random number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr

from mixed_company.engine.contract.chance import Chance, Stream
from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.engine.contract.declaration import SEEN
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.kit.plays import AnyGame

_GAMMA, _M1, _M2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = 2**64
_LOW = np.arange(2**11, dtype=np.uint64)


def _unmixed(words: Array) -> Array:
    """Return the inputs that the finaliser maps to these words."""
    for shift, factor in ((31, _M2), (27, _M1), (30, None)):
        part = words
        for _ in range(64 // shift + 1):
            part = words ^ (part >> np.uint64(shift))
        words = part if factor is None else part * np.uint64(pow(factor, -1, _WORD))
    return words


def inputs_behind(number: float, normal: bool = False) -> Array:
    """Return all finaliser inputs that could result in this uniform or standard normal number.

    A uniform number keeps 53 of the 64 bits; a normal number keeps slightly fewer.
    """
    first = int(ndtr(number) * 2.0**53) if normal else int(number * 2**53)
    tops = range(max(first - 4, 0), first + 5) if normal else (first,)
    words = [(np.uint64(top) << np.uint64(11)) + _LOW for top in tops if top < 2**53]
    return _unmixed(np.concatenate(words))


@dataclass(frozen=True)
class RecordedChance(Chance):
    """Chance that records its draws.

    drawn   for each draw of several numbers from one key: the name of the stream, and the finaliser
            input of each number
    """

    drawn: list[tuple[str, Array]] = dataclass_field(default_factory=list)

    def __call__(self, name: str, seat: Any = None) -> Stream:
        return _RecordedStream(super().__call__(name, seat).key, name, self.drawn)


@dataclass(frozen=True)
class _RecordedStream(Stream):
    name: str
    drawn: list[tuple[str, Array]]

    def bits(self, shape: tuple[int, ...] = ()) -> Array:
        count = math.prod(shape)
        if count > 1:
            steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_GAMMA)
            self.drawn.append((self.name, np.ravel(self.key[..., None] + steps)))
        return super().bits(shape)

    def apart(self, shape: tuple[int, ...]) -> Stream:
        return _RecordedStream(super().apart(shape).key, self.name, self.drawn)


_KEPT = ("period", "reason", "seat_reason")
_KNOWN = 64
"""Cache size for results, per game or seat, that depend only on the configuration."""


class World(NamedTuple):
    """The state and random arrays at one point in a play, and any decisions made one by one since
    then."""

    state: Arrays
    chance: Arrays
    decided: Arrays | None

    @property
    def parts(self) -> Iterator[tuple[str, str, Array]]:
        """The part, name and value of each array."""
        for part, arrays in zip(self._fields, self, strict=True):
            for name, value in (arrays or {}).items():
                if not (part == "state" and name in _KEPT):
                    yield part, name, np.asarray(value)

    def swapped(self, other: World, changes: Mapping[tuple[str, str], Array]) -> World:
        """Return this world, with the other world's values where the flags in `changes` are set."""
        parts = {part: dict(arrays or {}) for part, arrays in zip(self._fields, self, strict=True)}
        for (part, name), flags in changes.items():
            replacement = (getattr(other, part) or {}).get(name, parts[part][name])
            parts[part][name] = np.where(flags, replacement, parts[part][name])
        return World(parts["state"], parts["chance"], parts["decided"] or None)


Visible = dict[tuple[str, str], Array]
"""For each array of a world, flags for the numbers that a seat may see."""


def visible(
    game: AnyGame, world: World, seat: int, seen: Arrays, *, blurred: bool = True
) -> Visible:
    """Return flags for the numbers that a seat may see; `seen` contains its observations.

    blurred   whether to include numbers that the information layer shows with an error
    """
    parts = tuple(world.parts)
    may = {(part, name): np.zeros(value.shape, np.bool_) for part, name, value in parts}
    fields = () if _ended(game, world, seat) else _shown(game, seat)
    if not blurred:
        fields = tuple(field for field in fields if not any(map(_is_error, field.sources)))
    for field in fields:
        for part, name, value in parts:
            if part != "decided" and name in field.sources:
                may[part, name] |= _entries(game, field, name, value, seat, seen[field.name])
    if fields:
        for part, name, value in parts:
            if (
                part == "chance" and value.dtype == np.bool_ and "." in name
            ):  # whether a layer applies
                may[part, name][seat] = True
        unseen = _unseen_seats(game, fields, seen, seat) | ~_before(game, seat)
        names = {field.name for field in fields}
        for (part, name), flags in may.items():
            if part == "decided" and f"earlier_{name}" in names:
                flags |= ~unseen.reshape((-1,) + (1,) * (flags.ndim - 1))
    return may


def _is_error(source: str) -> bool:
    return source.startswith("information.noise.")


def _before(game: AnyGame, seat: int) -> Array:
    """Return flags (n,) for the seats that decide before this one."""
    order = list(game.config.agents.order) or list(range(game.seats))
    return np.isin(np.arange(game.seats), order[: order.index(seat)])


def _ended(game: AnyGame, world: World, seat: int) -> bool:
    gone = world.state.get("seat_reason")
    return gone is not None and bool(gone[seat])


@lru_cache(maxsize=_KNOWN)
def _shown(game: AnyGame, seat: int) -> tuple[Field, ...]:
    """Return the fields that roles and layers show to a seat, except the contract's own fields."""
    return tuple(_listed(game, seat))


def _listed(game: AnyGame, seat: int) -> Iterator[Field]:
    agents, layer = game.config.agents, game.config.layers.information
    role = agents.roles[roles_of_seats(agents, game.seats)[seat]]
    hidden = set(layer.hide) if layer.intensity >= 1 else set()
    for field in game.declaration.observations[len(SEEN) :]:
        added = game.declaration.sums.get(field.name)
        if added is not None:
            members = np.array(added.groups) == added.groups[seat]
            if added.of in hidden or _beyond(game)[seat][members].any():
                continue
        listed = role.sees == "all" or field.name in role.sees or field.open
        if listed and field.name not in hidden:
            yield field


@lru_cache(maxsize=_KNOWN)
def _beyond(game: AnyGame) -> Array:
    """Return flags (n, n): whether the information layer's graph hides seat j from seat i."""
    layer, n = game.config.layers.information, game.seats
    if layer.intensity < 1 or not layer.graph or layer.graph == "complete":
        return np.zeros((n, n), dtype=np.bool_)
    ring = [(seat, (seat + 1) % n) for seat in range(n)]
    near = np.eye(n, dtype=np.bool_)
    for i, j in ring if layer.graph == "ring" else layer.graph:
        near[i, j] = near[j, i] = True
    return ~near


def _entries(
    game: AnyGame, field: Field, name: str, source: Array, seat: int, seen: Array
) -> Array:
    """Return flags for a source's numbers that a seat may infer from a visible field."""
    late, n = name.startswith("late_"), game.seats
    shape = source.shape[1:] if late else source.shape
    flags = np.ones(shape, dtype=np.bool_)
    added = game.declaration.sums.get(field.name)
    if added is not None and shape == (n,):
        flags &= np.array(added.groups) == added.groups[seat]
    elif shape == (n, *field.shape):
        flags &= _only(seat, shape)
    elif shape == field.shape:
        for axis in range(_seat_axes(game, field)):
            near = ~_beyond(game)[seat]
            flags &= near.reshape((-1,) + (1,) * (flags.ndim - 1 - axis))
        flags &= late | ~np.isnan(np.asarray(seen, dtype=np.float64))
    elif field.shape[:1] != (n,) and _is_private(game, field) and _per_seat(game, name, shape):
        flags &= _only(seat, shape)
    return np.asarray(np.broadcast_to(flags, source.shape))


def _only(seat: int, shape: tuple[int, ...]) -> Array:
    flags: Array = np.arange(shape[0]) == seat
    return flags.reshape((-1,) + (1,) * (len(shape) - 1))


def _seat_axes(game: AnyGame, field: Field) -> int:
    """Return the number of a field's axes that the graph limits."""
    n, shape = game.seats, field.shape
    per_seat = field.maskable and not field.common and shape in ((n,), (n, n))
    return len(shape) if per_seat else 0


def _is_private(game: AnyGame, field: Field) -> bool:
    """Return whether the game declares the field as private."""
    return _declared(game).get(field.name, field).visibility == "private"


@lru_cache(maxsize=_KNOWN)
def _declared(game: AnyGame) -> dict[str, Field]:
    """Return the observations that the game itself declares, by name."""
    return {field.name: field for field in game.own_observations}


def _per_seat(game: AnyGame, name: str, shape: tuple[int, ...]) -> bool:
    return shape[:1] == (game.seats,) and name not in _common(game)


@lru_cache(maxsize=_KNOWN)
def _common(game: AnyGame) -> frozenset[str]:
    return frozenset(field.name for field in game.declaration.state if field.common)


def _unseen_seats(
    game: AnyGame, fields: Sequence[Field], seen: Mapping[str, Any], seat: int
) -> Array:
    """Return flags (n,) for the seats that the graph hides, or that every field of the game
    hides."""
    declared = _declared(game)
    masks = [
        np.isnan(seen[field.name])
        for field in fields
        if field.name in declared and field.maskable and not field.common
        if field.shape == (game.seats,) and not np.isnan(seen[field.name]).all()
    ]
    masked = np.all(masks, axis=0) if masks else np.zeros(game.seats, dtype=np.bool_)
    return np.asarray(masked | _beyond(game)[seat])

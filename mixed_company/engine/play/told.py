"""The components and infos of a period that a seat may know.

Components and infos can reveal numbers that are hidden from a seat. A component declares the
observations that it reveals (`Field.reads`), and an info declares those that it is computed from
(`Info.of`). A seat is told a component or an info only if it sees all of these unaltered: no role
hides them, and no layer hides, blurs or delays them. A component is one number, about the seat
itself. So it may be computed from all seats' numbers even if these are shown in shuffled order
(peer points with shuffled names). A seat is told all components or none. They add up to a reward
that it knows, so it could work out the last component from the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mixed_company.engine.contract.declaration import Info
from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game
from mixed_company.engine.play.period import Period


@lru_cache(maxsize=1024)
def components_told(game: Game[Any], seat: int) -> bool:
    """Return whether a seat may know the components of its reward."""
    return all(
        _seen(game, seat, name, personal=field.visibility == "private" or _reordered(game, name))
        for field in game.declaration.components
        if field.low < field.high
        for name in field.reads
    )


def infos_told(game: Game[Any], seat: int, period: Period | None) -> dict[str, float]:
    """Return a period's infos as a flat mapping to numbers.

    The numbers of an info with `keys` are called `name.key`. `shown_name` is 1 if the seat may know
    the info; otherwise it is 0, and so are the info's numbers. Nothing is shown before the end of a
    period.
    """
    numbers: dict[str, float] = {}
    for info in game.declaration.info:
        names = [f"{info.name}.{key}" for key in info.keys] or [info.name]
        shown = period is not None and period.settled and _known(game, seat, info, period)
        values = [0.0] * len(names)
        if period is not None and shown:
            value = period.info[info.name]
            values = list(value.values()) if isinstance(value, Mapping) else [value]
        numbers |= zip(names, map(float, values), strict=True)
        numbers[f"shown_{info.name}"] = float(shown)
    return numbers


def _known(game: Game[Any], seat: int, info: Info, period: Period) -> bool:
    """Return whether a seat may know an info, because it is still in play and sees all of
    `Info.of`.
    """
    out = seat in period.absent or seat in period.endings
    return not info.of or (not out and all(_seen(game, seat, name) for name in info.of))


@lru_cache(maxsize=4096)
def _seen(game: Game[Any], seat: int, name: str, personal: bool = False) -> bool:
    """Return whether a seat sees an observation unaltered (if `personal`, only its own number)."""
    field = _observed(game).get(name)
    if field is None or name in game.sight.hidden_from(seat):
        return False
    if not personal and field.visibility != "public":
        return False
    return not any(layer.alters(name, personal) for layer in game.layers)


def _reordered(game: Game[Any], name: str) -> bool:
    return game.peers is not None and game.peers.reorders(name)


def _observed(game: Game[Any]) -> dict[str, Field]:
    return {field.name: field for field in game.own_observations}

"""Check that information that a seat gets besides its observations reveals nothing that
observations hide.

Adapters give a seat infos, and live tables the last period. A period of a random play is played
again, with everything that the seat may not see (`engine.kit.secrets`) replaced by its counterpart
from another play, other decisions of the other seats and another seed. If the seat's observations
are then unchanged, what it is told must be unchanged too.

Components are different, because they may reveal what observations do not show, such as harm done
by others. But they must not reveal what layers and roles hide. So only these secrets are replaced.
If the seat's observations are unchanged, at most one component may differ, because the seat knows
the sum of components.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from mixed_company.engine.contract.space import Arrays, of_seat
from mixed_company.engine.kit.layers import with_layers
from mixed_company.engine.kit.leaks import moments, variants
from mixed_company.engine.kit.plays import AnyGame, actions_for, equal
from mixed_company.engine.kit.seats import with_agents
from mixed_company.engine.kit.secrets import Visible, World, visible
from mixed_company.engine.play.period import Period

Worlds = Sequence[tuple[World, World]]
"""Points in time of two plays."""

_ALL = "turns and roles"
_MOMENTS = 3

Told = tuple[Mapping[str, Any], Mapping[str, Any]]
"""Facts and components, by name."""


class Tell(Protocol):
    """Function that returns what a seat is told after a period of a seed's play."""

    def __call__(self, game: AnyGame, seed: int, period: Period, seat: int) -> Told: ...


def tells_nothing_hidden(game: AnyGame, tell: Tell) -> list[str]:
    """Check `tell` under many layers, roles and timings, and return one sentence per fault."""
    return [
        f"{name}: {fault}"
        for name, variant in variants(game)
        if not name.endswith(f", {_ALL}")  # the same layers, turns and roles, each by itself
        for fault in telling_faults(variant, tell)
    ]


def telling_faults(game: AnyGame, tell: Tell) -> list[str]:
    """Check `tell` in the unchanged game, and return one sentence per fault."""
    bare = with_agents(with_layers(game, {}), roles={"member": {}}, seats=[])
    worlds, faults = list(_going_on(game))[:_MOMENTS], dict[str, None]()
    for seat in {0, game.seats - 1}:
        here = [pair for pair in worlds if not _out(pair[0], seat)]
        sentences = [*_facts(game, here, seat, tell), *_parts(game, bare, here, seat, tell)]
        faults |= {f"seat {seat}: {fault}": None for fault in sentences}
    return list(faults)


def _facts(game: AnyGame, worlds: Worlds, seat: int, tell: Tell) -> Iterator[str]:
    """Yield a fault for each fact that differs although the seat's observations are the same."""
    for world, other in worlds:
        secret = {key: ~flags for key, flags in _visible(game, world, seat).items()}
        for seed, others in ((1, 1), (2, 1)) if game.turn.order else ((1, 1), (2, 1), (1, 2)):
            for first, second in _alike(game, world, other, secret, seat, seed, others):
                both = tell(game, 1, first, seat)[0], tell(game, seed, second, seat)[0]
                for name in _different(*both):
                    yield f"is told {name} of what it does not see"


def _parts(game: AnyGame, bare: AnyGame, worlds: Worlds, seat: int, tell: Tell) -> Iterator[str]:
    """Yield a fault if several components differ although the seat's observations are the same."""
    differing: set[str] = set()
    for world, other in worlds:
        plain = _visible(bare, world, seat)
        added = {
            key: plain.get(key, np.ones_like(flags)) & ~flags
            for key, flags in _visible(game, world, seat).items()
        }
        for first, second in _alike(game, world, other, added, seat):
            both = tell(game, 1, first, seat)[1], tell(game, 1, second, seat)[1]
            differing |= set(_different(*both))
    if len(differing) > 1:
        yield f"is told the components {', '.join(sorted(differing))} of what layers or roles hide"


def _alike(
    game: AnyGame,
    world: World,
    other: World,
    secret: Visible,
    seat: int,
    seed: int = 1,
    others: int = 1,
) -> Iterator[tuple[Period, Period]]:
    """Yield a period, and others with replaced secrets after which the seat's observations are the
    same. All secrets are replaced together. If that changes the observations, they are replaced one
    by one.
    """
    first = _played(game, world, seat, 1, 1)
    for swapped in (secret, *({key: flags} for key, flags in secret.items() if flags.any())):
        second = _played(game, world.swapped(other, swapped), seat, seed, others, world)
        if _same_seen(game, seat, first, second):
            yield first, second
            if swapped is secret:
                return


def _out(world: World, seat: int) -> bool:
    gone = world.state.get("seat_reason")
    return gone is not None and bool(gone[seat])


def _going_on(game: AnyGame) -> Iterator[tuple[World, World]]:
    """Yield pairs of worlds in which the play has not ended."""
    for world, other in moments(game):
        if not (world.state["reason"] or other.state["reason"]):
            yield world._replace(decided=None), other._replace(decided=None)


def _visible(game: AnyGame, world: World, seat: int) -> Visible:
    seen = of_seat(game.declaration.observations, game.observe(*world), seat)
    return visible(game, world, seat, seen)


def _played(
    game: AnyGame, world: World, seat: int, seed: int, others: int, original: World | None = None
) -> Period:
    """Return the period played from a world; `original` is the world of the seat's own decision."""
    period, state = int(world.state["period"]), world.state
    chance, whole = game.draw_chance(seed, period), dict[str, Any]()
    own_state = None if original is None else original.state
    for stage in range(len(game.stages.names)):
        sent = actions_for(game, state, others, period)
        if own_state is not None:
            mine = actions_for(game, own_state, 1, period)
            for name, values in mine.items():
                sent[name][seat] = values[seat]
            own_state, _ = game.step(own_state, mine, chance)
        if stage:
            sent = game.allowed(state).fitted(sent)
        whole |= {field.name: sent[field.name] for field in game.declaration.actions}
        state, outcome = game.step(state, sent, chance)
    absent = tuple(member for member in range(game.seats) if _out(world, member))
    last = game.stages.last
    return Period.of(
        game, world.state, state, outcome, chance=chance, sent=whole, absent=absent, stage=last
    )


def _same_seen(game: AnyGame, seat: int, first: Period, second: Period) -> bool:
    """Return whether a seat's observations are the same after two periods, and both end in the same
    way."""
    layout = game.declaration.observations
    seen: list[Arrays] = [of_seat(layout, part.observations, seat) for part in (first, second)]
    return first.reason == second.reason and equal(*seen)


def _different(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Return the names whose values differ, or that only one of the two has."""
    both = first.keys() & second.keys()
    names = {**first, **second}
    return [n for n in names if n not in both or not np.array_equal(first[n], second[n])]

"""Decisions as arrays: what each person could do, knew, did and earned.

Actions are the points of a grid. For a choice these are the choices; for an amount they lie evenly
between the least and the most the seat could do in that period, ends included, and what was done
counts as the nearest of them (the larger of two that are equally near).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from mixed_company.engine.contract import space
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode

__all__ = ["GRID", "Faced", "Panel", "faced"]

GRID = 11
"""Points of the grid of an amount, unless another number is asked for."""


@dataclass(frozen=True)
class Faced:
    """What a seat faced in a period.

    state       before the period
    low, high   what the seat could do, ends included
    others      mean of what the others who still play were seen to have done last; NaN: not shown
    own         what the seat did last; NaN: the state does not say
    """

    game: Game[Any]
    state: Arrays
    seat: int
    low: float
    high: float
    others: float
    own: float


def faced(episode: Episode, name: str, seat: int, state: Arrays | None = None) -> Faced:
    """What a seat faces now in the action field `name`; `state` if it is at hand."""
    game = episode.game
    now = state_of(episode) if state is None else state
    allowed = episode.allowed(seat)
    low, high = float(allowed.low[name]), float(allowed.high[name])
    seen = episode.observation(seat).get(name)
    others = np.nan
    if seen is not None and seen.shape == (game.seats,) and episode.period > 0:
        playing = game.playing(now)
        counts = ~np.isnan(seen) if playing is None else ~np.isnan(seen) & playing
        counts[seat] = False
        shown = seen[counts]
        others = float(shown.mean()) if shown.size else np.nan
    own = float(now[name][seat]) if name in now else np.nan
    return Faced(game, now, seat, low, high, others, own)


def state_of(episode: Episode) -> Arrays:
    """The state of a play as arrays."""
    return space.from_json(episode.game.declaration.state, episode.state_record())


@dataclass(frozen=True)
class Panel:
    """D decisions about one action field, those of a person one after the other.

    faced    what each faced; empty: not known any more (`bare`)
    others   (D,) mean of what the others were seen to have done last; NaN: not shown
    own      (D,) what the seat did last; NaN: not known
    action   (D,) what was done, as used; NaN: not yet
    reward   (D,) points earned with it
    person   (D,) number of the person, from 0, never falling
    why      (D,) why a decision is not to be explained; empty: it is
    actions  (D, A) the grid; NaN where there are fewer
    exact    amounts are explained as they are, not by the nearest of the grid
    worths   what models know of each action, by name: (D, A)
    """

    field: str
    faced: Sequence[Faced]
    others: Array
    own: Array
    action: Array
    reward: Array
    person: Array
    why: Array
    actions: Array
    exact: bool = False
    worths: Mapping[str, Array] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(
        cls,
        name: str,
        grid: int,
        faced: Sequence[Faced],
        action: Sequence[float],
        reward: Sequence[float],
        person: Sequence[int],
        why: Sequence[str],
    ) -> Panel:
        """A panel whose grids are made here, of `grid` points for an amount."""
        low = np.array([situation.low for situation in faced], dtype=np.float64)
        high = np.array([situation.high for situation in faced], dtype=np.float64)
        kinds = {field.name: field.kind for field in faced[0].game.declaration.actions}
        if kinds[name] == "real":
            actions = low[:, None] + np.linspace(0.0, 1.0, grid) * (high - low)[:, None]
        else:
            actions = low[:, None] + np.arange(int((high - low).max()) + 1)
            actions = np.where(actions <= high[:, None], actions, np.nan)
        return cls(
            name,
            faced,
            np.array([situation.others for situation in faced], dtype=np.float64),
            np.array([situation.own for situation in faced], dtype=np.float64),
            np.asarray(action, dtype=np.float64),
            np.asarray(reward, dtype=np.float64),
            np.asarray(person, dtype=np.int64),
            np.asarray(why, dtype=object),
            actions,
        )

    def __len__(self) -> int:
        return len(self.action)

    def take(self, where: Array) -> Panel:
        """Some of the decisions: flags or numbers of rows."""
        rows = np.flatnonzero(where) if where.dtype == np.bool_ else where
        return replace(
            self,
            faced=[self.faced[row] for row in rows.tolist()] if self.faced else (),
            worths={name: worth[rows] for name, worth in self.worths.items()},
            **{
                name: getattr(self, name)[rows]
                for name in ("others", "own", "action", "reward", "person", "why", "actions")
            },
        )

    def bare(self) -> Panel:
        """Without what was faced, which is much to hand to another process; models are fitted to
        what is left, once they have prepared it."""
        return replace(self, faced=())

    def by_game(self) -> Iterator[tuple[Game[Any], Array]]:
        """Every game that was played, and the rows of the decisions in it."""
        played = np.array([id(situation.game) for situation in self.faced])
        for key, game in {id(situation.game): situation.game for situation in self.faced}.items():
            yield game, np.flatnonzero(played == key)

    def states(self) -> tuple[dict[str, Array], Array]:
        """The states that were faced, (D, ...) by name, and (D,) seats; all of one game."""
        states = {
            name: np.stack([situation.state[name] for situation in self.faced])
            for name in self.faced[0].state
        }
        return states, np.array([situation.seat for situation in self.faced])

    @cached_property
    def low(self) -> Array:
        """(D,) the least the seat could do."""
        return self.actions[:, 0]

    @cached_property
    def high(self) -> Array:
        """(D,) the most it could do."""
        return np.asarray(np.nanmax(self.actions, axis=1))

    @cached_property
    def share(self) -> Array:
        """(D,) the action between the least (0) and the most (1)."""
        width = np.where(self.high > self.low, self.high - self.low, 1.0)
        return np.asarray((self.action - self.low) / width)

    @cached_property
    def chosen(self) -> Array:
        """(D,) the number of the nearest action of the grid."""
        last = np.isfinite(self.actions).sum(axis=1) - 1
        place = np.floor(np.nan_to_num(self.share) * last + 0.5)
        return np.asarray(np.clip(place, 0, last), dtype=np.int64)

    @cached_property
    def edges(self) -> Array:
        """(D, A + 1) where the nearest action of the grid changes; from -inf to inf."""
        between = (self.actions[:, 1:] + self.actions[:, :-1]) / 2
        ends = np.full((len(self), 1), np.inf)
        return np.hstack([-ends, between, ends])

    @cached_property
    def span(self) -> float:
        """The widest range a seat could choose from."""
        return float((self.high - self.low).max(initial=0.0)) or 1.0

    @cached_property
    def spread(self) -> float:
        """Standard deviation of the points earned."""
        return float(np.nanstd(self.reward)) or 1.0

    @cached_property
    def past(self) -> Past:
        """What each person did and earned before each decision."""
        return _past(self)


class Past(NamedTuple):
    """Pairs of a decision and an earlier one of the same person.

    place   of (decision, action of the earlier one) in a (D, A) array that is laid flat
    again   how often that action was done again between the two
    points  earned with the earlier one, less those of the person's first
    most    the largest of `again`
    """

    place: Array
    again: Array
    points: Array
    most: int


def _past(panel: Panel) -> Past:
    width = panel.actions.shape[1]
    starts = np.flatnonzero(np.diff(panel.person, prepend=-1))
    people = []
    for start, end in zip(starts, np.append(starts[1:], len(panel)), strict=True):
        done = panel.chosen[start:end]
        earned = panel.reward[start:end] - panel.reward[start]
        now, then = np.tril_indices(end - start, -1)
        visits = np.cumsum(done[:, None] == np.arange(width), axis=0)
        # visits before `now`, less those up to and with `then`
        again = visits[now - 1, done[then]] - visits[then, done[then]]
        people.append(((start + now) * width + done[then], again, earned[then]))
    place, again, points = (np.concatenate(parts) for parts in zip(*people, strict=True))
    return Past(place, again, points, int(again.max(initial=0)))

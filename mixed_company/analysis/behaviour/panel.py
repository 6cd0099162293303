"""Decisions as arrays: possible actions, information, decision and points.

Actions are points of a grid. For a choice, the points are the choices themselves. For an amount,
they are evenly spaced from the seat's smallest to its largest action in that period. The decision
is moved to the nearest point (in a tie, to the larger one).
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

GRID = 11
"""Default number of grid points for an amount."""


@dataclass(frozen=True)
class Faced:
    """The situation of a seat in a period.

    state       state before the period
    low, high   smallest and largest possible action
    others      mean of the last actions, as shown, of the other seats that are still in the play;
                NaN: not shown
    own_action  last action of the seat; NaN: not in the state
    """

    game: Game[Any]
    state: Arrays
    seat: int
    low: float
    high: float
    others: float
    own_action: float


def faced(episode: Episode, name: str, seat: int, state: Arrays | None = None) -> Faced:
    """Return a seat's current situation for the action field `name`.

    Callers that already have the current state can pass it as `state`.
    """
    game = episode.game
    now = state_of(episode) if state is None else state
    allowed = episode.allowed(seat)
    low, high = float(allowed.low[name]), float(allowed.high[name])
    others, own_action = last_actions(episode, name, seat, now)
    return Faced(game, now, seat, low, high, others, own_action)


def last_actions(episode: Episode, name: str, seat: int, state: Arrays) -> tuple[float, float]:
    """Return the mean of the others' last actions as shown to the seat, and the seat's own last
    action; NaN: not shown, or not in the state."""
    game, seen = episode.game, episode.observation(seat).get(name)
    others = np.nan
    if seen is not None and seen.shape == (game.seats,) and episode.period > 0:
        playing = game.playing(state)
        counts = ~np.isnan(seen) if playing is None else ~np.isnan(seen) & playing
        counts[seat] = False
        shown = seen[counts]
        others = float(shown.mean()) if shown.size else np.nan
    return others, float(state[name][seat]) if name in state else np.nan


def state_of(episode: Episode) -> Arrays:
    """Return the state of an episode as arrays."""
    return space.from_json(episode.game.declaration.state, episode.state_record())


@dataclass(frozen=True)
class Panel:
    """D decisions in one action field, in which each person's decisions are consecutive.

    faced       situation of each decision; empty: dropped (`bare`)
    others      (D,) mean of the others' last actions, as shown; NaN: not shown
    own_action  (D,) last action of the seat; NaN: unknown
    action      (D,) decision, as used; NaN: not yet made
    reward      (D,) points earned with the decision
    person      (D,) number of the person, counted from 0, in ascending order
    why         (D,) reason why a decision is not explained; empty if it is
    actions     (D, A) grid; NaN beyond a decision's last action
    exact       whether to explain exact amounts rather than the nearest grid points
    worths      models' inputs for each action, by name: (D, A)
    """

    field: str
    faced: Sequence[Faced]
    others: Array
    own_action: Array
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
        """Make a panel and its grids, with `grid` points for an amount."""
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
            np.array([situation.own_action for situation in faced], dtype=np.float64),
            np.asarray(action, dtype=np.float64),
            np.asarray(reward, dtype=np.float64),
            np.asarray(person, dtype=np.int64),
            np.asarray(why, dtype=object),
            actions,
        )

    def __len__(self) -> int:
        return len(self.action)

    def take(self, selection: Array) -> Panel:
        """Return the decisions selected by flags or row numbers."""
        rows = np.flatnonzero(selection) if selection.dtype == np.bool_ else selection
        return replace(
            self,
            faced=[self.faced[row] for row in rows.tolist()] if self.faced else (),
            worths={name: worth[rows] for name, worth in self.worths.items()},
            **{
                name: getattr(self, name)[rows]
                for name in ("others", "own_action", "action", "reward", "person", "why", "actions")
            },
        )

    def bare(self) -> Panel:
        """Return the panel without `faced`, which is too large to send to another process.

        After models have prepared the panel, they can be fitted without it.
        """
        return replace(self, faced=())

    def by_game(self) -> Iterator[tuple[Game[Any], Array]]:
        """Yield each game with the rows of its decisions."""
        played = np.array([id(situation.game) for situation in self.faced])
        for key, game in {id(situation.game): situation.game for situation in self.faced}.items():
            yield game, np.flatnonzero(played == key)

    def states(self) -> tuple[dict[str, Array], Array]:
        """Return the states (D, ...) by name and the seats (D,), for decisions of one game."""
        states = {
            name: np.stack([situation.state[name] for situation in self.faced])
            for name in self.faced[0].state
        }
        return states, np.array([situation.seat for situation in self.faced])

    @cached_property
    def low(self) -> Array:
        """(D,) smallest possible actions."""
        return self.actions[:, 0]

    @cached_property
    def high(self) -> Array:
        """(D,) largest possible actions."""
        return np.asarray(np.nanmax(self.actions, axis=1))

    @cached_property
    def share(self) -> Array:
        """(D,) actions scaled to 0 (smallest) to 1 (largest)."""
        width = np.where(self.high > self.low, self.high - self.low, 1.0)
        return np.asarray((self.action - self.low) / width)

    @cached_property
    def chosen(self) -> Array:
        """(D,) positions of the nearest grid points."""
        last = np.isfinite(self.actions).sum(axis=1) - 1
        place = np.floor(np.nan_to_num(self.share) * last + 0.5)
        return np.asarray(np.clip(place, 0, last), dtype=np.int64)

    @cached_property
    def edges(self) -> Array:
        """(D, A + 1) boundaries between neighbouring grid points, from -inf to inf."""
        between = (self.actions[:, 1:] + self.actions[:, :-1]) / 2
        ends = np.full((len(self), 1), np.inf)
        return np.hstack([-ends, between, ends])

    @cached_property
    def span(self) -> float:
        """The widest range of actions that any seat has."""
        return float((self.high - self.low).max(initial=0.0)) or 1.0

    @cached_property
    def spread(self) -> float:
        """Standard deviation of the points earned."""
        return float(np.nanstd(self.reward)) or 1.0

    @cached_property
    def past(self) -> Past:
        """For each decision, the person's earlier decisions and their points."""
        return _past(self)


class Past(NamedTuple):
    """Pairs of a decision and an earlier decision by the same person.

    place    position of the decision and the earlier action in a flattened (D, A) array
    again    number of times the action was repeated between the two decisions
    points   points of the earlier decision, minus the points of the person's first decision
    largest  maximum of `again`
    """

    place: Array
    again: Array
    points: Array
    largest: int


def _past(panel: Panel) -> Past:
    width = panel.actions.shape[1]
    starts = np.flatnonzero(np.diff(panel.person, prepend=-1))
    people = []
    for start, end in zip(starts, np.append(starts[1:], len(panel)), strict=True):
        done = panel.chosen[start:end]
        earned = panel.reward[start:end] - panel.reward[start]
        now, then = np.tril_indices(end - start, -1)
        visits = np.cumsum(done[:, None] == np.arange(width), axis=0)
        # repetitions before `now`, minus repetitions up to and including `then`
        again = visits[now - 1, done[then]] - visits[then, done[then]]
        people.append(((start + now) * width + done[then], again, earned[then]))
    place, again, points = (np.concatenate(parts) for parts in zip(*people, strict=True))
    return Past(place, again, points, int(again.max(initial=0)))

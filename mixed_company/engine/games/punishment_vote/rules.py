"""The rules of the punishment vote; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.chance import Chance, as_halves, as_order, as_uniform
from mixed_company.engine.contract.drift import changed
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Declaration, Game
from mixed_company.engine.games.punishment_vote import layout
from mixed_company.engine.games.punishment_vote.core import ARCHETYPES, SUPERSEDED, VoteCore
from mixed_company.engine.games.punishment_vote.tables import (
    EMPTY,
    FIRST_RESOURCE,
    WALL,
    Tables,
    one_hot,
    replaced,
)
from mixed_company.engine.games.punishment_vote.turn import (
    EVENT_KINDS,
    Turn,
    around,
    cell_of,
    events,
)


class PunishmentVote(Game[VoteCore]):
    """The punishment vote. See the package's docstring."""

    id = "punishment_vote"
    version = "2"
    reference = "lab_0_7"
    changes: ClassVar[Mapping[str, str]] = {
        "2": "the random number that a seat sees comes from a separate stream, so it does not "
        "reveal where resources appear; a seat that has left owes and pays no harm, and shocks "
        "move harm within its accounts; a vote of weight 0 costs nothing and is not counted"
    }
    Core = VoteCore
    archetypes = ARCHETYPES
    superseded = SUPERSEDED
    may_drift = ("vote_step",)
    event_kinds = EVENT_KINDS
    weighs = True
    own_timing = "timing"

    @property
    def horizon(self) -> int:
        return self.core.turns

    def declare(self) -> Declaration:
        self.tables = Tables(self.core)
        return layout.declare(self.tables)

    # -- chance ---------------------------------------------------------------------------

    def draw(self, chance: Chance) -> Arrays:
        """Draw one stream per turn and split it by use, because creating named streams is slow.

        The random number that a seat sees comes from another stream; otherwise it would reveal this
        stream's key.
        """
        tables, n = self.tables, self.seats
        cells = tables.grids * tables.grid.cells
        lottery = n if self.core.punishment == "lottery" else 0
        half = (cells + 1) // 2
        words = chance("turn").bits((half + 2 * n + lottery,))
        batch = words.shape[:-1]
        spawned = self._spawned(as_halves(words[..., :half])[..., :cells])
        drawn = {
            "spawned": spawned.reshape(*batch, tables.grids, *tables.grid.shape),
            "order": as_order(words[..., half : half + n]),
            "noise": chance("noise").apart((n,)).uniform(),
        }
        if lottery:  # skip the n words that version 1 used for noise
            drawn["lottery"] = as_uniform(words[..., half + 2 * n :])
        before = chance.period < 0  # of one play, or of each play
        if before.any() if isinstance(before, np.ndarray) else before:
            drawn |= self._draw_start(chance)
        return drawn

    def _spawned(self, halves: Array) -> Array:
        """Return, for each cell, the code of the resource that spawns if the cell is empty; 0 for
        none.
        """
        codes = np.zeros(halves.shape, dtype=np.int8)
        ends, drawn = self.tables.spawn_ends, halves.reshape(-1)
        where = (drawn < int(ends[-1])).nonzero()[0]
        kinds = ends.searchsorted(drawn[where], "right")
        codes.reshape(-1)[where] = FIRST_RESOURCE + kinds
        return codes

    def _draw_start(self, chance: Chance) -> dict[str, Array]:
        """Draw the initial cells of seats and resources on each grid, and the resources' kinds."""
        tables, count = self.tables, self.core.initial_resources
        words = chance("start").bits((tables.grids, tables.grid.inside.size + count))
        drawn = as_uniform(words[..., :count])
        kinds = np.searchsorted(tables.cumulated, drawn.ravel(), "right").reshape(drawn.shape)
        return {"places": as_order(words[..., count:]), "kinds": FIRST_RESOURCE + kinds}

    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        tables, core, n = self.tables, self.core, self.seats
        walkers = n if core.worlds == "shared" else 1
        cells = tables.grid.inside[chance["places"]]
        grid = np.empty((*batch, tables.grids, tables.grid.cells), dtype=np.int8)
        grid[...] = np.where(tables.grid.wall.ravel(), WALL, EMPTY)
        starts = cells[..., :walkers]
        seats = tables.first_seat + np.arange(n).reshape(tables.grids, walkers)
        np.put_along_axis(grid, starts, np.broadcast_to(seats, starts.shape), axis=-1)
        filled = cells[..., walkers : walkers + core.initial_resources]
        np.put_along_axis(grid, filled, chance["kinds"], axis=-1)
        row, column = np.divmod(starts.reshape(*batch, n), core.width)
        state: dict[str, Array] = {
            "grid": grid.reshape(*batch, tables.grids, *tables.grid.shape),
            "row": row,
            "column": column,
            "level": np.full(batch, core.initial_level),
            "increases": np.zeros(batch),
            "decreases": np.zeros(batch),
            **{name: np.zeros((*batch, n)) for name in ("harm", "punished", "harm_paid")},
            **{name: np.zeros((*batch, n), dtype=np.int64) for name in ("collected", "vote")},
            "moved": np.zeros((*batch, n), dtype=np.bool_),
        }
        if core.map_memory:
            state |= {
                field.name: np.full((*batch, *field.shape), field.low, field.dtype)
                for field in self.declaration.state
                if field.name in ("remembered", "last_seen")
            }
            state |= self._remembered(state, 0)
        return state

    # -- a turn ---------------------------------------------------------------------------

    def transition(self, state: Arrays, used: Arrays, chance: Arrays) -> Arrays:
        grid = replaced(state["grid"], chance["spawned"], state["grid"] == EMPTY)
        turn = Turn(self.tables, grid, state, used["action"])
        if self.weights is not None:  # a vote of weight 0 is not counted and costs nothing
            turn.vote = np.where(self.weights > 0.0, turn.vote, 0)
        if self.core.timing == "simultaneous":
            self._together(turn, state, chance)
        else:
            self._one_by_one(turn, state, chance)
        playing = self.playing(state)
        if playing is not None:  # a seat that has ended owes nothing
            turn.account = np.where(playing, turn.account, 0.0)
            turn.harm_paid = np.where(playing, turn.harm_paid, 0.0)
        after = turn.state()
        if self.core.map_memory:
            after |= self._remembered({**state, **after}, state["period"] + 1)
        return after

    def _together(self, turn: Turn, state: Arrays, chance: Arrays) -> None:
        """Punish all seats at the turn's initial level; count votes and harm at its end."""
        for rank in range(self.seats):
            turn.move(chance["order"][..., rank])
        turn.punished = self._punishment(turn.collected, state["level"][..., None], chance)
        step = self.now("vote_step", state)
        turn.level = self._moved_level(state["level"], self._tally(turn.vote), step)
        turn.harm_paid = _of_all_others(self.tables.harm_of[turn.collected])

    def _one_by_one(self, turn: Turn, state: Arrays, chance: Arrays) -> None:
        """Let seats act in order, each with the level and the account at that moment."""
        level, account = state["level"], state["harm"].copy()
        levels = np.empty_like(account)
        others = ~np.eye(self.seats, dtype=np.bool_)
        votes = turn.vote if self.weights is None else turn.vote * self.weights
        step = self.now("vote_step", state)
        for seat in range(self.seats):
            turn.move(np.broadcast_to(seat, np.shape(level)))
            levels[..., seat] = level
            level = self._moved_level(level, votes[..., seat], step)
            harm = self.tables.harm_of[turn.collected[..., seat]]
            account += np.where(others[seat], harm[..., None], 0.0)
            turn.harm_paid[..., seat] = account[..., seat]
            account[..., seat] = 0.0
        last = (state["period"] + 1 >= self.horizon)[..., None]
        turn.harm_paid = turn.harm_paid + np.where(last, account, 0.0)
        turn.account = np.where(last, 0.0, account)
        turn.level = level
        turn.punished = self._punishment(turn.collected, levels, chance)

    def _tally(self, votes: Array) -> Array:
        """Return the weighted votes to increase minus the weighted votes to decrease."""
        if self.weights is None:
            return over_seats(votes)
        return over_seats(votes * self.weights)

    def _moved_level(self, level: Array, votes: Array, step: Any) -> Array:
        moved = level + step * votes
        return np.asarray(np.minimum(np.maximum(moved, 0.0), 1.0))

    def _punishment(self, collected: Array, level: Array, chance: Arrays) -> Array:
        """Return each seat's punishment for the resource it collected, at the current level."""
        penalty = self.tables.penalty_of[collected]
        if self.core.punishment == "expected":
            return np.asarray(penalty * level)
        return np.where(chance["lottery"] < level, penalty, 0.0)

    def cooperation(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        harmless = self.tables.harm_of[after["collected"]] == 0.0
        return np.asarray(harmless, dtype=np.float64)

    def scaled(self, core: VoteCore, factor: float) -> VoteCore:
        kinds = {
            name: {"value": kind.value, "harm": kind.harm * factor}
            for name, kind in core.resources.items()
        }
        return changed(core, resources=kinds)

    def repaired(self, before: Arrays, after: Arrays) -> Arrays:
        """Remove shocks from ended seats' accounts, and from all accounts after the last turn."""
        pays = (after["period"] < self.horizon)[..., None]
        playing = self.playing(before)
        return {"harm": np.where(pays if playing is None else pays & playing, after["harm"], 0.0)}

    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        return {
            "value": self.tables.value_of[after["collected"]],
            "punishment": 0.0 - after["punished"],
            "vote_cost": 0.0 - self.core.vote_cost * np.abs(after["vote"]),
            "harm": 0.0 - after["harm_paid"],
        }

    def events(self, before: Arrays, used: Arrays, after: Arrays) -> list[dict[str, Any]]:
        return events(self.tables, before, used, after)

    # -- observations ---------------------------------------------------------------------

    def view(self, state: Arrays, chance: Arrays) -> Arrays:
        codes = self._windows(state)
        if self.core.views == "composite":
            codes = codes[..., self.tables.own_first, :, :]
        seen = {
            "window": one_hot(codes, self.tables.codes),
            "level": state["level"],
            "increases": state["increases"],
            "decreases": state["decreases"],
            "pending_harm": state["harm"],
            "collected": state["collected"].astype(np.float64),
            "row": state["row"].astype(np.float64),
            "column": state["column"].astype(np.float64),
            "noise": chance["noise"],
        }
        if self.core.map_memory:
            seen |= {name: state[name] for name in ("remembered", "last_seen")}
        return seen

    def _remembered(self, state: Arrays, turn: Any) -> dict[str, Array]:
        """Return all seats' maps, updated with what they see; cells with a seat count as empty."""
        in_view = self.tables.in_view.take(cell_of(self.tables, state), axis=0)
        grid, last_seen = state["grid"], state["last_seen"]
        shown = replaced(grid, np.int8(EMPTY), grid >= self.tables.first_seat)
        when = np.asarray(turn).astype(last_seen.dtype)[..., None, None, None]
        in_view = in_view.reshape(last_seen.shape)
        return {
            "remembered": replaced(state["remembered"], shown, in_view),
            "last_seen": replaced(last_seen, when, in_view),
        }

    def _windows(self, state: Arrays) -> Array:
        side = 2 * self.core.vision + 1
        codes = around(self.tables, state)
        return codes.reshape(*codes.shape[:-1], side, side)


def _of_all_others(values: Array) -> Array:
    """Return, for each seat, the sum over all others, without subtracting, to avoid rounding
    errors."""
    sums = np.zeros_like(values)
    before = np.add.accumulate(values[..., :-1], axis=-1)
    behind = np.add.accumulate(values[..., :0:-1], axis=-1)[..., ::-1]
    sums[..., 1:] += before
    sums[..., :-1] += behind
    return sums

"""A policy's notes for its seats in many plays: named arrays, or one memory per seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Memory, Policy


class Together:
    """Notes of a policy that decides for many seats at once, name -> (B, n, ...) numbers."""

    def __init__(self, policy: Policy) -> None:
        self._start = {name: np.asarray(value) for name, value in policy.start().items()}
        self._values: dict[str, Array] = {}

    def begin(self, plays: Array, seats: Array, shape: tuple[int, int]) -> None:
        """Reset the notes at these positions in a batch (B, n)."""
        for name, value in self._start.items():
            if name not in self._values:
                self._values[name] = np.zeros((*shape, *value.shape), dtype=value.dtype)
            self._values[name][plays, seats] = value

    def branch(self, plays: Array) -> None:
        """Replace the batch's plays with copies of these plays; a play may appear more than
        once."""
        self._values = {name: values[plays] for name, values in self._values.items()}

    def of(self, plays: Array, seats: Array) -> dict[str, Array]:
        """Return the notes (K, ...) at these positions."""
        return {name: values[plays, seats] for name, values in self._values.items()}

    def memories(self, plays: Array, seats: Array) -> list[Memory]:
        """Return the notes at each of these positions as plain JSON."""
        lists = {name: values.tolist() for name, values in self.of(plays, seats).items()}
        return [{name: rows[row] for name, rows in lists.items()} for row in range(len(plays))]

    def keep(self, plays: Array, seats: Array, memory: Mapping[str, Any], where: Array) -> None:
        """Store the notes (K, ...) at the flagged positions.

        Raises ValueError for names or shapes that differ from those at the start.
        """
        if memory.keys() != self._start.keys():
            raise ValueError(f"memory {sorted(memory)} should have the names {sorted(self._start)}")
        for name, value in memory.items():
            kept, values = self._values[name], np.asarray(value)
            wider = np.promote_types(kept.dtype, values.dtype)
            if wider != kept.dtype:
                self._values[name] = kept = kept.astype(wider)
            whole = np.broadcast_to(values, (len(plays), *kept.shape[2:]))
            kept[plays[where], seats[where]] = whole[where]

    def keep_each(self, plays: Array, seats: Array, memories: Sequence[Memory]) -> list[bool]:
        """Store one memory per position; return flags for the positions with valid memories."""
        flags = np.ones(1, dtype=np.bool_)
        kept = []
        for row, memory in enumerate(memories):
            here = slice(row, row + 1)
            whole = {name: np.asarray(value)[None] for name, value in memory.items()}
            try:
                self.keep(plays[here], seats[here], whole, flags)
            except ValueError:
                kept.append(False)
            else:
                kept.append(True)
        return kept


class Apiece:
    """Notes of a policy that decides for one seat at a time: one memory per play and seat."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._values: dict[tuple[int, int], Memory] = {}

    def begin(self, plays: Array, seats: Array, shape: tuple[int, int]) -> None:
        """Reset the notes at these positions in a batch."""
        for place in _places(plays, seats):
            self._values[place] = self._policy.start()

    def branch(self, plays: Array) -> None:
        """Replace the batch's plays with copies of these plays; a play may appear more than
        once."""
        seats = sorted({seat for _, seat in self._values})
        self._values = {
            (play, seat): self._values[before, seat]
            for play, before in enumerate(plays.tolist())
            for seat in seats
            if (before, seat) in self._values
        }

    def memories(self, plays: Array, seats: Array) -> list[Memory]:
        """Return the notes at these positions."""
        return [self._values[place] for place in _places(plays, seats)]

    def keep_each(self, plays: Array, seats: Array, memories: Sequence[Memory]) -> list[bool]:
        """Store one memory per position. Every memory is accepted, so all returned flags are
        True."""
        self._values.update(zip(_places(plays, seats), memories, strict=True))
        return [True] * len(memories)


def notes_of(policy: Policy) -> Together | Apiece:
    """Return empty notes for a policy."""
    return Together(policy) if policy.together else Apiece(policy)


def _places(plays: Array, seats: Array) -> list[tuple[int, int]]:
    return list(zip(plays.tolist(), seats.tolist(), strict=True))

"""Compare the table's payoffs with the points that the engine computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mixed_company.analysis.importing.cells import Table
from mixed_company.analysis.importing.mapping import Map
from mixed_company.analysis.importing.matching import Play
from mixed_company.engine.contract.space import Array

SHOWN = 5
"""Maximum number of differing rows that are listed."""
_EXACT = 1e-6
"""Tolerance for numbers that are not rounded."""


@dataclass(frozen=True)
class Compared:
    """Result of the comparison.

    count      number of payoffs
    differing  number of payoffs that differ from the points by more than a rounding error: half a
           unit of the table's last digit
    first      a sentence about each of the first differing rows
    line       the factor and the constant that turn all points into the payoffs; None if no such
           line exists or no payoff differs
    """

    count: int
    differing: int
    first: Sequence[str]
    line: tuple[float, float] | None

    @property
    def counts(self) -> dict[str, int]:
        """The comparison's numbers, for the manifest."""
        return {"compared": self.count, "differing": self.differing}

    @property
    def words(self) -> Iterator[str]:
        """The lines that a command prints."""
        if not self.differing:
            yield f"payoffs: all {self.count} match the points that the engine computes"
            return
        differing = f"{self.differing} of {self.count}"
        yield f"payoffs: {differing} differ from the points that the engine computes"
        yield from self.first
        if self.line is not None:
            factor, amount = self.line
            yield (
                f"all payoffs are {factor:g} * points {amount:+g}: if the table uses another unit, "
                f"set columns.payoff scale = {1 / factor:.6g}, offset = {-amount / factor:.6g}"
            )


def compared(plays: Sequence[Play], table: Table, described: Map, points: Array) -> Compared | None:
    """Compare payoffs and points. Return None if the map names no payoffs. Raises ConfigError."""
    column = described.columns.payoff
    if column is None:
        return None
    payoffs = np.array(table.numbers("columns.payoff", column))
    tolerance = table.rounding(column) + _EXACT
    rows = np.flatnonzero(np.abs(payoffs - points) > tolerance)
    of_row = {place: play for play in plays for period in play.places for place in period}
    first = [
        f"line {table.lines[row]}: {of_row[row]}: columns.payoff = {payoffs[row]:.6g}, but the "
        f"engine computes {points[row]:.6g} points"
        for row in rows[:SHOWN].tolist()
    ]
    line = _line(points, payoffs, tolerance) if len(rows) else None
    return Compared(len(payoffs), len(rows), first, line)


def _line(points: Array, payoffs: Array, tolerance: float) -> tuple[float, float] | None:
    """Return the factor and the constant that turn points into payoffs; None if no such line
    exists."""
    if np.ptp(points) == 0 or np.ptp(payoffs) == 0:
        return None
    factor, amount = np.polyfit(points, payoffs, 1).tolist()
    factor, amount = round(factor, 9), round(amount, 6)
    exact = np.abs(factor * points + amount - payoffs).max() <= tolerance
    return (factor, amount) if exact and factor else None

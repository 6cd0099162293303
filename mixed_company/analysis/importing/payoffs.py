"""Comparison of the table's payoffs with the points that the engine computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mixed_company.analysis.importing.cells import Table
from mixed_company.analysis.importing.mapping import Map
from mixed_company.analysis.importing.matching import Play
from mixed_company.engine.contract.space import Array

SHOWN = 5
"""Maximum number of differing rows that are named."""
_EXACT = 1e-6
"""Tolerance for numbers that are written in full."""


@dataclass(frozen=True)
class Compared:
    """Result of the comparison.

    count      number of payoffs
    differing  number of payoffs that differ from the points by more than rounding: half a unit of
           the last digit in the table
    first      sentence on each of the first differing rows
    line       factor and constant that turn all points into the payoffs; None if there are none,
           or if no payoff differs
    """

    count: int
    differing: int
    first: Sequence[str]
    line: tuple[float, float] | None

    @property
    def counts(self) -> dict[str, int]:
        """Numbers for the manifest."""
        return {"compared": self.count, "differing": self.differing}

    @property
    def words(self) -> Iterator[str]:
        """Lines for the output of a command."""
        if not self.differing:
            yield f"payoffs: all {self.count} match the points that the engine computes"
            return
        yield f"payoffs: {self.differing} of {self.count} differ from the points of the engine"
        yield from self.first
        if self.line is not None:
            factor, amount = self.line
            yield (
                f"all payoffs are {factor:g} * points {amount:+g}: if they are in another unit, "
                f"set columns.payoff scale = {1 / factor:.6g}, offset = {-amount / factor:.6g}"
            )


def compared(plays: Sequence[Play], table: Table, described: Map, points: Array) -> Compared | None:
    """Return the comparison, or None if the map names no payoffs. Raises ConfigError."""
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
    """Return the factor and the constant that turn points into payoffs; None if there are none."""
    if np.ptp(points) == 0 or np.ptp(payoffs) == 0:
        return None
    factor, amount = np.polyfit(points, payoffs, 1).tolist()
    factor, amount = round(factor, 9), round(amount, 6)
    exact = np.abs(factor * points + amount - payoffs).max() <= tolerance
    return (factor, amount) if exact and factor else None

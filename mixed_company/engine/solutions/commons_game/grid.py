"""The group's plan by dynamic programming over the stock alone, where growth overshoots.

With growth rates above 1 a stock can grow past what the group wants, and a rule kept as an
inequality (`programme`) lets it waste what no play can. Here the stock moves as it really does;
what is left to prices is the wealth and the pool: a harvest counts a = d^t + Omega_t+1, and a
bonus is bought at lambda_t a unit (see `bound`, whose other terms stay). With U~ the value of the
stock bought from, and play that stops at a collapse worth nothing more,

    U_t(R) = max over 0 <= h <= min(most, R) of  a h + U~_t+1(min(1, f(R) - h)),  or a min(most, R)
    U~(x)  = max over G >= 0 of  U(min(1, x + G)) - lambda_t G

U is kept at the nodes of a grid, so high that the straight lines between them lie above the true
one: on each cell above what the largest harvest, none, or a stock within reach of all of the cell
gives. A function of slopes that fall by D in all exceeds its chord over a length l by D l / 4 at
most, and f its chord over a cell by rate l^2 / 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.solutions.commons_game.bound import Bound
from mixed_company.engine.solutions.commons_game.programme import Group, Programme

__all__ = ["Grid"]

_WORK = 2_000_000  # nodes times periods
_NODES = 30


@dataclass(frozen=True)
class _Line:
    """A function by its values at equally spaced nodes, and straight between; flat beyond 1."""

    nodes: Array
    values: Array

    def at(self, stock: Array) -> Array:
        return np.interp(stock, self.nodes, self.values)

    def above(self, low: Array, high: Array) -> tuple[Array, Array, Array]:
        """Return lines above it from low to high: their starts, their slopes, how far above."""
        start, end = self.at(low), self.at(high)
        length = high - low
        slope = np.where(length > 0, (end - start) / np.where(length > 0, length, 1.0), 0.0)
        first = np.searchsorted(self.nodes, low, side="right")
        last = np.minimum(np.searchsorted(self.nodes, high, side="left"), len(self.nodes))
        most = int((last - first).max(initial=0))
        if most > _NODES:
            slopes = np.append(np.diff(self.values) / np.diff(self.nodes), 0.0)
            falls = np.append(0.0, np.cumsum(np.maximum(-np.diff(slopes), 0.0)))
            falls = np.append(falls, falls[-1])  # falls[k]: at the nodes 1 .. k
            top = len(falls) - 1
            drop = falls[np.minimum(last, top)] - falls[np.clip(first - 1, 0, top)]
            return start, slope, np.maximum(drop, 0.0) * length / 4.0
        over = np.zeros(len(low))
        for k in range(most):
            place = np.minimum(first + k, len(self.nodes) - 1)
            apart = self.values[place] - start - slope * (self.nodes[place] - low)
            over = np.maximum(over, np.where(first + k < last, apart, 0.0))
        return start, slope, over


class Grid:
    """The values of a play from each period on, at the prices of a programme."""

    def __init__(self, group: Group, programme: Programme, bound: Bound) -> None:
        periods = len(programme.prices)
        count = int(np.clip(_WORK / periods, 500, 8000))
        self.group = group
        self.prices = programme.prices
        self.bound = bound
        self.gains = bound.gains
        self.nodes = np.linspace(group.floor, 1.0, count + 1)
        self.periods = periods
        self.own: list[Array] = []
        self.later: list[_Line] = []
        values = np.zeros(count + 1)
        for t in reversed(range(periods)):
            line = _Line(self.nodes, self._bought(t, values))
            self.own.append(values)
            self.later.append(line)
            if t:
                values = self._before(t, line)
        self.own.reverse()
        self.later.reverse()

    def _bought(self, t: int, values: Array) -> Array:
        if not self.group.pays:
            return values
        worth = values - self.prices[t] * self.nodes
        best = np.maximum.accumulate(worth[::-1])[::-1]
        bought: Array = best + self.prices[t] * self.nodes
        return bought

    def value(self) -> float:
        """Return what the stock before the first period is worth at most."""
        value, _ = self.choice(0, self.group.stock)
        return value + self.bound.rest

    def bonus(self, t: int, stock: float) -> float:
        """Return how much stock is worth buying in addition to what is left."""
        if stock < self.group.floor:
            return 0.0
        worth = self.own[t] - self.prices[t] * self.nodes
        first = int(np.searchsorted(self.nodes, stock))
        now = float(np.interp(stock, self.nodes, worth))
        best = first + int(worth[first:].argmax()) if first < len(worth) else first
        if best == len(worth) or worth[best] <= now + 1e-12:
            return 0.0
        return float(self.nodes[best]) - stock

    def choice(self, t: int, stock: float) -> tuple[float, float]:
        """Return the best value from this stock on, and the stock to leave for it, bonus aside."""
        group, line, gain = self.group, self.later[t], float(self.gains[t])
        most, full = min(group.most, stock), float(group.grown(stock))
        stop = (gain * most, full - most)
        low, high = max(full - most, group.floor), max(min(full, 1.0), full - most)
        if high < low:
            return stop
        inside = self.nodes[(self.nodes > low) & (self.nodes < high)]
        left = np.concatenate([[low], inside, [high]])
        worth = gain * (full - left) + line.at(left)
        best = int(worth.argmax())
        return max(stop, (float(worth[best]), float(left[best])))

    def _before(self, t: int, line: _Line) -> Array:
        """Return the values a period before, from those of what is left."""
        group, nodes, gain = self.group, self.nodes, float(self.gains[t])
        rate = 0.0 if group.linear else group.rate
        length = nodes[1] - nodes[0]
        curve = rate * length**2 / 4.0
        full = np.asarray(group.grown(nodes))
        most = np.minimum(group.most, nodes)
        low, high = np.maximum(full - most, group.floor), np.maximum(full, group.floor)
        lows, highs = _spans(low, curve), _spans(high, curve)
        above_low, above_high = line.above(*lows), line.above(*highs)
        rough = (full[:-1] - most[:-1] < group.floor) != (full[1:] - most[1:] < group.floor)
        rough |= (nodes[:-1] < group.most) & (nodes[1:] > group.most)
        rough |= (full[:-1] < group.floor) != (full[1:] < group.floor)
        rough |= lows[1] > highs[0]
        inner = np.where(rough, lows[0], lows[1]), np.where(rough, highs[1], highs[0])
        kept = self._largest(gain, line, *inner)
        kept += np.where(rough, 0.0, np.maximum(above_low[2], above_high[2]))
        cells = np.stack([np.arange(len(nodes) - 1), np.arange(1, len(nodes))])
        tops = [gain * full[cells] + kept + gain * curve]
        for left, (start, slope, over), span in ((low, above_low, lows), (high, above_high, highs)):
            line_at = start + slope * (left[cells] - span[0]) + over
            tops.append(gain * (full - left)[cells] + line_at + np.maximum(slope, 0.0) * curve)
        top = np.maximum(np.stack(tops).max(axis=0), gain * most[cells])
        top += np.where(rough, gain * length, 0.0)
        price = self.prices[t]
        spare = max(gain - price, 0.0)
        cap = (price * full + spare * most + self.bound.later[t] + price * curve)[cells]
        cap += np.where(rough, spare * length, 0.0)
        top = np.where(cap.sum(axis=0) < top.sum(axis=0), cap, top)
        values = np.full(len(nodes), -np.inf)
        values[:-1] = top[0]
        values[1:] = np.maximum(values[1:], top[1])
        return values

    def _largest(self, gain: float, line: _Line, low: Array, high: Array) -> Array:
        """Return for every cell the largest line(x) - gain x with x from low to high."""
        worth = line.values - gain * self.nodes
        table = [worth]
        while 2 ** len(table) <= len(worth):
            half = 2 ** (len(table) - 1)
            table.append(np.maximum(table[-1][:-half], table[-1][half:]))
        first = np.searchsorted(self.nodes, low, side="left")
        last = np.searchsorted(self.nodes, high, side="right")  # one behind
        best = np.maximum(line.at(low) - gain * low, line.at(high) - gain * high)
        size = np.maximum(last - first, 1)
        level = np.log2(size).astype(int)
        for rank in np.unique(level):
            at = (level == rank) & (last > first)
            row = table[rank]
            both = np.maximum(row[first[at]], row[last[at] - 2**rank])
            best[at] = np.maximum(best[at], both)
        return best


def _spans(values: Array, more: float) -> tuple[Array, Array]:
    """Return the least and the largest value of every cell."""
    low = np.minimum(values[:-1], values[1:]) - more
    return low, np.maximum(values[:-1], values[1:]) + more

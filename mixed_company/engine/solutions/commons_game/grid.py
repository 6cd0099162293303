"""The group's plan for growth that overshoots, found by dynamic programming over the stock only.

With growth rates above 1, a stock can grow past the optimum. `programme`, in which the rules are
inequalities, allows stock to be wasted, which is impossible in a play. Here the stock follows the
rules exactly, and only wealth and the pool have prices: a harvested unit is worth a = d^t +
Omega_t+1, and bonus is bought at lambda_t a unit (see `bound`, whose other terms remain). U~ is the
value of the stock before buying, and nothing is earned after a collapse:

    U_t(R) = max over 0 <= h <= min(limit, R) of  a h + U~_t+1(min(1, f(R) - h)),
             or a min(limit, R)
    U~(x)  = max over G >= 0 of  U(min(1, x + G)) - lambda_t G

U is stored at the nodes of a grid, with values so high that the straight lines between them are
above the true function. On each cell, they are above the values of the largest harvest, of no
harvest, and of a stock that can be reached from the whole cell. A function whose slopes fall by D
in total exceeds its chord over a length l by at most D l / 4, and f exceeds its chord over a cell
by rate l^2 / 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.solutions.commons_game.bound import Bound
from mixed_company.engine.solutions.commons_game.programme import Group, Programme

_WORK = 2_000_000  # nodes times periods
_NODES = 30


@dataclass(frozen=True)
class _Line:
    """Piecewise linear function, given by its values at equally spaced nodes; constant beyond 1."""

    nodes: Array
    values: Array

    def value_at(self, stock: Array) -> Array:
        return np.interp(stock, self.nodes, self.values)

    def above(self, low: Array, high: Array) -> tuple[Array, Array, Array]:
        """Return chords from low to high: their starts and slopes, and the function's excess over
        them.
        """
        start, end = self.value_at(low), self.value_at(high)
        length = high - low
        slope = np.where(length > 0, (end - start) / np.where(length > 0, length, 1.0), 0.0)
        first = np.searchsorted(self.nodes, low, side="right")
        last = np.minimum(np.searchsorted(self.nodes, high, side="left"), len(self.nodes))
        longest = int((last - first).max(initial=0))
        if longest > _NODES:
            slopes = np.append(np.diff(self.values) / np.diff(self.nodes), 0.0)
            falls = np.append(0.0, np.cumsum(np.maximum(-np.diff(slopes), 0.0)))
            falls = np.append(falls, falls[-1])  # falls[k]: at the nodes 1 .. k
            top = len(falls) - 1
            drop = falls[np.minimum(last, top)] - falls[np.clip(first - 1, 0, top)]
            return start, slope, np.maximum(drop, 0.0) * length / 4.0
        over = np.zeros(len(low))
        for k in range(longest):
            place = np.minimum(first + k, len(self.nodes) - 1)
            apart = self.values[place] - start - slope * (self.nodes[place] - low)
            over = np.maximum(over, np.where(first + k < last, apart, 0.0))
        return start, slope, over


class Grid:
    """Values of a play from each period onwards, at a programme's prices."""

    def __init__(self, group: Group, programme: Programme, bound: Bound) -> None:
        periods = len(programme.prices)
        count = int(np.clip(_WORK / periods, 500, 8000))
        self.group = group
        self.prices = programme.prices
        self.bound = bound
        self.gains = bound.gains
        self.nodes = np.linspace(group.floor, 1.0, count + 1)
        self.periods = periods
        self.values: list[Array] = []
        self.later: list[_Line] = []
        values = np.zeros(count + 1)
        for t in reversed(range(periods)):
            line = _Line(self.nodes, self._bought(t, values))
            self.values.append(values)
            self.later.append(line)
            if t:
                values = self._before(t, line)
        self.values.reverse()
        self.later.reverse()

    def _bought(self, t: int, values: Array) -> Array:
        if not self.group.pays:
            return values
        worth = values - self.prices[t] * self.nodes
        best = np.maximum.accumulate(worth[::-1])[::-1]
        bought: Array = best + self.prices[t] * self.nodes
        return bought

    def value(self) -> float:
        """Return the bound on the stock's value before the first period."""
        value, _ = self.choice(0, self.group.stock)
        return value + self.bound.rest

    def bonus(self, t: int, stock: float) -> float:
        """Return the amount of stock that is worth buying in addition to the remaining stock."""
        if stock < self.group.floor:
            return 0.0
        worth = self.values[t] - self.prices[t] * self.nodes
        first = int(np.searchsorted(self.nodes, stock))
        now = float(np.interp(stock, self.nodes, worth))
        best = first + int(worth[first:].argmax()) if first < len(worth) else first
        if best == len(worth) or worth[best] <= now + 1e-12:
            return 0.0
        return float(self.nodes[best]) - stock

    def choice(self, t: int, stock: float) -> tuple[float, float]:
        """Return the best value that this stock can have, and the stock to leave before any
        bonus."""
        group, line, gain = self.group, self.later[t], float(self.gains[t])
        largest, full = min(group.limit, stock), float(group.grown(stock))
        stop = (gain * largest, full - largest)
        low, high = max(full - largest, group.floor), max(min(full, 1.0), full - largest)
        if high < low:
            return stop
        inside = self.nodes[(self.nodes > low) & (self.nodes < high)]
        left = np.concatenate([[low], inside, [high]])
        worth = gain * (full - left) + line.value_at(left)
        best = int(worth.argmax())
        return max(stop, (float(worth[best]), float(left[best])))

    def _before(self, t: int, line: _Line) -> Array:
        """Return the values at the nodes one period earlier; `line` values the remaining stock."""
        group, nodes, gain = self.group, self.nodes, float(self.gains[t])
        rate = 0.0 if group.linear else group.rate
        length = nodes[1] - nodes[0]
        curve = rate * length**2 / 4.0
        full = np.asarray(group.grown(nodes))
        largest = np.minimum(group.limit, nodes)
        low, high = np.maximum(full - largest, group.floor), np.maximum(full, group.floor)
        lows, highs = _spans(low, curve), _spans(high, curve)
        above_low, above_high = line.above(*lows), line.above(*highs)
        rough = (full[:-1] - largest[:-1] < group.floor) != (full[1:] - largest[1:] < group.floor)
        rough |= (nodes[:-1] < group.limit) & (nodes[1:] > group.limit)
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
        top = np.maximum(np.stack(tops).max(axis=0), gain * largest[cells])
        top += np.where(rough, gain * length, 0.0)
        price = self.prices[t]
        spare = max(gain - price, 0.0)
        cap = (price * full + spare * largest + self.bound.later[t] + price * curve)[cells]
        cap += np.where(rough, spare * length, 0.0)
        top = np.where(cap.sum(axis=0) < top.sum(axis=0), cap, top)
        values = np.full(len(nodes), -np.inf)
        values[:-1] = top[0]
        values[1:] = np.maximum(values[1:], top[1])
        return values

    def _largest(self, gain: float, line: _Line, low: Array, high: Array) -> Array:
        """Return, for every cell, the maximum of line(x) - gain x over x from low to high."""
        worth = line.values - gain * self.nodes
        table = [worth]
        while 2 ** len(table) <= len(worth):
            half = 2 ** (len(table) - 1)
            table.append(np.maximum(table[-1][:-half], table[-1][half:]))
        first = np.searchsorted(self.nodes, low, side="left")
        last = np.searchsorted(self.nodes, high, side="right")  # end, exclusive
        best = np.maximum(line.value_at(low) - gain * low, line.value_at(high) - gain * high)
        size = np.maximum(last - first, 1)
        level = np.log2(size).astype(int)
        for rank in np.unique(level):
            chosen = (level == rank) & (last > first)
            row = table[rank]
            both = np.maximum(row[first[chosen]], row[last[chosen] - 2**rank])
            best[chosen] = np.maximum(best[chosen], both)
        return best


def _spans(values: Array, more: float) -> tuple[Array, Array]:
    """Return the smallest value, lowered by `more`, and the largest value of every cell."""
    low = np.minimum(values[:-1], values[1:]) - more
    return low, np.maximum(values[:-1], values[1:]) + more

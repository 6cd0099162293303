"""The group's plan as a concave programme, solved by a primal-dual interior-point method.

Where that is not exact enough it is solved `closely`: if growth is linear, and so the programme, by
the simplex method, whose corner is exact to rounding; else each step is solved for once more.

The rules are kept as inequalities (stock may be wasted), which every play obeys. Per period there
are five unknowns: the harvest h, what is paid c, and stock R, wealth W and pool P afterwards.

    most of        sum_t d^t (h_t - c_t)
    subject to     R_t+1 <= f(R_t) - h_t + effect P_t+1        (growth is concave, so convex)
                   h_t <= R_t,  c_t <= W_t,  0 <= h_t <= most,  0 <= c_t,  floor <= R_t <= 1
                   W_t+1 = W_t + h_t - c_t,  P_t+1 = keep P_t + c_t

Source: Boyd and Vandenberghe (2004), Convex Optimization, section 11.7; the step to the centre is
Mehrotra's (1992), SIAM Journal on Optimization 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import bmat, csr_matrix, diags, eye, vstack
from scipy.sparse.linalg import splu

from mixed_company.engine.contract.space import Array
from mixed_company.engine.solutions.commons_game.group import Group

__all__ = ["Programme", "solved"]

_STEPS = 80
_CLOSE = 1e-11
_PATIENCE = 20
_SMALL = 1e-14


@dataclass(frozen=True)
class Programme:
    """A solution, (T,) each, in capacities.

    stocks, gifts    the stock after each period, what is paid in it
    prices           what a unit of stock after each period is worth, in points of period 0
    thrift           what it is worth to hold a point more before each period, besides having it
    """

    stocks: Array
    gifts: Array
    prices: Array
    thrift: Array


class _Rules:
    """`lines` x <= `most`, with -f(R_t) beside the first T lines; `equal` x = `amounts`."""

    def __init__(self, group: Group, horizon: int, closely: bool) -> None:
        self.group, self.horizon, self.closely = group, horizon, closely
        now, last = eye(horizon, format="csr"), eye(horizon, k=-1, format="csr")
        none = csr_matrix((horizon, horizon))
        first = np.eye(1, horizon)[0]
        zero, one = np.zeros(horizon), np.ones(horizon)
        self.last = last
        effect = -group.effect * now
        floor = np.append(group.floor * one[1:], 0.0)
        rows: list[tuple[list[Any], Array]] = [
            ([now, now, none, none, effect], zero),
            ([now, -last, none, none, none], group.stock * first),
            ([-now, none, none, none, none], zero),
            ([now, none, none, none, none], group.most * one),
            ([none, -now, none, none, none], -floor),
            ([none, now, none, none, none], one),
        ]
        same: list[tuple[list[Any], Array]] = []
        if group.pays:
            rows.append(([none, none, now, -last, none], group.wealth * first))
            rows.append(([none, none, -now, none, none], zero))
            same.append(([-now, none, now, now - last, none], group.wealth * first))
            same.append(([none, none, -now, none, now - group.keep * last], zero))
        kinds = 5 if group.pays else 2
        self.lines = bmat([row[:kinds] for row, _ in rows], format="csr")
        self.most = np.concatenate([most for _, most in rows])
        self.size = kinds * horizon
        self.equal: Any = csr_matrix((0, self.size))
        if same:
            self.equal = bmat([row for row, _ in same], format="csr")
        self.amounts = np.concatenate([amount for _, amount in same] or [zero[:0]])
        weights = group.discount ** np.arange(horizon)
        self.cost = np.concatenate([-weights, zero, weights, zero, zero][:kinds])
        self._rest = csr_matrix((len(self.most) - horizon, self.size))

    def before(self, x: Array) -> Array:
        """The stock before each period."""
        return np.append(self.group.stock, x[self.horizon : 2 * self.horizon - 1])

    def excess(self, x: Array) -> Array:
        """By how much each inequality is broken."""
        over: Array = self.lines @ x - self.most
        over[: self.horizon] -= self.group.grown(self.before(x))
        return over

    def slopes(self, x: Array) -> Any:
        """The derivative of the excess."""
        slope: Any = diags(self.group.slope(self.before(x))) @ self.last
        none = csr_matrix((self.horizon, self.size - 2 * self.horizon))
        grown = bmat([[csr_matrix(slope.shape), slope, none]])
        every: Any = vstack([grown, self._rest])
        return (self.lines - every).tocsr()

    def bend(self, prices: Array) -> Any:
        """The second derivative of the Lagrangian."""
        rate = 0.0 if self.group.linear else 2.0 * self.group.rate
        diagonal = np.zeros(self.size)
        diagonal[self.horizon : 2 * self.horizon - 1] = rate * prices[1:]
        return diags(diagonal)


class _Equations:
    """Linear equations. `closely`: what rounding leaves of them is solved for once more, since near
    a solution the slacks are so small that the factors alone are not exact enough."""

    def __init__(self, matrix: Any, closely: bool) -> None:
        """Raises RuntimeError where the matrix is singular."""
        self.matrix, self.factors, self.closely = matrix, splu(matrix), closely

    def solve(self, right: Array) -> Array:
        first: Array = self.factors.solve(right)
        if not self.closely:
            return first
        return np.asarray(first + self.factors.solve(right - self.matrix @ first))


class _Point:
    """Unknowns, levels (of the equal lines), slack and prices (of the others), and what is off."""

    def __init__(self, rules: _Rules, x: Array, levels: Array, slack: Array, prices: Array) -> None:
        self.rules, self.x, self.levels, self.slack, self.prices = rules, x, levels, slack, prices
        self.slopes = rules.slopes(x)
        self.steep = rules.cost + self.slopes.T @ prices + rules.equal.T @ levels
        self.short, self.uneven = rules.excess(x) + slack, rules.equal @ x - rules.amounts
        self.gap = float(slack @ prices) / len(slack)
        rest = (self.steep, self.short, self.uneven)
        self.apart = max(self.gap, *(float(np.abs(part).max(initial=0.0)) for part in rest))

    def equations(self) -> _Equations:
        """Those of a step. Raises RuntimeError where rounding makes them singular."""
        rules, slopes = self.rules, self.slopes
        matrix = rules.bend(self.prices[: rules.horizon])
        matrix = matrix + slopes.T @ diags(self.prices / self.slack) @ slopes
        matrix = matrix + _SMALL * eye(rules.size)
        small = -_SMALL * eye(len(self.levels))
        whole = bmat([[matrix, rules.equal.T], [rules.equal, small]], format="csc")
        return _Equations(whole, rules.closely)

    def step(self, equations: _Equations, centre: Array) -> tuple[Array, Array, Array, Array]:
        """The way to where slack times prices has changed by `centre` and nothing is off."""
        pull = (centre + self.prices * self.short) / self.slack
        moved = equations.solve(np.concatenate([-self.steep - self.slopes.T @ pull, -self.uneven]))
        dx, dlevels = moved[: self.rules.size], moved[self.rules.size :]
        dslack = -self.short - self.slopes @ dx
        return dx, dlevels, dslack, (centre - self.prices * dslack) / self.slack

    def next(self) -> _Point:
        """Straight ahead as a trial, then towards the centre as far as the trial asks for it."""
        slack, prices, equations = self.slack, self.prices, self.equations()
        _, _, dslack, dprices = self.step(equations, -slack * prices)
        far = min(_room(slack, dslack), _room(prices, dprices))
        ahead = float((slack + far * dslack) @ (prices + far * dprices)) / len(slack)
        centre = max(self.gap * (ahead / self.gap) ** 3, _SMALL)
        towards = centre - slack * prices - dslack * dprices
        dx, dlevels, dslack, dprices = self.step(equations, towards)
        far = 0.995 * min(_room(slack, dslack), _room(prices, dprices))
        x, levels = self.x + far * dx, self.levels + far * dlevels
        return _Point(self.rules, x, levels, slack + far * dslack, prices + far * dprices)


def solved(group: Group, horizon: int, *, closely: bool = False) -> Programme:
    """The programme of a play that ends after `horizon` periods, with whatever stock.

    closely   take more time to come closer to the solution
    Where there is no play that does, or rounding is in the way, what is nearest to a solution:
    any prices make a bound.
    """
    rules = _Rules(group, horizon, closely)
    corner = _corner(rules) if closely and group.linear else None
    x, prices = _inside(rules) if corner is None else corner
    stocks, gifts = x[horizon : 2 * horizon], x[2 * horizon : 3 * horizon]
    nothing = np.zeros(horizon)
    if not group.pays:
        return Programme(stocks, nothing, prices[:horizon], nothing)
    return Programme(stocks, gifts, prices[:horizon], prices[6 * horizon : 7 * horizon])


def _corner(rules: _Rules) -> tuple[Array, Array] | None:
    """Unknowns and prices where growth is linear, by the simplex method; None: no solution."""
    nothing = np.zeros(rules.size)
    least = linprog(
        rules.cost,
        A_ub=rules.slopes(nothing),
        b_ub=-rules.excess(nothing),
        A_eq=rules.equal,
        b_eq=rules.amounts,
        bounds=(None, None),
        method="highs-ds",
    )
    if least.x is None or not least.success:
        return None
    return least.x, -least.ineqlin.marginals


def _inside(rules: _Rules) -> tuple[Array, Array]:
    """Unknowns and prices by the interior-point method."""
    best = point = _start(rules)
    waited = 0
    for _ in range(_STEPS):
        if best.apart < _CLOSE or waited == _PATIENCE:
            break
        try:
            point = point.next()
        except RuntimeError:
            break
        waited = waited + 1 if point.gap < _CLOSE and point.apart >= best.apart else 0
        best = min(best, point, key=lambda nearest: nearest.apart)
    return best.x, best.prices


def _start(rules: _Rules) -> _Point:
    """Half of what may be harvested, nothing paid, and a stock in the middle."""
    group, horizon = rules.group, rules.horizon
    x = np.zeros(rules.size)
    x[:horizon] = 0.5 * group.most
    x[horizon : 2 * horizon] = 0.5 * (group.floor + 1.0)
    if group.pays:
        x[3 * horizon : 4 * horizon] = group.wealth + np.cumsum(x[:horizon])
    slack = np.maximum(-rules.excess(x), 0.1)
    return _Point(rules, x, np.zeros(len(rules.amounts)), slack, np.ones(len(slack)))


def _room(values: Array, change: Array) -> float:
    """The largest step up to 1 that leaves the values positive."""
    falling = change < 0
    return float(min(1.0, (-values[falling] / change[falling]).min(initial=np.inf)))

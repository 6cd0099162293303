"""The group in the commons game as a single decision maker, and its optimum as a concave programme.

Only three numbers matter to the group in a period: the stock R, the total wealth W of all seats,
and the pool P. The group takes h and pays c. With f(R) = R + growth(R),

    P' = keep P + c,   R' = min(1, f(R) - h + effect P'),   W' = W + h - c
    0 <= h <= min(limit, R),   0 <= c <= W,   earned: h - c

where stock and points are measured in capacities. Seats can do anything that the group can do: each
takes a share of h in proportion to its largest possible request, and pays a share of c in
proportion to its wealth.

In the programme, the rules are inequalities (stock may be wasted), which hold in every play:

    maximise       sum_t d^t (h_t - c_t)
    subject to     R_t+1 <= f(R_t) - h_t + effect P_t+1        (growth is concave, so convex)
                   h_t <= R_t,  c_t <= W_t,  0 <= h_t <= limit,  0 <= c_t,  floor <= R_t <= 1
                   W_t+1 = W_t + h_t - c_t,  P_t+1 = keep P_t + c_t

With logistic growth, f(R) = (1 + rate) R - rate q with one more unknown q >= R^2, which is the
second-order cone |(2 R, q - 1)| <= q + 1. Clarabel solves it: Goulart and Chen (2024), Clarabel: An
interior-point solver for conic programs with quadratic objectives, arXiv:2405.12762.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import clarabel
import numpy as np
from scipy.sparse import csc_array, csr_array, eye_array, hstack, kron, vstack

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import CommonsCore

_CLOSE = 1e-13
"""Tolerance for a solution, in capacities."""
_UNKNOWNS = ("harvest", "stock", "square", "paid", "wealth", "pool")

Row = tuple[dict[str, Any], Array]
"""Lines of the programme: the factor of each unknown, and the amounts."""


@dataclass(frozen=True)
class Group:
    """Parameters of the group's equations (see the module's docstring).

    floor   the smallest stock that lets a play continue
    pays    whether paying into the pool can be worthwhile
    """

    periods: int
    stock: float
    wealth: float
    limit: float
    rate: float
    linear: bool
    pays: bool
    keep: float
    effect: float
    floor: float
    discount: float

    @classmethod
    def of(cls, core: CommonsCore, group_limit: float) -> Group:
        """Return the group in which all seats together may request `group_limit` fish."""
        unit = core.capacity
        pays = core.governance != "none" and core.pool_effect > 0
        linear = core.growth == "linear"
        return cls(
            periods=core.periods,
            stock=float(core.initial_stock or 0.0) / unit,
            wealth=core.seats * core.initial_wealth / unit if pays else 0.0,
            limit=min(group_limit / unit, 1.0),
            rate=core.growth_rate / unit if linear else core.growth_rate,
            linear=linear,
            pays=pays,
            keep=core.pool_decay if core.governance == "accumulating" else 0.0,
            effect=core.pool_effect if pays else 0.0,
            floor=core.collapse_stock / unit if core.terminate_on_collapse else 0.0,
            discount=core.discount,
        )

    def grown(self, stock: Any) -> Any:
        """Return f(R), the stock after growth."""
        return stock + (self.rate if self.linear else self.rate * stock * (1.0 - stock))

    def reach(self) -> Array:
        """Return upper bounds on the stock before each period, (T,); fewer if every play
        collapses."""
        stocks, held, pool = [self.stock], self.wealth, 0.0
        for _ in range(1, self.periods):
            stock = stocks[-1]
            pool = self.keep * pool + held
            peak = stock
            if not self.linear and self.rate > 1.0:
                peak = min(stock, (1.0 + self.rate) / (2.0 * self.rate))
            after = min(1.0, self.grown(peak) + self.effect * pool)
            if after < self.floor:
                break
            held += min(self.limit, stock) if self.pays else 0.0
            stocks.append(after)
        return np.array(stocks)


@dataclass(frozen=True)
class Programme:
    """Solution of the programme. All arrays have shape (T,); amounts are in units of the capacity.

    stocks           stock after each period
    gifts            payment into the pool in each period
    prices           value of a unit of stock after each period, in points of period 0
    thrift           additional value of a point held before each period
    """

    stocks: Array
    gifts: Array
    prices: Array
    thrift: Array


def solved(group: Group, horizon: int) -> Programme:
    """Solve the programme for a play that ends after `horizon` periods, with any final stock.

    If there is no such play, or rounding interferes, return the point at which Clarabel stopped,
    because any prices give a bound.
    """
    equal, limits, cones = _sums(group, horizon), _limits(group, horizon), _squares(group, horizon)
    rows = [*equal, *limits, *cones]
    names = [name for name in _UNKNOWNS if any(name in terms for terms, _ in rows)]
    lines = [
        hstack([terms.get(name, csr_array((len(amounts), horizon))) for name in names])
        for terms, amounts in rows
    ]
    weights = group.discount ** np.arange(horizon)
    costs = {"harvest": -weights, "paid": weights}
    solution = clarabel.DefaultSolver(
        csc_array((len(names) * horizon, len(names) * horizon)),
        np.concatenate([costs.get(name, np.zeros(horizon)) for name in names]),
        vstack(lines, format="csc"),
        np.concatenate([amounts for _, amounts in rows]),
        [
            *(clarabel.ZeroConeT(horizon) for _ in equal),
            *(clarabel.NonnegativeConeT(horizon) for _ in limits),
            *(clarabel.SecondOrderConeT(3) for _ in range(horizon * len(cones))),
        ],
        _settings(),
    ).solve()
    values = dict(zip(names, np.nan_to_num(solution.x).reshape(-1, horizon), strict=True))
    # The prices are the duals of the first two limits: growth of the stock, and payments.
    bounded = np.maximum(np.nan_to_num(solution.z)[len(equal) * horizon :], 0.0)
    prices, thrift = bounded[:horizon], bounded[horizon : 2 * horizon]
    nothing = np.zeros(horizon)
    if not group.pays:
        return Programme(values["stock"], nothing, prices, nothing)
    return Programme(values["stock"], values["paid"], prices, thrift)


def _settings() -> Any:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = _CLOSE
    return settings


def _sums(group: Group, horizon: int) -> list[Row]:
    """Return the equations for wealth and pool."""
    if not group.pays:
        return []
    now, last, first = _shifts(horizon)
    return [
        ({"wealth": now - last, "harvest": -now, "paid": now}, group.wealth * first),
        ({"pool": now - group.keep * last, "paid": -now}, np.zeros(horizon)),
    ]


def _limits(group: Group, horizon: int) -> list[Row]:
    """Return the inequalities; growth comes first, thrift second."""
    now, last, first = _shifts(horizon)
    nothing, everything = np.zeros(horizon), np.ones(horizon)
    steep = 1.0 if group.linear else 1.0 + group.rate
    added = group.rate * everything if group.linear else nothing
    growth = {"harvest": now, "stock": now - steep * last}
    growth |= {} if group.linear else {"square": group.rate * now}
    growth |= {"pool": -group.effect * now} if group.pays else {}
    paying: list[Row] = [
        ({"paid": now, "wealth": -last}, group.wealth * first),
        ({"paid": -now}, nothing),
    ]
    floor = np.append(np.full(horizon - 1, group.floor), 0.0)
    return [
        (growth, added + steep * group.stock * first),
        *(paying if group.pays else []),
        ({"harvest": now, "stock": -last}, group.stock * first),
        ({"harvest": -now}, nothing),
        ({"harvest": now}, group.limit * everything),
        ({"stock": -now}, -floor),
        ({"stock": now}, everything),
    ]


def _squares(group: Group, horizon: int) -> list[Row]:
    """Return the cones for the squares of the stocks before each period."""
    if group.linear:
        return []
    now, last, first = _shifts(horizon)
    terms = {
        "square": kron(now, [[-1.0], [0.0], [-1.0]]),
        "stock": kron(last, [[0.0], [-2.0], [0.0]]),
    }
    return [
        (terms, np.kron(first, [0.0, 2.0 * group.stock, 0.0]) + np.tile([1.0, 0.0, -1.0], horizon))
    ]


def _shifts(horizon: int) -> tuple[Any, Any, Array]:
    """Return matrices that select a period's value and the one before it, and the vector (1, 0,
    ...)."""
    return eye_array(horizon), eye_array(horizon, k=-1), np.eye(1, horizon)[0]

"""A seat's best reply in the repeated game, and paths that are best replies to themselves.

The search varies the contributions of all periods, and the engine replays each reply, so its value
can actually be earned and is a lower bound on the best. `reply_bound` computes the upper bound.

**The bound** on one seat's earnings, whatever it gives.

The others follow a fixed path, so trust in them is fixed too. Without reciprocity towards it, the
seat earns f_t(a) in period t, which is a concave function of its current contribution only. There
are three cases:

Sanctions fall on the observer (`tr4`). They follow from the others' contributions and are part of
f_t, and the sum of the peaks of f_t is the value of the best reply.

Credit never pays (`source`). While the remembered average is below the baseline b, reciprocity only
takes. Take the last period whose average m is above b, then the last such period before its window,
and so on. The windows are disjoint and contain every period with m > b, and the contributions in
each average b or more. Suppose that for some price p >= 0 in every period
    max_a (f_t(a) + p (a - b)) + G_t <= max_a f_t(a),
where G_t is the most that reciprocity can bring. Then each window earns less than without it, and
the sum of the peaks of f_t is a bound.

Credit has a price (`lab`). max(0, tanh(kappa (m - b))) is below any tangent alpha + sigma (m - b)
of its concave hull. With G_t for the fastest possible growth of trust, the sum over periods
separates into one problem for each contribution, which has a price. Any tangents lead to a bound;
those at the best path under the hull (a concave problem) lead to the lowest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.core import SanctionsCore, per_seat
from mixed_company.engine.games.sanctions.equations import Reciprocity
from mixed_company.engine.games.sanctions.rules import SanctionsGame
from mixed_company.engine.solutions.sanctions.replay import Replayed, constant, replayed, returns

_LEVELS = 201  # number of constant paths from which a search starts
_STEPS = (0.1, 0.02, 0.004, 0.001)  # share of the endowment
_MOVES = np.array([-3, -2, -1, 1, 2, 3])
_ROUNDS = 300
_ROUNDS_OF_REPLIES = 50


@dataclass(frozen=True)
class Reply:
    """Best known contributions for seat 0.

    contributions  (T,) the best path found, points
    value          its points over the play
    bound          upper bound on any path, points; math.inf if unknown
    """

    contributions: Array
    value: float
    bound: float


def best_reply(game: SanctionsGame, others: Array | float, climb: bool = True) -> Reply:
    """Return the best known path if every other seat gives `others`, a number or (T,).

    The search starts from the best constant path, or from the best contribution in each period
    separately. With `climb`, it then moves individual contributions up and down, in smaller and
    smaller steps, as long as that pays.
    """
    path, value = _searched(game, others, climb)
    return Reply(path, value, reply_bound(game, others))


def _searched(game: SanctionsGame, others: Array | float, climb: bool) -> tuple[Array, float]:
    levels, plays = constant(game, _LEVELS)
    table = replayed(game, plays, others)
    starts = np.stack(
        [plays[table.rewards.sum(axis=1).argmax()], _period_by_period(game, levels, table)]
    )
    values = returns(game, starts, others)
    path, value = starts[values.argmax()], float(values.max())
    if climb:
        for step in _STEPS:
            path, value = _climbed(game, path, value, others, step * levels[-1])
    return path, value


def symmetric_path(game: SanctionsGame, climb: bool = True) -> Reply:
    """Return a path on which no seat can gain more than `bound` - `value` by deviating alone.

    All seats follow the path, and its value is the points of one seat. The path is the limit of
    repeated best replies, starting from the baseline. Raises ValueError if they do not converge.
    """
    others: Array = np.full(game.horizon, float(per_seat(game.core.baseline, game.seats)[0]))
    close = 1e-6 * float(per_seat(game.core.endowment, game.seats)[0])
    for _ in range(_ROUNDS_OF_REPLIES):
        path, value = _searched(game, others, climb)
        if np.abs(path - others).max() <= close:
            return Reply(path, value, reply_bound(game, others))
        others = path
    raise ValueError(f"best replies still differ after {_ROUNDS_OF_REPLIES} rounds")


def _period_by_period(game: SanctionsGame, levels: Array, table: Replayed) -> Array:
    """Return each period's best contribution without sanctions, (T,), by fitting parabolas."""
    removed = table.sanctions if game.core.falls_on == "deviator" else 0.0
    alone = (table.rewards - removed).T
    periods, top = np.arange(len(alone)), np.clip(alone.argmax(axis=1), 1, len(levels) - 2)
    left, middle, right = (alone[periods, top + move] for move in (-1, 0, 1))
    bend = 2.0 * middle - left - right
    shift = np.where(bend > 1e-12, (right - left) / np.where(bend > 1e-12, 2.0 * bend, 1.0), 0.0)
    inner = levels[top] + np.clip(shift, -1.0, 1.0) * (levels[1] - levels[0])
    ends = alone.argmax(axis=1)
    path: Array = np.where((ends == 0) | (ends == len(levels) - 1), levels[ends], inner)
    return path


def _climbed(
    game: SanctionsGame, path: Array, value: float, others: Array | float, step: float
) -> tuple[Array, float]:
    """Return the path and its value after moving contributions one to three steps as long as that
    pays."""
    endowment, periods = float(per_seat(game.core.endowment, game.seats)[0]), len(path)
    places = np.arange(periods)
    for _ in range(_ROUNDS):
        moved = np.clip(path[:, None] + step * _MOVES, 0.0, endowment)  # (T, moves)
        plays = np.repeat(path[None], periods * len(_MOVES), axis=0)
        plays[np.arange(len(plays)), np.repeat(places, len(_MOVES))] = moved.ravel()
        values = returns(game, plays, others).reshape(periods, -1)
        best = values.argmax(axis=1)
        pays = values.max(axis=1) > value + 1e-9
        if not pays.any():
            break
        every = np.where(pays, moved[places, best], path)
        single = plays[values.argmax()]
        both = np.stack([every, single])
        earned = returns(game, both, others)
        path, value = both[earned.argmax()], float(earned.max())
    return path, value


_NODES = 1001  # number of contributions at which f is computed; a bound covers peaks in between
_PRICES = np.linspace(0.0, 2.0, 81)


def reply_bound(game: SanctionsGame, others: Array | float) -> float:
    """Return a bound on the points of seat 0 if the others give `others`, which is a number or
    (T,).

    Return math.inf if no bound is known: if earnings are shared, if a factor sanctions the
    deviator, or if the signal does not compare the average with the baseline.
    """
    core = game.core
    levels, plays = constant(game, _NODES)
    table = replayed(game, plays, others)
    if core.reward == "cooperative":
        return math.inf
    if core.falls_on == "observer":
        return float(_peaks(table.rewards.T).sum())
    averaged = core.signal == "baseline" and core.window in ("inclusive", "full")
    if core.form == "multiplier" or not averaged:
        return math.inf
    alone = (table.rewards - table.sanctions).T
    baseline = float(per_seat(core.baseline, core.seats)[0])
    credit = levels - baseline
    stake = table.stake[-1]  # for a seat that gives everything
    if credit[-1] <= 0.0:
        return float(_peaks(alone).sum())
    bound = _if_no_credit_pays(alone, credit, stake)
    return bound if math.isfinite(bound) else _at_its_price(core, alone, credit, stake)


def _if_no_credit_pays(alone: Array, credit: Array, stake: Array) -> float:
    lowest_peaks = alone.max(axis=1)
    for price in _PRICES:
        if np.all(_peaks(alone + price * credit) + stake <= lowest_peaks):
            return float(_peaks(alone).sum())
    return math.inf


def _at_its_price(core: SanctionsCore, alone: Array, credit: Array, stake: Array) -> float:
    """Return the bound that uses tangents at the best path's remembered averages."""
    periods = len(alone)
    counted = Reciprocity(core).counted(np.arange(periods))
    age = np.arange(periods)[:, None] - np.arange(periods)
    averaging = ((age >= 0) & (age < core.memory)) / counted[:, None]  # (T, T)
    hull = _Hull(core.kappa, float(-credit[0]), float(credit[-1]))
    slopes = np.gradient(alone, credit, axis=1)

    def loss(path: Array) -> tuple[float, Array]:
        heights, rises = hull.tangent(averaging @ path)
        earned = [np.interp(a, credit, row) for a, row in zip(path, alone, strict=True)]
        rise = [np.interp(a, credit, row) for a, row in zip(path, slopes, strict=True)]
        gradient = np.array(rise) + (stake * rises) @ averaging
        return -float(sum(earned) + stake @ heights), -gradient

    ends = [(credit[0], credit[-1])] * periods
    best = minimize(loss, np.zeros(periods), jac=True, bounds=ends, method="L-BFGS-B").x
    remembered = averaging @ best
    heights, rises = hull.tangent(remembered)
    peaks = _peaks(alone + ((stake * rises) @ averaging)[:, None] * credit)
    return float(stake @ (heights - rises * remembered) + peaks.sum())


class _Hull:
    """Concave hull of max(0, tanh(kappa x)) on [-low, high]: a straight line, then tanh."""

    def __init__(self, kappa: float, low: float, high: float) -> None:
        def below(x: float) -> float:
            return math.tanh(kappa * x) - kappa * (x + low) / math.cosh(kappa * x) ** 2

        self.kappa, self.low = kappa, low
        self.bend = float(brentq(below, 0.0, high)) if below(high) > 0.0 else high
        self.slope = math.tanh(kappa * self.bend) / (self.bend + low) if low else kappa

    def tangent(self, x: Array) -> tuple[Array, Array]:
        """Return the hull's heights and slopes at x."""
        curved = x > self.bend
        heights = np.where(curved, np.tanh(self.kappa * x), self.slope * (x + self.low))
        slopes = np.where(curved, self.kappa / np.cosh(self.kappa * x) ** 2, self.slope)
        return heights, slopes


def _peaks(values: Array) -> Array:
    """Return bounds (T,) on the maxima of concave functions known at equally spaced points, (T, L).

    Between two points, a concave function is below the line through the two points before and the
    line through the two points after.
    """
    missing = np.full((len(values), 1), math.inf)
    left, right = values[:, :-1], values[:, 1:]
    rising = np.maximum(left[:, 1:], 2.0 * left[:, 1:] - left[:, :-1])
    falling = np.maximum(right[:, :-1], 2.0 * right[:, :-1] - right[:, 1:])
    between = np.minimum(np.hstack([missing, rising]), np.hstack([falling, missing]))
    peaks: Array = between.max(axis=1)
    return peaks

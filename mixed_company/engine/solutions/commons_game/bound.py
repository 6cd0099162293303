"""A bound on all group plans, computed from prices by weak duality; any prices give a bound.

Let lambda_t >= 0 be a price of the stock after period t, and omega_t >= 0 a price of the wealth
before it. No play is worse off if its unused resources are paid for at these prices,

    lambda_t (f(R_t) - h_t + effect P_t+1 - R_t+1) + omega_t (W_t - c_t) >= 0,

and then every stock, harvest and payment can be chosen separately. With Omega_t = omega_t +
omega_t+1 + ..., the maximum is Omega_0 W_0 plus

    from the stock before t   max over R of lambda_t f(R) - lambda_t-1 R + (d^t + Omega_t+1 -
                            lambda_t)^+ min(limit, R)
    from the payment in t     (effect sum_s>=t keep^(s-t) lambda_s - d^t - Omega_t)^+ times the most
                            that can be held

For a play that collapses after period t, the sums stop at t, and the bound is the largest of these
values. Source: Boyd and Vandenberghe (2004), Convex Optimization, section 5.1.3 (any prices give a
bound).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.solutions.commons_game.programme import Group


@dataclass(frozen=True)
class Bound:
    """Upper bounds on the value of plays, in capacities; T periods.

    totals   (T,) bound for a play that ends after 1, 2, ... periods
    stocks   (T,) most valuable stock after each period at these prices
    later    (T,) value of everything after each period, except the stock
    rest     the part of the totals that does not depend on the stock
    gains    (T,) value of a harvested unit
    """

    totals: Array
    stocks: Array
    later: Array
    rest: float
    gains: Array


def bound(group: Group, prices: Array, thrift: Array) -> Bound:
    """Return the bound, given the prices of stock after each period and of wealth before it, (T,)
    each.
    """
    periods = np.arange(len(prices))
    held = np.cumsum(np.append(thrift, 0.0)[::-1])[::-1]  # Omega
    weights = group.discount**periods
    gain = np.maximum(weights + held[1:] - prices, 0.0)
    reach = group.reach()[: len(prices)]
    reach = np.pad(reach, (0, len(prices) - len(reach)), "edge")  # if the play ends early
    worths, stocks = _best(group, reach, prices, np.append(0.0, prices[:-1]), gain)
    worths[0] = prices[0] * group.grown(group.stock) + gain[0] * min(group.limit, group.stock)
    worth = np.zeros(len(prices) + 1)
    for t in reversed(periods.tolist()):
        worth[t] = group.effect * prices[t] + group.keep * worth[t + 1]
    paid = np.maximum(worth[:-1] - weights - held[:-1], 0.0)
    paid *= group.wealth + group.limit * periods if group.pays else 0.0
    rest = float(paid.sum() + held[0] * group.wealth)
    later = np.zeros(len(prices))
    for t in reversed(periods[1:].tolist()):
        later[t - 1] = max(0.0, worths[t] + later[t])
    totals = np.cumsum(worths) + rest
    return Bound(totals, np.append(stocks[1:], 0.0), later, rest, weights + held[1:])


def _best(
    group: Group, reach: Array, price: Array, before: Array, gain: Array
) -> tuple[Array, Array]:
    """Return the maximum of price f(R) - before R + gain min(limit, R) over R in reach, and R,
    (T,).
    """
    floor = np.minimum(group.floor, reach)
    corner = np.clip(group.limit, floor, reach)
    tried = [floor, corner, reach]
    if not group.linear and group.rate > 0:
        for low, high, bend in ((floor, corner, 1.0), (corner, reach, 0.0)):
            with np.errstate(divide="ignore", invalid="ignore"):
                top = (1.0 + group.rate - (before - bend * gain) / price) / (2.0 * group.rate)
            tried.append(np.clip(np.nan_to_num(top), low, high))
    stocks = np.array(tried)
    worths = price * group.grown(stocks) - before * stocks
    worths += gain * np.minimum(group.limit, stocks)
    best = worths.argmax(axis=0)
    every = np.arange(len(price))
    return worths[best, every], stocks[best, every]

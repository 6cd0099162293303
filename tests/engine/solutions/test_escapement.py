"""The best plan under exponential growth is exact: it earns as much as a linear programme
allows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import diags_array, eye_array, hstack, vstack

from mixed_company.engine.solutions.commons_game import best_group_plan
from tests.engine.plays import commons


def drawn(number):
    """Draw the rules of a small game with exponential growth."""
    rng = np.random.default_rng([37, number])
    return {
        "growth": "exponential",
        "seats": int(rng.integers(1, 6)),
        "periods": int(rng.integers(2, 13)),
        "initial_stock": float(rng.choice([12.0, 30.0, 50.0, 80.0, 100.0])),
        "max_harvest": float(rng.choice([2.0, 5.0, 10.0, 20.0, 100.0])),
        "growth_rate": float(rng.choice([0.0, 0.1, 0.3, 0.5, 1.0, 2.0])),
        "collapse_stock": float(rng.choice([0.0, 5.0, 10.0, 30.0])),
        "terminate_on_collapse": bool(rng.integers(0, 2)),
        "discount": float(rng.choice([1.0, 0.95, 0.8, 0.5])),
    }


def most_in(core, periods):
    """Return the most that a play of this many periods can earn, by a linear programme.

    Its unknowns are the harvests and the stocks after them. Stock may be wasted, but that never
    pays.
    """
    floor = core.collapse_stock if core.terminate_on_collapse else 0.0
    steep, unit = 1.0 + core.growth_rate, eye_array(periods)
    earlier = diags_array([1.0], offsets=[-1], shape=(periods, periods))
    first = core.initial_stock * np.eye(1, periods)[0]
    before = hstack([unit * 0.0, earlier])  # stock before each harvest, apart from the first
    grown = hstack([steep * unit, unit]) - steep * before
    taken = hstack([unit, unit * 0.0]) - before
    lows = np.append(np.full(periods - 1, floor), 0.0)
    solved = linprog(
        np.append(-(core.discount ** np.arange(periods)), np.zeros(periods)),
        vstack([grown, taken]),
        np.append(steep * first, first),
        bounds=[
            *[(0.0, core.seats * core.max_harvest)] * periods,
            *((low, core.capacity) for low in lows),
        ],
    )
    return -solved.fun if solved.status == 0 else 0.0


@pytest.mark.parametrize("number", range(31))
def test_the_plan_earns_as_much_as_a_linear_programme(number):
    core = commons(**drawn(number)).core
    ends = range(1, core.periods + 1) if core.terminate_on_collapse else [core.periods]
    largest = max(most_in(core, periods) for periods in ends)
    plan = best_group_plan(core)
    assert plan.value == pytest.approx(largest, abs=1e-6)
    assert plan.error == pytest.approx(0, abs=1e-8)


def test_a_play_of_a_thousand_periods_is_solved_exactly():
    # 100 / 1.5 are left to grow to 100, so 33.33 are taken. At the end 40 can be taken at a time:
    # the last harvests begin with 40, 66.67, 84.44 and 96.30 fish, 40 and what the next needs.
    core = commons(growth="exponential", growth_rate=0.5, periods=1000).core
    plan = best_group_plan(core)
    fish = 40 * (1 + 1 / 1.5 + 1 / 1.5**2 + 1 / 1.5**3)
    assert plan.value == pytest.approx(995 * 100 / 3 + (100 - fish / 1.5) + 4 * 40, abs=1e-6)
    assert plan.error < 1e-6

"""Best group plans are accurate to within their stated error, for long plays, early endings,
chaotic growth and roles."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_company import engine
from mixed_company.engine import solutions
from mixed_company.engine.solutions.commons_game import best_group_plan, plan
from tests.engine.plays import commons

ARCHETYPES = [
    archetype
    for archetype in sorted(engine.find("commons_game").archetypes)
    if solutions.has_best(engine.make("commons_game", archetype=archetype))
]


def best(**parameters):
    return best_group_plan(commons(**parameters).core)


def returns(game, harvests, gifts):
    """Return the discounted group returns, shape (B,), of plays with these total requests and
    payments, shape (B, T).
    """
    n = game.seats
    state, _ = game.reset(np.zeros(len(harvests), dtype=int))
    total = np.zeros(len(harvests))
    for t in range(game.horizon):
        sent = {"harvest": harvests[:, t, None] / n, "contribution": gifts[:, t, None] / n}
        actions = {name: np.repeat(value, n, axis=1) for name, value in sent.items()}
        state, outcome = game.step(state, actions, game.draw_chance(np.zeros(len(total), int), t))
        total += game.core.discount**t * outcome.rewards.sum(axis=1)
    return total


# -- long plays ---------------------------------------------------------------------------


@pytest.mark.parametrize(("periods", "value"), [(60, 1467.35), (61, 1491.1), (1000, 23792.35)])
def test_an_extra_period_adds_a_steady_period_if_the_pool_doubles(periods, value):
    # Each point paid gives two fish. At a stock of 50 growth is 7.5. Paying 16.25 gives 32.5, so
    # 40, the maximum, can be taken and 40 - 16.25 = 23.75 are kept.
    plan = best(archetype="governed", periods=periods)
    assert plan.value == pytest.approx(value, abs=1e-5)
    assert plan.error < 1e-5


@pytest.mark.parametrize("periods", [60, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize("archetype", ARCHETYPES)
def test_the_best_plan_of_every_archetype_is_known_to_a_billionth(archetype, periods):
    best_plan = solutions.best(engine.make("commons_game", archetype=archetype, periods=periods))
    assert best_plan is not None
    assert 0 <= best_plan.error < 1e-9 * best_plan.value


@pytest.mark.parametrize(
    "periods", [999, *(pytest.param(periods, marks=pytest.mark.long) for periods in (1000, 1001))]
)
def test_long_plays_with_an_accumulating_pool_are_planned_without_a_grid(periods, monkeypatch):
    monkeypatch.setattr(plan, "Grid", None)
    best_plan = best(archetype="governed_savings", periods=periods)
    assert 0 <= best_plan.error <= 1e-9 * best_plan.value


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("parameters", "value"),
    [
        # The stock and all growth before the last harvest: 100 + 999 * 0.3, or 999 * 20.
        ({"growth_rate": 0.3}, 399.7),
        ({"growth_rate": 20.0}, 20080.0),
        pytest.param({"growth_rate": 5.0, "initial_stock": 20.0}, 5015.0, marks=pytest.mark.long),
        # More grows back than can be taken: 1,000 * 40.
        ({"growth_rate": 45.0}, 40000.0),
        # A point in the pool yields half a fish, so nothing is paid.
        ({"growth_rate": 0.3, "governance": "per_step"}, 399.7),
        pytest.param(
            {"growth_rate": 20.0, "governance": "per_step"}, 20080.0, marks=pytest.mark.long
        ),
    ],
)
def test_linear_growth_over_a_thousand_periods_is_solved_without_a_grid(
    parameters, value, monkeypatch
):
    monkeypatch.setattr(plan, "Grid", None)
    best_plan = best(growth="linear", periods=1000, **parameters)
    assert best_plan.value == pytest.approx(value, rel=1e-9)
    assert 0 <= best_plan.error <= 1e-9 * value


SIMD = np.show_config(mode="dicts")["SIMD Extensions"]
KERNELS = {"Nehalem": "X86_V2", "Haswell": "X86_V3", "SkylakeX": "X86_V4"}
"""OpenBLAS kernels and the processor features that they need. The process would crash without these
features.
"""


@pytest.mark.parametrize(
    "kernel",
    [name for name, needed in KERNELS.items() if needed in {*SIMD["baseline"], *SIMD["found"]}],
)
@pytest.mark.long
def test_the_error_is_as_small_on_processors_that_add_in_another_order(kernel):
    """numpy and scipy ship kernels for many processors, and any one can be selected."""
    solve = (
        "from mixed_company import engine; from mixed_company.engine import solutions;"
        "game = engine.make('commons_game', archetype='governed_savings', periods=1000);"
        "best = solutions.best(game); print(best.value, best.error / best.value)"
    )
    result = subprocess.run(
        [sys.executable, "-c", solve],
        env={**os.environ, "OPENBLAS_CORETYPE": kernel},
        capture_output=True,
        text=True,
        check=True,
    )
    value, error = map(float, result.stdout.split())
    assert value == pytest.approx(33477.4143555, abs=1e-6)
    assert 0 <= error < 1e-9


# -- growth that overshoots ---------------------------------------------------------------


def test_if_growth_refills_the_stock_every_seat_always_takes_the_maximum():
    # At 60 the growth of a period is 16.65 * 60 * 0.4 = 399.6: 40 can be taken 15 times.
    plan = best(archetype="lab_0_7", growth_rate=16.65)
    assert plan.value == pytest.approx(600, abs=1e-9)
    assert plan.error < 1e-6


def test_a_group_gives_up_one_harvest_to_reach_the_stock_that_keeps_paying():
    # 60 grow in a period at the stock R with 6 R (1 - R / 100) = 60: R = 50 + sqrt(1500) = 88.73.
    # To reach it from 100, the first harvest is 11.27; every other one is 60.
    plan = best(periods=15, growth_rate=6.0, max_harvest=15.0)
    true = 14 * 60 + 50 - np.sqrt(1500)
    assert plan.value <= true + 1e-6
    assert true <= plan.value + plan.error
    assert plan.error < 0.001 * true


@pytest.mark.parametrize("nodes", [1001, pytest.param(4001, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("rate", "max_harvest"), [(2.8, 15.0), (3.57, 20.0), (6.0, 15.0), (16.65, 15.0)]
)
def test_chaotic_growth_is_within_the_error_of_a_slow_search(rate, max_harvest, nodes):
    rules = {"periods": 8, "growth_rate": rate, "max_harvest": max_harvest, "collapse_stock": 10}
    plan, slow = best(**rules), slowly(commons(**rules).core, nodes)
    assert slow <= plan.value + plan.error + 1e-9
    assert plan.value > 0.985 * slow


def slowly(core, nodes):
    """Return the best return found by trying every stock of a fine grid after every period.

    A stock between two grid points is rounded down. Plays that leave a stock on the grid are
    possible, so the result never exceeds the best return.
    """
    stocks = np.linspace(core.collapse_stock, core.capacity, nodes)
    full = stocks + core.growth_rate * stocks * (1 - stocks / core.capacity)
    limits = np.minimum(core.seats * core.max_harvest, stocks)
    later = np.zeros(nodes)
    for _ in range(core.periods):
        taken = full[:, None] - stocks
        clipped = taken > limits[:, None]
        worth = np.where(clipped | (taken < 0), -np.inf, taken + core.discount * later)
        worth[:, -1] = np.where(
            clipped[:, -1], limits + core.discount * later[-1], worth[:, -1]
        )  # stock above the capacity is lost
        later = np.maximum(worth.max(axis=1), np.where(full - limits < stocks[0], limits, 0.0))
    return later[np.searchsorted(stocks, core.initial_stock)]


# -- ends that come early -----------------------------------------------------------------


def test_an_impatient_group_lets_the_stock_collapse_and_a_patient_one_does_not():
    # No growth, 100 fish, and the play ends below 30. With d = 0.2, taking 40 and 40 earns 40 + 0.2
    # * 40 = 48; keeping 30 for the last period earns 40 + 0.2 * 30 + 0.04 * 30 = 47.2, or 100
    # without discount.
    rules = {"growth_rate": 0, "collapse_stock": 30, "periods": 3}
    plan = best(discount=0.2, **rules)
    assert plan.value == pytest.approx(48, abs=1e-6)
    assert plan.error < 1e-6
    assert best(**rules).value == pytest.approx(100, abs=1e-6)


def test_without_a_stock_the_best_return_is_0():
    plan = best(initial_stock=0, periods=30)
    assert (plan.value, plan.error) == (0, pytest.approx(0, abs=1e-9))


# -- no play earns more -------------------------------------------------------------------


@st.composite
def rules(draw, limit=12):
    """Draw small games of every kind."""
    pick = st.sampled_from
    growth = draw(pick(["logistic", "logistic", "linear", "exponential"]))
    rates = {"linear": [0.0, 5.0, 60.0], "exponential": [0.0, 0.3, 1.0]}
    pools = ["none"] if growth == "exponential" else ["none", "per_step", "accumulating"]
    return {
        "seats": draw(st.integers(1, 3)),
        "periods": draw(st.integers(1, limit)),
        "growth": growth,
        "growth_rate": draw(pick(rates.get(growth, [0.0, 0.4, 1.5, 3.57, 16.65]))),
        "max_harvest": draw(pick([2.0, 10.0, 30.0, 200.0])),
        "governance": draw(pick(pools)),
        "pool_effect": draw(pick([0.0, 0.5, 2.0])),
        "pool_decay": draw(pick([0.0, 0.9, 1.0])),
        "initial_stock": draw(pick([0.0, 12.0, 50.0, 100.0])),
        "initial_wealth": draw(pick([0.0, 5.0])),
        "collapse_stock": draw(pick([0.0, 10.0, 30.0])),
        "terminate_on_collapse": draw(st.booleans()),
        "collapse_zero_periods": draw(st.integers(1, 2)),
        "discount": draw(pick([1.0, 0.9, 0.5])),
    }


@settings(max_examples=20)
@given(rules(), st.integers(0, 2**32 - 1))
def test_no_play_earns_more_than_the_best_and_its_error(parameters, seed):
    game, rng = commons(**parameters), np.random.default_rng(seed)
    plan = best_group_plan(game.core)
    shape = (400, game.horizon)
    shares = rng.choice([0.0, 0.1, 0.25, 0.5, 0.75, 1.0], shape)
    gifts = rng.choice([0.0, 0.0, 1.0, 10.0, 1e6], shape)
    limit = game.seats * game.core.max_harvest
    largest = returns(game, shares * limit, gifts).max()
    assert largest <= plan.value + plan.error + 1e-9 * game.core.capacity
    assert plan.value >= 0
    assert plan.error >= 0


@settings(max_examples=12)
@given(rules(limit=6))
def test_the_plan_earns_its_stated_return(parameters):
    game = commons(**parameters)
    plan = best_group_plan(game.core)
    paid = returns(game, plan.requests[None], plan.contributions[None])
    assert paid[0] == pytest.approx(plan.value, abs=1e-9)


@pytest.mark.parametrize("governance", ["none", "per_step", "accumulating"])
@pytest.mark.parametrize("stock", [12, 40, 100])
def test_the_best_is_not_beaten_by_trying_everything(governance, stock):
    parameters = {
        "seats": 1,
        "periods": 3,
        "max_harvest": 40,
        "growth_rate": 0.9,
        "collapse_stock": 10,
    }
    game = commons(governance=governance, initial_stock=stock, pool_effect=2.0, **parameters)
    plan = best_group_plan(game.core)
    requests = np.array(list(itertools.product(np.linspace(0, 40, 21), repeat=3)))
    gifts = np.array([[0.0, a, b] for a in (0.0, 5.0, 1e6) for b in (0.0, 5.0, 1e6)])
    pairs = [np.repeat(requests, len(gifts), axis=0), np.tile(gifts, (len(requests), 1))]
    assert returns(game, *pairs).max() <= plan.value + plan.error + 1e-9
    assert plan.error < 1e-6


# -- roles --------------------------------------------------------------------------------


def test_the_best_of_unequal_seats_is_played_within_their_limits():
    # 10 + 5 + 10 + 5 = 30 at most: 30 (stock 70), 28.4 (50), then 10 a period with the stock at 50,
    # and 30 and 30 at the end. Points are the stock plus growth minus the rest: 100 + 0 + 8.4
    # (at 70) + 12 * 10 (at 50) + 8.4 (at 30) - 8.4 (left) = 228.4.
    game = engine.make("commons_game", archetype="unequal")
    best_plan = solutions.best(game)
    assert best_plan is not None
    limits = np.array([10.0, 5.0, 10.0, 5.0])
    plan = best_group_plan(game.core, 30.0)
    episode, earned = engine.Episode(game), 0.0
    for requests in plan.requests:
        sent = requests * limits / limits.sum()
        step = episode.step({"harvest": sent, "contribution": np.zeros(4)})
        assert step.used["harvest"] == pytest.approx(sent)
        earned += float(step.rewards.sum())
    assert earned == pytest.approx(best_plan.value, abs=1e-9)
    assert best_plan.value == pytest.approx(228.4, abs=1e-6)


def test_a_seat_that_may_not_harvest_leaves_less_to_the_group():
    agents = {"roles": {"user": {}, "watcher": {"acts": ()}}, "seats": ("user",) * 3 + ("watcher",)}
    best_plan = solutions.best(engine.make("commons_game", archetype="lab_0_7", agents=agents))
    assert best_plan is not None
    assert best_plan.value == pytest.approx(
        best_group_plan(commons(archetype="lab_0_7").core, 30.0).value
    )


@pytest.mark.parametrize("acts", [(), ("harvest",)])
def test_no_best_is_known_if_a_role_may_not_pay_into_a_useful_pool(acts):
    agents = {"roles": {"a": {}, "b": {"acts": acts}}, "seats": ("a", "a", "a", "b")}
    game = engine.make("commons_game", archetype="governed", agents=agents)
    assert solutions.best(game) is None
    assert solutions.share_of_best(game, [], []) is None


def test_no_best_is_known_if_payments_are_limited():
    agents = {"roles": {"a": {}}, "seats": ("a",) * 4}
    layers = {"power": {"intensity": 1.0, "limits": {"a": {"contribution": 1.0}}}}
    game = engine.make("commons_game", archetype="governed", agents=agents, layers=layers)
    assert not solutions.has_best(game)


def test_no_best_is_known_if_seats_can_be_out_and_the_play_can_be_won():
    everything = set(engine.find("commons_game").archetypes)
    assert everything - set(ARCHETYPES) == {"subsistence"}
    assert solutions.best(engine.make("commons_game", archetype="subsistence")) is None

"""Solutions of the commons compared with hand calculations, with a search, and with an upper
bound."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.solutions import commons_game as solutions
from tests.engine.plays import acts, commons, play
from tests.engine.solutions.relaxation import Relaxation


def core(**parameters):
    return commons(**parameters).core


LAB = core(archetype="lab_0_7")


def earned_in_play(rules, plan):
    """Return the group's actual points if every seat does its share of a plan."""
    episode = engine.Episode(engine.make("commons_game", **rules.model_dump()))
    total, seats = 0.0, rules.seats
    for requests, paid in zip(plan.requests, plan.contributions, strict=True):
        step = episode.step(acts(requests / seats, paid / seats, seats))
        total += float(step.rewards.sum())
        if step.done:
            break
    return total


# -- yield --------------------------------------------------------------------------------


def test_the_largest_sustainable_yield_is_at_half_the_capacity():
    # 0.4 * 50 * (1 - 50/100) = 10.
    assert solutions.maximum_sustainable_yield(LAB) == (50, pytest.approx(10))


def test_linear_growth_yields_the_same_at_every_stock():
    assert solutions.maximum_sustainable_yield(core(growth="linear", growth_rate=6)) == (100, 6)


def test_the_rest_of_a_full_stock_grows_back_to_a_full_one():
    # 100 / 1.25 = 80 grow by a quarter to 100: 20 can be taken.
    rules = core(growth="exponential", growth_rate=0.25)
    assert solutions.maximum_sustainable_yield(rules) == (100, 20)


# -- the best group plan ------------------------------------------------------------------


FISHING = {"archetype": "fishing", "periods": 3}


@pytest.mark.parametrize(
    ("parameters", "value"),
    [
        ({}, 200),  # 50, 50, and the remaining 100
        ({"discount": 0.9}, 50 + 0.9 * 50 + 0.81 * 100),
        ({"discount": 0.5}, 100),  # a remaining fish is worth one: take all now
        ({"initial_stock": 20}, 80),  # 20 double to 40, then to 80
        # 5 seats can request 30: 70 of 100 are left, which grow back to 100; three times
        ({"max_harvest": 6}, 90),
        # 20 double to 40; 25 of them leave 15, which double to the 30 of the last harvest
        ({"max_harvest": 6, "initial_stock": 20}, 55),
        # 20 double to 40; 17.5 leave 22.5, which double to 45; 30 leave 15 and these the last 30
        ({"max_harvest": 6, "initial_stock": 20, "collapse_stock": 30, "periods": 4}, 77.5),
    ],
)
def test_the_best_plan_under_exponential_growth(parameters, value):
    rules = core(**{**FISHING, **parameters})
    plan = solutions.best_group_plan(rules)
    assert plan.value == pytest.approx(value)
    assert plan.error == pytest.approx(0, abs=1e-9)
    if rules.discount == 1.0:
        assert earned_in_play(rules, plan) == pytest.approx(value)


def test_a_best_response_in_the_fishing_archetype_takes_what_the_others_leave():
    # Four request 10 each and leave 60 of 100; taking 10 keeps the stock at 100. At the end the
    # fifth requests everything and gets its share of 100: 100 * 100 / 140.
    rules = core(**FISHING)
    response = solutions.best_response(rules, [40.0] * 3)
    assert response.value >= 10 + 10 + 100 * 100 / 140 - 0.5


def test_the_best_plan_of_the_lab_waits_until_the_lake_is_half_full():
    # Nobody fishes at 50, where 0.7 * 50 * 110 / 160 = 24.0625 are born. Of 74.0625 with 27.85 more
    # 21.91 are taken, and 28, the growth at 80, in each of the next 15 periods. At the end 48 can
    # be taken in a period, so it begins early: 68.57 and 48 fish are left before the last two.
    plan = solutions.best_group_plan(core(archetype="lab"))
    assert plan.value == pytest.approx(577.337, abs=1e-3)
    assert plan.stocks[:2] == pytest.approx([50, 74.0625])
    assert plan.stocks[2:18] == pytest.approx(np.full(16, 80), abs=0.01)
    assert plan.requests == pytest.approx([0, 21.908, *[28] * 15, 39.429, 48, 48], abs=1e-3)


def test_the_best_plan_of_the_lab_of_0_8_takes_the_surplus_of_the_lake():
    # 50 at first and 19 times the growth at 50, which is 16: 354, or 88.5 each.
    plan = solutions.best_group_plan(core(archetype="lab_0_8"))
    assert plan.value == pytest.approx(354, abs=1e-3)
    assert plan.stocks[:19] == pytest.approx(np.full(19, 50), abs=0.01)
    assert plan.requests[18:].sum() == pytest.approx(66, abs=0.01)


def test_the_best_plan_of_the_earlier_lab_earns_the_sum_on_the_manual_page():
    # Earned = 100 at first + growth 0 (at 100) + 9.6 (at 60) + 12 * 10 (at 50)
    # + growth in the last period - what is left. The last growth is what is left: 229.6.
    plan = solutions.best_group_plan(LAB)
    assert plan.value == pytest.approx(229.6, abs=1e-3)
    assert plan.value / 4 == pytest.approx(57.4, abs=1e-3)
    assert plan.planned == 4


def test_the_best_plan_of_the_earlier_lab_reduces_the_stock_to_half_and_keeps_it():
    plan = solutions.best_group_plan(LAB)
    assert plan.stocks[1] == pytest.approx(60, abs=0.01)
    assert plan.stocks[2:14] == pytest.approx(np.full(12, 50), abs=0.01)
    assert plan.requests[:2] == pytest.approx([40, 19.6], abs=0.01)
    # All that can be taken at the end: 60 at 50 with its growth, less the 39.7 still to come.
    assert plan.requests[13:].sum() == pytest.approx(60, abs=0.01)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("archetype", "value"),
    [
        ("lab", 577.337),
        ("lab_0_8", 354.0),
        ("lab_0_7", 229.6),
        ("open_access", 197.2),
        ("governed", 398.6),
        ("governed_savings", 479.914),
    ],
)
def test_the_best_plan_is_playable_and_no_plan_beats_it(archetype, value):
    rules = core(archetype=archetype)
    plan = solutions.best_group_plan(rules)
    bounds = [Relaxation(rules).solve(np.random.default_rng(start)) for start in range(3)]
    assert plan.value == pytest.approx(value, abs=1e-3)
    assert earned_in_play(rules, plan) == pytest.approx(plan.value, abs=1e-9)
    assert max(bounds) < plan.value + 1e-3
    assert min(bounds) > plan.value - 1e-3


def test_the_best_plan_at_the_edge_of_collapse_does_not_collapse():
    # It is best to pay just enough for a stock of 5 before the last period, without collapse.
    rules = core(
        seats=1,
        periods=8,
        capacity=50,
        initial_stock=10,
        initial_wealth=5,
        max_harvest=2,
        growth_rate=0.1,
        governance="per_step",
        pool_effect=2,
        collapse_stock=5,
    )
    bound = Relaxation(rules).solve(np.random.default_rng(0))
    assert solutions.best_group_plan(rules).value == pytest.approx(bound, abs=0.01)


def test_the_best_plan_pays_nothing_without_governance():
    assert not solutions.best_group_plan(LAB).contributions.any()
    assert solutions.best_group_plan(core(archetype="governed")).contributions.sum() > 1


def test_the_best_plan_does_not_depend_on_observations():
    hidden = core(archetype="lab_0_7", stock_noise=5, observation="local", periods=5)
    plain = core(archetype="lab_0_7", periods=5)
    values = [solutions.best_group_plan(game).value for game in (hidden, plain)]
    assert values[0] == pytest.approx(values[1], abs=1e-6)


def test_a_long_play_is_solved_as_well_as_a_short_one():
    # 100 periods: 100 + 0 + 9.6 + 97 * 10 at a stock of 50: 1079.6, found on a grid within 0.1%.
    plan = solutions.best_group_plan(core(archetype="lab_0_7", periods=100))
    assert 1079.6 * 0.999 < plan.value < 1079.6 + 1e-6


# -- discount: two and three periods, by hand ---------------------------------------------

ALONE = {"seats": 1, "initial_stock": 50, "max_harvest": 100, "growth_rate": 0.4}


def test_without_discount_it_does_not_matter_when_the_last_two_harvests_are_taken():
    # Growth in period 0 is 10, whatever is taken: 60 in two periods.
    assert solutions.best_group_plan(core(periods=2, **ALONE)).value == pytest.approx(60, abs=1e-3)


def test_an_impatient_group_takes_everything_immediately():
    # All 50 now and the 10 that grow later: 50 + 0.1 * 10 = 51. Waiting for everything: 0.1 * 60 =
    # 6.
    plan = solutions.best_group_plan(core(periods=2, discount=0.1, **ALONE))
    assert plan.value == pytest.approx(51, abs=1e-3)
    assert plan.stocks == pytest.approx([50, 10, 3.6], abs=1e-3)


def test_a_patient_group_leaves_the_stock_that_grows_fastest():
    # 10 now leaves 60 - 10 = 50; all 50 then; 0.4 * 50 * 0.5 = 10 have grown: 10 + 50 + 10 = 70.
    plan = solutions.best_group_plan(core(periods=3, **ALONE))
    assert plan.value == pytest.approx(70, abs=1e-3)
    assert plan.stocks[1] == pytest.approx(50, abs=0.5)


def test_an_impatient_group_leaves_only_what_cannot_be_taken():
    # 50 now leaves 10; 10 then; 0.4 * 10 * 0.9 = 3.6 have grown: 50 + 1 + 0.01 * 3.6 = 51.036.
    plan = solutions.best_group_plan(core(periods=3, discount=0.1, **ALONE))
    assert plan.value == pytest.approx(51.036, abs=1e-3)


# -- open access --------------------------------------------------------------------------


def test_open_access_in_the_earlier_lab_earns_27_each_and_collapses():
    # 4 * 27.4 = 109.6, with the stocks of the manual page.
    path = solutions.open_access_path(LAB)
    assert path.value == pytest.approx(109.6)
    assert path.stocks == pytest.approx([100, 60, 29.6, 8.33536])


def test_the_return_of_a_path_is_discounted():
    # 40 + 0.5 * 40 + 0.25 * 29.6 = 67.4.
    path = solutions.open_access_path(core(archetype="lab_0_7", discount=0.5))
    assert path.value == pytest.approx(67.4)


# -- best response ------------------------------------------------------------------------


def test_greed_is_a_best_response_to_three_greedy_seats():
    answer = solutions.best_response(LAB, [30] * 15)
    assert answer.value == pytest.approx(27.4, abs=1e-6)
    assert answer.planned == 1


def test_greed_exploits_three_seats_that_keep_to_their_share():
    # Keeping to the share as well would earn 15 * 2.5 = 37.5.
    answer = solutions.best_response(LAB, [7.5] * 15)
    assert answer.value == pytest.approx(108.53, abs=0.01)
    assert answer.value > 37.5


def test_a_seat_alone_can_take_the_maximum_in_every_period():
    # 15 * 10: the stock of 50 replaces 10 a period.
    assert solutions.best_response(LAB, [0] * 15).value == pytest.approx(150)


def test_a_best_response_depends_on_the_discount():
    # A seat alone has the sums of the impatient group: 50 + 0.1 * 10 + 0.01 * 3.6 = 51.036.
    answer = solutions.best_response(core(periods=3, discount=0.1, **ALONE), [0, 0, 0])
    assert answer.value == pytest.approx(51.036, abs=0.01)


def test_a_best_response_earns_its_stated_points_in_play():
    answer = solutions.best_response(LAB, [7.5] * 15)
    script = [acts([request, 2.5, 2.5, 2.5]) for request in answer.requests]
    steps = play(commons(archetype="lab_0_7"), *script)
    assert sum(float(step.rewards[0]) for step in steps) == pytest.approx(answer.value)


@pytest.mark.few(3)
@pytest.mark.parametrize("others", [[0, 0, 0], [6, 9, 3], [18, 0, 20]])
@pytest.mark.parametrize("stock", [15, 25, 60])
def test_a_best_response_is_not_beaten_by_trying_everything(others, stock):
    rules = {"periods": 3, "initial_stock": stock, "growth_rate": 0.4, "collapse_stock": 10}
    tried = np.array(list(itertools.product(np.linspace(0, 10, 21), repeat=3)))
    largest = earned_against(commons(**rules), tried, others).max()
    answer = solutions.best_response(core(**rules), others)
    assert answer.value > largest - 0.05
    assert answer.value < 30 + 1e-9


def test_a_best_response_at_the_edge_of_collapse_does_not_collapse():
    # 25 - 2.5 - 20 + 0.4 * 25 * 0.75 = 10, which is not a collapse; then all 10: 12.5.
    # Taking 10 immediately would share 25 among requests of 30: 8.33, and a collapse.
    rules = {"periods": 3, "initial_stock": 25, "growth_rate": 0.4, "collapse_stock": 10}
    answer = solutions.best_response(core(**rules), [20, 0, 20])
    assert answer.value == pytest.approx(12.5, abs=0.1)


def earned_against(game, tried, others):
    """Return seat 0's points for each row of requests when the others together request `others`."""
    state, _ = game.reset(np.zeros(len(tried), dtype=int))
    total = np.zeros(len(tried))
    for period, requests in enumerate(others):
        harvest = np.full((len(tried), 4), requests / 3)
        harvest[:, 0] = tried[:, period]
        state, outcome = game.step(state, {"harvest": harvest, "contribution": harvest * 0}, {})
        total += outcome.rewards[:, 0]
    return total


def test_opponents_must_be_given_for_every_period():
    with pytest.raises(ValueError, match="15"):
        solutions.best_response(LAB, [1, 2, 3])


def test_a_single_number_in_a_list_is_not_enough_for_fifteen_periods():
    with pytest.raises(ValueError, match="15"):
        solutions.best_response(LAB, [7.5])

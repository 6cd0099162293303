"""Rules of the commons game, with payoffs calculated by hand."""

from __future__ import annotations

import pytest

from mixed_company.engine import Episode
from mixed_company.engine.contract.errors import ConfigError
from tests.engine.plays import acts, commons, play, state, states, stocks

# -- allocation ---------------------------------------------------------------------------


def test_a_stock_that_is_too_small_is_shared_in_proportion_to_the_requests():
    # 10 + 6 + 4 + 0 = 20 is requested and the stock is 10: every seat gets half of its request.
    # All 10 are taken. Growth 0.3 * 10 * (1 - 10/100) = 2.7.
    game = commons(capacity=100, initial_stock=10, growth_rate=0.3)
    (step,) = play(game, acts([10, 6, 4, 0]))
    assert step.components["harvest"].tolist() == [5, 3, 2, 0]
    assert stocks(game, acts([10, 6, 4, 0])) == pytest.approx([2.7])


def test_requests_that_the_stock_can_meet_are_met():
    # 20 of 50 are taken, growth 0.3 * 50 * 0.5 = 7.5.
    game = commons(capacity=100, initial_stock=50, growth_rate=0.3)
    (step,) = play(game, acts([8, 6, 4, 2]))
    assert step.components["harvest"].tolist() == [8, 6, 4, 2]
    assert stocks(game, acts([8, 6, 4, 2])) == pytest.approx([37.5])


def test_without_requests_an_empty_stock_gives_nothing():
    game = commons(initial_stock=0, terminate_on_collapse=False)
    (step,) = play(game, acts(0))
    assert step.rewards.tolist() == [0, 0, 0, 0]


def test_requests_of_exactly_the_stock_are_met_in_full_and_a_stock_that_grows_has_not_collapsed():
    # 4 * 5 = 20, the whole stock; growth 0.3 * 20 * 0.8 = 4.8, which is judged.
    game = commons(capacity=100, initial_stock=20, growth_rate=0.3)
    (step,) = play(game, acts(5))
    assert step.components["harvest"].tolist() == [5, 5, 5, 5]
    assert stocks(game, acts(5)) == pytest.approx([4.8])
    assert not step.done


def test_less_than_one_fish_is_shared_the_same_way():
    # 4 * 0.1 = 0.4 of 0.5 is requested and met in full. 4 * 0.5 = 2 is four times 0.5, so each gets
    # a quarter.
    game = commons(initial_stock=0.5, growth_rate=0)
    assert play(game, acts(0.1))[0].rewards.tolist() == [0.1] * 4
    assert play(game, acts(0.5))[0].rewards.tolist() == [0.125] * 4


def test_a_request_above_the_maximum_is_clamped_before_the_stock_is_shared():
    # 90 is used as 10, so 10 and 10 share the stock of 10 equally.
    game = commons(seats=2, initial_stock=10, max_harvest=10)
    (step,) = play(game, acts([90, 10], seats=2))
    assert step.components["harvest"].tolist() == [5, 5]


# -- contributions ------------------------------------------------------------------------


def test_a_contribution_is_limited_by_the_wealth_before_this_harvest():
    # 3 are held and 10 harvested: 3 of the 8 offered are paid, and 3 + 10 - 3 = 10 remain.
    game = commons(governance="per_step", initial_wealth=3)
    (step,) = play(game, acts(10, 8))
    assert step.used["contribution"].tolist() == [3, 3, 3, 3]
    assert step.rewards.tolist() == [7, 7, 7, 7]
    assert states(game, acts(10, 8))[0]["wealth"] == [10, 10, 10, 10]


def test_a_harvest_can_be_paid_in_from_the_next_period_on():
    # Nothing is held at first; the 2 harvested can be paid in the second period.
    game = commons(governance="per_step", initial_wealth=0)
    first, second = play(game, acts(2, 5), acts(0, 5))
    assert first.used["contribution"].tolist() == [0, 0, 0, 0]
    assert second.used["contribution"].tolist() == [2, 2, 2, 2]


def test_without_governance_a_contribution_has_no_effect():
    game = commons(governance="none", initial_wealth=5, initial_stock=50, pool_effect=2)
    (step,) = play(game, acts(0, 5))
    assert step.used["contribution"].tolist() == [0, 0, 0, 0]
    assert step.rewards.tolist() == [0, 0, 0, 0]
    # 50 + 0.3 * 50 * 0.5 = 57.5: no bonus.
    assert states(game, acts(0, 5))[0]["stock"] == pytest.approx(57.5)
    assert states(game, acts(0, 5))[0]["pool"] == 0


# -- pool and bonus -----------------------------------------------------------------------


def test_a_per_step_pool_keeps_nothing():
    # growth 0, effect 1: 10 + 4 = 14, then 14 + 0 = 14.
    game = commons(
        governance="per_step", initial_stock=10, initial_wealth=5, growth_rate=0, pool_effect=1
    )
    reached = states(game, acts(0, 1), acts(0, 0))
    assert [state["pool"] for state in reached] == [4, 0]
    assert [state["stock"] for state in reached] == [14, 14]


def test_an_accumulating_pool_decays_and_grows():
    # rho 0.5, paid 4, 8, 0: pools 4, 0.5 * 4 + 8 = 10, 0.5 * 10 = 5.
    # growth 0, effect 1: stocks 10 + 4 = 14, 14 + 10 = 24, 24 + 5 = 29.
    game = commons(
        governance="accumulating",
        initial_stock=10,
        initial_wealth=9,
        growth_rate=0,
        pool_decay=0.5,
        pool_effect=1,
    )
    reached = states(game, acts(0, 1), acts(0, 2), acts(0, 0))
    assert [state["pool"] for state in reached] == [4, 10, 5]
    assert [state["stock"] for state in reached] == [14, 24, 29]


# -- growth -------------------------------------------------------------------------------


def test_linear_growth_adds_the_same_at_every_stock():
    # 50 - 20 + 3 = 33, 33 - 20 + 3 = 16, 16 - 16 + 3 = 3.
    game = commons(initial_stock=50, growth="linear", growth_rate=3)
    assert stocks(game, acts(5), acts(5), acts(5)) == [33, 16, 3]


def test_exponential_growth_uses_the_stock_left_by_the_harvest():
    # 50 - 20 = 30 grows by half to 45. 45 - 40 = 5 grows to 7.5, and all of that is taken.
    game = commons(initial_stock=50, growth="exponential", growth_rate=0.5)
    assert stocks(game, acts(5), acts(10), acts(10)) == [45, 7.5, 0]


def test_exponential_growth_with_an_externality_never_takes_more_than_the_stock():
    # Each fish taken costs the stock two: 50 - 40 = 10, 20; then all 20 are taken, which costs 40.
    layers = {"interaction": {"intensity": 1.0, "externality": 2.0}}
    game = commons(initial_stock=50, growth="exponential", growth_rate=1.0, layers=layers)
    assert stocks(game, acts(5), acts(5)) == [20, 0]


def test_exponential_growth_has_no_pool():
    with pytest.raises(ConfigError, match="set governance = 'none'"):
        commons(growth="exponential", governance="per_step")


def test_a_stock_without_growth_can_be_taken_to_exactly_zero():
    game = commons(initial_stock=7, growth_rate=0)
    assert stocks(game, acts([10, 10, 10, 0])) == [0]


def test_the_stock_starts_at_the_capacity_by_default():
    assert state(Episode(commons(capacity=70)))["stock"] == 70


# -- reward -------------------------------------------------------------------------------


# -- the sums on the manual page ----------------------------------------------------------


def test_greed_in_the_lab_empties_the_lake_in_eleven_periods():
    # 48 of 50 are taken, 0.7 * 50 * 110 / 160 = 24.0625 are born: 26.0625 are left. Then all that
    # are left are taken, 6.5156 each, and 0.7 * 26.0625 * 133.9375 / 160 = 15.2720 are born.
    steps = play(commons(archetype="lab"), *[acts(12)] * 11)
    assert [float(step.observations["stock"]) for step in steps[:2]] == pytest.approx(
        [26.0625, 15.2720], abs=1e-4
    )
    assert steps[1].rewards.tolist() == pytest.approx([6.515625] * 4)
    assert [step.done for step in steps] == [False] * 10 + [True]
    assert steps[-1].reason == "collapse"
    assert float(sum(step.rewards[0] for step in steps)) == pytest.approx(29.391, abs=1e-3)


def test_six_fish_each_keep_the_lake_of_the_lab_and_seven_do_not():
    # 24.0625 - 24 = 0.0625 more; 24.0625 - 28 = 3.9375 fewer.
    assert stocks(commons(archetype="lab"), acts(6)) == [50.0625]
    assert stocks(commons(archetype="lab"), acts(7)) == [46.0625]
    assert len(play(commons(archetype="lab"), *[acts(6)] * 20)) == 20
    assert play(commons(archetype="lab"), *[acts(7)] * 14)[-1].reason == "collapse"


def test_greed_in_the_lab_of_0_8_ends_the_play_immediately():
    # 48 of 50 are taken, growth is 0.64 * 50 * 0.5 = 16, and 18 < 30 are left: a collapse, with 12
    # each.
    game = commons(archetype="lab_0_8")
    (step,) = play(game, acts(12))
    assert stocks(game, acts(12)) == pytest.approx([18])
    assert step.rewards.tolist() == [12] * 4
    assert (step.done, step.reason) == (True, "collapse")

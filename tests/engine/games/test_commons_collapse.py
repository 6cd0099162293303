"""Collapse of the commons: when it happens, and how it affects the play."""

from __future__ import annotations

from mixed_company.engine import Episode
from tests.engine.plays import acts, commons, play, states


def test_a_stock_at_the_threshold_has_not_collapsed():
    # No growth: 50 - 20 = 30, which is not below 30.
    game = commons(initial_stock=50, growth_rate=0, collapse_stock=30)
    (step,) = play(game, acts(5))
    assert not step.done
    assert step.events == []


def test_a_stock_below_the_threshold_has_collapsed():
    # No growth: 50 - 20.5 = 29.5.
    game = commons(initial_stock=50, growth_rate=0, collapse_stock=30)
    (step,) = play(game, acts([5.5, 5, 5, 5]))
    assert (step.done, step.reason, step.result) == (True, "collapse", "failure")
    assert step.events == [{"event": "collapse", "stock": 29.5}]


def test_a_tiny_stock_is_not_an_empty_one():
    game = commons(initial_stock=20.000001, growth_rate=0)
    (step,) = play(game, acts(5))
    assert not step.done


def test_an_interrupted_run_of_empty_periods_starts_again():
    # No growth, effect 1. Take all (0), pay 1 each (4), take all (0), do nothing (0).
    # The run of empty periods is 1, 0, 1, 2: only the last is the second in a row.
    game = commons(
        initial_stock=20,
        initial_wealth=5,
        growth_rate=0,
        governance="per_step",
        pool_effect=1,
        collapse_zero_periods=2,
    )
    script = (acts(5), acts(0, 1), acts(1), acts(0))
    steps, reached = play(game, *script), states(game, *script)
    assert [state["stock"] for state in reached] == [0, 4, 0, 0]
    assert [state["empty_periods"] for state in reached] == [1, 0, 1, 2]
    assert [step.done for step in steps] == [False, False, False, True]
    assert steps[-1].reason == "collapse"


def test_the_threshold_does_not_wait_for_a_run():
    game = commons(initial_stock=50, growth_rate=0, collapse_stock=30, collapse_zero_periods=9)
    (step,) = play(game, acts(6))
    assert step.reason == "collapse"


def test_a_collapse_ends_the_play_for_every_seat():
    game = commons(initial_stock=20, growth_rate=0, periods=5)
    episode = Episode(game)
    step = episode.step(acts(5))
    assert step.seat_done.tolist() == [True] * 4
    assert step.observations["ended"]
    assert episode.done
    assert episode.period == 1


def test_a_play_can_go_on_after_a_collapse_which_is_a_single_event():
    # No growth: 50 - 40 = 10 < 30, then the last 10 are taken and nothing is left.
    game = commons(
        initial_stock=50, growth_rate=0, collapse_stock=30, terminate_on_collapse=False, periods=3
    )
    steps = play(game, acts(10), acts(10), acts(10))
    assert [step.rewards.tolist() for step in steps] == [[10] * 4, [2.5] * 4, [0] * 4]
    assert [step.done for step in steps] == [False, False, True]
    assert [step.events for step in steps] == [[{"event": "collapse", "stock": 10.0}], [], []]
    assert (steps[-1].reason, steps[-1].result) == ("horizon", "neither")


def test_a_stock_that_recovers_and_falls_again_has_collapsed_only_once():
    # Growth 25 a period: 50 - 40 + 25 = 35, 35 + 25 = 60, 60 - 40 + 25 = 45.
    game = commons(
        initial_stock=50,
        growth="linear",
        growth_rate=25,
        collapse_stock=50,
        terminate_on_collapse=False,
    )
    script = (acts(10), acts(0), acts(10))
    assert [state["stock"] for state in states(game, *script)] == [35, 60, 45]
    assert [state["collapsed"] for state in states(game, *script)] == [True, True, True]
    assert [len(step.events) for step in play(game, *script)] == [1, 0, 0]


def test_the_last_period_ends_the_play_without_success_or_failure():
    game = commons(periods=2)
    first, last = play(game, acts(1), acts(1))
    assert (first.done, first.reason, first.result) == (False, None, None)
    assert (last.done, last.reason, last.result) == (True, "horizon", "neither")


def test_a_collapse_in_the_last_period_counts_as_a_collapse():
    game = commons(periods=1, initial_stock=20, growth_rate=0)
    (step,) = play(game, acts(5))
    assert (step.reason, step.result) == ("collapse", "failure")


def test_a_batch_freezes_a_collapsed_play_and_continues_the_other():
    # Two plays in a batch: the first takes all 20, the second nothing.
    game = commons(seats=2, initial_stock=20, growth_rate=0)
    before, _ = game.reset([1, 2])
    greedy_and_idle = {"harvest": [[10, 10], [0, 0]], "contribution": [[0, 0], [0, 0]]}
    before, first = game.step(before, greedy_and_idle, {})
    everybody = {"harvest": [[10, 10], [5, 5]], "contribution": [[0, 0], [0, 0]]}
    after, second = game.step(before, everybody, {})
    assert first.done.tolist() == [True, False]
    assert second.rewards.tolist() == [[0, 0], [5, 5]]
    assert after["period"].tolist() == [1, 2]
    assert after["wealth"].tolist() == [[10, 10], [5, 5]]

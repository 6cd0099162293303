"""Observations in the commons: everything, neighbours only, or a noisy stock."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine import Episode
from tests.engine.plays import acts, commons, play, stocks

ACTS = acts([4, 3, 2, 1], 1)


def seen_after_one_period(seat: int, **core):
    """Return the observation after harvests of 4, 3, 2, 1 and payments of 1 each."""
    episode = Episode(commons(governance="per_step", initial_wealth=5, **core))
    episode.step(ACTS)
    return episode.observation(seat)


def shown_seats(observation, field):
    """Return the seats whose number is visible in this field."""
    return np.flatnonzero(~np.isnan(observation[field])).tolist()


def test_under_full_observation_a_seat_sees_everything_after_the_step():
    # wealth 5 + harvest - 1; stock 100 - 10 + 0 growth at K + 0.5 * 4 = 92; pool 4.
    seen = seen_after_one_period(2)
    assert seen["stock"] == 92
    assert seen["wealth"].tolist() == [8, 7, 6, 5]
    assert seen["harvest"].tolist() == [4, 3, 2, 1]
    assert seen["contribution"].tolist() == [1, 1, 1, 1]
    assert seen["pool"] == 4
    assert (seen["period"], seen["seat"], seen["ended"]) == (1, 2, False)


@pytest.mark.parametrize("field", ["wealth", "harvest", "contribution"])
def test_in_a_ring_a_seat_sees_itself_and_its_two_neighbours(field):
    assert shown_seats(seen_after_one_period(0, observation="local"), field) == [0, 1, 3]
    assert shown_seats(seen_after_one_period(2, observation="local"), field) == [1, 2, 3]


def test_a_neighbours_value_is_shown_at_its_seat():
    seen = seen_after_one_period(0, observation="local")
    assert seen["harvest"][[0, 1, 3]].tolist() == [4, 3, 1]
    assert seen["wealth"][[0, 1, 3]].tolist() == [8, 7, 5]


def test_in_a_complete_graph_everybody_is_a_neighbour():
    seen = seen_after_one_period(1, observation="local", neighbours="complete")
    assert shown_seats(seen, "wealth") == [0, 1, 2, 3]


def test_a_list_of_edges_defines_who_sees_whom():
    edges = {"observation": "local", "neighbours": [[0, 1], [1, 3]]}
    shown = [shown_seats(seen_after_one_period(seat, **edges), "harvest") for seat in range(4)]
    assert shown == [[0, 1], [0, 1, 3], [2], [1, 3]]


@pytest.mark.parametrize("neighbours", ["ring", "complete", [[0, 1]]])
def test_under_local_observation_the_pool_is_masked_and_the_stock_is_not(neighbours):
    seen = seen_after_one_period(0, observation="local", neighbours=neighbours)
    assert np.isnan(seen["pool"])
    assert seen["stock"] == 92


def test_the_graph_has_no_effect_under_full_observation():
    seen = seen_after_one_period(2, neighbours=[[0, 1]])
    assert shown_seats(seen, "wealth") == [0, 1, 2, 3]


def test_masked_values_keep_their_place_in_every_period():
    episode = Episode(commons(observation="local", periods=3))
    layouts = []
    for _ in range(3):
        layouts.append({name: np.shape(v) for name, v in episode.observation(0).items()})
        episode.step(acts(1))
    assert layouts[0]["wealth"] == (4,)
    assert layouts[0]["pool"] == ()
    assert layouts == [layouts[0]] * 3


def test_before_the_first_period_nothing_has_been_taken():
    episode = Episode(commons(initial_wealth=5))
    seen = episode.observation(0)
    assert seen["stock"] == 100
    assert seen["wealth"].tolist() == [5, 5, 5, 5]
    assert seen["harvest"].tolist() == [0, 0, 0, 0]
    assert seen["period"] == 0


# -- noise --------------------------------------------------------------------------------


def test_noise_affects_only_the_shown_stock():
    plain = play(commons(initial_stock=50), ACTS, ACTS)
    noisy = play(commons(initial_stock=50, stock_noise=10), ACTS, ACTS)
    for quiet, loud in zip(plain, noisy, strict=True):
        assert quiet.rewards.tolist() == loud.rewards.tolist()
        assert quiet.observations["stock"] != loud.observations["stock"]
        for name in ("wealth", "harvest", "contribution", "pool"):
            assert np.array_equal(quiet.observations[name], loud.observations[name])


def test_the_true_stock_is_unaffected_by_noise():
    script = (ACTS, ACTS, acts(9))
    noisy = commons(initial_stock=50, stock_noise=10)
    assert stocks(noisy, *script) == stocks(commons(initial_stock=50), *script)


def test_all_seats_read_the_same_noisy_stock():
    episode = Episode(commons(stock_noise=10), seed=3)
    assert len({float(episode.observation(seat)["stock"]) for seat in range(4)}) == 1


def test_each_period_and_each_play_has_its_own_noise():
    game = commons(stock_noise=10, growth_rate=0)
    readings = [
        float(step.observations["stock"])
        for seed in (1, 2)
        for step in play(game, *[acts(0)] * 3, seed=seed)
    ]
    assert len(set(readings)) == 6


def test_the_first_reading_is_noisy_too_and_has_its_own_noise():
    # Nothing is taken from a full stock: it is 100 before and after.
    episode = Episode(commons(stock_noise=10), seed=3)
    first = float(episode.observation(0)["stock"])
    second = float(episode.step(acts(0)).observations["stock"])
    assert len({first, second, 100.0}) == 3


def test_a_noisy_reading_is_not_clipped():
    seeds = np.arange(2000)
    _, full = commons(stock_noise=10).reset(seeds)
    _, empty = commons(stock_noise=10, initial_stock=0).reset(seeds)
    assert full["stock"].max() > 100
    assert empty["stock"].min() < 0


def test_noise_has_the_configured_mean_and_spread():
    # 20000 readings with sd 10: the mean has a standard error of 10 / sqrt(20000) = 0.0707, the sd
    # one of 10 / sqrt(2 * 20000) = 0.05. Four of each are allowed.
    _, seen = commons(stock_noise=10, initial_stock=50).reset(np.arange(20_000))
    assert abs(seen["stock"].mean() - 50) < 4 * 0.0707
    assert abs(seen["stock"].std() - 10) < 4 * 0.05


def test_a_noisy_reading_is_declared_without_bounds():
    def bounds(game):
        (stock,) = (f for f in game.declaration.observations if f.name == "stock")
        return stock.low, stock.high

    assert bounds(commons(stock_noise=10)) == (-np.inf, np.inf)
    assert bounds(commons(capacity=70)) == (0, 70)

"""A seat's random numbers are the same with and without other seats, and they are of good
quality."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

from mixed_company.engine.contract.chance import stream
from mixed_company.policies.draws import Draws, seat_chance

COUNT = 40
SEEDS, SEATS = np.arange(COUNT) * 7919, np.arange(COUNT) % 4
PERIODS = np.full(COUNT, 3)
ODD = np.arange(COUNT) % 2 == 1

KINDS = {
    "random": lambda draws, where, row: draws.random(where),
    "uniform": lambda draws, where, row: draws.uniform(-2.0, SEATS[row], where),
    "normal": lambda draws, where, row: draws.normal(where),
    "integers": lambda draws, where, row: draws.integers(1 + SEATS[row], where),
    "many": lambda draws, where, row: draws.random(where, shape=(3, 2)),
    "normals": lambda draws, where, row: draws.normal(where, shape=(3,)),
}


def together() -> Draws:
    return Draws(SEEDS, SEATS, PERIODS)


def alone() -> list[Draws]:
    return [seat_chance(int(SEEDS[row]), int(SEATS[row]), 3) for row in range(COUNT)]


def test_draws_of_any_kind_and_order_are_the_same_alone_and_among_others():
    rng = np.random.default_rng(4)
    names, every, apart = list(KINDS), together(), alone()
    for _ in range(60):
        draw, where = KINDS[names[rng.integers(len(names))]], rng.random(COUNT) < 0.6
        among = draw(every, where, slice(None))
        rows = [slice(row, row + 1) for row in range(COUNT)]
        single = [draw(apart[row.start], where[row], row) for row in rows]
        assert among.tolist() == np.concatenate(single).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_without_flags_all_seats_draw(kind):
    drawn = KINDS[kind](together(), None, slice(None))
    assert drawn.tolist() == KINDS[kind](together(), np.ones(COUNT, bool), slice(None)).tolist()


def test_a_seat_that_does_not_draw_gets_0_and_keeps_its_next_numbers():
    draws = together()
    first = draws.uniform(1.0, 2.0, where=ODD)
    assert (first[~ODD] == 0).all()
    assert (first[ODD] >= 1).all()
    wanted = together().random()
    assert draws.random(where=~ODD)[~ODD].tolist() == wanted[~ODD].tolist()


def test_a_number_follows_from_seed_name_seat_and_period():
    wanted = stream(7919, "policy of seat", 3, 1).bits_apart((2,)) >> np.uint64(11)
    draws = together()
    assert [draws.random()[1], draws.random()[1]] == (wanted * 2.0**-53).tolist()


def test_restarted_draws_and_single_rows_begin_with_the_first_number():
    draws = together()
    first = draws.random().tolist()
    assert draws.random().tolist() != first
    assert draws.anew().random().tolist() == first
    assert draws.of_row(5).random().tolist() == [first[5]]


def test_seats_of_all_plays_and_periods_draw_different_numbers():
    names = np.meshgrid(np.arange(50), np.arange(12), np.arange(20))
    drawn = Draws(*(part.ravel() for part in names)).random(shape=(4,))
    assert len(np.unique(drawn)) == 50 * 12 * 20 * 4


def test_draws_can_come_from_the_generator_of_one_seat():
    first, second = (Draws.of(np.random.default_rng(5)).random() for _ in range(2))
    assert first == second != Draws.of(np.random.default_rng(6)).random()
    draws = together()
    assert Draws.of(draws) is draws


@pytest.mark.parametrize("row", [0, 5])
def test_the_generator_of_a_seat_is_the_same_wherever_it_is_requested(row):
    drawn = together().generator(row).random()
    assert drawn == seat_chance(int(SEEDS[row]), int(SEATS[row]), 3).generator(0).random()


def correlation(first: Any, other: Any) -> float:
    return float(abs(np.corrcoef(first, other)[0, 1]))


def test_numbers_of_a_seat_are_independent_and_evenly_spread():
    """N = 40,000. Standard errors are 1/sqrt(N) for correlations and sqrt(p (1-p) / N) for
    shares."""
    seeds = np.arange(40_000)
    draws, other = Draws(seeds, 0 * seeds, 0 * seeds), Draws(seeds, 0 * seeds + 1, 0 * seeds)
    first, second, beside = draws.random(), draws.random(), other.random()
    for pair in ((first, second), (first, beside), (first[1:], first[:-1])):
        assert correlation(*pair) < 4 / sqrt(40_000)
    shares = np.bincount(draws.integers(5)) / 40_000
    assert np.abs(shares - 0.2).max() < 4 * sqrt(0.2 * 0.8 / 40_000)
    normal = draws.normal(shape=(2,))
    assert np.abs(normal.mean(axis=0)).max() < 4 / sqrt(40_000)
    assert abs(normal.std() - 1) < 4 / sqrt(2 * 80_000)
    assert correlation(*normal.T) < 4 / sqrt(40_000)


def test_integers_stay_below_their_count_even_if_it_is_large():
    counts = np.array([1, 2, 3, 2**31 - 1, 2**40 + 1])
    draws = Draws(np.arange(5), np.zeros(5, int), np.zeros(5, int))
    for _ in range(200):
        drawn = draws.integers(counts)
        assert ((drawn >= 0) & (drawn < counts)).all()


def test_nothing_is_computed_before_it_is_used():
    class Never:
        def __len__(self) -> int:
            return 3

    assert Draws(Never(), Never(), Never()).anew().count == 3

"""A bot's successive thinking times correlate as people's do, no matter who else plays."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from mixed_company.engine.contract.space import Array
from mixed_company.table.thinking import RECENT, Taken, delay_ms, is_surprising

PERIODS = 15
STEADY = "people:median=10;own=0;learning=0"


def test_a_time_keeps_a_share_of_the_previous_time_by_hand():
    """With `again` 0.6, noise is 0.6 times the previous noise plus 0.8 times a new draw: 0.6 * 0.6
    + 0.8 * 0.8 = 1, so its variance stays the same."""
    for seed in range(20):
        first, second, third = (
            _log(f"{STEADY};again=0;sigma=1", seed, place) for place in range(3)
        )
        noise = [_log(f"{STEADY};again=0.6;sigma=1", seed, place) for place in range(3)]
        assert noise[0] == pytest.approx(first, abs=0.01)
        assert noise[1] == pytest.approx(0.6 * first + 0.8 * second, abs=0.01)
        assert noise[2] == pytest.approx(0.36 * first + 0.48 * second + 0.8 * third, abs=0.01)


def test_without_again_times_are_independent_draws():
    """Draws equal those of a lognormal delay with this spread and seed."""
    for period in range(PERIODS):
        independent = delay_ms("lognormal:median=10;sigma=0.45", 7, 1, period)
        assert delay_ms(f"{STEADY};again=0", 7, 1, period) == independent


def test_old_noise_is_forgotten_up_to_a_thousandth():
    """0.5 ** 10 is less than 0.001, so period 30 depends only on the draws of periods 20 to 30."""
    noise = _log(f"{STEADY};again=0;sigma=1", 7, 20)
    for period in range(21, 31):
        drawn = _log(f"{STEADY};again=0;sigma=1", 7, period)
        noise = 0.5 * noise + math.sqrt(0.75) * drawn
    assert _log(f"{STEADY};again=0.5;sigma=1", 7, 30) == pytest.approx(noise, abs=0.01)


def test_a_bot_varies_like_the_people_beside_it_by_hand():
    """The times of seat 0 change twice by 1, in logarithms. Those of seat 2, which is absent in the
    second period, never change. Two changes of 1 * sqrt(pi) / 2 = 0.8862 each are averaged with the
    expected four of 1: a spread of (4 + 2 * 0.8862) / 6 = 0.9621."""
    second = 1000 * math.e
    taken = [{0: 1000, 2: 5000}, {0: second}, {0: 1000, 2: 3000}]
    for seed in range(20):
        middle = _log(f"{STEADY};again=0;sigma=0", seed, 3, taken)
        drawn = _log(f"{STEADY};again=0;sigma=1", seed, 3)
        varied = _log(f"{STEADY};again=0;sigma=1", seed, 3, taken)
        assert varied - middle == pytest.approx(0.9621 * drawn, abs=0.005)


def test_people_who_change_less_than_expected_make_bots_change_less():
    """People have half of the expected spread."""
    people = _people(0.15, 0.22)
    assert _spread(_beside(people, "people:own=0")) / _spread(people) < 1.35


def test_a_bot_is_slower_after_a_surprise_by_hand():
    """A logarithm of 0.2 means a time that is e^0.2 = 1.2214 times as long."""
    text = f"{STEADY};sigma=0;surprise=0.2"
    assert delay_ms(text, 7, 1, 3, points=(4.0, 9.0)) == 12_214
    assert delay_ms(text, 7, 1, 3) == 10_000
    assert delay_ms(f"{STEADY};sigma=0;surprise=0", 7, 1, 3, points=(4.0, 9.0)) == 10_000


@pytest.mark.parametrize(
    ("points", "surprising"),
    [
        ((), False),
        ((4.0,), False),
        ((10.0, 5.0), False),  # half of the larger, not more
        ((10.0, 4.9), True),
        ((4.9, 10.0), True),
        ((5.0, 10.0), False),
        ((0.0, 0.0), False),
        ((-2.0, 2.0), True),
        ((1.0, 10.0, 10.0), False),  # only the last two count
    ],
)
def test_points_that_differ_by_more_than_half_are_a_surprise(points, surprising):
    assert is_surprising(points) is surprising


@pytest.mark.long
def test_consecutive_times_correlate_beside_people_whose_times_do_not():
    """There are 300 plays. With 15 periods, the estimate is about 0.1 below the setting."""
    people = _people(0.0)
    default, more = (_beside(people, f"people:own=0{again}") for again in ("", ";again=0.4"))
    assert 0.02 < _autocorrelation(default) < 0.15
    assert 0.2 < _autocorrelation(more) < 0.35


def test_the_times_of_bots_vary_change_and_correlate_like_those_of_people_beside_them():
    people = _people(0.15)
    bots = _beside(people, "people:own=0")
    assert _changes(bots) / _changes(people) == pytest.approx(1, abs=0.05)
    assert _spread(bots) / _spread(people) == pytest.approx(1, abs=0.07)
    assert _autocorrelation(bots) == pytest.approx(_autocorrelation(people), abs=0.06)


def _log(text: str, seed: int, period: int, taken: Sequence[Taken] = ()) -> float:
    """Return the logarithm of the bot's time in seat 1, relative to 10 s."""
    return math.log(max(delay_ms(text, seed, 1, period, taken), 1) / 10_000)


def _people(again: float, spread: float = 0.45) -> Array:
    """Return the logarithms of the seconds that two people take in 300 plays."""
    draws = np.random.default_rng(3).normal(size=(300, 2, PERIODS))
    for period in range(1, PERIODS):
        draws[..., period] *= math.sqrt(1 - again**2)
        draws[..., period] += again * draws[..., period - 1]
    logs: Array = math.log(8) + 0.33 * np.exp(-np.arange(PERIODS) / 4) + spread * draws
    return logs


def _beside(people: Array, text: str) -> Array:
    """Return the logarithms of the seconds that a bot beside them takes, play by play."""
    return np.array([_of_play(person, seed, text) for seed, person in enumerate(people)])


def _of_play(people: Array, seed: int, text: str) -> list[float]:
    logs = []
    for period in range(PERIODS):
        taken = 1000 * np.exp(people[:, max(0, period - RECENT) : period])
        by_period = [dict(enumerate(times)) for times in taken.T.tolist()]
        logs.append(math.log(delay_ms(text, seed, 2, period, by_period) / 1000))
    return logs


def _autocorrelation(logs: Array) -> float:
    """Return the mean correlation of successive times within a play."""
    around = logs - logs.mean(axis=-1, keepdims=True)
    return float(np.mean((around[..., 1:] * around[..., :-1]).sum(-1) / (around**2).sum(-1)))


def _changes(logs: Array) -> float:
    return float(np.abs(np.diff(logs)).mean())


def _spread(logs: Array) -> float:
    return float(logs.std(axis=-1, ddof=1).mean())

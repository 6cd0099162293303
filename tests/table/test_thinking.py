"""Thinking times of bots."""

from __future__ import annotations

import math
import statistics

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.thinking import check, delay_ms


def test_instant_and_fixed_delays_are_exact() -> None:
    assert delay_ms("instant", 1, 0, 0) == 0
    assert delay_ms("fixed:seconds=2.5", 1, 0, 0) == 2500
    assert delay_ms("fixed", 1, 0, 0) == 2000


def test_lognormal_delays_have_the_requested_median_and_spread() -> None:
    drawn = [delay_ms("lognormal:median=3;sigma=0.4", 5, 1, period) for period in range(4000)]
    logs = [math.log(ms / 1000) for ms in drawn]
    # standard errors of mean and standard deviation of 4000 normal numbers of spread 0.4
    assert abs(statistics.mean(logs) - math.log(3)) < 4 * 0.4 / math.sqrt(4000)
    assert abs(statistics.stdev(logs) - 0.4) < 4 * 0.4 / math.sqrt(8000)


def test_a_delay_is_drawn_per_play_seat_and_period() -> None:
    drawn = {
        delay_ms("lognormal", seed, seat, period)
        for seed in (1, 2)
        for seat in (0, 1)
        for period in (0, 1)
    }
    assert len(drawn) == 8
    assert delay_ms("lognormal", 1, 0, 0) == delay_ms("lognormal", 1, 0, 0)


def test_no_delay_is_longer_than_an_hour() -> None:
    drawn = [delay_ms("lognormal:median=3600;sigma=3600", 5, 0, period) for period in range(50)]
    assert max(drawn) == 3_600_000


def test_with_delay_people_the_expected_median_applies_until_they_have_decided() -> None:
    drawn = [delay_ms("people:median=4", seed, 1, 0) for seed in range(2000)]
    logs = [math.log(ms / 1000) for ms in drawn]
    spread = math.hypot(0.45, 0.35)  # of seats and periods together
    assert abs(statistics.mean(logs) - math.log(4)) < 4 * spread / math.sqrt(2000)
    assert abs(statistics.stdev(logs) - spread) < 4 * spread / math.sqrt(4000)


def test_then_the_median_approaches_the_times_that_people_took() -> None:
    """The expected 4 s count as one decision. With one decision of 9 s, the median is the square
    root of 4 * 9, which is 6 s.
    """
    text = "people:median=4;sigma=0;learning=0"
    before, after = (delay_ms(text, 7, 1, 2, taken) for taken in ((), [{0: 9000}]))
    assert abs(after / before - 6 / 4) < 0.001


def test_a_seat_keeps_its_speed_for_the_whole_play() -> None:
    of_seats = [
        [math.log(delay_ms("people:sigma=0;learning=0", seed, 0, period)) for period in range(5)]
        for seed in range(300)
    ]
    assert all(max(times) - min(times) < 0.01 for times in of_seats)  # apart from rounding
    assert 0.3 < statistics.stdev(times[0] for times in of_seats) < 0.4  # `own` is 0.35


def test_the_expected_median_no_longer_counts_after_twelve_periods() -> None:
    text = "people:median=4;sigma=0;own=0;learning=0"
    assert delay_ms(text, 7, 1, 11, [{0: 9000, 2: 9000}, {0: 9000}]) == round(
        1000 * (4 * 9**3) ** (1 / 4)
    )
    assert delay_ms(text, 7, 1, 12, [{0: 9000, 2: 9000}, {0: 9000}]) == 9000
    assert delay_ms(text, 7, 1, 12) == 4000  # no decision yet


def test_bots_become_quicker_as_people_do() -> None:
    """Final times are half as long as in the first period: learning = log 2, and e^(-1/4) of it is
    left in the second. Before period 14 people took 10 s. 0.2171 of the learning was left in the
    mean of periods 2 to 13, and e^-3.5 = 0.0302 is left now: 10 * 2^-0.1869 = 8.785 s."""
    text = f"people:median=10;sigma=0;own=0;learning={math.log(2)!r}"
    assert delay_ms(text, 7, 1, 0) == 10_000
    assert delay_ms(text, 7, 1, 1) == round(10_000 * 2 ** (math.exp(-1 / 4) - 1))
    assert delay_ms(text, 7, 1, 1, [{0: 10_000}]) == delay_ms(text, 7, 1, 1)
    assert delay_ms(text, 7, 1, 14, [{0: 10_000}] * 12) == pytest.approx(8785, abs=2)


def test_people_are_never_assumed_to_be_quicker_than_a_tenth_of_a_second() -> None:
    quickest = delay_ms("people:median=4;sigma=0;own=0;learning=0", 7, 1, 2, [{0: 100}])
    assert quickest == round(1000 * math.sqrt(4 * 0.1))
    assert delay_ms("people:median=4;sigma=0;own=0;learning=0", 7, 1, 2, [{0: 1}]) == quickest
    assert delay_ms("people:median=0;sigma=0;own=0;learning=0", 7, 1, 2) == 100
    slow = delay_ms("people:median=0;sigma=0;own=0;learning=0", 7, 1, 2, [{0: 3_600_000}])
    assert slow == round(1000 * math.sqrt(0.1 * 3600))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("instantly", "'instantly': unknown delay; did you mean 'instant'?"),
        ("fixed:second=2", "'fixed:second=2': 'second' is unknown; did you mean 'seconds'?"),
        ("fixed:seconds=3601", "'fixed:seconds=3601': seconds should be from 0 to 3600"),
        ("fixed:seconds=-1", "'fixed:seconds=-1': seconds should be from 0 to 3600"),
        ("people:again=0.96", "'people:again=0.96': again should be from 0 to 0.95"),
    ],
)
def test_an_unknown_delay_is_refused(text: str, rule: str) -> None:
    with pytest.raises(ConfigError) as error:
        check(text)
    assert str(error.value) == rule
    assert check("fixed:seconds=3600") == "fixed:seconds=3600"
    assert check("fixed:seconds=0") == "fixed:seconds=0"
    assert check("people:again=0.95") == "people:again=0.95"

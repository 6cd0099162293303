"""How long a bot takes to answer."""

from __future__ import annotations

import math
import statistics

from table.thinking import delay_ms


def test_instant_and_fixed_delays_are_what_they_say() -> None:
    assert delay_ms("instant", 1, 0, 0) == 0
    assert delay_ms("fixed:seconds=2.5", 1, 0, 0) == 2500
    assert delay_ms("fixed", 1, 0, 0) == 2000


def test_lognormal_delays_have_the_median_and_the_spread_asked_for() -> None:
    drawn = [delay_ms("lognormal:median=3;sigma=0.4", 5, 1, period) for period in range(4000)]
    logs = [math.log(each / 1000) for each in drawn]
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

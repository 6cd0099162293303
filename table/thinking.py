"""How long a bot seems to think before it answers: as people do, instant, fixed or lognormal.

    people:median=10;sigma=0.45;own=0.35;learning=0.33
    instant
    fixed:seconds=2
    lognormal:median=2;sigma=0.5

Drawn once per seat and period from the play's seed, and logged with the decision. With `people` the
median is that of the people at the table in the last periods; `median` says what it is expected to
be in the first period, and counts for as much as one decision while there is little to go by.
`learning` is by how much of the logarithm people take longer in the first period than in the end;
it fades with a rate of 1 / 4 a period. `own` is the spread between seats, which stays for the play,
`sigma` that from period to period, both of the logarithm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bots.spec import parse
from engine.contract import chance
from engine.contract.errors import ConfigError, nearest

__all__ = ["RECENT", "check", "delay_ms"]

RECENT = 3
"""In so many periods before people are looked at: they become quicker as they play."""

_FADING = 4.0
"""Periods in which what people are slower at first goes down to 1 / e."""

_VARIES = 0.95
"""By so much of 1 / n of the variance of one decision the mean of n varies over a play."""

_QUICKEST_MS = 100

_DEFAULTS: dict[str, dict[str, float]] = {
    "people": {"median": 10.0, "sigma": 0.45, "own": 0.35, "learning": 0.33},
    "instant": {},
    "fixed": {"seconds": 2.0},
    "lognormal": {"median": 2.0, "sigma": 0.5},
}


def check(text: str) -> str:
    """The delay as written, if it is one. Raises ConfigError."""
    _resolved(text)
    return text


def delay_ms(text: str, seed: int, seat: int, period: int, taken: Sequence[float] = ()) -> int:
    """Milliseconds that the bot on this seat takes in this period.

    `taken` are those that people at the table took for their decisions in the last RECENT periods.
    """
    name, own = _resolved(text)
    if name == "instant":
        return 0
    if name == "fixed":
        return round(1000 * own["seconds"])
    drawn = _normal(seed, f"thinking of seat {seat}", period)
    if name == "lognormal":
        seconds = own["median"] * math.exp(min(own["sigma"] * drawn, 50.0))
    else:
        before = _normal(seed, f"thinking of seat {seat}", period - 1)
        log = _expected(own["median"], own["learning"], period, taken)
        log += own["sigma"] * _around(drawn, before, len(taken))
        log += own["own"] * _normal(seed, f"speed of seat {seat}", 0)
        seconds = math.exp(min(log, 50.0))
    return round(1000 * min(seconds, 3600.0))


def _normal(seed: int, name: str, period: int) -> float:
    return float(chance.stream(seed, name, period).normal()) if period >= 0 else 0.0


def _expected(median: float, learning: float, period: int, taken: Sequence[float]) -> float:
    """The logarithm of the seconds that people take now, by what they took, and what is expected
    of the first period until there are RECENT periods to go by."""
    fades = [math.exp(-at / _FADING) for at in range(period + 1)]
    logs = [math.log(max(time_ms, _QUICKEST_MS) / 1000) for time_ms in taken]
    if logs:
        lately = fades[-1 - RECENT : -1]
        change = learning * (fades[-1] - math.fsum(lately) / max(len(lately), 1))
        logs = [log + change for log in logs]
    if not logs or period < RECENT:
        logs.append(math.log(max(median, _QUICKEST_MS / 1000)) + learning * (fades[-1] - 1))
    return math.fsum(logs) / len(logs)


def _around(drawn: float, before: float, count: int) -> float:
    """What is added to a mean of so many decisions, in units of `sigma`, by the draws of this
    period and the one before.

    The mean varies by itself, but little from one period to the next, since most of its decisions
    are the same. So what is added varies less than a person does, and leans away from what was
    added before: then neither spread nor changes tell a bot from people.
    """
    if count == 0:
        return drawn
    count = max(count, RECENT)
    variance = 1 - _VARIES / count
    leaning = (1 - 1 / (3 * count)) / variance - 1  # minus its correlation with the last one
    share = (1 - math.sqrt(1 - 4 * leaning**2)) / (2 * leaning)
    return math.sqrt(variance / (1 + share**2)) * (drawn - share * before)


def _resolved(text: str) -> tuple[str, dict[str, float]]:
    name, own = parse(text)
    if name not in _DEFAULTS:
        raise ConfigError(f"{text!r}: unknown delay{nearest(name, _DEFAULTS)}")
    for key, value in own.items():
        if key not in _DEFAULTS[name]:
            raise ConfigError(f"{text!r}: {key!r} is unknown{nearest(key, _DEFAULTS[name])}")
        if not 0 <= value <= 3600:
            raise ConfigError(f"{text!r}: {key} should be from 0 to 3600")
    return name, {**_DEFAULTS[name], **own}

"""Time that a bot appears to think before it answers: like people, none, fixed or lognormal.

    people:median=10;sigma=0.45;own=0.35;learning=0.33;again=0.15;surprise=0.05
    instant
    fixed:seconds=2
    lognormal:median=2;sigma=0.5

The time is computed for each seat and period from the play's seed, and logged with the decision.
With `people`, the logarithm of the time is the sum of five parts:

    median    of the people at the table in recent periods; `median` is the expected value in the
              first period, and counts as one decision until there are RECENT periods
    learning  people's extra time in the first period, compared with the end; it fades at a rate of
              1 / 4 per period
    own       normal number with this spread: the seat's pace, constant for the play
    sigma     normal number with the spread of people's times from period to period; `sigma` is
              its expected value, and counts as four changes (0 means no spread, no matter what
              people do). `again` is the correlation with the previous period, 0 for independent
              times
    surprise  added after a period with points that differ from the previous period's by more than
              half of the larger; with 0, nothing is added

Sources for the form of this sum: lognormal times with a pace for each person, van der Linden
(2006), Journal of Educational and Behavioral Statistics 31, 181-204; positive correlation from one
time to the next, Wagenmakers, Farrell and Ratcliff (2004), Psychonomic Bulletin & Review 11,
579-615; learning that fades exponentially, Heathcote, Brown and Mewhort (2000), Psychonomic
Bulletin & Review 7, 185-207; slowing after rare events, Notebaert et al. (2009), Cognition 111,
275-279. docs/reliability.md says which numbers were fitted to published times and which ones we
chose.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from mixed_company.engine.contract import chance
from mixed_company.engine.contract.errors import ConfigError, nearest
from mixed_company.policies.spec import parse

Taken = Mapping[int, float]
"""Milliseconds that people took to decide in a period, by seat."""

RECENT = 12
"""Number of past periods in which people's times are used. It is small, because people become
faster as they play, but large enough for the mean to be stable. If the mean varied, the times of
all bots would vary with it, which would reveal the bots.
"""

_FADING = 4.0
"""Number of periods after which the initial slowness has fallen to 1 / e."""

_FORGOTTEN = 0.001
"""Weight below which noise from an old period is ignored."""

_EXPECTED = 4
"""Weight of `sigma` in the estimate, as a number of changes between periods."""

_SURPRISING = 0.5
_QUICKEST_MS = 100

_DEFAULTS: dict[str, dict[str, float]] = {
    "people": {
        "median": 10.0,
        "sigma": 0.45,
        "own": 0.35,
        "learning": 0.33,
        "again": 0.15,
        "surprise": 0.05,
    },
    "instant": {},
    "fixed": {"seconds": 2.0},
    "lognormal": {"median": 2.0, "sigma": 0.5},
}
_MOST = {"again": 0.95}


def check(text: str) -> str:
    """Return the delay unchanged if it is valid. Raises ConfigError."""
    _resolved(text)
    return text


def delay_ms(
    text: str,
    seed: int,
    seat: int,
    period: int,
    taken: Sequence[Taken] = (),
    points: Sequence[float] = (),
    stage: str = "",
) -> int:
    """Return how many milliseconds the bot in this seat appears to think in this period. `taken`
    has the times of people at the table in the last RECENT periods, by seat. `points` has the
    seat's points in the last few periods, which can be surprising. `stage` is the name of a later
    stage of the period, which has its own times.
    """
    name, parameters = _resolved(text)
    if name == "instant":
        return 0
    if name == "fixed":
        return round(1000 * parameters["seconds"])
    noise_name = f"thinking of seat {seat}{f' at stage {stage}' if stage else ''}"
    if name == "lognormal":
        drawn = _normal(seed, noise_name, period)
        seconds = parameters["median"] * math.exp(min(parameters["sigma"] * drawn, 50.0))
    else:
        log = _expected(parameters["median"], parameters["learning"], period, taken)
        log += parameters["own"] * _normal(seed, f"speed of seat {seat}", 0)
        spread = _spread(
            parameters["sigma"],
            parameters["again"],
            _unlearnt(parameters["learning"], period, taken),
        )
        log += spread * _noise(seed, noise_name, period, parameters["again"])
        log += parameters["surprise"] * is_surprising(points)
        seconds = math.exp(min(log, 50.0))
    return round(1000 * min(seconds, 3600.0))


def is_surprising(points: Sequence[float]) -> bool:
    """Return whether a seat's points in the last period are surprising.

    Points are surprising if they differ from the previous period's by more than half of the larger
    of the two.
    """
    if len(points) < 2:
        return False
    before, last = points[-2:]
    if last == before:
        return False
    return abs(last - before) > _SURPRISING * max(abs(before), abs(last))


def _noise(seed: int, name: str, period: int, again: float) -> float:
    """Return normal noise of variance 1 with correlation `again` from one period to the next."""
    lasts = math.ceil(math.log(_FORGOTTEN) / math.log(again)) if again else 0
    first = max(period - lasts, 0)
    noise = _normal(seed, name, first)
    for later in range(first + 1, period + 1):
        noise = again * noise + math.sqrt(1 - again**2) * _normal(seed, name, later)
    return noise


@lru_cache(maxsize=4096)
def _normal(seed: int, name: str, period: int) -> float:
    return float(chance.stream(seed, name, period).normal())


def _expected(median: float, learning: float, period: int, taken: Sequence[Taken]) -> float:
    """Return the expected logarithm of the seconds that people currently take.

    This is the mean over their recent times; until there are RECENT periods, the prior counts as
    one of them.
    """
    logs = [log for lately in _unlearnt(learning, period, taken) for log in lately.values()]
    if not logs or period < RECENT:
        logs.append(math.log(max(median, _QUICKEST_MS / 1000)) + learning * (_fades(period) - 1))
    return math.fsum(logs) / len(logs)


def _spread(sigma: float, again: float, logs: Sequence[Mapping[int, float]]) -> float:
    """Return the spread of people's times from period to period, estimated from their changes.

    Normal numbers with spread 1 and correlation `again` change by 2 * sqrt((1 - again) / pi) on
    average.
    """
    changes = [
        abs(after[seat] - before[seat])
        for before, after in pairwise(logs)
        for seat in before.keys() & after.keys()
    ]
    spread = math.fsum(changes) * math.sqrt(math.pi / (1 - again)) / 2
    return (_EXPECTED * sigma + spread) / (_EXPECTED + len(changes)) if sigma else 0.0


def _unlearnt(learning: float, period: int, taken: Sequence[Taken]) -> list[dict[int, float]]:
    """Return the logarithms of people's past times in seconds, adjusted for this period's
    learning."""
    first, now = period - len(taken), _fades(period)
    return [
        {
            seat: math.log(max(time_ms, _QUICKEST_MS) / 1000) + learning * (now - _fades(past))
            for seat, time_ms in lately.items()
        }
        for past, lately in enumerate(taken, first)
    ]


def _fades(period: int) -> float:
    return math.exp(-period / _FADING)


@lru_cache(maxsize=256)
def _resolved(text: str) -> tuple[str, Mapping[str, float]]:
    name, parameters = parse(text)
    if name not in _DEFAULTS:
        raise ConfigError(f"{text!r}: unknown delay{nearest(name, _DEFAULTS)}")
    for key, value in parameters.items():
        if key not in _DEFAULTS[name]:
            raise ConfigError(f"{text!r}: {key!r} is unknown{nearest(key, _DEFAULTS[name])}")
        highest = _MOST.get(key, 3600)
        if not 0 <= value <= highest:
            raise ConfigError(f"{text!r}: {key} should be from 0 to {highest}")
    return name, {**_DEFAULTS[name], **parameters}

"""Three kinds of people, who differ in how long they take in each period.

    pace = PACES["drifting"](math.log(10), random.Random(1))
    pace(0), pace(1)          seconds in the first period and the next

None of them follows the bots' model (`table.thinking`) or another kind's model:

    drifting    gamma times of shape 4 around a drifting pace, 1.5% quicker per period
    switching   shifted Wald times: a tenth of the median passes before deciding starts; people are
                slow or quick, and mostly stay that way in the next period; three in four start slow
    tiring      lognormal times that become shorter and then 3% longer per period; a fifth of the
                random part carries over to the next period

In the first period about half of the people take less than the given median. The numbers above fit
published times, not the bots: the 24 respondents of Crosetto and Güth (2020, "What are you calling
intuitive?", GAEL working paper 09/2020) faced two parts of 120 offers. In the first 15 offers of a
part their log times had a mean correlation with the next ones of 0.085 and 0.095, and were shorter
by 0.15 and 0.09 in the last five than in the first five. Here the figures are 0.08 to 0.12, and
0.07 to 0.14. The spreads are our own choice.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping

__all__ = ["PACES", "Pace"]

Pace = Callable[[int], float]
"""Function that returns the seconds a person takes in a period. It is called for consecutive
periods.
"""

_GAMMA_SHAPE, _GAMMA_MEDIAN = 4.0, 3.672
_WALD_SHAPE, _WALD_MEDIAN = 4.0, 0.8905
_SHIFT = 0.1
_STAYS = 0.2


def _drifting(centre: float, draw: random.Random) -> Pace:
    pace = centre + 0.3 * draw.gauss(0, 1)

    def seconds(period: int) -> float:
        nonlocal pace
        if period:
            pace += -0.015 + 0.18 * draw.gauss(0, 1)
        return math.exp(pace) * draw.gammavariate(_GAMMA_SHAPE, 1 / _GAMMA_MEDIAN)

    return seconds


def _switching(centre: float, draw: random.Random) -> Pace:
    median = math.exp(centre - 0.2 + 0.4 * draw.gauss(0, 1))
    slow = draw.random() < 0.75

    def seconds(period: int) -> float:
        nonlocal slow
        slow = slow if not period or draw.random() < 0.8 else not slow
        decides = (1 - _SHIFT) * median * math.exp(0.4 if slow else -0.4)
        return _SHIFT * median + decides * _wald(draw) / _WALD_MEDIAN

    return seconds


def _wald(draw: random.Random) -> float:
    """Draw from the Wald distribution with mean 1 (Michael, Schucany and Haas 1976)."""
    square = draw.gauss(0, 1) ** 2
    root = math.sqrt(4 * _WALD_SHAPE * square + square**2)
    low = 1 + (square - root) / (2 * _WALD_SHAPE)
    return low if draw.random() <= 1 / (1 + low) else 1 / low


def _tiring(centre: float, draw: random.Random) -> Pace:
    pace, last = centre + 0.5 * draw.gauss(0, 1), draw.gauss(0, 1)

    def seconds(period: int) -> float:
        nonlocal last
        fresh = draw.gauss(0, 1)
        noise, last = (fresh + _STAYS * last) / math.hypot(1, _STAYS), fresh
        learnt = 0.7 * (1 - math.exp(-period / 3))
        return math.exp(pace - learnt + 0.03 * period + 0.4 * noise)

    return seconds


PACES: Mapping[str, Callable[[float, random.Random], Pace]] = {
    "drifting": _drifting,
    "switching": _switching,
    "tiring": _tiring,
}
"""Functions that make a person's pace, by kind. They take the logarithm of the median and a
generator.
"""

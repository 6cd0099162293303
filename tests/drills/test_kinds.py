"""Tests that the people in the `bots` drill take as long as their kind should."""

from __future__ import annotations

import math
import random
from statistics import fmean, median

import pytest

from tests.drills.kinds import PACES
from tests.drills.telling import correlation

PEOPLE, PERIODS = 2000, 15


def logs(kind: str) -> list[list[float]]:
    """Return the logarithms of the seconds that people of a kind take, by person."""
    paces = [PACES[kind](math.log(10), random.Random(number)) for number in range(PEOPLE)]
    return [[math.log(pace(period)) for period in range(PERIODS)] for pace in paces]


@pytest.mark.parametrize("kind", PACES)
def test_times_of_a_kind_match_the_published_ones(kind):
    people = logs(kind)
    assert median(person_logs[0] for person_logs in people) == pytest.approx(math.log(10), abs=0.06)
    assert 0.07 < fmean(correlation(person_logs) for person_logs in people) < 0.13
    quicker = fmean(fmean(person_logs[:5]) - fmean(person_logs[-5:]) for person_logs in people)
    assert 0.05 < quicker < 0.16


def test_correlation_with_the_next_value_by_hand():
    """Compute products -1, 0 and 0 around the mean 0, and squares 1 + 1 + 0 + 0."""
    assert correlation([1.0, -1.0, 0.0, 0.0]) == -0.5
    assert correlation([3.0, 3.0, 3.0]) == 0.0

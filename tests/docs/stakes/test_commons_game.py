"""Promises of the default commons, checked with hand-made measurements and short plays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from docs.stakes import commons_game, earning
from docs.stakes.commons_game import (
    Lake,
    best_reply,
    named,
    numbers_in,
    played,
    preserving,
    promises,
)
from docs.stakes.earning import Stake, Table
from settings import SESSION_CONFIGS

CONFIG = next(config for config in SESSION_CONFIGS if config["name"] == "commons")
LAKE = Lake(
    fixed=np.array([0.0, 10, 20, 30, 24, 14]),
    random=18.0,
    gained=np.array([[1.0, 2.0], [1.0, 2.0]]),
    total=np.array([[-3.0, -9.0], [-0.5, -4.0]]),
    lasted=0.5,
    reply=np.array([0.0, 4, 4, 5]),
    reply_points=33.0,
    numbers=frozenset({1.0, 2.0, 5.0}),
)


def judged(**changed: Any) -> list[tuple[str, bool]]:
    return [(promise.number, bool(promise.met)) for promise in promises(replace(LAKE, **changed))]


def test_all_promises_are_right_by_hand():
    assert judged() == [
        ("peak at 3 of 5, steps of 6.0 points or more", True),  # 24 - 30 is the smallest
        ("67%", False),  # 20 / 30
        ("47%", True),  # 14 / 30
        ("60%", True),  # 18 / 30
        ("at least 1.0 immediately, 1.5 later", True),  # 1 + 0.5
        ("50%", True),
        ("110%: 0 4 4 5", True),  # 33 / 30
        ("none", True),
    ]


@pytest.mark.parametrize(
    ("points", "numbers"),
    [
        # There is no peak inside: the highest harvest earns the most.
        ([0, 1, 2, 3, 4, 5], ["peak at 5 of 5, steps of 1.0 points or more", "80%", "100%"]),
        # There is a second peak at the end; 40 / 50.
        ([0, 20, 40, 50, 40, 41], ["peak at 3 of 5, steps of -1.0 points or more", "80%", "82%"]),
    ],
)
def test_points_without_one_peak_inside_are_reported(points, numbers):
    results = judged(fixed=np.array(points))[:3]
    assert [number for number, _ in results] == numbers
    assert [met for _, met in results] == [False, True, False]


@pytest.mark.parametrize(
    ("place", "changed", "number"),
    [
        (3, {"random": 18.6}, "62%"),
        (4, {"gained": np.array([[1.0, 2], [0, 2]])}, "at least 0.0 immediately, 0.5 later"),
        (4, {"total": np.array([[-3.0, -9], [0.5, -4]])}, "at least 1.0 immediately, 0.5 later"),
        (4, {"gained": np.zeros((2, 0)), "total": np.zeros((2, 0))}, "nobody can take more"),
        (5, {"lasted": 0.45}, "45%"),
        (6, {"reply_points": 32.4}, "108%: 0 4 4 5"),
        (6, {"reply": np.array([4.0, 4, 4, 5])}, "110%: 4 4 4 5"),  # only the end differs
        (7, {"numbers": frozenset({2.0, 3.0})}, "3"),  # the peak
        (7, {"numbers": frozenset({4.0})}, "4"),  # the amount that the reply takes most often
    ],
)
def test_each_unmet_promise_is_reported(place, changed, number):
    assert judged(**changed)[place] == (number, False)


def test_whole_numbers_next_to_the_peak_may_earn_three_quarters():
    assert judged(fixed=np.array([0.0, 20, 30, 40, 30, 20]))[1] == ("75%", True)


@pytest.mark.parametrize(("least", "met"), [(45.0, True), (40.0, False)])
def test_the_worst_group_that_preserves_the_stock_must_beat_random(least, met):
    # A group of greedy seats may earn less, because they do not claim to preserve anything.
    groups = {"random": 40.0, "half_capacity": 60.0, "sustainable": least, "greedy": 10.0}
    number = f"`sustainable` {least}, `random` 40.0"
    assert preserving(groups)[1:] == (number, met)


def test_a_promise_that_is_broken_preserves_nothing():
    groups = {"random": 40.0, "promises_and_keeps": 60.0, "promises_and_breaks": 10.0}
    assert preserving(groups).met
    del groups["promises_and_keeps"]
    assert preserving(groups)[1:] == ("no policy makes this claim", False)


def test_numbers_are_read_in_texts_but_not_in_keys():
    texts = [{"lines": ["0 to 12 fish"], "5": "2.5"}, ("no number", {"n": ["a 7"]})]
    assert numbers_in(texts) == {0, 12, 2.5, 7}


def short(**core: Any) -> Stake:
    return earning.stake_of(
        {**CONFIG, "bots": "fixed:harvest=1", "periods": 4, "max_harvest": 3.0, **core}
    )


def test_schedules_are_played_in_the_engine():
    # 10 fish that do not grow: 2 + 1 and 3 + 1 are taken, and then 3 + 1 are asked of 3.
    stake = short(initial_stock=10.0, growth_rate=0.0, seats=2, collapse_stock=2.0)
    harvests = np.array([[2.0, 3, 3, 3], [0, 0, 0, 0]])
    points, periods = played(stake.game, stake.others, harvests, plays=2)
    assert points.tolist() == [[[2, 3, 2.25, 0]] * 2, [[0, 0, 0, 0]] * 2]
    assert periods.tolist() == [[3, 3], [4, 4]]


def test_the_search_finds_a_best_schedule_by_hand():
    # 8 fish, 1 of them taken by the other in each period that a play lasts; none grow.
    stake = short(initial_stock=8.0, growth_rate=0.0, seats=2, collapse_stock=0.0)
    reply = best_reply(stake)
    # 3 + 1 of 8 and 3 + 1 of 4: 6 points in two periods, and no schedule earns more.
    assert played(stake.game, stake.others, reply[None], plays=1)[0].sum() == 6


def test_a_session_is_measured_by_hand():
    """Play 4 periods with an imitator. There are 6 fish, 2 are born per period, and the play ends
    if fewer than 2.5 are left.

    Taking 1 each is sustainable. Taking 2 yields 2 of 6, 2 of 5 and half of the last 3 fish: 5.5.
    Taking 3 yields 3 of 6 and half of 4: 5. Taking 3 instead of 2 once yields 3 of 6 and then
    4 * 2 / 5 = 1.6, or 2 of 6 and then 3 of 5.
    """
    stake = short(
        bots="imitator",
        seats=2,
        initial_stock=6.0,
        growth="linear",
        growth_rate=2.0,
        collapse_stock=2.5,
    )
    random = earning.Earned(np.array([3.0, 5.0]))
    lake = commons_game.lake_of(Table(stake, {"random": random}, {}, {}, None))
    assert lake.fixed.tolist() == [0, 4, 5.5, 5]
    assert lake.random == 4
    assert lake.gained.tolist() == [[1], [1]]
    assert lake.total.ravel().tolist() == pytest.approx([-0.9, -0.5])
    assert lake.lasted == 0.5  # 2 periods, whichever seat takes 3
    assert lake.reply_points >= 5.5


def test_the_pages_of_a_session_name_their_numbers():
    stake = short(max_harvest=13.0)
    assert {13.0, 160.0, 50.0} <= named(stake)
    assert 37.0 not in named(stake)

"""Tests of the promises of gem mining, calculated by hand: two villages, mines A (0), B (1) and C
(2).
"""

from __future__ import annotations

import numpy as np
import pytest

from docs.stakes import gem_mining
from docs.stakes.earning import PLAYS, Stake, stake_of
from docs.stakes.gem_mining import Joint, Played
from mixed_company import policies
from settings import SESSION_CONFIGS

A, B, C = range(3)
JOINT = Joint(np.array([[A, B], [B, C], [A, C], [B, B]]), np.array([1.9, 2.0, 1.8, 0.4]))
"""Joint choices of two villages: the best, one worth 95% of the best, and two bad ones."""


def plays(points: list[float], *mines: list[list[int]]) -> Played:
    """Return two periods of two plays. `points` has the points of each play, half of them in each
    period.
    """
    return Played(np.array([points, points]) / 2, np.array(mines))


def stake(bots: str, **core: object) -> Stake:
    """Return two villages that reach two mines each. A and C are good, and only B is shared."""
    instance = '{"reach": [2, 2], "workers": [1, 1], "base_probabilities": [[1], [1], [1]]}'
    config = next(config for config in SESSION_CONFIGS if config["name"] == "gems")
    rules = {"seats": 2, "max_connectivity": 2, "gem_types": 1, "truncation": 1, "bots": bots}
    return stake_of({**config, **rules, "instance": instance, **core})


def test_a_mine_that_is_taken_up_in_the_third_period_is_soon_enough() -> None:
    delays = {(A, B, 1): np.array([1.0, 3.0]), (B, A, 1): np.array([2.0, 1.0])}
    assert gem_mining.answered(delays)[1:] == ("after at most 3", True)


@pytest.mark.parametrize("slow", [4.0, np.inf])
def test_a_mine_that_is_taken_up_later_in_a_single_play_is_too_late(slow: float) -> None:
    delays = {(A, B, 1): np.array([1.0, slow]), (B, A, 1): np.array([2.0, 1.0])}
    assert gem_mining.answered(delays)[1:] == (f"after at most {slow:g}", False)


def test_a_delay_is_the_number_of_the_first_period_with_somebody_at_the_mine() -> None:
    # of three plays: a person is away in the first period, in the second, or never
    mines = np.array([[[A, B], [A, C], [A, C]], [[A, C], [A, B], [A, C]]])
    assert gem_mining.delay(mines, B).tolist() == [1, 2, np.inf]


def test_two_joint_choices_are_good_with_different_mines_for_oneself() -> None:
    assert gem_mining.several(JOINT)[1:] == ("2, with 2 different mines for the person", True)


def test_good_joint_choices_with_the_same_mine_for_oneself_ask_nothing() -> None:
    joint = Joint(np.array([[B, A], [B, C], [A, C]]), np.array([1.9, 2.0, 1.8]))
    assert gem_mining.several(joint)[1:] == ("2, with 1 different mines for the person", False)


def test_watching_is_compared_with_the_best_mine_to_stay_at() -> None:
    staying = {A: plays([9, 11]), B: plays([2, 4])}  # 10 and 3 points on average
    assert gem_mining.watched(plays([12, 14]), staying)[1:] == ("+30%", True)
    assert gem_mining.watched(plays([12, 13.8]), staying)[1:] == ("+29%", False)


def test_the_best_joint_choice_is_reached_in_every_play() -> None:
    once = plays([1, 1], [[B, C], [A, B]], [[A, B], [B, C]])
    assert gem_mining.reached(once, JOINT)[1:] == ("in 100% of plays, 1.0 of 2 periods", True)
    twice = plays([1, 1], [[B, C], [A, B]], [[B, C], [A, B]])  # twice in one play, never in another
    assert gem_mining.reached(twice, JOINT)[1:] == ("in 50% of plays, 1.0 of 2 periods", False)


# -- measuring ------------------------------------------------------------------------------------


def test_a_play_of_a_person_who_stays_beside_a_bot_that_stays() -> None:
    # the bot is at B; two workers find nothing there, and one finds a gem at A and one at B
    session = stake("fixed:mine=0", worker_bonus=0.0, periods=3)
    staying = gem_mining.stays(session)
    assert set(staying) == {A, B}
    assert staying[A].points.tolist() == [[2.0] * PLAYS] * 3
    assert staying[B].points.tolist() == [[0.0] * PLAYS] * 3
    assert staying[B].mines[0, 0].tolist() == [B, B]


def test_a_bot_that_follows_takes_up_the_mine_that_one_leaves() -> None:
    followed = gem_mining.all_delays(stake("follow_crowd"))
    assert {mine for mine, _, _ in followed} == {B}
    assert all((periods == 1).all() for periods in followed.values())


def test_a_bot_that_stays_elsewhere_leaves_the_mine_empty() -> None:
    left = gem_mining.all_delays(stake("fixed:mine=1"))
    assert all(np.isinf(periods).all() for periods in left.values())


def test_the_joint_choices_are_all_of_them_with_their_expected_points() -> None:
    joint = gem_mining.joint_choices(stake("random", worker_bonus=0.5))
    assert joint.choices.tolist() == [[A, B], [A, C], [B, B], [B, C]]
    assert joint.points.tolist() == [2, 2, 0.5, 2]


def test_the_watching_person_is_one_who_reacts_to_the_last_period() -> None:
    session = stake("fixed:mine=0", worker_bonus=0.5, periods=3)
    watching = gem_mining.played(session, policies.make(gem_mining.WATCHES, session.game))
    assert watching.mines[1:, 0, 0].tolist() == [A, A]


def test_the_person_of_the_sessions_has_the_seat_that_is_measured() -> None:
    configs = {config["name"]: config for config in SESSION_CONFIGS}
    options = [stake_of(configs[name]).setup.options for name in gem_mining.SESSIONS]
    assert [(of_one.people_per_group, of_one.people_seats) for of_one in options] == [(1, "first")]

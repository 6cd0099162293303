"""Opportunist: it votes down, collects, and then votes up."""

from __future__ import annotations

from tests.bots.scripted.punishment_vote.seat import Seat

UP, DOWN = "vote_increase", "vote_decrease"
MOVES = {"up", "down", "left", "right"}
FRUIT = "... A@. ..."
COMPOSITE = {"actions": "composite", "views": "composite"}


def hunter(spec: str = "opportunist", **core: object) -> Seat:
    return Seat(spec, vision=2, taboo=("B",), **core)


NEAR = "..... ..... .B@.. ..... ....."
TWO = "..... ..... B.@.. ..... ....."
GONE = "..... ..... ..@.. ..... ....."


def test_the_opportunist_votes_down_takes_and_votes_up_again():
    # At 0.3 B costs 3: two votes down, each of which saves more than it costs. Then it takes B,
    # and restores the level with two votes.
    seat = hunter()
    assert [seat.sees(NEAR, level) for level in (0.3, 0.1, 0.0)] == [DOWN, DOWN, "left"]
    assert [seat.sees(GONE, level) for level in (0.0, 0.2)] == [UP, UP]
    assert seat.sees(GONE, 0.4) in MOVES


def test_the_opportunist_votes_up_once_even_after_collecting_unpunished():
    seat = hunter()
    assert seat.sees(NEAR, 0.0) == "left"
    assert seat.sees(GONE, 0.0) == UP
    assert seat.sees(GONE, 0.2) in MOVES


def test_the_opportunist_votes_only_when_the_resource_is_in_reach():
    assert hunter("opportunist:reach=1").sees(TWO, 0.1) == "left"
    assert hunter().sees(TWO, 0.1) == DOWN


def test_the_opportunist_loses_patience():
    # Others keep the level at 1: it votes three times and then walks away.
    seat = hunter()
    done = [seat.sees(NEAR, 1.0) for _ in range(5)]
    assert done[:3] == [DOWN] * 3
    assert set(done[3:]) <= MOVES - {"left"}


def test_the_opportunist_does_not_vote_if_nothing_taboo_is_in_reach():
    assert hunter().sees("..... ..... .A@.. ..... .....", 0.5) == "left"
    assert Seat("opportunist", taboo=()).sees(FRUIT, 0.5) == "left"


def test_the_opportunist_skips_a_vote_that_costs_more_than_it_saves():
    # From 0.1 a vote saves 0.1 * 10 = 1.
    assert hunter(vote_cost=0.9).sees(NEAR, 0.1) == DOWN
    assert hunter(vote_cost=1.1).sees(NEAR, 0.1) == "left"


def test_the_opportunist_votes_up_no_further_than_1():
    seat = hunter()
    seat.memory["owed"] = 2
    assert seat.sees(GONE, 1.0) in MOVES
    assert seat.memory["owed"] == 0


def test_with_composite_actions_the_opportunist_votes_on_its_way():
    seat = hunter(**COMPOSITE)
    assert seat.sees(TWO, 0.3) == "left_decrease"
    # A vote now would come too late: it takes B for 7 - 1, and votes up as it walks on.
    assert seat.sees(NEAR, 0.1) == "left_no_vote"
    assert seat.sees(GONE, 0.1).endswith("_increase")
    assert seat.sees(GONE, 0.3).endswith("_no_vote")


def test_with_composite_actions_the_opportunist_collects_only_when_it_pays():
    # At 0.9 B is worth -2. It votes while walking into the wall until B pays: 7 - 5 at 0.5.
    seat = hunter(**COMPOSITE)
    walled = "..... ..... .B@#. ..... ....."
    done = [seat.sees(walled, level) for level in (0.9, 0.7, 0.5)]
    assert done == ["right_decrease", "right_decrease", "left_no_vote"]

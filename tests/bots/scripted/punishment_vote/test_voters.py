"""Policies that vote: law and order, the libertarian, the conditional voter, the opportunist."""

from __future__ import annotations

import pytest

from tests.bots.scripted.punishment_vote.seat import UNSEEN, Seat

UP, DOWN = "vote_increase", "vote_decrease"
MOVES = {"up", "down", "left", "right"}
FRUIT = "... A@. ..."
COMPOSITE = {"actions": "composite", "views": "composite"}
LAW, LIBERTARIAN = "law_and_order:zeal=1", "libertarian:zeal=1"


@pytest.mark.parametrize(
    ("spec", "level", "does"),
    [
        (LAW, 0.1, UP),
        (LAW, 0.89, UP),
        # 0.1 + 4 * 0.2 is 0.9 up to rounding.
        (LAW, 0.1 + 0.2 + 0.2 + 0.2 + 0.2, "left"),
        (LAW, 1.0, "left"),
        (f"{LAW};target=0.3", 0.2, UP),
        (f"{LAW};target=0.3", 0.3, "left"),
        (LIBERTARIAN, 0.0, "left"),
        (LIBERTARIAN, 0.1, DOWN),
        (LIBERTARIAN, 1.0, DOWN),
        (f"{LIBERTARIAN};target=0.5", 0.5, "left"),
        (f"{LIBERTARIAN};target=0.5", 0.6, DOWN),
    ],
)
def test_they_vote_until_the_level_is_where_they_want_it_and_forage_then(spec, level, does):
    assert Seat(spec, taboo=()).sees(FRUIT, level) == does


def test_with_composite_actions_they_vote_while_they_walk():
    assert Seat(LAW, **COMPOSITE).sees(FRUIT) == "left_increase"
    assert Seat(LIBERTARIAN, taboo=(), **COMPOSITE).sees(FRUIT, 0.5) == "left_decrease"


def test_to_vote_without_walking_they_run_into_a_wall():
    # At level 1 nothing is worth 10, so the libertarian stays, and votes against the wall.
    assert Seat(LIBERTARIAN, **COMPOSITE).sees("... .@. .#.", 1.0) == "down_decrease"
    assert Seat(LIBERTARIAN, **COMPOSITE).sees("... A@. .A.", 1.0) == "up_decrease"
    assert Seat(LIBERTARIAN, **COMPOSITE).sees(".A. A@A .A.", 1.0) == "noop"


@pytest.mark.parametrize(("spec", "vote"), [("law_and_order", UP), ("libertarian", DOWN)])
def test_in_half_of_the_turns_they_walk_though_they_want_to_vote(spec, vote):
    # A share of 1/2 of 1000 turns, standard error sqrt(1 / 4000).
    seat = Seat(spec, taboo=())
    share = sum(seat.sees(FRUIT, 0.5) == vote for _ in range(1000)) / 1000
    assert abs(share - 0.5) < 4 * (1 / 4000) ** 0.5


def test_where_the_level_is_hidden_they_count_their_own_votes():
    # 0.1, 0.3, 0.5, 0.7, 0.9: four votes up. 0.1, 0: one down.
    seat = Seat(LAW, taboo=())
    assert [seat.sees(FRUIT, UNSEEN) for _ in range(6)] == [UP] * 4 + ["left"] * 2
    seat = Seat(LIBERTARIAN, taboo=())
    assert [seat.sees(FRUIT, UNSEEN) for _ in range(3)] == [DOWN] + ["left"] * 2


@pytest.mark.parametrize(
    ("votes", "does"),
    [
        ((0, 0), "left"),
        ((2, 1), UP),
        ((1, 0), UP),
        ((1, 2), DOWN),
        ((2, 2), "left"),
        ((UNSEEN, UNSEEN), "left"),
    ],
)
def test_the_conditional_voter_votes_as_most_did(votes, does):
    assert Seat("conditional_voter", taboo=(), seats=5).sees(FRUIT, 0.5, votes) == does
    walks = {UP: "left_increase", DOWN: "left_decrease", "left": "left_no_vote"}[does]
    assert Seat("conditional_voter", taboo=(), seats=5, **COMPOSITE).sees(FRUIT, 0.5, votes) == (
        walks
    )


def test_the_conditional_voter_does_not_follow_itself():
    seat = Seat("conditional_voter", taboo=())
    assert seat.sees(FRUIT, 0.1, (1, 0)) == UP
    # The only vote of the last turn was its own; then one against its own: 1 down of others.
    assert seat.sees(FRUIT, 0.3, (1, 0)) == "left"
    assert seat.sees(FRUIT, 0.3, (1, 0)) == UP
    assert seat.sees(FRUIT, 0.5, (1, 1)) == DOWN


@pytest.mark.parametrize(("level", "votes"), [(1, (2, 0)), (0, (0, 2))])
def test_the_conditional_voter_saves_a_vote_that_moves_nothing(level, votes):
    assert Seat("conditional_voter", taboo=()).sees(FRUIT, level, votes) == "left"


def hunter(spec: str = "opportunist", **core: object) -> Seat:
    return Seat(spec, vision=2, taboo=("B",), **core)


NEAR = "..... ..... .B@.. ..... ....."
TWO = "..... ..... B.@.. ..... ....."
GONE = "..... ..... ..@.. ..... ....."


def test_the_opportunist_votes_down_takes_and_votes_up_again():
    # At 0.3 B costs 3: two votes down, each of which saves more than it costs. Then it takes B,
    # and puts the level back by two votes.
    seat = hunter()
    assert [seat.sees(NEAR, level) for level in (0.3, 0.1, 0.0)] == [DOWN, DOWN, "left"]
    assert [seat.sees(GONE, level) for level in (0.0, 0.2)] == [UP, UP]
    assert seat.sees(GONE, 0.4) in MOVES


def test_the_opportunist_votes_up_once_even_if_it_took_it_unpunished():
    seat = hunter()
    assert seat.sees(NEAR, 0.0) == "left"
    assert seat.sees(GONE, 0.0) == UP
    assert seat.sees(GONE, 0.2) in MOVES


def test_the_opportunist_waits_with_its_vote_until_it_is_in_reach():
    assert hunter("opportunist:reach=1").sees(TWO, 0.1) == "left"
    assert hunter().sees(TWO, 0.1) == DOWN


def test_the_opportunist_loses_patience():
    # Others keep the level at 1: it has three votes in it, and then walks elsewhere.
    seat = hunter()
    done = [seat.sees(NEAR, 1.0) for _ in range(5)]
    assert done[:3] == [DOWN] * 3
    assert set(done[3:]) <= MOVES - {"left"}


def test_the_opportunist_leaves_the_level_alone_where_nothing_taboo_is_in_reach():
    assert hunter().sees("..... ..... .A@.. ..... .....", 0.5) == "left"
    assert Seat("opportunist", taboo=()).sees(FRUIT, 0.5) == "left"


def test_the_opportunist_saves_a_vote_that_costs_more_than_it_saves():
    # From 0.1 a vote saves 0.1 * 10 = 1.
    assert hunter(vote_cost=0.9).sees(NEAR, 0.1) == DOWN
    assert hunter(vote_cost=1.1).sees(NEAR, 0.1) == "left"


def test_the_opportunist_votes_up_no_further_than_1():
    seat = hunter()
    seat.memory["owed"] = 2
    assert seat.sees(GONE, 1.0) in MOVES
    assert seat.memory["owed"] == 0


def test_with_composite_actions_the_opportunist_votes_on_its_way_there():
    seat = hunter(**COMPOSITE)
    assert seat.sees(TWO, 0.3) == "left_decrease"
    # A vote now would come too late: it takes B for 7 - 1, and votes up on its way on.
    assert seat.sees(NEAR, 0.1) == "left_no_vote"
    assert seat.sees(GONE, 0.1).endswith("_increase")
    assert seat.sees(GONE, 0.3).endswith("_no_vote")


def test_with_composite_actions_the_opportunist_does_not_take_it_before_it_is_worth_it():
    # At 0.9 B is worth -2. It votes, against the wall, until it pays: at 0.5, 7 - 5.
    seat = hunter(**COMPOSITE)
    walled = "..... ..... .B@#. ..... ....."
    done = [seat.sees(walled, level) for level in (0.9, 0.7, 0.5)]
    assert done == ["right_decrease", "right_decrease", "left_no_vote"]

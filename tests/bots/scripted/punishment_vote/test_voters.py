"""Voting policies: law and order, the libertarian, the conditional voter."""

from __future__ import annotations

import pytest

from tests.bots.scripted.punishment_vote.seat import UNSEEN, Seat

UP, DOWN = "vote_increase", "vote_decrease"
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
def test_they_vote_until_the_level_suits_them_and_then_forage(spec, level, does):
    assert Seat(spec, taboo=()).sees(FRUIT, level) == does


def test_with_composite_actions_they_vote_while_they_walk():
    assert Seat(LAW, **COMPOSITE).sees(FRUIT) == "left_increase"
    assert Seat(LIBERTARIAN, taboo=(), **COMPOSITE).sees(FRUIT, 0.5) == "left_decrease"


def test_to_vote_without_moving_they_walk_into_a_wall():
    # At level 1 no resource is worth the 10 it costs, so the libertarian stays and votes while
    # walking into the wall.
    assert Seat(LIBERTARIAN, **COMPOSITE).sees("... .@. .#.", 1.0) == "down_decrease"
    assert Seat(LIBERTARIAN, **COMPOSITE).sees("... A@. .A.", 1.0) == "up_decrease"
    assert Seat(LIBERTARIAN, **COMPOSITE).sees(".A. A@A .A.", 1.0) == "noop"


@pytest.mark.parametrize(("spec", "vote"), [("law_and_order", UP), ("libertarian", DOWN)])
def test_in_half_of_the_turns_they_walk_although_they_want_to_vote(spec, vote):
    # A share of 1/2 of 1000 turns, standard error sqrt(1 / 4000).
    seat = Seat(spec, taboo=())
    share = sum(seat.sees(FRUIT, 0.5) == vote for _ in range(1000)) / 1000
    assert abs(share - 0.5) < 4 * (1 / 4000) ** 0.5


def test_if_the_level_is_hidden_they_count_their_own_votes():
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
def test_the_conditional_voter_follows_the_majority(votes, does):
    assert Seat("conditional_voter", taboo=(), seats=5).sees(FRUIT, 0.5, votes) == does
    walks = {UP: "left_increase", DOWN: "left_decrease", "left": "left_no_vote"}[does]
    assert Seat("conditional_voter", taboo=(), seats=5, **COMPOSITE).sees(FRUIT, 0.5, votes) == (
        walks
    )


def test_the_conditional_voter_does_not_follow_itself():
    seat = Seat("conditional_voter", taboo=())
    assert seat.sees(FRUIT, 0.1, (1, 0)) == UP
    # The only vote of the last turn was its own. Then another seat votes against it: 1 down by
    # others.
    assert seat.sees(FRUIT, 0.3, (1, 0)) == "left"
    assert seat.sees(FRUIT, 0.3, (1, 0)) == UP
    assert seat.sees(FRUIT, 0.5, (1, 1)) == DOWN


@pytest.mark.parametrize(("level", "votes"), [(1, (2, 0)), (0, (0, 2))])
def test_the_conditional_voter_skips_a_vote_without_effect(level, votes):
    assert Seat("conditional_voter", taboo=()).sees(FRUIT, level, votes) == "left"

"""Tests of the promises of the vote, with turns written by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from docs.stakes import punishment_vote as vote
from docs.stakes.conditions import Condition
from docs.stakes.earning import Earned, stake_of
from settings import SESSION_CONFIGS

B = 2
"""Number of taboo resources that a seat collects."""


def played(*levels: list[float], **changed: Any) -> vote.Played:
    """Return plays of a person and two idle bots with these levels."""
    level = np.array(levels)
    plays, turns = level.shape[0], level.shape[1] - 1
    nothing = np.zeros((plays, turns, 3))
    values = {"points": nothing[..., 0], "votes": nothing, "collected": nothing, **changed}
    return vote.Played(level, *(np.array(values[name]) for name in vote.Played._fields[1:]))


def measured(condition: Condition) -> tuple[str, bool]:
    return condition.number, condition.met


def voting(votes: list[list[int]], collected: list[list[int]]) -> vote.Played:
    """Return a play with two bots' votes and catches by turn."""
    person = [0] * len(votes)
    both = [np.column_stack([person, part])[None] for part in (votes, collected)]
    return played([0.1] * (len(votes) + 1), votes=both[0], collected=both[1])


TAKEN = [[B, 1], [1, 1], [0, 1]]
"""Catches of two bots: half of the first bot's catch is taboo, and none of the second bot's."""


@pytest.mark.parametrize(
    ("votes", "number", "met"),
    [
        ([[-1, 1], [0, 1], [-1, 0]], "1 and 1 bots, 100% of their votes or more", True),
        # the bot that takes B votes once for less and once for more
        ([[-1, 1], [0, 1], [1, 0]], "1 and 1 bots, 50% of their votes or more", False),
        # the other bot never votes
        ([[-1, 0], [0, 0], [-1, 0]], "1 and 1 bots, nan% of their votes or more", False),
    ],
)
def test_bots_vote_for_what_they_collect(votes, number, met):
    assert measured(vote.opposed([voting(votes, TAKEN)], [B])) == (number, met)


def test_bots_without_an_opposite_interest_break_the_promise():
    alike = voting([[1, 1], [1, 1]], [[1, 1], [1, 1]])
    assert measured(vote.opposed([alike], [B])) == (
        "0 and 2 bots, 100% of their votes or more",
        False,
    )


TO_AND_FRO = [0.1, 0.3, 0.5, 0.7, 0.5, 0.3, 0.5, 0.7, 0.7, 0.3]
"""Levels that cross the middle four times, and sometimes stop exactly there."""


def test_crossings_pass_over_the_middle():
    # 0.3 to 0.7, 0.7 to 0.3, 0.3 to 0.7, 0.7 to 0.3; 0.5 to 0.3 comes from below
    assert vote.crossings(np.array([TO_AND_FRO, [0.3, 0.5] * 5])).tolist() == [4, 0]


def test_the_median_play_crosses_the_middle():
    once, four = [0.1] * 5 + [0.9] * 5, TO_AND_FRO
    met, unmet = played(four, four, once), played(once, once, four)
    assert measured(vote.crossing({"a": met})) == ("`a` 4", True)
    assert measured(vote.crossing({"a": met, "b": unmet})) == ("`a` 4, `b` 1", False)


def test_the_level_spends_time_on_both_sides():
    # before the turns: 5 of 10 above; 2 of 10; 3 of 10 and 1 at the middle. The last level is not
    # counted.
    half = [0.1] * 5 + [0.9] * 5 + [0.1]
    little = [0.1] * 8 + [0.9] * 2 + [0.9]
    third = [0.1] * 6 + [0.5] + [0.9] * 3 + [0.9]
    assert measured(vote.both_sides({"a": played(half, little, third)})) == ("`a` 30%", True)
    assert measured(vote.both_sides({"a": played(little, little, half)})) == ("`a` 20%", False)


def test_a_vote_that_stays_on_its_side_changes_nothing():
    # after the turns: with steps of 0.2, one more vote changes 0.4 and 0.6, but not 0.8, 1 or 0.2
    some = played([0.4, 0.6, 0.8, 1.0, 0.2, 0.4])
    assert measured(vote.pivotal({"a": some}, 0.2)) == ("`a` 40%", True)
    assert measured(vote.pivotal({"a": played([0.4, 0.2, 0.0, 0.8, 1.0, 0.8])}, 0.2)) == (
        "`a` 0%",
        False,
    )
    # a step of 0.4 would also change 0.8 and 0.2
    assert measured(vote.pivotal({"a": some}, 0.4)) == ("`a` 80%", True)


@pytest.mark.parametrize(
    ("selfish", "number", "met"),
    [
        # considerate: 1 per turn below and above; the best policy earns 2 per turn
        ([1.5, 1.3, 0.5, 0.7], "+20% below, -20% above", True),
        ([1.5, 1.3, 1.0, 1.0], "+20% below, +0% above", False),
        ([1.1, 1.1, 0.5, 0.7], "+5% below, -20% above", False),
    ],
)
def test_selfish_play_gains_below_the_middle_and_loses_above_it(selfish, number, met):
    level = [0.1, 0.3, 0.7, 0.9, 0.9]
    considerate, other = (played(level, points=[part]) for part in ([1.0] * 4, selfish))
    condition = vote.apart(considerate, other, best=2.0)
    assert measured(condition) == (f"`greedy` compared with `harm_averse`: {number}", met)


def test_play_on_one_side_only_breaks_the_promise():
    below = played([0.1] * 4, points=[[1.0] * 3])
    assert not vote.apart(below, below, best=1.0).met


@pytest.mark.parametrize(
    ("points", "number", "met"),
    [([1.0] * 9 + [-1.0], "90%", True), ([1.0] * 8 + [0.0, 0.0], "80%", False)],
)
def test_random_ends_above_zero(points, number, met):
    assert measured(vote.above_zero(Earned(np.array(points)))) == (number, met)


def test_the_turns_are_those_of_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vote, "PLAYS", 2)
    config = next(config for config in SESSION_CONFIGS if config["name"] == "vote")
    stake = stake_of({**config, "turns": 4, "bots": "law_and_order:zeal=1"})
    turns = vote.played(stake, "harm_averse")
    # three bots vote for more in the first turns: 0.1 + 3 * 0.2 = 0.7; 0.9 is enough
    assert (
        turns.level.tolist() == [[pytest.approx(level) for level in (0.1, 0.7, 1.0, 1.0, 1.0)]] * 2
    )
    assert turns.votes[0].tolist() == [[0, 1, 1, 1]] * 2 + [[0, 0, 0, 0]] * 2
    assert turns.points.shape == (2, 4)
    assert turns.collected.shape == (2, 4, 4)

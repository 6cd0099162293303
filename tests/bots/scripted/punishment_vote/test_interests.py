"""Policies whose votes depend on what they collect, and the greedy policy.

B earns 7 and, at level p, costs its collector 10 p, so nothing is left at p = 0.7.
"""

from __future__ import annotations

import pytest

from tests.bots.scripted.punishment_vote.seat import UNSEEN, Seat

UP, DOWN = "vote_increase", "vote_decrease"
SEEKER, RETALIATOR = "taboo_seeker:zeal=1", "retaliator:zeal=1"
ONE_B = "B.. .@. ..."
COMPOSITE = {"actions": "composite", "views": "composite"}
HARMFUL = {"A": {"value": 3.0}, "B": {"value": 7.0, "harm": 4.0}}


@pytest.mark.parametrize(
    ("picture", "level", "votes"),
    [
        (ONE_B, 0.8, True),
        (ONE_B, 0.7, True),
        (ONE_B, 0.6, False),  # B still earns 1
        ("A.A .@. ...", 0.8, False),  # A is not taboo
        (".1. .@. ...", 0.8, False),
    ],
)
def test_the_seeker_starts_to_vote_once_it_sees_what_punishment_makes_worthless(
    picture, level, votes
):
    assert (Seat(SEEKER, taboo=("B",)).sees(picture, level) == DOWN) == votes


def test_the_seeker_votes_until_nothing_is_punished_and_then_forages():
    seat = Seat(SEEKER, taboo=("B",))
    levels = (0.8, 0.6, 0.4, 0.2)
    assert [seat.sees(ONE_B, level) for level in levels] == [DOWN] * 4
    assert seat.sees("... B@. ...", 0.0) == "left"
    # it has stopped, and starts again only above 0.7
    assert seat.sees("B.B B@. ...", 0.6) == "left"


def test_the_retaliator_votes_after_it_saw_harm_until_punishment_is_full():
    # B was to its upper left, where seat 1 is now
    seat = Seat(RETALIATOR, taboo=("B",), resources=HARMFUL)
    assert seat.sees("B1. A@. ...", 0.4) == "left"
    assert [seat.sees("1.. A@. ...", level) for level in (0.4, 0.6, 0.8)] == [UP] * 3
    assert seat.sees("1.. A@. ...", 1.0) == "left"
    assert seat.sees("1.. A@. ...", 0.8) == "left"


def test_the_retaliator_votes_if_harm_is_pending_on_its_account():
    assert Seat(RETALIATOR, resources=HARMFUL).sees("... .@. ...", 0.4, pending=4) == UP


def test_harm_during_full_punishment_is_not_answered():
    seat = Seat(RETALIATOR, taboo=("B",), resources=HARMFUL)
    seat.sees("B1. A@. ...", 1.0)
    assert seat.sees("1.. A@. ...", 1.0) == "left"
    assert seat.sees("1.. A@. ...", 0.8) == "left"


def test_the_retaliator_leaves_what_harms_others_more_than_it_brings():
    # with 3 seats, B earns 7 and costs the others 8
    assert Seat(RETALIATOR, resources=HARMFUL, taboo=()).sees("... B@A ...") == "right"
    assert Seat(SEEKER, resources=HARMFUL, taboo=()).sees("... B@A ...") == "left"


@pytest.mark.few(1)
@pytest.mark.parametrize(("spec", "share"), [("taboo_seeker", 0.5), ("retaliator", 0.75)])
def test_in_some_turns_they_walk_although_they_want_to_vote(spec, share):
    # 1000 turns: standard error at most sqrt(1 / 4000)
    seat = Seat(spec, taboo=("B",), resources=HARMFUL)
    votes = [seat.sees("B.B A@. ...", 0.8, pending=1).startswith("vote") for _ in range(1000)]
    assert abs(sum(votes) / 1000 - share) < 4 * (1 / 4000) ** 0.5


@pytest.mark.parametrize(
    ("spec", "does"), [(SEEKER, "left_decrease"), (RETALIATOR, "left_increase")]
)
def test_with_composite_actions_they_vote_while_they_walk(spec, does):
    seat = Seat(spec, taboo=("B",), resources=HARMFUL, **COMPOSITE)
    assert seat.sees("B.B A@. ...", 0.8, pending=1) == does


@pytest.mark.parametrize(
    ("spec", "vote", "picture"), [(SEEKER, DOWN, "AAA A@A AAA"), (RETALIATOR, UP, "... A@. ...")]
)
def test_if_the_level_is_hidden_they_count_their_own_votes(spec, vote, picture):
    # all A are taboo and worth 3 - 10 * 0.5 < 0; 0.5, 0.3, 0.1 or 0.5, 0.7, 0.9: three votes
    seat = Seat(spec, initial_level=0.5)
    done = [seat.sees(picture, UNSEEN, pending=1) for _ in range(3)]
    assert done == [vote] * 3
    assert seat.memory["level"] == (0.0 if vote == DOWN else 1.0)


def test_the_greedy_policy_collects_by_value_at_any_level_and_never_votes():
    for level in (0.0, 0.5, 1.0):
        assert Seat("greedy", taboo=("B",)).sees("... B@A ...", level) == "left"
    assert Seat("forager", taboo=("B",)).sees("... B@A ...", 1.0) == "right"

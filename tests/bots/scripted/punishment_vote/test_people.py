"""Noisy person and random policies."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.bots.scripted.punishment_vote.seat import UNSEEN, Seat

CALM = "noisy_person:error=0;idle=0;whim=0"
FRUIT = "... A@. ..."
TURNS = 1000


def close(share: float, chance: float) -> bool:
    """Check that a value is within four standard errors of its expected value."""
    return abs(share - chance) < 4 * np.sqrt(chance * (1 - chance) / TURNS)


def test_random_takes_every_action_equally_often():
    for core, count in (({}, 7), ({"actions": "composite"}, 13)):
        seat = Seat("random", **core)
        done = Counter(seat.sees(FRUIT) for _ in range(TURNS))
        assert len(done) == count
        assert all(close(times / TURNS, 1 / count) for times in done.values())


@pytest.mark.long
def test_it_idles_and_errs_at_the_right_rates():
    seat = Seat("noisy_person:idle=0.1;error=0.2;whim=0", taboo=())
    done = Counter(seat.sees(FRUIT) for _ in range(TURNS))
    assert close(done["noop"] / TURNS, 0.1)
    # A quarter of the errors lead up, and a quarter to its intended cell.
    assert close(done["up"] / TURNS, 0.05)
    assert close(done["left"] / TURNS, 0.75)


def test_its_whims_are_equally_often_votes_up_and_down():
    seat = Seat("noisy_person:idle=0;error=0;whim=0.2", taboo=())
    done = Counter(seat.sees(FRUIT) for _ in range(TURNS))
    assert close(done["vote_increase"] / TURNS, 0.1)
    assert close(done["vote_decrease"] / TURNS, 0.1)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("pending", "votes", "chance"),
    [
        # A tenth per point; half of that if most have just voted down.
        (0, (0, 0), 0.0),
        (3, (0, 0), 0.3),
        (3, (2, 1), 0.3),
        (3, (1, 2), 0.15),
        (3, (UNSEEN, UNSEEN), 0.3),
        (UNSEEN, (0, 0), 0.0),
        (20, (0, 0), 1.0),
    ],
)
def test_it_votes_up_if_harm_is_pending_on_its_account(pending, votes, chance):
    voted, seat = 0, Seat(CALM, taboo=())
    for _ in range(TURNS):
        seat.memory = seat.policy.start()
        voted += seat.sees(FRUIT, 0.5, votes, pending=pending) == "vote_increase"
    assert voted / TURNS == chance if chance in (0, 1) else close(voted / TURNS, chance)


def test_its_anger_halves_every_turn():
    seat = Seat(CALM)
    felt = []
    for pending in (8, 0, 0, 1):
        seat.sees(FRUIT, pending=pending)
        felt.append(seat.memory["hurt"])
    # 8, 4, 2, and 1 + 1.
    assert felt == [8, 4, 2, 2]


def test_it_gets_angry_about_resources_it_sees_others_collect():
    # B, with harm 1, was to the upper left, where seat 1 is now. The seat itself moved right, so
    # (4, 4) is now two cells to its left, in the upper row.
    seat = Seat(CALM, vision=2)
    seat.sees("..... .B1.. ..@.. ..... .....", cell=(5, 5))
    assert seat.memory["hurt"] == 0
    seat.sees("..... 1.... ..@.. ..... .....", cell=(5, 6))
    assert seat.memory["hurt"] == 1


def test_it_feels_no_anger_about_its_own_collection_or_an_empty_cell():
    seat = Seat(CALM, vision=1)
    seat.sees(FRUIT, cell=(5, 5))
    seat.sees("... .@. ..1", cell=(5, 4))
    assert seat.memory["hurt"] == 0


def test_it_feels_no_anger_if_its_position_is_hidden():
    seat = Seat(CALM, vision=1)
    seat.sees("... .@A .1.", cell=(UNSEEN, UNSEEN))
    seat.sees("... .@1 ...", cell=(UNSEEN, UNSEEN))
    assert seat.memory["hurt"] == 0


def test_it_never_votes_above_1_however_angry_it_is():
    seat = Seat(CALM, taboo=())
    assert seat.sees(FRUIT, 1.0, pending=1000) == "left"


def test_with_composite_actions_it_votes_while_it_walks():
    seat = Seat(CALM, taboo=(), actions="composite", views="composite")
    assert seat.sees(FRUIT, 0.5, pending=1000) == "left_increase"

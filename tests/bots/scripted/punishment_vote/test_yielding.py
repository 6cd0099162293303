"""Yielding policy: which resources it leaves to others, when it moves on, and proof that it earns
more.

At level 0, A is worth 3 less the 0.5 that each of two others loses, which is 2. E is worth 0.8, C
1.4, B 5 and D -5.
"""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.learning.tournament.batch import Mix, play
from mixed_company.learning.tournament.means import mean
from tests.bots.scripted.punishment_vote.seat import Seat

EMPTY = "..... ..... ..@.. ..... ....."


def test_it_leaves_a_resource_to_a_nearer_seat_in_view():
    # A is two steps away, 1 per step, but one step from the other seat; E is two steps away, 0.4
    # per step
    picture = "...1. ...A. ..@.. ..... ..E.."
    assert Seat("harm_averse", vision=2).sees(picture) in ("up", "right")
    assert Seat("yielding", vision=2).sees(picture) == "down"


def test_it_goes_for_a_resource_to_which_nobody_is_nearer():
    assert Seat("yielding", vision=2).sees("....1 ...A. ..@.. ..... ..E..") in ("up", "right")


@pytest.mark.parametrize(
    ("level", "stays"),
    [
        # A, B, C, D, E spawn equally: 2 + (5 - 10 p) + 1.4 - 5 + 0.8 = 4.2 - 10 p
        (0.4, False),
        (0.44, True),
        (1.0, True),
    ],
)
def test_it_walks_on_only_if_new_resources_are_worth_collecting(level, stays):
    yielding, averse = (Seat(spec, vision=2, taboo=("B",)) for spec in ("yielding", "harm_averse"))
    assert (yielding.sees(EMPTY, level=level) == "noop") == stays
    assert averse.sees(EMPTY, level=level) != "noop"


@pytest.mark.few(1)
@pytest.mark.parametrize("archetype", ["lab", "lab_0_7"])
def test_four_yielding_seats_earn_more_than_four_harm_averse_seats(archetype):
    game = engine.make("punishment_vote", archetype=archetype)
    yielding, averse = (
        play(game, Mix(spec, spec), 7, 0, 150).returns.mean(axis=1)
        for spec in ("yielding", "harm_averse")
    )
    assert mean(yielding - averse).low > 0.0

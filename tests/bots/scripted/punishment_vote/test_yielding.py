"""Yielding policy: resources it leaves to others, when it walks on, and its higher points.

At level 0 A is worth 3 less the 0.5 that two others lose, 2; E 0.8, C 1.4, B 5 and D -5.
"""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.learning.tournament.batch import Mix, play
from mixed_company.learning.tournament.means import mean
from tests.bots.scripted.punishment_vote.seat import Seat

EMPTY = "..... ..... ..@.. ..... ....."


def test_it_leaves_what_another_in_view_is_nearer_to():
    # A is two steps away, 1 per step, and one step for the other; E is two steps away, 0.4 per step
    picture = "...1. ...A. ..@.. ..... ..E.."
    assert Seat("harm_averse", vision=2).sees(picture) in ("up", "right")
    assert Seat("yielding", vision=2).sees(picture) == "down"


def test_it_goes_for_what_nobody_is_nearer_to():
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
def test_it_walks_on_only_where_what_comes_up_is_worth_stepping_on(level, stays):
    yielding, averse = (Seat(spec, vision=2, taboo=("B",)) for spec in ("yielding", "harm_averse"))
    assert (yielding.sees(EMPTY, level=level) == "noop") == stays
    assert averse.sees(EMPTY, level=level) != "noop"


@pytest.mark.few(1)
@pytest.mark.parametrize("archetype", ["lab", "lab_0_7"])
def test_four_of_it_earn_more_than_four_of_the_harm_averse_in_the_same_plays(archetype):
    game = engine.make("punishment_vote", archetype=archetype)
    yielding, averse = (
        play(game, Mix(spec, spec), 7, 0, 150).returns.mean(axis=1)
        for spec in ("yielding", "harm_averse")
    )
    assert mean(yielding - averse).low > 0.0

"""Forager and harm-averse policies: exploration, and values of resources."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bots.scripted.punishment_vote.seat import NOTHING, UNSEEN, Seat


def test_it_explores_straight_on_until_a_wall_comes_into_view():
    empty, wall = "..... ..... ..@.. ..... .....", "##### ..... ..@.. ..... ....."
    ahead, turned, seat = 0, set(), Seat("forager", vision=2)
    for seed in range(1000):
        seat.rng, seat.turn = np.random.default_rng(seed), 0
        seat.memory = {**seat.policy.start(), "heading": 0}
        ahead += seat.sees(empty) == "up"
        turned.add(seat.sees(wall) if seat.memory["heading"] == 0 else "left")
    # It turns early with a chance of 1 / 10, standard error sqrt(0.09 / 1000).
    assert abs(ahead / 1000 - 0.9) < 4 * (0.09 / 1000) ** 0.5
    assert turned == {"left", "right"}


def test_it_turns_back_if_there_is_no_other_way():
    seat = Seat("forager", vision=1)
    seat.memory["heading"] = 0
    assert seat.sees("### #@# #.#") == "down"


def test_it_stays_if_there_is_no_way_at_all():
    assert Seat("forager").sees("### #@# ###") == "noop"
    assert Seat("forager").sees(".1. #@D .2.") == "noop"


@pytest.mark.parametrize(
    ("level", "way"),
    [
        # B is worth 7 - 10 p, and C, which is not taboo here, 2: even at p = 0.5.
        (0.4, "left"),
        (0.6, "right"),
        (1.0, "right"),
    ],
)
def test_the_punishment_is_deducted(level, way):
    assert Seat("forager", taboo=("B",)).sees("... B@C ...", level=level) == way


def test_a_hidden_level_is_taken_to_be_the_initial_one():
    picture = "... B@C ..."
    assert Seat("forager", taboo=("B",)).sees(picture, level=UNSEEN) == "left"
    seat = Seat("forager", taboo=("B",), initial_level=0.9)
    assert seat.sees(picture, level=UNSEEN) == "right"


def test_the_forager_never_votes():
    seat = Seat("forager")
    done = {seat.sees(NOTHING, level, (3, 0)) for level in (0, 0.5, 1)}
    assert not done & {"vote_increase", "vote_decrease"}


def test_the_harm_averse_deducts_the_harm_to_all_others():
    # With 4 seats and harm 3, B costs the others 9: 7 - 9 < 0. C: 2 - 3 * 0.3 = 1.1.
    kinds = {"B": {"value": 7.0, "harm": 3.0}, "C": {"value": 2.0, "harm": 0.3}}
    for spec, way in {
        "forager": "left",
        "harm_averse": "right",
        # 7 - 0.5 * 9 = 2.5 and 2 - 0.5 * 0.9 = 1.55.
        "harm_averse:weight=0.5": "left",
    }.items():
        assert Seat(spec, seats=4, resources=kinds).sees("... B@C ...") == way


def test_the_harm_averse_alone_deducts_no_harm():
    kinds = {"B": {"value": 7.0, "harm": 100.0}}
    assert Seat("harm_averse", seats=1, resources=kinds).sees("... B@. ...") == "left"

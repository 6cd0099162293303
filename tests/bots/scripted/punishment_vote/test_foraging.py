"""Behaviour common to all foraging policies."""

from __future__ import annotations

import pytest

from tests.bots.scripted.punishment_vote.seat import FORAGERS, NOTHING, UNSEEN, Seat

WORTHLESS = {"A": {"value": -1.0}, "B": {"value": -4.0}}
COMPOSITE = {"actions": "composite", "views": "composite"}
MOVES = {"up", "down", "left", "right"}


@pytest.mark.parametrize("name", FORAGERS)
@pytest.mark.parametrize(
    ("picture", "way"), [(".A. .@. ...", "up"), ("... .@. .A.", "down"), ("... A@. ...", "left")]
)
def test_all_of_them_step_onto_an_adjacent_resource(name, picture, way):
    assert Seat(name).sees(picture) == way
    assert Seat(name, **COMPOSITE).sees(picture) == f"{way}_no_vote"


@pytest.mark.parametrize("name", FORAGERS)
def test_all_of_them_go_for_the_most_points_per_step(name):
    # B: 7 / 2 = 3.5 a step, more than the 3 of A next to it. Harm 1 to two others: 5 / 2 = 2.5,
    # and A 3 - 1 = 2.
    assert Seat(name, vision=2).sees("..... ..... B.@A. ..... .....") == "left"


@pytest.mark.parametrize("name", [name for name in FORAGERS if name != "planner"])
def test_they_walk_around_seats(name):
    # Left would lead to A in two steps, but a seat is in the way; going round takes four: 3 / 4.
    # A second seat blocks the lower way. (The planner leaves A to the seat next to it.)
    assert Seat(name, vision=2).sees("##### ..... A1@.. .2... .....") == "up"


@pytest.mark.parametrize("name", FORAGERS)
def test_all_of_them_walk_around_resources_with_negative_value(name):
    # Across D it takes 2 steps to A, around it 4: (3 - 2) / 2 against 3 / 4. B justifies the loss,
    # 5 in 2 steps against 7 / 4, but not if there is a way around.
    for fruit in "AB":
        picture = f"##### ....# {fruit}D@.. ##### #####"
        assert Seat(name, vision=2).sees(picture) == "up"


@pytest.mark.parametrize("name", FORAGERS)
def test_all_of_them_cross_a_loss_if_it_pays_and_there_is_no_way_around(name):
    # 7 - 2 = 5 in two steps; A brings 3 - 2 = 1; E only 1 - 2. With its harm, 1.5 to each of two
    # others, D costs the harm-averse 5: B is worth 5, so it stays.
    cell = "##### ##### {}D@## ##### #####".format
    averse = name == "harm_averse"
    assert Seat(name, vision=2).sees(cell("B")) == ("noop" if averse else "left")
    assert Seat(name, vision=2).sees(cell("A")) == ("noop" if averse else "left")
    assert Seat(name, vision=2).sees(cell("E")) == "noop"


@pytest.mark.parametrize("name", FORAGERS)
@pytest.mark.parametrize("vision", [0, 1])
def test_all_of_them_stay_if_no_kind_is_worth_anything(name, vision):
    picture = "@" if vision == 0 else NOTHING
    seat = Seat(name, vision, resources=WORTHLESS)
    assert [seat.sees(picture) for _ in range(20)] == ["noop"] * 20
    seat = Seat(name, vision, resources=WORTHLESS, **COMPOSITE)
    assert [seat.sees(picture) for _ in range(20)] == ["noop"] * 20


@pytest.mark.parametrize("name", FORAGERS)
def test_all_of_them_explore_away_from_walls_seats_and_losses(name):
    # The only free way is down.
    assert {Seat(name, seed=seed).sees(".D. #@1 ...") for seed in range(20)} == {"down"}


@pytest.mark.parametrize("name", FORAGERS)
def test_all_of_them_explore_without_a_window_using_known_walls(name):
    # In the upper left corner they can only go down and right. The planner makes for a lookout,
    # and every column of steps is as far as every row.
    ways = {Seat(name, 0, seed=seed).sees("@", cell=(1, 1)) for seed in range(40)}
    assert ways == ({"right"} if name == "planner" else {"down", "right"})


@pytest.mark.parametrize("name", FORAGERS)
def test_all_of_them_explore_without_window_and_position(name):
    seat = Seat(name, 0)
    lost = [seat.sees("@", UNSEEN, (UNSEEN,) * 2, (UNSEEN,) * 2, UNSEEN) for _ in range(80)]
    # 0.1, the initial level: the kinds are worth 2, 6, 1, -3, 0, on average 1.2. Less the harm to
    # two others, 1, 2, 0.6, 3, 0.2, it is -0.16: the harm-averse stays.
    expected = {"noop"} if name == "harm_averse" else MOVES
    assert set(lost) - {"vote_increase", "vote_decrease"} == expected

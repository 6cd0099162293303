"""What the archetypes of the punishment vote promise."""

from __future__ import annotations

import pytest

from mixed_company.engine.games.punishment_vote import GAME
from tests.engine.games.votes import (
    DOWN,
    LESS,
    MORE,
    NOOP,
    RIGHT,
    SOURCE,
    board,
    core_of,
    parts,
    turn,
    votes,
)


@pytest.mark.parametrize(
    ("archetype", "named"),
    [
        ("source", {}),
        ("sequential", {"timing": "sequential"}),
        ("composite", {"actions": "composite", "views": "composite"}),
        ("separate_worlds", {"worlds": "separate"}),
        (
            "lab_0_7",
            {
                "seats": 4,
                "turns": 80,
                "height": 12,
                "width": 12,
                "vision": 3,
                "map_memory": True,
                "initial_resources": 20,
                "spawn_probability": 0.01,
                "resources": {**SOURCE["resources"], "B": {"value": 7.0, "harm": 3.0}},
                "taboo": ["B"],
            },
        ),
        (
            "lab",
            {
                "seats": 4,
                "turns": 100,
                "height": 12,
                "width": 12,
                "vision": 3,
                "map_memory": True,
                "initial_resources": 20,
                "spawn_probability": 0.02,
                "spawn_weights": {"A": 4.0, "B": 1.0},
                "resources": {"A": {"value": 3.0, "harm": 0.0}, "B": {"value": 5.0, "harm": 3.0}},
                "taboo": ["B"],
            },
        ),
    ],
)
def test_an_archetype_is_the_source_with_what_it_names(archetype, named):
    assert core_of(votes(archetype=archetype)) == {**SOURCE, **named}


def test_these_are_all_archetypes():
    assert set(GAME.archetypes) == {
        "source",
        "sequential",
        "composite",
        "separate_worlds",
        "lab",
        "lab_0_7",
        "weighted_votes",
    }


def test_the_source_game_lasts_a_hundred_turns_and_the_earlier_lab_eighty():
    assert votes(archetype="source").horizon == 100
    assert votes(archetype="lab_0_7").horizon == 80


def test_the_grid_of_the_earlier_lab_has_a_hundred_cells_inside():
    grid = votes(archetype="lab_0_7").reset(0)[0]["grid"]
    assert (grid != 1).sum() == 100
    assert ((grid >= 2) & (grid <= 6)).sum() == 20


def lab_board(kind, level, archetype="lab_0_7"):
    """The parameters of a lab on a small board: seat 0 has a kind on its right."""
    size = {"height": 4, "width": 6, "spawn_probability": 0, "initial_resources": 0}
    rows = "######", f"#0{kind}..#", "#1.23#", "######"
    return board(*rows, archetype=archetype, level=level, **size)


@pytest.mark.parametrize(
    ("kind", "level", "own", "others"),
    [
        # 5 - 10 p for the collector of B, and 3 less for each of the others
        ("A", 0.0, 3.0, 0.0),
        ("A", 1.0, 3.0, 0.0),
        ("B", 0.0, 5.0, -3.0),
        ("B", 0.1, 4.0, -3.0),
        ("B", 0.5, 0.0, -3.0),
        ("B", 0.7, -2.0, -3.0),
    ],
)
def test_in_the_lab_only_b_harms_and_is_punished(kind, level, own, others):
    game, state = lab_board(kind, level, "lab")
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
    assert outcome.rewards == pytest.approx([own, others, others, others])


@pytest.mark.parametrize(
    ("kind", "group"),
    [
        # 7 - 3 * 3, 3 - 3 * 0.5, 2 - 3 * 0.3, -2 - 3 * 1.5, 1 - 3 * 0.1
        ("B", -2.0),
        ("A", 1.5),
        ("C", 1.1),
        ("D", -6.5),
        ("E", 0.7),
    ],
)
def test_what_the_group_of_the_earlier_lab_gains_from_each_kind(kind, group):
    game, state = lab_board(kind, level=0.0)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
    assert outcome.rewards.sum() == pytest.approx(group)


@pytest.mark.parametrize(
    ("level", "own"), [(0.0, 7.0), (0.1, 6.0), (0.5, 2.0), (0.7, 0.0), (0.75, -0.5), (0.9, -2.0)]
)
def test_in_the_earlier_lab_taking_b_pays_below_a_level_of_seven_tenths(level, own):
    # 7 - 10 p
    game, state = lab_board("B", level)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
    assert outcome.rewards[0] == pytest.approx(own)
    assert parts(outcome, "harm") == [0, -3, -3, -3]


@pytest.mark.parametrize("kind", ["A", "C", "D", "E"])
def test_in_the_earlier_lab_only_b_is_taboo(kind):
    game, state = lab_board(kind, level=1.0)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
    assert parts(outcome, "punishment") == [0, 0, 0, 0]


def test_in_the_earlier_lab_four_votes_raise_the_level_so_far_that_b_does_not_pay():
    # 0.1 + 4 * 0.2 = 0.9, for 4 * 0.1 = 0.4 points; after three, at 0.7, B is worth nothing.
    game, state = lab_board("B", level=0.1)
    after, outcome = turn(game, state, MORE, MORE, MORE, MORE)
    assert float(after["level"]) == pytest.approx(0.9)
    assert outcome.rewards.sum() == pytest.approx(-0.4)
    after, _ = turn(game, state, MORE, MORE, MORE, DOWN)
    assert float(after["level"]) == pytest.approx(0.7)
    after, _ = turn(game, state, MORE, MORE, MORE, LESS)
    assert float(after["level"]) == pytest.approx(0.5)
    for level, own in ((0.1, 6), (0.7, 0), (0.9, -2)):
        game, state = lab_board("B", level=level)
        _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
        assert outcome.rewards[0] == pytest.approx(own)


def test_in_the_source_taking_b_gives_more_than_it_costs_the_others():
    # 7 - 2 * 1.
    rows = "#####", "#0B.#", "#1.2#", "#####"
    game, state = board(*rows, archetype="source", level=0.0)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP)
    assert outcome.rewards.tolist() == [7, -1, -1]

"""Properties of the archetypes of the punishment vote."""

from __future__ import annotations

import pytest

from mixed_company.engine.games.punishment_vote import GAME
from tests.engine.games.votes import NOOP, RIGHT, SOURCE, board, core_of, turn, votes


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
            "lab_0_8",
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
                "spawn_weights": {"A": 9.0, "B": 1.0},
                "resources": {"A": {"value": 3.0, "harm": 0.0}, "B": {"value": 5.0, "harm": 3.0}},
                "taboo": ["B"],
            },
        ),
    ],
)
def test_an_archetype_is_the_source_with_the_changes_it_names(archetype, named):
    assert core_of(votes(archetype=archetype)) == {**SOURCE, **named}


def test_the_list_of_archetypes_is_complete():
    assert set(GAME.archetypes) == {
        "source",
        "sequential",
        "composite",
        "separate_worlds",
        "lab",
        "weighted_votes",
    }
    assert set(GAME.superseded) == {"lab_0_7", "lab_0_8"}


def lab_board(kind, level):
    """Return a lab on a small board, in which seat 0 has a resource of this kind to its right."""
    size = {"height": 4, "width": 6, "spawn_probability": 0, "initial_resources": 0}
    rows = "######", f"#0{kind}..#", "#1.23#", "######"
    return board(*rows, archetype="lab", level=level, **size)


@pytest.mark.parametrize(
    ("kind", "level", "points", "others"),
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
def test_in_the_lab_only_b_harms_and_is_punished(kind, level, points, others):
    game, state = lab_board(kind, level)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
    assert outcome.rewards == pytest.approx([points, others, others, others])


def test_in_the_source_collecting_b_pays_more_than_it_costs_the_others():
    # 7 - 2 * 1.
    rows = "#####", "#0B.#", "#1.2#", "#####"
    game, state = board(*rows, archetype="source", level=0.0)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP)
    assert outcome.rewards.tolist() == [7, -1, -1]

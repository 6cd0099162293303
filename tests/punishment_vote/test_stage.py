"""What the page of the punishment vote is sent: what codes and action numbers stand for."""

from __future__ import annotations

from typing import Any

import engine
from punishment_vote.stage import setting


def game(**changes: Any) -> Any:
    resources = {"A": {"value": 1.0}, "B": {"value": 2.0, "harm": 0.5}}
    return engine.make("punishment_vote", seats=2, resources=resources, taboo=("B",), **changes)


def test_codes_are_empty_wall_the_kinds_and_the_seats() -> None:
    assert setting(game(), 0)["means"] == [
        {"type": "empty", "free": True},
        {"type": "wall", "free": False},
        {"type": "resource", "free": True, "kind": 0, "name": "A", "taboo": False}
        | {"value": 1.0, "harm": 0.0},
        {"type": "resource", "free": True, "kind": 1, "name": "B", "taboo": True}
        | {"value": 2.0, "harm": 0.5},
        {"type": "seat", "free": False, "seat": 0},
        {"type": "seat", "free": False, "seat": 1},
    ]
    assert setting(game(), 0)["collected"] == [None, "A", "B"]


def test_simple_actions_move_or_vote() -> None:
    moves = [(move["step"], move["vote"]) for move in setting(game(), 0)["moves"]]
    walk = [("up", 0), ("down", 0), ("left", 0), ("right", 0)]
    assert moves == [*walk, (None, 1), (None, -1), (None, 0)]


def test_composite_actions_move_with_a_vote_or_without() -> None:
    moves = [(m["step"], m["vote"]) for m in setting(game(actions="composite"), 0)["moves"]]
    steps = ("up", "down", "left", "right")
    assert moves == [*((step, vote) for vote in (0, 1, -1) for step in steps), (None, 0)]

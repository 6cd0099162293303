"""Tests of the data for the punishment vote's page: the meanings of codes and action numbers."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from punishment_vote.stage import derived, setting


def game(**changes: Any) -> Any:
    resources = {"A": {"value": 1.0}, "B": {"value": 2.0, "harm": 0.5}}
    return engine.make("punishment_vote", seats=2, resources=resources, taboo=("B",), **changes)


def test_codes_mean_empty_wall_the_kinds_and_the_seats() -> None:
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


# -- points for collecting --------------------------------------------------------------------

LEFT, RIGHT, MORE = 2, 3, 4


def alone(level: float, **changes: Any) -> Any:
    """Return a game with one seat next to the only other cell, which holds a B: worth 5 points, and
    taboo.
    """
    kinds = {"A": {"value": 3.0}, "B": {"value": 5.0, "harm": 3.0}}
    size = {"seats": 1, "height": 3, "width": 4, "initial_resources": 1, "spawn_probability": 0.0}
    weights = {"resources": kinds, "spawn_weights": {"A": 0, "B": 1}, "taboo": ("B",)}
    return engine.make("punishment_vote", **size, **weights, initial_level=level, **changes)


def net(play: Any) -> Any:
    return derived(play.game, 0, [play.observation_json(0)])["net"]


@pytest.mark.parametrize(
    ("level", "by_hand"),
    [(0.0, 5.0), (0.1, 4.0), (0.5, 0.0), (0.7, -2.0)],  # 5 - 10 * level
)
def test_the_announced_points_for_collecting_match_the_engine(level: float, by_hand: float) -> None:
    play = engine.Episode(alone(level), seed=2)
    points = net(play)
    assert points == pytest.approx([3.0, by_hand])
    step = LEFT if play.state_record()["column"] == [2] else RIGHT
    assert play.step({"action": [step]}).rewards[0] == pytest.approx(points[1])


def test_the_announced_points_follow_the_votes() -> None:
    play = engine.Episode(alone(0.1, vote_step=0.2), seed=2)
    play.step({"action": [MORE]})
    assert net(play) == pytest.approx([3.0, 2.0])  # 5 - 10 * 0.3


def test_under_a_lottery_the_announced_points_are_a_mean_and_marked_as_such() -> None:
    play = engine.Episode(alone(0.3, punishment="lottery"), seed=2)
    assert net(play) == pytest.approx([3.0, 2.0])  # 0.7 * 5 + 0.3 * (5 - 10)
    assert setting(play.game, 0)["lottery"]
    assert not setting(alone(0.3), 0)["lottery"]


@pytest.mark.parametrize(
    "layers",
    [
        {"information": {"intensity": 1.0, "hide": ["level"]}},
        {"information": {"intensity": 1.0, "delay": {"level": 1}}},
        {"information": {"intensity": 1.0, "noise": {"level": 0.1}}},
        {"interaction": {"intensity": 1.0, "share": 0.5}},
        {"temporal": {"intensity": 1.0, "reward_delay": 1}},
    ],
)
def test_no_points_are_announced_if_a_layer_would_make_them_wrong(layers: dict[str, Any]) -> None:
    assert net(engine.Episode(alone(0.1, layers=layers), seed=2)) is None


def test_in_turn_only_the_first_seat_is_told_because_earlier_votes_count() -> None:
    play = engine.Episode(game(timing="sequential"), seed=2)
    first, second = (derived(play.game, seat, [play.observation_json(seat)]) for seat in (0, 1))
    assert first["net"] == pytest.approx([1.0, 1.0])  # 1, and 2 - 10 * 0.1
    assert second["net"] is None


def test_the_own_position_is_drawn_only_if_it_is_shown_exactly() -> None:
    assert setting(game(), 0)["placed"]
    late = {"information": {"intensity": 1.0, "delay": {"row": 1}}}
    assert not setting(game(layers=late), 0)["placed"]

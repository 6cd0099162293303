"""What the page of gem mining is sent besides what a village sees, by hand-worked numbers."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from gem_mining.stage import derived, setting

CHANCES = [[0.1, 0.4], [0.2, 0.3], [0.0, 0.5], [0.3, 0.1]]


def game(**changes: Any) -> Any:
    """2 villages that reach up to 3 of 4 mines."""
    return engine.make(
        "gem_mining",
        seats=2,
        gem_types=2,
        max_connectivity=3,
        worker_bonus=2.0,
        truncation=0.9,
        weights=(1.0, 2.5),
        **changes,
    )


def test_the_chances_are_those_of_each_number_of_workers_the_village_has() -> None:
    # 2 workers double a chance, 3 multiply it by 4, up to 0.9
    seen = [{"reach": 2, "workers": 3, "base_probabilities": CHANCES}]
    chances = derived(game(), 0, seen)["chances"]
    assert chances[0][0] == [0.0, 0.0]
    assert chances[0][1] == pytest.approx([0.1, 0.4])
    assert chances[0][2] == pytest.approx([0.2, 0.8])
    assert chances[0][3] == pytest.approx([0.4, 0.9])
    assert [len(mine) for mine in chances] == [4, 4, 4, 4]


def test_chances_that_a_layer_shows_to_all_are_chances() -> None:
    seen = [{"reach": 2, "workers": None, "shown_base_probabilities": CHANCES}]
    chances = derived(game(), 0, seen)["chances"]
    assert [mine[1] for mine in chances] == [pytest.approx(mine) for mine in CHANCES]


def test_chances_that_are_not_all_shown_are_not_told() -> None:
    hidden = [[None, 0.4], *CHANCES[1:]]
    for seen in ({}, {"base_probabilities": hidden}, {"base_probabilities": [[None] * 2] * 4}):
        assert derived(game(), 0, [{"reach": 2, "workers": 1, **seen}])["chances"] is None


def test_a_village_reaches_the_mines_from_its_own_number_on() -> None:
    own = derived(game(), 1, [{"reach": 3, "workers": 2}])["people"]
    assert own == [
        {"first": None, "last": None, "workers": None},
        {"first": 1, "last": 3, "workers": 2},
    ]
    known = {"reach": 3, "reaches": [2, 3], "workforces": [4, 2]}
    assert derived(game(), 1, [known])["people"] == [
        {"first": 0, "last": 1, "workers": 4},
        {"first": 1, "last": 3, "workers": 2},
    ]


def test_the_purse_is_worth_its_gems_by_their_weights() -> None:
    # 3 * 1 + 2 * 2.5
    assert derived(game(), 0, [{"reach": 1, "purse": [3, 2]}])["worth"] == 8.0
    assert derived(game(), 0, [{"reach": 1, "purse": [None, None]}])["worth"] is None
    assert derived(game(), 0, [{"reach": 1}])["worth"] is None


def test_the_map_has_a_place_for_every_mine() -> None:
    assert setting(game(), 0)["mines"] == 4
    assert setting(game(), 0)["farthest"] == 3

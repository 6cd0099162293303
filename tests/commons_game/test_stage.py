"""What the page of the commons is sent besides what a seat sees, by hand-worked numbers."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from commons_game.stage import derived, setting


def saw(period: int, stock: float | None, **values: Any) -> dict[str, Any]:
    nothing = [0.0, 0.0]
    return {
        "period": period,
        "stock": stock,
        "wealth": nothing,
        "harvest": nothing,
        "contribution": nothing,
        **values,
    }


def game(**changes: Any) -> Any:
    return engine.make("commons_game", archetype="lab", seats=2, **changes)


def test_what_was_taken_and_added_is_told_where_all_of_it_is_seen() -> None:
    # 100 fish, 10 and 6 are taken, 84 would be left; there are 86.5: 2.5 were added
    seen = [saw(0, 100.0), saw(1, 86.5, harvest=[10.0, 6.0])]
    assert derived(game(), 0, seen)["change"] == {"taken": 16.0, "born": 2.5}


@pytest.mark.parametrize(
    "changes",
    [
        {"observation": "local"},
        {"stock_noise": 5.0},
        {"layers": {"information": {"intensity": 0.5, "noise": {"stock": 1.0}}}},
        {"layers": {"uncertainty": {"intensity": 1.0, "shocks": {"stock": 1.0}}}},
        {"layers": {"interaction": {"intensity": 1.0, "externality": 2.0}}},
    ],
)
def test_nothing_is_told_of_a_change_that_cannot_be_known(changes: dict[str, Any]) -> None:
    seen = [saw(0, 100.0), saw(1, 86.5, harvest=[10.0, 6.0])]
    assert derived(game(**changes), 0, seen)["change"] is None


def test_nothing_is_told_of_a_change_of_which_a_part_is_hidden() -> None:
    for hidden in ({"harvest": [None, 6.0]}, {"stock": None}):
        seen = [saw(0, 100.0), {**saw(1, 86.5, harvest=[10.0, 6.0]), **hidden}]
        assert derived(game(), 0, seen)["change"] is None


def test_a_collapse_takes_as_many_empty_periods_as_the_rules_say() -> None:
    going_on = game(collapse_stock=0.0, collapse_zero_periods=2, terminate_on_collapse=False)
    stocks = [saw(0, 50.0), saw(1, 0.0), saw(2, 3.0), saw(3, 0.0), saw(4, 0.0), saw(5, 8.0)]
    collapsed = [derived(going_on, 0, stocks[:end])["collapsed"] for end in range(1, 7)]
    assert collapsed == [False, False, False, False, True, True]


def test_a_collapse_is_told_only_where_play_goes_on_and_the_stock_is_seen() -> None:
    seen = [saw(0, 50.0), saw(1, 9.9)]  # the lab's stock collapses below 10
    assert derived(game(terminate_on_collapse=False), 0, seen)["collapsed"] is True
    assert derived(game(), 0, seen)["collapsed"] is False
    assert (
        derived(game(terminate_on_collapse=False, stock_noise=1.0), 0, seen)["collapsed"] is False
    )


def test_a_stock_below_the_mark_before_play_is_no_collapse() -> None:
    low = game(initial_stock=5.0, terminate_on_collapse=False)
    assert derived(low, 0, [saw(0, 5.0)])["collapsed"] is False


def test_what_others_earned_is_their_harvest_less_their_payment() -> None:
    seen = [saw(1, 80.0, harvest=[4.0, None], contribution=[1.5, 1.0])]
    assert derived(game(governance="per_step"), 0, seen)["earned"] == [2.5, None]


def test_a_request_adds_what_is_taken_and_costs_what_is_paid() -> None:
    now = derived(game(governance="per_step"), 1, [saw(1, 80.0, wealth=[3.0, 7.0])])
    assert now["after"] == {"now": 7.0, "per": {"harvest": 1.0, "contribution": -1.0}}
    assert derived(game(), 0, [saw(1, 80.0, wealth=[None, 7.0])])["after"] is None


def test_an_estimate_is_called_one() -> None:
    blurred = {"information": {"intensity": 0.5, "noise": {"stock": 1.0}}}
    assert not setting(game(), 0)["estimate"]
    assert setting(game(stock_noise=2.0), 0)["estimate"]
    assert setting(game(layers=blurred), 0)["estimate"]

"""Tests of the additional data for the commons page, calculated by hand."""

from __future__ import annotations

from typing import Any

import pytest

from commons_game.stage import derived, look_back, setting
from commons_game.words import texts
from mixed_company import engine


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
    return engine.make("commons_game", archetype="lab_0_7", seats=2, **changes)


def test_harvests_and_growth_are_shown_if_everything_is_visible():
    # 100 fish minus harvests of 10 and 6 leaves 84; the stock is 86.5, so 2.5 were added
    seen = [saw(0, 100.0), saw(1, 86.5, harvest=[10.0, 6.0])]
    change = {"before": 100.0, "taken": 16.0, "left": 84.0, "born": 2.5}
    assert derived(game(), 0, seen)["change"] == change


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
def test_a_change_that_cannot_be_known_is_not_shown(changes):
    seen = [saw(0, 100.0), saw(1, 86.5, harvest=[10.0, 6.0])]
    assert derived(game(**changes), 0, seen)["change"] is None


def test_a_partly_hidden_change_is_not_shown():
    for hidden in ({"harvest": [None, 6.0]}, {"stock": None}):
        seen = [saw(0, 100.0), {**saw(1, 86.5, harvest=[10.0, 6.0]), **hidden}]
        assert derived(game(), 0, seen)["change"] is None


def test_a_collapse_takes_as_many_empty_periods_as_the_rules_say():
    going_on = game(collapse_stock=0.0, collapse_zero_periods=2, terminate_on_collapse=False)
    stocks = [saw(0, 50.0), saw(1, 0.0), saw(2, 3.0), saw(3, 0.0), saw(4, 0.0), saw(5, 8.0)]
    collapsed = [derived(going_on, 0, stocks[:end])["collapsed"] for end in range(1, 7)]
    assert collapsed == [False, False, False, False, True, True]


def test_a_collapse_is_shown_only_if_play_goes_on_and_the_stock_is_visible():
    seen = [saw(0, 50.0), saw(1, 9.9)]  # the lab's stock collapses below 10
    assert derived(game(terminate_on_collapse=False), 0, seen)["collapsed"] is True
    assert derived(game(), 0, seen)["collapsed"] is False
    assert (
        derived(game(terminate_on_collapse=False, stock_noise=1.0), 0, seen)["collapsed"] is False
    )


def test_a_page_looks_back_far_enough_to_find_a_collapse():
    """Without earlier periods, a stock that has grown back would appear to collapse again after a
    reload."""
    stocks = [saw(0, 50.0), saw(1, 9.9), *(saw(period, 50.0) for period in range(2, 7))]
    going_on = game(terminate_on_collapse=False)
    live = stocks[-1 - look_back(going_on.core) :]
    assert derived(going_on, 0, live) == derived(going_on, 0, stocks)
    assert look_back(game(collapse_zero_periods=3).core) == 3  # here a collapse ends the play


def test_a_stock_below_the_mark_before_play_is_no_collapse():
    low = game(initial_stock=5.0, terminate_on_collapse=False)
    assert derived(low, 0, [saw(0, 5.0)])["collapsed"] is False


def test_fish_added_by_the_pool_are_not_called_born():
    assert texts(game().core)["born"] == "{born} born"
    for governance in ("per_step", "accumulating"):
        assert texts(game(governance=governance).core)["born"] == "{born} added"


def test_the_earnings_of_others_are_their_harvest_minus_their_payment():
    seen = [saw(1, 80.0, harvest=[4.0, None], contribution=[1.5, 1.0])]
    assert derived(game(governance="per_step"), 0, seen)["earned"] == [2.5, None]


def test_a_request_adds_what_is_taken_and_costs_what_is_paid():
    now = derived(game(governance="per_step"), 1, [saw(1, 80.0, wealth=[3.0, 7.0])])
    assert now["after"] == {"now": 7.0, "cost": 0.0, "per": {"harvest": 1.0, "contribution": -1.0}}
    assert derived(game(), 0, [saw(1, 80.0, wealth=[None, 7.0])])["after"] is None


def test_an_estimate_is_labelled_as_one():
    blurred = {"information": {"intensity": 0.5, "noise": {"stock": 1.0}}}
    assert not setting(game(), 0)["estimate"]
    assert setting(game(stock_noise=2.0), 0)["estimate"]
    assert setting(game(layers=blurred), 0)["estimate"]


def test_the_cost_of_living_is_deducted_from_the_expected_holdings():
    lake = game(initial_wealth=6.0, living_cost=1.5)
    now = derived(lake, 1, [saw(1, 80.0, wealth=[3.0, 7.0])])
    assert now["after"] == {"now": 7.0, "cost": 1.5, "per": {"harvest": 1.0, "contribution": -1.0}}


def test_a_seat_that_was_out_before_a_period_earned_nothing_in_it():
    # Seat 0 held 1, less than the cost of living of 1.5; seat 1 took 4 and paid 1.5.
    lake = game(initial_wealth=6.0, living_cost=1.5)
    seen = [saw(4, 80.0, wealth=[1.0, 7.0]), saw(5, 80.0, harvest=[0.0, 4.0], wealth=[1.0, 9.5])]
    assert derived(lake, 1, seen)["earned"] == [0.0, 2.5]


def test_a_seat_that_has_left_pays_nothing_for_living():
    # Seat 1 has left: its holdings do not change. If they are shown with noise, this is not
    # visible.
    free = {"agents": {"may_leave": True}, "initial_wealth": 6.0, "living_cost": 1.5}
    seen = [saw(4, 80.0, wealth=[3.0, 7.0]), saw(5, 80.0, harvest=[4.0, 0.0], wealth=[5.5, 7.0])]
    assert derived(game(**free), 0, seen)["earned"] == [2.5, 0.0]
    idle = [seen[0], saw(5, 80.0, harvest=[4.0, 0.0], wealth=[5.5, 5.5])]
    assert derived(game(**free), 0, idle)["earned"] == [2.5, -1.5]
    blurred = {"information": {"intensity": 1.0, "noise": {"wealth": 1.0}}}
    assert derived(game(**free, layers=blurred), 0, seen)["earned"] == [None, None]


def test_the_picture_marks_the_stock_that_wins_the_play():
    assert setting(game(), 0)["recovery_stock"] is None
    assert setting(game(recovery_stock=60.0, initial_stock=30.0), 0)["recovery_stock"] == 60.0


def if_all(lake: Any, seen: list[dict[str, Any]]) -> dict[float, tuple[float, str]]:
    rows = derived(lake, 0, seen)["if_all"]
    return {row["value"]: (round(row["then"], 9), row["end"]) for row in rows}


def test_the_slider_shows_what_happens_if_all_request_the_same():
    # 40 fish, each of two seats asks for x: 40 - 2 x + 0.4 * 40 * 0.6, collapse below 10
    # 5 grow back per seat, so the slider moves in whole fish
    outcomes = if_all(game(max_harvest=20.0), [saw(3, 40.0)])
    assert list(outcomes) == list(range(21))
    assert outcomes[0] == (49.6, "")
    assert outcomes[3] == (43.6, "")
    assert outcomes[19] == (11.6, "")
    assert outcomes[20] == (9.6, "ends")


def test_the_what_if_preview_shows_collapse_and_recovery():
    # 50 fish: 50 - 2 x + 10
    going_on = game(terminate_on_collapse=False, collapse_stock=45.0)
    assert if_all(going_on, [saw(3, 50.0)])[7] == (46.0, "")
    assert if_all(going_on, [saw(3, 50.0)])[8] == (44.0, "collapses")
    fallen = [saw(2, 40.0), saw(3, 40.0)]  # the stock cannot collapse twice
    assert if_all(going_on, fallen)[8][1] == ""
    won = game(recovery_stock=58.0, initial_stock=50.0)
    assert if_all(won, [saw(3, 50.0)])[1] == (58.0, "won")
    assert if_all(won, [saw(3, 50.0)])[2] == (56.0, "")


def test_the_what_if_preview_counts_empty_periods_and_the_pool():
    empty = game(collapse_stock=0.0, collapse_zero_periods=2, growth_rate=0.0)
    assert if_all(empty, [saw(2, 4.0)])[3] == (0.0, "")
    assert if_all(empty, [saw(2, 4.0), saw(3, 0.0)])[3] == (0.0, "ends")
    # a pool of 10 keeps 9, which add 0.5 fish each: 4.5 plus 50 + 10 - 2 x
    kept = game(governance="accumulating", pool_effect=0.5)
    assert if_all(kept, [saw(2, 50.0, pool=10.0)])[4] == (56.5, "")


def test_a_seat_that_is_out_requests_nothing():
    lake = game(initial_wealth=6.0, living_cost=1.5)
    seen = [saw(4, 50.0, wealth=[1.0, 7.0])]
    assert if_all(lake, seen)[4] == (56.0, "")  # 50 + 10 - 4


@pytest.mark.parametrize(
    ("changes", "hidden"),
    [
        ({"stock_noise": 5.0}, {}),
        ({"layers": {"uncertainty": {"intensity": 1.0, "shocks": {"stock": 1.0}}}}, {}),
        ({"layers": {"information": {"intensity": 1.0, "delay": {"stock": 1}}}}, {}),
        ({"governance": "accumulating"}, {"pool": None}),
        ({"initial_wealth": 6.0, "living_cost": 1.5}, {"wealth": [7.0, None]}),
        ({"agents": {"may_leave": True}}, {}),  # a seat that has left takes nothing
        ({}, {"stock": None}),
    ],
)
def test_nothing_is_predicted_that_a_seat_cannot_know(changes, hidden):
    assert if_all(game(**changes), [{**saw(3, 50.0), **hidden}]) == {}


def test_the_remaining_stock_is_shown_if_it_is_visible_exactly():
    assert derived(game(), 0, [saw(3, 9.9)])["left"] == 9.9
    assert derived(game(stock_noise=5.0), 0, [saw(3, 9.9)])["left"] is None


@pytest.mark.parametrize(
    ("changes", "grain"),
    [
        ({"archetype": "lab"}, 1.0),  # 16 grow back at best, which is 4 for each of four
        ({"archetype": "lab_0_7"}, 0.5),  # 10 grow back, 2.5 for each
        ({"archetype": "lab", "max_harvest": 2.5}, 0.5),
        ({"archetype": "lab", "growth": "linear", "growth_rate": 12.0}, 1.0),
    ],
)
def test_a_slider_moves_in_whole_fish_if_there_are_enough(changes, grain):
    lake = engine.make("commons_game", **changes)
    assert {field.grain for field in lake.declaration.actions} == {grain}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "All players share the lake. Fish left in it multiply."),
        ({"growth": "linear", "growth_rate": 4.0}, "All players share the lake."),
        ({"growth_rate": 0.0}, "All players share the lake."),
        ({"seats": 1}, "Fish left in the lake multiply."),
        ({"seats": 1, "growth_rate": 0.0}, ""),
    ],
)
def test_the_page_says_that_fish_multiply_where_they_do(changes, words):
    """With linear growth a fixed number of fish is born, and at a growth rate of 0 none is.

    A single player does not share the lake.
    """
    assert texts(engine.make("commons_game", **changes).core)["fish_breed"] == words

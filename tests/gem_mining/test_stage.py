"""Tests of the additional data for the gem mining page, calculated by hand."""

from __future__ import annotations

from typing import Any

import pytest

from gem_mining.stage import between, counted, derived, setting, tallied
from mixed_company import engine

CHANCES = [[0.1, 0.4], [0.2, 0.3], [0.0, 0.5], [0.3, 0.1]]


def game(**changes: Any) -> Any:
    """Return a game of 2 villages that reach up to 3 of 4 mines."""
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


def test_the_chances_are_for_each_number_of_workers_of_the_village() -> None:
    # 2 workers double a chance, 3 multiply it by 4, up to 0.9
    seen = [{"reach": 2, "workers": 3, "base_probabilities": CHANCES}]
    chances = derived(game(), 0, seen)["chances"]
    assert chances[0][0] == [0.0, 0.0]
    assert chances[0][1] == pytest.approx([0.1, 0.4])
    assert chances[0][2] == pytest.approx([0.2, 0.8])
    assert chances[0][3] == pytest.approx([0.4, 0.9])
    assert [len(mine) for mine in chances] == [4, 4, 4, 4]


def test_chances_shown_by_a_layer_are_used_too() -> None:
    seen = [{"reach": 2, "workers": None, "shown_base_probabilities": CHANCES}]
    chances = derived(game(), 0, seen)["chances"]
    assert [mine[1] for mine in chances] == [pytest.approx(mine) for mine in CHANCES]


def test_partly_hidden_chances_are_not_used() -> None:
    hidden = [[None, 0.4], *CHANCES[1:]]
    for seen in ({}, {"base_probabilities": hidden}, {"base_probabilities": [[None] * 2] * 4}):
        assert derived(game(), 0, [{"reach": 2, "workers": 1, **seen}])["chances"] is None


def test_a_village_reaches_the_mines_starting_at_its_own_number() -> None:
    people = derived(game(), 1, [{"reach": 3, "workers": 2}])["people"]
    assert people == [
        {"first": None, "last": None, "workers": None},
        {"first": 1, "last": 3, "workers": 2},
    ]
    observation = {"reach": 3, "reaches": [2, 3], "workforces": [4, 2]}
    assert derived(game(), 1, [observation])["people"] == [
        {"first": 0, "last": 1, "workers": 4},
        {"first": 1, "last": 3, "workers": 2},
    ]


def test_the_value_of_the_purse_is_the_weighted_sum_of_its_gems() -> None:
    # 3 * 1 + 2 * 2.5
    assert derived(game(), 0, [{"reach": 1, "purse": [3, 2]}])["worth"] == 8.0
    assert derived(game(), 0, [{"reach": 1, "purse": [None, None]}])["worth"] is None
    assert derived(game(), 0, [{"reach": 1}])["worth"] is None


def test_the_map_has_a_place_for_every_mine() -> None:
    assert setting(game(), 0)["mines"] == 4
    assert setting(game(), 0)["farthest"] == 3


def test_a_gem_is_worth_what_its_weight_says() -> None:
    assert setting(game(), 0)["worths"] == [1.0, 2.5]


# -- the last period, and its repetition -----------------------------------------------------------

# Village 1 (seat 0) was at B with its 2 workers, village 2 at C with its one.
MET: dict[str, Any] = {
    "period": 1,
    "reach": 3,
    "workers": 2.0,
    "own_mine": 1,
    "own_found": [1.0, 0.0],
    "workers_at": [0.0, 2.0, 1.0, 0.0],
    "mines": [1.0, 2.0],
    "found": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
    "gems": [1.0, 1.0],
}


def test_if_others_repeat_their_choice_only_the_villages_own_workers_move() -> None:
    # C would have 2 + 1 = 3 workers: four times 0.0 and 0.5, truncated to 0.9; A and B 2: twice;
    # D is out of reach and empty: chances of one worker
    again = derived(game(), 0, [{**MET, "base_probabilities": CHANCES}])["again"]
    assert [mine["workers"] for mine in again] == [2, 2, 3, 0]
    assert again[0]["chances"] == pytest.approx([0.2, 0.8])
    assert again[1]["chances"] == pytest.approx([0.4, 0.6])
    assert again[2]["chances"] == pytest.approx([0.0, 0.9])
    assert again[3]["chances"] == pytest.approx([0.3, 0.1])


def test_without_the_chances_the_number_of_workers_is_shown() -> None:
    again = derived(game(), 0, [MET])["again"]
    assert [mine["workers"] for mine in again] == [2, 2, 3, 0]
    assert {mine["chances"] for mine in again} == {None}


@pytest.mark.parametrize("layer", ["noise", "delay"])
def test_nothing_is_predicted_from_noisy_or_delayed_chances(layer: str) -> None:
    information: dict[str, Any] = {"intensity": 1.0, layer: {"base_probabilities": 1}}
    blurred = game(information="all", known_probabilities=True, layers={"information": information})
    again = derived(blurred, 0, [{**MET, "base_probabilities": CHANCES}])["again"]
    assert [mine["workers"] for mine in again] == [2, 2, 3, 0]
    assert {mine["chances"] for mine in again} == {None}


@pytest.mark.parametrize("archetype", ["lab", "open_book"])
def test_the_predicted_chances_match_the_engine(archetype: str) -> None:
    """If everyone repeats the last choice, the probabilities shown for a village's mine equal those
    in the rules.
    """
    mining: Any = engine.make("gem_mining", archetype=archetype)
    play = engine.Episode(mining, seed=3)
    first = [int(play.allowed(seat).default_action()["mine"]) for seat in range(mining.seats)]
    for _ in range(2):
        play.step({"mine": first})
    for seat in range(mining.seats):
        state = play.state_record()
        again = derived(mining, seat, [play.observation_json(seat)])["again"]
        workers = state["workers_at"][first[seat]]
        assert again[first[seat]]["workers"] == workers
        base = state["base_probabilities"][first[seat]]
        factor = mining.core.worker_bonus ** (workers - 1)
        assert again[first[seat]]["chances"] == pytest.approx(
            [min(mining.core.truncation, chance * factor) for chance in base]
        )


def test_nothing_is_said_about_others_that_does_not_follow_from_the_view() -> None:
    before = {**MET, "period": 0, "own_mine": -1}
    hidden = {**MET, "workers_at": [None] * 4}
    for seen in (before, hidden, {**MET, "workers": None}):
        assert derived(game(), 0, [seen])["again"] is None
    for layer in ({"noise": {"workers_at": 1.0}}, {"delay": {"workers_at": 2}}):
        blurred = game(information="all", layers={"information": {"intensity": 1.0, **layer}})
        assert derived(blurred, 0, [MET])["again"] is None


def test_the_last_period_is_described_as_far_as_it_is_shown() -> None:
    shown = derived(game(), 0, [MET])
    assert shown["went"] == [1, 2]
    assert shown["gained"] == 3.5  # a gem of each kind: 1 + 2.5
    assert shown["last"][2] == {"workers": 1.0, "gems": [0.0, 1.0]}
    own_fields = {key: MET[key] for key in ("period", "reach", "workers", "own_mine", "own_found")}
    shown = derived(game(), 0, [own_fields])
    assert shown["went"] == [1, None]
    assert shown["last"][1] == {"workers": None, "gems": [1.0, 0.0]}
    assert shown["last"][2] == {"workers": None, "gems": None}


# -- the tally and its confidence intervals --------------------------------------------------------


def tally_of(mining: Any, *seen: dict[str, Any]) -> Any:
    return tallied(
        mining,
        list(
            map(sum, zip(*(counted(mining, 0, observation) for observation in seen), strict=True))
        ),
    )["tally"]


def test_the_tally_counts_periods_with_workers_but_not_the_start() -> None:
    start = {**MET, "period": 0, "own_mine": -1, "workers_at": [0.0] * 4}
    empty = {**MET, "period": 2, "found": [[0.0, 0.0]] * 4}
    tally = tally_of(game(), start, MET, empty)
    assert [mine["periods"] for mine in tally] == [0, 2, 2, 0]
    assert [mine["gems"] for mine in tally] == [[0, 0], [1, 0], [0, 1], [0, 0]]
    assert tally[0]["between"] == [[0.0, 1.0], [0.0, 1.0]]


def test_delayed_values_are_not_counted() -> None:
    late = game(
        information="all", layers={"information": {"intensity": 1.0, "delay": {"found": 1}}}
    )
    assert {mine["periods"] for mine in tally_of(late, MET)} == {0}


def test_the_confidence_interval_of_a_tally_by_hand() -> None:
    # Wilson's interval, z^2 = 3.8415. Of 0 in 4: 0 to 3.8415 / 7.8415 = 0.4899. Of 2 in 4: the
    # centre is 0.5, and half the width 1.96 * sqrt(4 / 4 + 3.8415 / 4) / 7.8415 = 0.35
    assert between(0, 0) == (0.0, 1.0)
    assert list(between(0, 4)) == pytest.approx([0.0, 0.4899], abs=1e-4)
    assert list(between(2, 4)) == pytest.approx([0.15, 0.85], abs=1e-3)
    wide, narrow = between(5, 10), between(50, 100)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]

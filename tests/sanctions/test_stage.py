"""What the page of the sanctions game is sent besides what a seat sees, by hand-worked numbers."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from sanctions.stage import derived, setting

NONE = [[0.0, 0.0], [0.0, 0.0]]


def game(**changes: Any) -> Any:
    return engine.make("sanctions", archetype="lab", seats=2, mpcr=0.7, **changes)


def saw(period: int, given: float | None, average: float | None = 0.0, **more: Any) -> Any:
    return {
        "period": period,
        "contribution": [given, 1.0],
        "memory_averages": [average, 1.0],
        "reciprocity_effects": NONE,
        **more,
    }


def at(line: dict[str, Any], contribution: float) -> float:
    return line["now"] + line["per"]["contribution"] * contribution


def test_the_average_that_would_be_remembered_is_that_of_the_last_periods() -> None:
    # memory 3: 4 and 8 were given last, 20 before; (4 + 8 + x) / 3
    seen = [saw(0, 0.0), saw(1, 20.0), saw(2, 4.0), saw(3, 8.0)]
    line = derived(game(memory=3), 0, seen)["remembered"]
    assert at(line, 0.0) == pytest.approx(4.0)
    assert at(line, 6.0) == pytest.approx(6.0)
    assert at(line, 20.0) == pytest.approx(32 / 3)


def test_in_the_first_period_the_contribution_itself_would_be_remembered() -> None:
    line = derived(game(memory=3), 0, [saw(0, 0.0)])["remembered"]
    assert at(line, 7.0) == pytest.approx(7.0)


def test_a_memory_of_one_period_forgets_all_before() -> None:
    line = derived(game(memory=1), 0, [saw(0, 0.0), saw(1, 20.0)])["remembered"]
    assert at(line, 5.0) == pytest.approx(5.0)


@pytest.mark.parametrize("window", ["prior", "peer"])
def test_under_other_windows_no_average_is_foretold(window: str) -> None:
    assert derived(game(window=window), 0, [saw(0, 0.0), saw(1, 5.0)])["remembered"] is None


def test_no_average_is_foretold_from_what_was_hidden_late_or_blurred() -> None:
    seen = [saw(0, 0.0), saw(1, 20.0), saw(2, 4.0)]
    assert derived(game(memory=3), 0, [seen[0], saw(1, None), seen[2]])["remembered"] is None
    assert derived(game(memory=3), 0, seen[2:])["remembered"] is None
    for changed in ("delay", "noise"):
        layers = {"information": {"intensity": 1.0, changed: {"contribution": 1}}}
        assert derived(game(memory=3, layers=layers), 0, seen)["remembered"] is None


@pytest.mark.parametrize(
    ("window", "remembers"),
    [
        ("inclusive", [False, True, True]),
        ("prior", [False, False, True]),
        ("peer", [False, False, True]),
    ],
)
def test_from_when_on_something_is_remembered(window: str, remembers: list[bool]) -> None:
    memories = [derived(game(window=window), 0, [saw(t, 5.0)])["memory"] for t in range(3)]
    assert [not memory["nothing"] for memory in memories] == remembers


def test_with_the_baseline_the_average_is_compared_with_what_is_expected() -> None:
    plain = game(signal="baseline", baseline=10.0)
    low, high = (derived(plain, 0, [saw(2, 20.0, average)])["memory"] for average in (9.0, 10.0))
    assert (low["compared_with"], low["below"], low["is_verdict"]) == (10.0, True, True)
    assert (high["below"], high["is_verdict"]) == (False, True)
    first = derived(plain, 0, [saw(0, 0.0)])["memory"]
    assert (first["compared_with"], first["below"], first["is_verdict"]) == (10.0, None, False)


def test_with_the_past_what_was_given_last_is_compared_with_the_average() -> None:
    past = game(signal="deviation")
    memory = derived(past, 0, [saw(2, 4.0, 6.0)])["memory"]
    assert (memory["compared_with"], memory["below"], memory["is_verdict"]) == (4.0, True, False)
    assert derived(past, 0, [saw(0, 0.0)])["memory"]["compared_with"] is None


def test_effects_fall_on_the_one_observed_or_on_the_observer() -> None:
    # row 0 observes column 1 with effect 2; row 1 observes column 0 with effect -3
    seen = [saw(1, 5.0, reciprocity_effects=[[0.0, 2.0], [-3.0, None]])]
    observed = derived(game(falls_on="deviator"), 0, seen)
    assert (observed["received"], observed["given"]) == ([0.0, -3.0], [0.0, 2.0])
    observer = derived(game(falls_on="observer"), 0, seen)
    assert (observer["received"], observer["given"]) == ([0.0, 2.0], [0.0, -3.0])


def test_a_factor_is_told_in_per_cent() -> None:
    # 2 points of a mean endowment of 20 change what one earns by 10 %
    seen = [saw(1, 5.0, reciprocity_effects=[[0.0, 2.0], [0.0, 0.0]])]
    factor = game(form="multiplier", falls_on="observer", endowment=20.0)
    assert derived(factor, 0, seen)["received"] == [0.0, 10.0]


def test_what_is_not_contributed_is_kept() -> None:
    unequal = game(endowment=(30.0, 20.0))
    assert derived(unequal, 1, [saw(0, 0.0)])["keeps"] == {
        "now": 20.0,
        "per": {"contribution": -1.0},
    }
    assert setting(unequal, 1) == {"endowment": 20.0, "most": 30.0, "baseline": 10.0}

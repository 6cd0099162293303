"""Tests of the additional data for the sanctions game's page, calculated by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.contract.space import of_seat
from mixed_company.engine.games.sanctions import SanctionsGame
from sanctions.stage import derived, setting

NONE = [[0.0, 0.0], [0.0, 0.0]]
THREE: dict[str, Any] = {
    "contribution": [5.0, 1.0, 2.0],
    "memory_averages": [5.0, 1.0, 2.0],
    "trust": [[1.0] * 3] * 3,
    "reputation": [[0.0] * 3] * 3,
}


def game(**changes: Any) -> Any:
    return engine.make("sanctions", archetype="lab_0_7", seats=2, mpcr=0.7, **changes)


def saw(period: int, amount: float | None, average: float | None = 0.0, **more: Any) -> Any:
    return {
        "period": period,
        "contribution": [amount, 1.0],
        "memory_averages": [average, 1.0],
        "reciprocity_effects": NONE,
        "trust": [[1.0, 0.5], [0.5, 1.0]],
        "reputation": NONE,
        **more,
    }


def at(line: dict[str, Any], contribution: float) -> float:
    return line["now"] + line["per"]["contribution"] * contribution


def test_the_average_to_be_remembered_is_over_the_last_periods() -> None:
    # memory 3: the last contributions were 20, 4 and 8; (4 + 8 + x) / 3
    seen = [saw(0, 0.0), saw(1, 20.0), saw(2, 4.0), saw(3, 8.0)]
    line = derived(game(memory=3), 0, seen)["remembered"]
    assert at(line, 0.0) == pytest.approx(4.0)
    assert at(line, 6.0) == pytest.approx(6.0)
    assert at(line, 20.0) == pytest.approx(32 / 3)


def test_in_the_first_period_the_contribution_itself_would_be_remembered() -> None:
    line = derived(game(memory=3), 0, [saw(0, 0.0)])["remembered"]
    assert at(line, 7.0) == pytest.approx(7.0)


def test_a_memory_of_one_period_forgets_everything_earlier() -> None:
    line = derived(game(memory=1), 0, [saw(0, 0.0), saw(1, 20.0)])["remembered"]
    assert at(line, 5.0) == pytest.approx(5.0)


def test_a_full_memory_uses_the_baseline_for_unplayed_periods() -> None:
    # memory 4, baseline 10: (10 + 10 + 10 + 2) / 4 at first, then (10 + 10 + 6 + 2) / 4
    full = game(memory=4, window="full")
    assert at(derived(full, 0, [saw(0, 0.0)])["remembered"], 2.0) == pytest.approx(8.0)
    seen = [saw(0, 0.0), saw(1, 6.0)]
    assert at(derived(full, 0, seen)["remembered"], 2.0) == pytest.approx(7.0)


@pytest.mark.parametrize("window", ["prior", "peer"])
def test_no_average_is_predicted_under_other_windows(window: str) -> None:
    assert derived(game(window=window), 0, [saw(0, 0.0), saw(1, 5.0)])["remembered"] is None


def test_no_average_is_predicted_from_hidden_delayed_or_noisy_values() -> None:
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
        ("full", [True, True, True]),
    ],
)
def test_memory_starts_in_the_right_period(window: str, remembers: list[bool]) -> None:
    memories = [derived(game(window=window), 0, [saw(t, 5.0)])["memory"] for t in range(3)]
    assert [not memory["nothing"] for memory in memories] == remembers


def test_under_the_baseline_rule_the_average_is_compared_with_the_expectation() -> None:
    plain = game(signal="baseline", baseline=10.0)
    low, high = (derived(plain, 0, [saw(2, 20.0, average)])["memory"] for average in (9.0, 10.0))
    assert (low["compared_with"], low["below"], low["is_verdict"]) == (10.0, True, True)
    assert (high["below"], high["is_verdict"]) == (False, True)
    first = derived(plain, 0, [saw(0, 0.0)])["memory"]
    assert (first["compared_with"], first["below"], first["is_verdict"]) == (10.0, None, False)


def test_under_the_past_rule_the_last_contribution_is_compared_with_the_average() -> None:
    past = game(signal="deviation")
    memory = derived(past, 0, [saw(2, 4.0, 6.0)])["memory"]
    assert (memory["compared_with"], memory["below"], memory["is_verdict"]) == (4.0, True, False)
    assert derived(past, 0, [saw(0, 0.0)])["memory"]["compared_with"] is None


def test_effects_fall_on_the_observed_seat_or_on_the_observer() -> None:
    # row 0 observes column 1 with effect 2; row 1 observes column 0 with effect -3
    seen = [saw(1, 5.0, reciprocity_effects=[[0.0, 2.0], [-3.0, None]])]
    observed = derived(game(falls_on="deviator"), 0, seen)
    assert observed["through"] == [[0.0, -3.0], [2.0, None]]
    assert observed["changed"] == [-3.0, 2.0]
    observer = derived(game(falls_on="observer"), 0, seen)
    assert observer["through"] == [[0.0, 2.0], [-3.0, None]]
    assert observer["changed"] == [2.0, -3.0]


def test_the_sum_of_effects_is_unknown_if_one_of_them_is_hidden() -> None:
    # row i observes column j, which pays: seat 0 gains 2 through seat 2, seat 1 loses 3 through
    # seat 0 and an unknown amount through seat 2
    hidden = [[0.0, -3.0, 0.0], [0.0, 0.0, 0.0], [2.0, None, 0.0]]
    three = engine.make("sanctions", archetype="lab_0_7", seats=3)
    shown = derived(three, 0, [saw(1, 5.0, reciprocity_effects=hidden, **THREE)])
    assert shown["changed"] == [2.0, None, 0.0]


def test_a_factor_is_shown_in_per_cent() -> None:
    # 2 points of a mean endowment of 20 change what one earns by 10%
    seen = [saw(1, 5.0, reciprocity_effects=[[0.0, 2.0], [0.0, 0.0]])]
    factor = game(form="multiplier", falls_on="observer", endowment=20.0)
    assert derived(factor, 0, seen)["through"][0] == [0.0, 10.0]


def test_points_not_contributed_are_kept() -> None:
    unequal = game(endowment=(30.0, 20.0))
    assert derived(unequal, 1, [saw(0, 0.0)])["keeps"] == {
        "now": 20.0,
        "per": {"contribution": -1.0},
    }
    sent = setting(unequal, 1)
    assert (sent["endowment"], sent["most"], sent["baseline"]) == (20.0, 30.0, 10.0)


# -- points for a contribution --------------------------------------------------------------------


def played(periods: list[list[float]], **changes: Any) -> tuple[Any, list[Any], Any]:
    """Return a game, seat 0's views before and after its periods, and the play."""
    rules = engine.make("sanctions", **changes)
    play = engine.Episode(rules, seed=3)
    layout, seen = rules.declaration.observations, []
    for amounts in [*periods, None]:
        seen.append(_as_json(of_seat(layout, play.observations, 0)))
        if amounts is not None:
            play.step({"contribution": amounts})
    return rules, seen, play


def _as_json(observation: dict[str, Any]) -> dict[str, Any]:
    return {name: np.asarray(value).tolist() for name, value in observation.items()}


ODD = [[3.0, 20.0, 9.0, 11.0], [14.0, 8.0, 0.0, 12.0], [7.0, 2.0, 10.0, 13.0]]


@pytest.mark.parametrize(
    "archetype", [name for name in SanctionsGame.archetypes if name != "reputation"]
)
@pytest.mark.parametrize("periods", [0, 1, 3])
def test_the_preview_of_a_choice_matches_the_engine(archetype: str, periods: int) -> None:
    contributions = [
        (amounts * 2)[: engine.make("sanctions", archetype=archetype).seats] for amounts in ODD
    ]
    for choice in (0.0, 9.0, 20.0):
        rules, seen, play = played(contributions[:periods], archetype=archetype)
        outcomes = derived(rules, 0, seen)["outcomes"]
        others = (
            contributions[periods - 1] if periods else [float(seen[0]["baseline"][0])] * rules.seats
        )
        step = play.step({"contribution": [choice, *others[1:]]})
        [row] = [row for row in outcomes["rows"] if row["value"] == choice]
        assert row["total"] == pytest.approx(step.rewards[0], abs=0.0501)
        assert sum(row["parts"]) == pytest.approx(row["total"])
        for name, part in zip(outcomes["names"], row["parts"], strict=True):
            # the largest part absorbs the rounding errors of the others
            assert part == pytest.approx(step.components[name][0], abs=0.26)
        assert outcomes["is_first"] == (periods == 0)


def test_the_kept_points_and_the_seats_own_sanction_do_not_depend_on_others() -> None:
    rules, seen, _ = played(ODD, archetype="lab_0_7")
    outcomes = derived(rules, 0, seen)["outcomes"]
    assert outcomes["names"] == ["kept", "production", "sanctions"]
    assert outcomes["assumed"] == ["production"]
    rules, seen, _ = played(ODD, archetype="lab_0_7", falls_on="observer")
    assert set(derived(rules, 0, seen)["outcomes"]["assumed"]) == {"production", "sanctions"}


@pytest.mark.parametrize(
    "changes",
    [
        {"layers": {"information": {"intensity": 1.0, "hide": ["trust"]}}},
        {"layers": {"information": {"intensity": 1.0, "noise": {"contribution": 1.0}}}},
        {"layers": {"temporal": {"intensity": 1.0, "reward_delay": 1}}},
        {"layers": {"interaction": {"intensity": 1.0, "share": 0.5}}},
        {"layers": {"uncertainty": {"intensity": 1.0, "shocks": {"trust": 0.05}}}},
        {"agents": {"may_leave": True}},
        {"endowment": 1e6},  # more stops than are sent
    ],
)
def test_no_sum_is_shown_if_it_would_be_wrong(changes: dict[str, Any]) -> None:
    rules, seen, _ = played(ODD[:1], archetype="lab_0_7", **changes)
    assert derived(rules, 0, seen)["outcomes"] is None


@pytest.mark.parametrize(("seats", "outcomes"), [(12, True), (80, False)])
def test_no_sum_is_shown_if_it_would_take_the_server_too_long(seats: int, outcomes: bool) -> None:
    """Limit the work: 21 stops times 80 x 80 pairs make 134,400 numbers, computed three times per
    seat and period.
    """
    rules, seen, _ = played([], archetype="lab_0_7", seats=seats, mpcr=0.3)
    assert (derived(rules, 0, seen)["outcomes"] is not None) == outcomes


# -- past contributions that count -----------------------------------------------------------------


def slots(periods: int, **changes: Any) -> list[tuple[Any, ...]]:
    rules, seen, _ = played(ODD[:periods], archetype="lab_0_7", **changes)
    past = derived(rules, 0, seen)["past"]
    cells = [(slot["given"], slot["played"], slot["leaves"]) for slot in past["slots"]]
    return [*cells, *([("now",)] if past["now"] else [])]


def test_the_oldest_of_a_full_memory_drops_out_next() -> None:
    # two are remembered: after 3, 14 and 7 these are 14 and 7, and 14 drops out next
    assert slots(0, memory=2) == [("now",)]
    assert slots(1, memory=2) == [(3.0, True, False), ("now",)]
    assert slots(2, memory=2) == [(3.0, True, True), (14.0, True, False), ("now",)]
    assert slots(3, memory=2) == [(14.0, True, True), (7.0, True, False), ("now",)]


def test_the_very_first_is_not_remembered_under_peer() -> None:
    assert slots(0, memory=2, window="peer") == []
    assert slots(1, memory=2, window="peer") == [("now",)]
    assert slots(3, memory=2, window="peer")[0] == (14.0, True, True)


def test_the_expected_amount_fills_the_periods_before_the_first() -> None:
    assert slots(1, memory=3, window="full") == [
        (10.0, False, True),
        (10.0, False, False),
        (3.0, True, False),
        ("now",),
    ]


def test_a_long_memory_is_cut_and_marked_as_cut() -> None:
    rules, seen, _ = played([[1.0, 2.0, 3.0, 4.0]] * 14, archetype="lab_0_7", memory=12)
    past = derived(rules, 0, seen)["past"]
    assert (len(past["slots"]), past["more"]) == (10, True)


# -- reasons --------------------------------------------------------------------------------------


def test_memory_gap_and_trust_make_the_sanction() -> None:
    # 3 * 120 * 0.5 * 1.35 * 0.6 * 0.35^1.5 * tanh(0.05 * (8.5 - 20)), remembered (3 + 14) / 2
    rules, seen, _ = played(ODD[:2], archetype="lab_0_8")
    [reason] = derived(rules, 0, seen)["why"]
    assert reason == {"of": 0, "gap": -11.5, "trust": 0.5}
    lost = 3 * 120 * 0.5 * 1.35 * 0.6 * 0.35**1.5 * np.tanh(0.05 * -11.5)
    assert derived(rules, 0, seen)["changed"][0] == pytest.approx(lost)


def test_if_the_observer_pays_each_other_player_gives_a_reason() -> None:
    # prior: seat 1 gave 20 before and now 8, seat 2 9 and 0, seat 3 11 and 12
    rules, seen, _ = played(
        ODD[:2], archetype="lab_0_7", signal="deviation", window="prior", falls_on="observer"
    )
    reasons = derived(rules, 0, seen)["why"]
    assert [(reason["of"], reason["gap"]) for reason in reasons] == [
        (1, -12.0),
        (2, -9.0),
        (3, 1.0),
    ]
    assert derived(rules, 0, seen[:1])["why"] is None  # no period has been played yet


def test_trust_is_one_number_if_all_others_see_the_same() -> None:
    rules, seen, _ = played(ODD[:2], archetype="lab_0_7")
    trust = derived(rules, 0, seen)["trust"]
    assert trust == [pytest.approx(seen[-1]["trust"][(seat + 1) % 4][seat]) for seat in range(4)]
    differ = (0.1, 0.2, 0.3)
    rows = [[0.0 if i == j else differ[(i + j) % 3] for j in range(4)] for i in range(4)]
    rules, seen, _ = played(ODD[:2], archetype="lab_0_7", dependence=rows)
    assert None in derived(rules, 0, seen)["trust"]

"""Groups that ended early: every part of a report says how many there are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import kept
from mixed_company.analysis.paper import results
from mixed_company.analysis.report import courses, figures
from mixed_company.analysis.report.flags import of_participants
from mixed_company.analysis.report.measured import NO_TYPE, Measured, types, without_type
from mixed_company.analysis.report.participants import taking_part
from tests.analysis.report.made import played, two_treatments, undrawn

PERIODS = 8


def shortened() -> Data:
    """Return three groups, of which the third collapsed after two of eight periods."""
    data = played(groups=3, periods=PERIODS, people=["steward"] * 2, bots=["steward"])
    frames = {}
    for name in ("decisions", "periods"):
        frame = getattr(data, name)
        frames[name] = frame[(frame["group"] < 3) | (frame["period"] < 2)].reset_index(drop=True)
    last = (frames["periods"]["group"] == 3) & (frames["periods"]["period"] == 1)
    ended = frames["periods"]["ended"].mask(last, "collapse")
    frames["periods"] = frames["periods"].assign(ended=ended)
    return replace(data, **frames)


def test_the_periods_that_groups_played_are_counted_with_the_reasons():
    [row] = courses.lengths(kept(shortened())).to_dict("records")
    assert row == {
        "treatment": "open",
        "groups": 3,
        "planned": "8",
        "least": 2,
        "median": 8.0,
        "most": 8,
        "playing": 0,
        "early": 1,
        "reasons": "collapse 1",
    }


@pytest.mark.parametrize(
    ("archetype", "drawn"),
    [("unsanctioned", {"contribution"}), ("source", {"contribution", "trust", "sanction_points"})],
)
def test_measures_of_rules_that_are_off_have_no_course(archetype: str, drawn: set[str]) -> None:
    seats: dict[str, Any] = {
        "people": ["random"] * 2,
        "bots": ["random"],
        "periods": 3,
        "groups": 2,
        "seed": 1,
    }
    data = analysis.simulated("sanctions", archetype=archetype, **seats)
    assert set(courses.series(Measured(kept(data)))["measure"]) == drawn


def test_a_group_that_is_still_playing_did_not_end_early() -> None:
    data = shortened()
    unended = data.periods.assign(ended=data.periods["ended"].replace("collapse", ""))
    table = courses.lengths(kept(replace(data, periods=unended)))
    assert table[["least", "playing", "early", "reasons"]].to_numpy().tolist() == [[2, 1, 0, ""]]
    assert results.lengths(table) == (
        "In open, 3 groups played 2 to 8 of 8 periods (median 8); none ended early; 1 was still "
        "playing."
    )


def test_people_who_are_still_playing_are_named_and_not_flagged() -> None:
    data = shortened()
    third = data.outcomes["group"] == 3
    data = replace(
        data, outcomes=data.outcomes.assign(status=data.outcomes["status"].mask(third, "seated"))
    )
    assert results.participants(taking_part(data)).startswith(
        "Of 6 participants who arrived, 6 joined a group and 4 stayed until its game ended (open: "
        "4). 2 were still playing. Nobody dropped out of the game."
    )
    assert not of_participants(data)["flags"].str.contains("unfinished").any()


@pytest.mark.parametrize(("seat", "who"), [(0, "because somebody left"), (None, "by the manager")])
def test_a_group_that_was_stopped_is_not_said_to_be_playing(seat: int | None, who: str) -> None:
    data = shortened()
    unended = data.periods.assign(ended=data.periods["ended"].replace("collapse", ""))
    row = {"session": data.groups["session"].iloc[2], "group": 3, "event": "ended", "seat": seat}
    data = replace(data, periods=unended, events=pd.DataFrame([row]))
    [lengths] = courses.lengths(kept(data)).to_dict("records")
    assert (lengths["reasons"], lengths["playing"]) == (f"stopped {who} 1", 0)


def test_a_caption_compares_only_means_over_the_same_groups():
    """The stock is 10, 20, 90, 90, ... in two groups, and 4, 8 in the group that ends early.

    (10 + 10 + 4) / 3 = 8 and (20 + 20 + 8) / 3 = 16, so the line over all groups ends at 16.
    """
    periods = [*range(1, PERIODS + 1)]
    series = pd.DataFrame(
        {
            "measure": "stock",
            "unit": "fish",
            "seats": "",
            "treatment": "open",
            "period": periods,
            "groups": [3, 3, 2, 2, 2, 2, 2, 2],
            "of": 3,
            "mean": [8.0, 16.0, *[90.0] * 6],
            "low": float("nan"),
            "high": float("nan"),
        }
    )
    nobody = pd.DataFrame({"session": [], "group": [], "treatment": [], "period": [], "stock": []})
    with undrawn():
        words = figures.course("stock", series, nobody, ["open"]).words
    assert words.startswith(
        "Mean over groups. open: 8 in period 1 and 16 in period 2, over 3 groups; from period 3 on "
        "(thin line) only over those that were still playing, 2 of 3 at the end, so a change there "
        "can be due to the groups that ended."
    )
    assert "90" not in words


def test_people_without_a_type_are_counted_and_the_reason_is_given():
    """People in the group with two periods have no type."""
    measured = Measured(kept(shortened()))
    table = types(measured)
    assert table["people"].sum() == 6
    assert table["share"].sum() == 1
    [row] = table[table["type"] == NO_TYPE].to_dict("records")
    assert row["people"] >= 2
    note = without_type(measured)
    assert "including people in groups that ended early" in note
    assert "type: fewer than 5 periods" in note
    assert "come from play and depend on what the others, including bots, do" in note


def test_if_nobody_has_a_type_the_table_says_so():
    table = types(Measured(two_treatments(groups=1, periods=2)))
    assert table[["treatment", "type", "people", "share"]].to_numpy().tolist() == [
        ["open", NO_TYPE, 2, 1.0],
        ["other", NO_TYPE, 2, 1.0],
    ]

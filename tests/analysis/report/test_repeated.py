"""A report on strangers in a repeated block: people count once, and groups keep their numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from mixed_company.analysis import joined
from mixed_company.analysis.data import Data
from mixed_company.analysis.report import courses, drawing, figures, measured, participants
from mixed_company.analysis.report.contents import Contents, contents
from mixed_company.analysis.report.measured import MIXED
from mixed_company.analysis.statistics import survival
from tests.analysis.report.made import played, strangers, undrawn, with_row


@lru_cache(maxsize=1)
def exchanged() -> Data:
    return strangers(played(groups=4, periods=2))


@lru_cache(maxsize=1)
def whole() -> Contents:
    with undrawn():
        return contents(exchanged())


def test_the_section_of_a_group_has_the_measures_of_its_people():
    """Groups 3 and 4 have exchanged people, so all four groups are one unit."""
    by_seat = exchanged().seats[exchanged().seats["participant"] != ""]
    keys = ["session", "group", "seat"]
    people = by_seat.set_index(keys)["participant"].to_dict()
    report = whole()
    table = report.tables["measures_people"].frame
    assert [group.group for group in report.groups] == [1, 2, 3, 4]
    for group in report.groups:
        rows = table.iloc[report.rows("measures_people", group)]
        assert len(rows) == 4
        for row in rows[rows["participant"] != ""].to_dict("records"):
            assert row["participant"] == people[tuple(row[key] for key in keys)]
        for name in ("measures_groups", "measures_periods"):
            assert len(report.rows(name, group)) == (1 if name == "measures_groups" else 2)
    assert report.tables["measures_by_treatment"].frame["groups"].max() == 1


def test_the_figure_of_points_counts_each_person_once_with_the_sum_over_plays():
    earned = exchanged().outcomes.groupby("participant")["points"].sum()
    words = whole().figures["people_points"].words
    assert len(earned) == 4
    assert f"open, all: 4 people, median {earned.median():.4g}" in words
    assert "Values are sums over a person's plays." in words


def test_only_groups_of_one_session_and_treatment_that_exchanged_people_are_a_unit():
    data = joined(played(groups=4, periods=1), played(groups=2, treatment="other", periods=1))
    config = data.config.assign(
        block=["b", "b", "a", "a", "a", "a"],
        matching_group=pd.array([1, 1, 1, 1, 1, None], dtype="Int64"),
    )
    data = replace(data, config=config).named({"low": ["block=a"], "high": ["block=b"]})
    keys = data.config[["session", "group"]]
    assert data.by_unit(keys)["group"].tolist() == [1, 1, 3, 3, 1, 2]
    with_other = pd.concat([keys, pd.DataFrame({"session": ["gone"], "group": [7]})])
    assert data.by_unit(with_other)["group"].tolist() == [1, 1, 3, 3, 1, 2, 7]


def test_a_person_is_of_a_type_if_all_classified_plays_agree():
    kinds = {"a": ["free", "free"], "b": ["free", ""], "c": ["free", "kind"], "d": ["", ""]}
    rows = [("t", "s", code, kind) for code, both in kinds.items() for kind in both]
    frame = pd.DataFrame(rows, columns=["treatment", "session", "participant", "kind"])
    of_kinds: Any = SimpleNamespace(words=lambda: ["kind"], only_people=frame)
    table = measured.types(of_kinds)
    assert table[["type", "people", "share"]].to_numpy().tolist() == [
        [measured.SEVERAL_TYPES, 1, 0.25],
        ["free", 2, 0.5],
        [measured.NO_TYPE, 1, 0.25],
    ]


def test_seats_of_unknown_people_count_one_by_one():
    frame = pd.DataFrame({"treatment": "t", "session": "s", "participant": "", "kind": ["x", "y"]})
    of_kinds: Any = SimpleNamespace(words=lambda: ["kind"], only_people=frame)
    assert measured.types(of_kinds)["people"].tolist() == [1, 1, 0]


def test_a_person_is_counted_by_the_stage_of_the_last_play():
    outcomes = exchanged().outcomes
    assert outcomes["participant"].duplicated().tolist() == [False] * 4 + [True] * 4
    data = replace(exchanged(), outcomes=with_row(outcomes, 7, status="left"))
    [row] = participants.taking_part(data).to_dict("records")
    assert (row["arrived"], row["finished"], row["left_in_play"]) == (4, 3, 1)


def test_plays_are_counted_apart_from_groups():
    [row] = courses.lengths(exchanged()).to_dict("records")
    assert (row["groups"], row["plays"]) == (4, 2)
    [row] = participants.treatments(exchanged()).to_dict("records")
    assert (row["groups"], row["plays"], row["people"]) == (4, 2, 4)
    assert "plays" not in courses.lengths(played(groups=4, periods=2))


def test_groups_that_exchange_people_have_one_thin_line_over_all_plays(monkeypatch):
    drawn: list[Any] = []
    monkeypatch.setattr(drawing, "rendered", lambda canvas: (drawn.append(canvas), bytes))
    frames = {name: table.frame for name, table in whole().tables.items()}
    series = frames["series"][frames["series"]["measure"] == "harvest"]
    periods = exchanged().shortened().by_unit(frames["measures_periods"])
    figures.course("harvest", series, periods, exchanged().treatments)
    thin, *_ = drawn[0].axes[0].lines
    assert list(thin.get_xdata()) == [1, 2, 3, 4]
    means = frames["measures_periods"].groupby("period")["harvest"].mean()
    assert list(thin.get_ydata()) == pytest.approx(means.tolist())


def test_a_figure_without_intervals_mentions_none():
    lives = pd.DataFrame({"treatment": "open", "duration": [2.0, 3.0, 4.0, 5.0], "ended": 1.0})
    table = survival(lives["duration"], lives["ended"], ["open"] * 4)
    without = table.assign(low=math.nan, high=math.nan)
    words = [figures.lasting(rows, lives, ["open"]).words for rows in (table, without)]
    assert ["95% interval" in text for text in words] == [True, False]


def test_figures_say_that_groups_that_exchange_people_count_as_one():
    words = {name: figure.words for name, figure in whole().figures.items()}
    ends = {name: text.endswith(MIXED) for name, text in words.items()}
    assert {name for name, is_said in ends.items() if is_said} == {
        name for name in words if name.startswith(("groups_", "period_"))
    }

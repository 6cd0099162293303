"""Interruptions: the export shows when a play was paused, and old exports are read as before."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, audited
from mixed_company.analysis.data import Data
from mixed_company.analysis.notes import interruptions
from mixed_company.table.journal import LATE
from tests.analysis.audit.faults import contents_of, dropped, edited, planted, written
from tests.analysis.audit.tables import exported, play, setup

BEFORE = Path(__file__).resolve().parent / "export_0_7.zip"
TIMES = {"decisions": "received_ms", "periods": "settled_ms", "seats": "at_ms", "events": "at_ms"}


@cache
def served() -> Data:
    settings = setup(grace_seconds=10.0, decision_seconds=5.0, periods=6, bots="random")
    return exported(settings, [play(settings, 2, number, 0.1) for number in (1, 2)])


def later(data: Data, ms: int, period: int = 3) -> Data:
    """Return data in which the machine's clock is this far ahead for group 1 from this period
    on."""
    [time_ms] = data.periods.query("group == 1 and period == @period")["shown_ms"]
    frames: dict[str, Any] = {}
    for name, column in TIMES.items():
        frame: pd.DataFrame = getattr(data, name).copy()
        frame.loc[(frame["group"] == 1) & (frame[column] > time_ms), "wall_ms"] += ms
        frames[name] = frame
    return replace(data, **frames)


def told(data: Data) -> list[str]:
    return [str(problem) for problem in interruptions(data)]


def test_nothing_is_reported_if_the_clocks_agree():
    assert told(served()) == []
    assert told(later(served(), 900)) == []


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (150_000, "the play stopped for 150.0 s: the server was down, or somebody changed the "
            "machine's clock"),
        (-60_000, "the machine's clock was set back by 60.0 s"),
    ],
)  # fmt: skip
def test_an_interruption_is_reported_once_with_its_period_and_no_fault(ms, words):
    data = later(served(), ms)
    assert told(data) == [f"group 1 of session s, period 3: {words}"]
    assert {problem.kind for problem in interruptions(data)} <= set(NOTES)
    assert audited(data).problems == ()


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ('{"stood_ms": 150000}', None),
        (
            '{"stood_ms": 90000}',
            "60.0 s: the server was down, or somebody changed the machine's clock",
        ),
        (
            '{"stood_ms": -1}',
            "150.0 s: the server was down, or somebody changed the machine's clock",
        ),
        ("", "150.0 s: the server was down, or somebody changed the machine's clock"),
    ],
)
def test_a_pause_by_the_manager_is_no_interruption(detail, words):
    data = with_event(later(served(), 150_000), 0.0, detail, "resumed")
    stood = "group 1 of session s, period 3: the play stopped for"
    assert told(data) == ([] if words is None else [f"{stood} {words}"])


def test_plays_that_were_paused_and_resumed_were_not_interrupted():
    settings = setup(grace_seconds=10.0, decision_seconds=5.0, periods=12, bots="random")
    data = exported(
        settings, [play(settings, 2, number, 0.1, managing=0.2) for number in (1, 2, 3)]
    )
    stood = [json.loads(detail) for detail in data.events.query("event == 'resumed'")["detail"]]
    assert sum(event["stood_ms"] for event in stood) > 5000
    assert told(data) == []


def test_equal_times_have_equal_machine_times(tmp_path):
    """A period's last decision and the period's end have the same time."""
    analysis.save(served(), tmp_path / "good.zip")
    bad = planted(
        tmp_path / "good.zip", tmp_path / "bad.zip", "periods", edited(2, "wall_ms"), remade=True
    )
    assert any(
        "wall_ms" in str(problem) for problem in analysis.check(bad) if problem.kind not in NOTES
    )


def test_an_earlier_export_without_machine_times_is_valid():
    data = analysis.load(BEFORE)
    assert data.problems == ()
    assert data.periods["wall_ms"].isna().all()
    assert {problem.kind for problem in analysis.check(BEFORE)} == {"unknown"}


def test_a_column_in_the_codebook_of_the_export_must_exist(tmp_path):
    analysis.save(served(), tmp_path / "good.zip")
    files = contents_of(tmp_path / "good.zip")
    files["commons_game/seats.csv"] = dropped(files["commons_game/seats.csv"], "wall_ms")
    data = analysis.load(written(tmp_path / "bad.zip", files))
    assert any(
        "seats.csv, wall_ms: this column is missing" in str(problem) for problem in data.problems
    )


def with_event(data: Data, ago_s: float, detail: str, event: str) -> Data:
    """Return data with an event in group 1's journal, this long after its third period started."""
    [time_ms] = data.periods.query("group == 1 and period == 3")["shown_ms"]
    keys = {"session": "s", "group": 1, "group_id": "s-1", "treatment": "lab", "period": 3}
    wall = data.events["wall_ms"].iloc[0] - data.events["at_ms"].iloc[0] + time_ms
    row = {**keys, "at_ms": time_ms + round(1000 * ago_s), "wall_ms": wall, "event": event}
    added = pd.DataFrame([{**row, "detail": detail}]).reindex(columns=data.events.columns)
    events = pd.concat([data.events, added.astype(data.events.dtypes)], ignore_index=True)
    place = events.sort_values(["group", "at_ms"], kind="stable")
    return replace(data, events=place.reset_index(drop=True))


def late(data: Data, ago_s: float, detail: str) -> Data:
    """Return data whose journal says that the server was late, this long after group 1's third
    period started.
    """
    return with_event(data, ago_s, detail, LATE)


def said(late_s: float, stood_s: float, for_s: float) -> str:
    return json.dumps({"late_s": late_s, "stood_s": stood_s, "for_s": for_s})


@pytest.mark.parametrize(
    ("ms", "ago_s", "detail", "words"),
    [
        (7_800, 0.5, said(4.2, 7.5, 1.5),
         "the play stopped for 7.8 s because the server was late, by up to 4.2 s"),
        (9_400, 0.5, said(4.2, 7.5, 1.5),  # with the rest of an earlier time
         "the play stopped for 9.4 s because the server was late, by up to 4.2 s"),
        (150_000, 0.5, said(4.2, 7.5, 1.5),
         "the play stopped for 150.0 s: for 7.5 s, the server was late, by up to 4.2 s; for the "
         "rest the server was down, or somebody changed the machine's clock"),
        (7_800, 500.0, said(4.2, 7.5, 1.5),  # another time
         "the play stopped for 7.8 s: the server was down, or somebody changed the machine's "
         "clock"),
        (-60_000, 0.5, said(4.2, 7.5, 1.5), "the machine's clock was set back by 60.0 s"),
    ],
)  # fmt: skip
def test_lateness_recorded_by_an_event_is_no_interruption(ms, ago_s, detail, words):
    data = late(later(served(), ms), ago_s, detail)
    assert told(data) == [f"group 1 of session s, period 3: {words}"]


def test_recorded_lateness_is_deducted_once():
    data = late(later(later(served(), 7_000), 6_000, period=4), 0.5, said(4.2, 7.5, 60.0))
    first, second = told(data)
    assert first.endswith("stopped for 7.0 s because the server was late, by up to 4.2 s")
    assert second.endswith("the server was down, or somebody changed the machine's clock")


def test_an_event_of_lateness_is_no_fault_in_the_tables():
    settings = setup(grace_seconds=10.0, decision_seconds=5.0, periods=12, bots="random")
    table = play(settings, 2, 1, 0.0, seconds=6)
    table.note_late(4.2, 7.5, 1.5, table.period_ms + 1)
    data = exported(settings, [table])
    assert LATE in set(data.events["event"])
    assert told(data) == []
    assert [problem for problem in audited(data).problems if problem.kind not in NOTES] == []


@pytest.mark.parametrize("detail", ["", "[]", "{}", said(-1, 7.5, 1.5), '{"late_s": 1e999}', "["])
def test_an_empty_event_of_lateness_is_named(detail):
    data = late(later(served(), 7_800), 0.5, detail)
    assert told(data)[0].endswith("the server was down, or somebody changed the machine's clock")
    [problem] = audited(data).problems
    assert "late: this row should not exist" in str(problem)

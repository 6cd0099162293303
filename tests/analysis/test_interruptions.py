"""Whoever reads times is told where a play stood still; exports of before are read as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import analysis
from analysis.audit import NOTES, audited
from analysis.data import Data
from analysis.interruptions import interruptions
from tests.analysis.audit.faults import contents_of, dropped, edited, planted, written
from tests.analysis.audit.tables import exported, play, setup

BEFORE = Path(__file__).resolve().parent / "export_0_7.zip"
TIMES = {"decisions": "received_ms", "periods": "settled_ms", "seats": "at_ms", "events": "at_ms"}


def served() -> Data:
    given = setup(grace_seconds=10.0, decision_seconds=5.0, periods=6, bots="random")
    return exported(given, [play(given, [0, 2], number, 0.1) for number in (1, 2)])


def later(data: Data, ms: int, period: int = 3) -> Data:
    """The machine's clock of group 1 shows so much more from this period on."""
    [at] = data.periods.query("group == 1 and period == @period")["shown_ms"]
    frames: dict[str, Any] = {}
    for name, column in TIMES.items():
        frame: pd.DataFrame = getattr(data, name).copy()
        frame.loc[(frame["group"] == 1) & (frame[column] > at), "wall_ms"] += ms
        frames[name] = frame
    return replace(data, **frames)


def told(data: Data) -> list[str]:
    return [str(each) for each in interruptions(data)]


def test_nothing_is_told_where_the_clocks_went_together() -> None:
    assert told(served()) == []
    assert told(later(served(), 900)) == []


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (150_000, "the play stood still for 150.0 s: the server was away, or the machine's clock "
         "was set"),
        (-60_000, "the machine's clock was set back by 60.0 s"),
    ],
)  # fmt: skip
def test_it_is_told_once_in_which_period_and_is_no_fault(ms: int, words: str) -> None:
    data = later(served(), ms)
    assert told(data) == [f"group 1 of session s, period 3: {words}"]
    assert {each.kind for each in interruptions(data)} <= set(NOTES)
    assert audited(data).problems == ()


def test_at_one_time_the_machine_s_clock_shows_one_thing(tmp_path: Path) -> None:
    """The last decision of a period and its end are at the same time."""
    analysis.save(served(), tmp_path / "good.zip")
    bad = planted(
        tmp_path / "good.zip", tmp_path / "bad.zip", "periods", edited(2, "wall_ms"), remade=True
    )
    assert any("wall_ms" in str(each) for each in analysis.check(bad) if each.kind not in NOTES)


def test_an_export_of_before_has_no_time_of_the_machine_and_nothing_is_wrong_with_it() -> None:
    data = analysis.load(BEFORE)
    assert data.problems == ()
    assert data.periods["wall_ms"].isna().all()
    assert analysis.check(BEFORE) == []


def test_a_column_that_the_codebook_of_the_export_has_must_be_there(tmp_path: Path) -> None:
    analysis.save(served(), tmp_path / "good.zip")
    files = contents_of(tmp_path / "good.zip")
    files["commons_game/seats.csv"] = dropped(files["commons_game/seats.csv"], "wall_ms")
    data = analysis.load(written(tmp_path / "bad.zip", files))
    assert any("seats.csv, wall_ms: this column is missing" in str(each) for each in data.problems)

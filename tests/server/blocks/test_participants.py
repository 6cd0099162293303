"""The table `participants` has one row per person for all blocks, which the audit recomputes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, UNKNOWN, audits
from mixed_company.analysis.audit.participants import check_participants
from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.audit.sealed import looked_at
from mixed_company.analysis.reading import participants
from mixed_company.server import clock, live
from mixed_company.server.archive import writing
from tests.project import ROOT
from tests.server.blocks.exported import faults, play
from tests.server.blocks.exported import wrong as wrong_in
from tests.server.blocks.planned import ABA, Blocks
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture

BLOCKS = ("first", "with", "again")
ONE = 'seed = 5\npay_blocks = "one"\nmatching = "strangers"\nmatching_groups = 2\nroles = "redrawn"'
TEXT = ABA.replace("seed = 5", ONE)


def wrong(frame: pd.DataFrame, data: Any) -> list[str]:
    """Return the faults that the audit finds in these rows, given the tables of a game."""
    findings = Findings("")
    check_participants(frame, [data], findings)
    return [str(problem) for problem in findings.problems if problem.kind not in NOTES]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the export of a played session, `out.zip`."""
    folder = tmp_path_factory.mktemp("blocks")
    play(folder, TEXT, 3)
    return folder


@pytest.fixture(scope="module")
def data(folder: Path) -> Any:
    """Load the tables of the export."""
    return analysis.load(folder / "out.zip")


def test_one_row_describes_the_whole_way_and_any_change_is_found(folder, data):
    frame, problems = participants(folder / "out.zip")
    assert frame is not None
    assert (len(frame), problems, wrong(frame, data)) == (4, (), [])
    [whole] = [audit for audit in audits(folder / "out.zip") if not audit.game]
    assert (whole.people, whole.problems) == (4, [])
    assert looked_at(folder / "out.zip").problems == []
    for row in frame.to_dict("records"):
        outcomes = data.outcomes[data.outcomes["participant"] == row["participant"]]
        assert [row[f"block_{number}"] for number in (1, 2, 3)] == list(BLOCKS)
        assert [row[f"app_{number}"] for number in (1, 2, 3)] == [
            *("sanctions", "sanctions_2", "sanctions_3")
        ]
        assert [row[f"group_id_{number}"] for number in (1, 2, 3)] == outcomes["group_id"].tolist()
        for number in (1, 2, 3):
            assert row[f"arrived_ms_{number}"] > row["assigned_ms"]
            of_group = data.periods["group_id"] == row[f"group_id_{number}"]
            assert row[f"ended_ms_{number}"] == data.periods[of_group]["wall_ms"].iloc[-1]
        paid = [number for number in (1, 2, 3) if outcomes["pay_points"].iloc[number - 1]]
        assert [row["paid_block"]] == paid
        assert row["pay_fee"] == 2.0
        by_block = sum(row[f"pay_{number}"] for number in (1, 2, 3))
        assert by_block + row["pay_elsewhere"] == pytest.approx(row["payment"])
        assert row["payment"] == outcomes["payment"].iloc[0]
    unknown = {name.removeprefix("participants.") for name in UNKNOWN}
    for name in frame:
        changed = frame.copy()
        other = 77 if pd.api.types.is_numeric_dtype(changed[name]) else "other"
        changed.loc[1, name] = other
        hidden = name in unknown or str(name).rstrip("0123456789") in unknown
        assert bool(wrong(changed, data)) is not hidden, name
    assert any("appears twice" in line for line in wrong(frame.loc[[0, 0, 1, 2, 3]], data))
    assert any("missing: participant" in line for line in wrong(frame.loc[[0, 1, 2]], data))


def test_the_paid_block_is_recomputed(data):
    assert faults(data) == []
    paid = data.outcomes["pay_points"] > 0
    assert paid.sum() == 4  # one block for each of four people
    problems = wrong_in(data, "outcomes", "pay_points", lambda _: ~paid, 1.0)
    assert any("pay_points" in line and "should be 0.0" in line for line in problems), problems
    last = data.outcomes["block"] == "again"
    assert data.outcomes.loc[last, "pay_fee"].tolist() == [2.0] * 4
    problems = wrong_in(data, "outcomes", "pay_fee", lambda _: ~last, 2.0)
    assert any("pay_fee" in line and "should be 0.0" in line for line in problems), problems


def test_the_long_form_takes_one_line(folder, data):
    frame, _ = participants(folder / "out.zip")
    assert frame is not None
    keys = ["session", "participant"]
    long = pd.wide_to_long(frame, ["points", "status"], keys, "number", sep="_").reset_index()
    assert len(long) == 3 * 4
    assert sorted(long["points"]) == sorted(data.outcomes["points"])
    assert set(long["status"]) == {"finished"}


@pytest.mark.long
def test_blocks_that_somebody_did_not_reach_are_empty(inside, monkeypatch, tmp_path):
    blocks = Blocks(ABA, 3, monkeypatch)
    first, second, third = blocks.people
    blocks.meet(first, second)
    blocks.play(first)  # the second person is silent, so a bot takes the seat
    with (tmp_path / "out.zip").open("wb") as file:
        writing.write(file, [blocks.code])
    assert [
        problem for problem in analysis.check(tmp_path / "out.zip") if problem.kind not in NOTES
    ] == []
    frame, _ = participants(tmp_path / "out.zip")
    assert frame is not None
    assert frame["participant"].tolist() == [first.code, second.code, third.code]
    assert frame["status_1"].tolist() == ["finished", "left", "arriving"]
    assert frame["status_2"].tolist() == ["arriving", "", ""]
    assert "status_3" not in frame
    assert frame["ended_ms_1"].isna().tolist() == [False, False, True]
    data = analysis.load(tmp_path / "out.zip")
    [sat_down] = data.seats[data.seats["reason"] == "dropout"].to_dict("records")
    assert frame["ended_ms_1"].tolist()[:2] == [
        data.periods[data.periods["group"] == 1]["wall_ms"].iloc[-1],
        sat_down["wall_ms"],
    ]
    assert frame["first_seen_ms"].isna().tolist() == [False, False, True]
    assert frame["blocks_played"].tolist() == [1, 1, 0]


def test_an_older_export_without_this_table_can_be_read():
    before = ROOT / "tests/analysis/export_0_7.zip"
    assert participants(before) == (None, ())
    assert {problem.kind for problem in analysis.check(before)} == {"unknown"}


@pytest.mark.long
def test_a_block_can_begin_before_a_person_has_ended_the_one_before(inside, monkeypatch, tmp_path):
    """Two people wait in the second block for people who still play in the first."""
    blocks = Blocks(TEXT, 4, monkeypatch)
    blocks.meet()
    quick, slow = blocks.people[:2], blocks.people[2:]
    blocks.play(*quick)
    for visitor in quick:
        visitor.send()
        visitor.to_the_lobby().wait()
    for _ in range(45):
        clock.put_on(10_000)
        for visitor in slow:
            live.play(visitor.player(), {"kind": "alive"})
        for visitor in quick:
            visitor.wait()
    with (tmp_path / "out.zip").open("wb") as file:
        writing.write(file, [blocks.code])
    frame, _ = participants(tmp_path / "out.zip")
    assert frame is not None
    assert sum(frame["began_ms_2"] < frame["ended_ms_1"]) == len(slow) == 2
    assert analysis.check(tmp_path / "out.zip") == []

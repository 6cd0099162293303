"""An export of blocks is right as it is, and what is changed in it is found out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import analysis
from analysis.audit import NOTES, audited
from server.archive import writing
from tests.server.blocks.planned import ABA, Blocks
from tests.server.blocks.test_way import on_to_the_next
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture

ONE = 'seed = 5\npay_blocks = "one"\nmatching = "strangers"\nmatching_groups = 2\nroles = "redrawn"'


def exported(folder: Path, monkeypatch: Any, text: str) -> Any:
    """Four people in three blocks, played to the end."""
    blocks = Blocks(text, 4, monkeypatch)
    for number in (1, 2, 3):
        if number > 1:
            on_to_the_next(*blocks.people)
        blocks.meet()
        blocks.play()
    with (folder / "out.zip").open("wb") as file:
        writing.write(file, [blocks.code])
    return analysis.load(folder / "out.zip")


def faults(data: Any) -> list[str]:
    """What is wrong, but for clocks that a test has put on."""
    return [str(one) for one in audited(data).problems if one.kind not in NOTES]


def wrong(data: Any, table: str, column: str, rows: Any, value: Any) -> list[str]:
    """What the audit says when a column of some rows is changed."""
    frame = getattr(data, table).copy()
    frame.loc[rows(frame), column] = value
    return [str(one) for one in audited(replace(data, **{table: frame})).problems]


def test_partners_and_their_seats_are_computed_again(
    inside: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = exported(tmp_path, monkeypatch, ABA)
    assert faults(data) == []
    assert sorted(data.config["group"]) == [1, 2, 2001, 2002, 3001, 3002]
    assert set(data.outcomes["block"]) == {"first", "with", "again"}

    def of_group(number: int) -> Any:
        return lambda frame: frame["group"] == number

    found = wrong(data, "config", "block", of_group(2001), "again")
    assert any("again should be with" in line for line in found), found
    found = wrong(data, "config", "matching_group", of_group(2002), 1)
    assert any("matching_group" in line for line in found), found
    one = data.outcomes.loc[data.outcomes["group"] == 2001, "participant"].iloc[0]
    swapped = data.outcomes.copy()
    third = data.outcomes.loc[data.outcomes["group"] == 2002, "participant"].iloc[0]
    place = swapped["participant"].isin([one, third]) & (swapped["block"] == "with")
    swapped.loc[place, "participant"] = swapped.loc[place, "participant"].tolist()[::-1]
    lines = [str(line) for line in audited(replace(data, outcomes=swapped)).problems]
    assert any("belongs to other people in this block" in line for line in lines), lines
    found = wrong(data, "outcomes", "status", of_group(1), "left")
    assert any("is a block after one that ended with 'left'" in line for line in found), found


def test_the_block_that_is_paid_is_computed_again(
    inside: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = exported(tmp_path, monkeypatch, ABA.replace("seed = 5", ONE))
    assert faults(data) == []
    paid = data.outcomes["pay_points"] > 0
    assert paid.sum() == 4  # one block of each of four people
    found = wrong(data, "outcomes", "pay_points", lambda _: ~paid, 1.0)
    assert any("pay_points" in line and "should be 0.0" in line for line in found), found
    last = data.outcomes["block"] == "again"
    assert data.outcomes.loc[last, "pay_fee"].tolist() == [2.0] * 4
    found = wrong(data, "outcomes", "pay_fee", lambda _: ~last, 2.0)
    assert any("pay_fee" in line and "should be 0.0" in line for line in found), found

"""Exports of finished sessions with blocks, and audits of modified exports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, audited
from mixed_company.server.archive import writing
from tests.server.blocks.planned import Blocks
from tests.server.inside import emptied

__all__ = ["exported", "faults", "play", "wrong"]


def exported(folder: Path, text: str) -> Any:
    """Load the export of four people who played three blocks of a game to the end."""
    play(folder, text, 3)
    return analysis.load(folder / "out.zip")


def play(folder: Path, text: str, count: int) -> None:
    """Let four people play `count` blocks, and write the export to `out.zip`."""
    with emptied(), pytest.MonkeyPatch.context() as patch:
        blocks = Blocks(text, 4, patch)
        for number in range(count):
            for visitor in blocks.people if number else ():
                visitor.send()
            blocks.meet()
            blocks.play()
        with (folder / "out.zip").open("wb") as file:
            writing.write(file, [blocks.code])


def faults(data: Any) -> list[str]:
    """Return the problems that the audit finds, except those due to a clock that a test moved."""
    return [str(problem) for problem in audited(data).problems if problem.kind not in NOTES]


def wrong(data: Any, table: str, column: str, rows: Any, value: Any) -> list[str]:
    """Return the problems that the audit finds after a change to a column of some rows."""
    frame = getattr(data, table).copy()
    frame.loc[rows(frame), column] = value
    return [str(problem) for problem in audited(replace(data, **{table: frame})).problems]

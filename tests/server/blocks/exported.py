"""Exports of sessions with blocks, each played once by a process, and audits of changed ones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, audited
from mixed_company.server.archive import writing
from tests.server.blocks.planned import Blocks

__all__ = ["exported", "faults", "play", "wrong"]


def exported(folder: Path, text: str) -> Any:
    """Load the export of four people in three blocks of a game, played to the end."""
    play(folder, text, 3)
    return analysis.load(folder / "out.zip")


def play(folder: Path, text: str, many: int) -> None:
    """Have four people play so many blocks; the export is `out.zip`. Needs `inside`."""
    (folder / "out.zip").write_bytes(_played(text, many))


@cache
def _played(text: str, many: int) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        blocks = Blocks(text, 4, patch)
        for number in range(many):
            for visitor in blocks.people if number else ():
                visitor.send()
            blocks.meet()
            blocks.play()
        file = BytesIO()
        writing.write(file, [blocks.code])
        return file.getvalue()


def faults(data: Any) -> list[str]:
    """What is wrong, but for clocks that a test has put on."""
    return [str(one) for one in audited(data).problems if one.kind not in NOTES]


def wrong(data: Any, table: str, column: str, rows: Any, value: Any) -> list[str]:
    """What the audit says when a column of some rows is changed."""
    frame = getattr(data, table).copy()
    frame.loc[rows(frame), column] = value
    return [str(one) for one in audited(replace(data, **{table: frame})).problems]

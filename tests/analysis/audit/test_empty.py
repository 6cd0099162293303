"""An empty cell is named, and everything else is still checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from mixed_company import analysis
from tests.analysis.audit.faults import Rows, planted
from tests.analysis.audit.rehearsed import EXPORT


@pytest.mark.parametrize(("table", "column"), [("decisions", "shown_ms")])
def test_empty_cells_are_named(tmp_path: Path, table: str, column: str) -> None:
    def change(rows: Rows) -> None:
        place = rows[0].index(column)
        for row in rows[1:9]:
            row[place] = ""

    bad = planted(EXPORT, tmp_path / "bad.zip", table, change, remade=True)
    assert any(f", {column}: " in str(problem) for problem in analysis.check(bad))

"""Check that an export contains no personal data if its manifest says so.

Columns declared personal may contain only codes, or a marker for omitted values. This check cannot
tell whether somebody could trace a code to a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company import engine
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.table.export import CODED, columns, is_anonymous


def check_anonymous(
    tables: Mapping[str, Rows], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Check that a game's tables contain no personal data, except texts that the export was asked
    to keep."""
    texts = manifest.get("left_out") == []
    usual = engine.make(findings.game)
    for name, rows in tables.items():
        personal = [
            column
            for column in columns(name, usual)
            if column.name in rows.columns
            and column.personal is not None
            and (column.personal in CODED or not texts)
        ]
        for row in rows.records():
            for column in personal:
                value = row[column.name]
                findings.coded(is_anonymous(column, row), name, row["row"], column.name, value)

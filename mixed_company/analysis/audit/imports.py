"""Check that imported groups and their manifest entries contain nothing that an import cannot have.

People in these groups did not vote, get paid or see a page of this project. Some group played every
treatment that the manifest lists. The payoff counts should be possible; only the imported table
shows whether they are right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.way import session_in
from mixed_company.analysis.data import Problem
from mixed_company.engine.contract.errors import short
from mixed_company.table.export.archive import MANIFEST

_ABSENT = {
    "config": ("rule", "rules", "participation_fee", "point_value"),
    "outcomes": (
        *("label", "slot", "assigned_ms", "waited_ms", "disclosure", "disclosed_ms", "parameters"),
        *("payment", "pay_fee", "pay_points", "pay_questions", "pay_floor", "pay_cap"),
        *("pay_waiting", "pay_rounding", "pay_elsewhere", "quiz_attempts", "quiz_log"),
        *("practised_periods", "practice_log", "consented", "consented_ms", "hidden_ms"),
        *("hidden_times", "idle_ms", "comments", "managed"),
    ),
}
"""Columns that are empty for an imported group, by table."""

_PAYOFFS = ("compared", "differing")


def check_imported(
    tables: Mapping[str, Rows], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Check the imported groups of a game, and their entries in the manifest."""
    number = _decisions(tables, manifest)
    for message in (*_payoffs(manifest, number), *_unplayed(tables["config"], manifest)):
        findings.problems.append(Problem("differs", message, MANIFEST))
    for name, columns in _ABSENT.items():
        for row in tables[name].records() if name in tables else ():
            if "imported" not in session_in(manifest, row["session"]):
                continue
            for column in (column for column in columns if row.get(column, "") != ""):
                rule = "should be empty, because an imported group cannot have this value"
                key = f"session {row['session']}, group {row['group']}"
                findings.rule(False, name, row["row"], column, row[column], rule, key)


def _decisions(tables: Mapping[str, Rows], manifest: Mapping[str, Any]) -> int:
    """Return the number of decisions in all games of an export or, for data without a file, in
    their game."""
    if "tables" not in manifest:
        return len(tables["decisions"]) if "decisions" in tables else 0
    listed = [about for path, about in manifest["tables"].items() if _is_decisions(path)]
    counts = [about.get("rows") for about in listed if isinstance(about, Mapping)]
    return sum(count for count in counts if type(count) is int)


def _payoffs(manifest: Mapping[str, Any], decisions: int) -> Iterator[str]:
    """Yield an error if the numbers of compared payoffs and of differing ones are impossible."""
    payoffs = manifest.get("imported", {}).get("payoffs", {})
    if not payoffs:
        return
    if set(payoffs) != {*_PAYOFFS}:
        yield f"imported.payoffs = {short(payoffs)}: should have {' and '.join(_PAYOFFS)}"
        return
    compared, differing = (payoffs[name] for name in _PAYOFFS)
    if not 0 <= differing <= compared <= decisions:
        yield (
            f"imported.payoffs: {differing} of {compared} payoffs differ: should be numbers from 0 "
            f"to the {decisions} decisions"
        )


def _is_decisions(path: str) -> bool:
    return PurePosixPath(path).stem == "decisions"


def _unplayed(config: Rows, manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield an error for each treatment of an imported table that no imported group played. Each
    session's entry lists the treatments of all sessions of its table.
    """
    entries = {
        session: entry
        for session, entry in manifest.get("sessions", {}).items()
        if "imported" in entry
    }
    played = {row.get("treatment") for row in config.records() if row["session"] in entries}
    for session, entry in entries.items():
        for name in entry["imported"].get("treatments", ()):
            if played and name not in played:
                where = f"sessions: {session}: imported: treatments: {name}"
                yield f"{where}: no group played it"

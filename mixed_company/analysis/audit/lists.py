"""Lists that outcomes hold as JSON: attempts at the quiz, decisions in the practice, and what the
manager had done."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.table.export import Row
from mixed_company.table.options import QUIZ_ATTEMPTS_KEPT

__all__ = ["check_lists"]


def check_lists(row: Row, findings: Findings, group: Group | None = None) -> None:
    """They are lists, as long as is counted. `group`: of who had a seat."""
    _quiz(row, findings)
    _practised(row, findings, group)
    _managed(row, findings)


def _quiz(row: Row, findings: Findings) -> None:
    """As many attempts are logged as are counted."""
    log = _listed(row, "quiz_log", "attempts", (), findings)
    if log is not None and row["quiz_attempts"] != "":
        attempts = row["quiz_attempts"]
        known = len(log) == min(attempts, QUIZ_ATTEMPTS_KEPT)
        rule = f"attempts, of which {len(log)} are logged"
        findings.rule(known, "outcomes", row["row"], "quiz_attempts", attempts, rule)


def _practised(row: Row, findings: Findings, group: Group | None) -> None:
    """Nobody practised for longer than the session has it, nor than a play lasts."""
    log = _logged(row, findings)
    if group is None:
        return
    periods = row.get("practised_periods", "")
    most = min(group.option("practice_periods", 0), group.game.horizon)
    if periods != "":  # exports of earlier releases, and of plays without pages, do not have it
        rule = f"should be from 0 to {most}, the periods of the practice"
        known = 0 <= periods <= most
        findings.rule(known, "outcomes", row["row"], "practised_periods", periods, rule)
    if log:
        within = all(one["period"] in range(most) for one in log)
        rule = f"has a period that is not from 0 to {most - 1}, those of the practice"
        findings.rule(within, "outcomes", row["row"], "practice_log", row["practice_log"], rule)


def _logged(row: Row, findings: Findings) -> list[Row]:
    """What was decided in the practice, in as many periods as are counted."""
    keys = ("at_ms", "period", "action")
    log = _listed(row, "practice_log", "decisions of the practice", keys, findings)
    periods = row.get("practised_periods", "")
    if log is None or not (log or periods):
        return []
    # the last one may have been left before all had decided
    decided = len({str(one["period"]) for one in log})
    rule = f"periods, of which {decided} are logged"
    known = periods in (decided, decided - 1)
    findings.rule(known, "outcomes", row["row"], "practised_periods", periods, rule)
    return log


def _managed(row: Row, findings: Findings) -> None:
    """What the manager had done is a list, each with what it was; nothing where it was nothing."""
    _listed(row, "managed", "what was done", ("what",), findings)


def _listed(
    row: Row, column: str, what: str, keys: Sequence[str], findings: Findings
) -> list[Row] | None:
    """The list in a column, each of which has these keys; None, and told: it has none."""
    text = row.get(column, "")
    try:
        listed = json.loads(text) if text else []
    except (ValueError, RecursionError):
        listed = None
    right = isinstance(listed, list) and all(
        isinstance(one, dict) and set(keys) <= set(one) for one in listed
    )
    rule = f"is no list of {what}, JSON"
    findings.rule(right, "outcomes", row["row"], column, text, rule)
    return listed if right else None

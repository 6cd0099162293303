"""Check the counts of messages, questions and answers in `outcomes`. If other people in the session
have a count, nobody may lack it.

Answers on pages are not in the journal, and somebody can change a message's author in the journal
as well. So these counts are the only trace of a missing row. Exports from earlier releases lack
them. They can be empty in imported and simulated sessions, because nobody wrote or answered
anything there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mixed_company.analysis.audit.rows import Findings, Rows, person_of
from mixed_company.experiment.digests import has_server, read
from mixed_company.table.export import Row

_OF_TABLES = {
    "messages": ("messages_sent",),
    "answers": ("questions_asked", "questions_answered"),
}


_FILLED = ("quiz_attempts", "practised_periods", "question_points", "pay_questions")
"""Columns in which everybody in a session has a number or, in earlier releases, nobody."""


def check_counted(tables: Mapping[str, Rows], findings: Findings) -> None:
    """Compare each person's counts with the rows of `messages` and `answers`."""
    if "outcomes" not in tables:
        return
    counts: Counter[Any] = Counter()
    for table in _OF_TABLES:
        for row in tables[table].records() if table in tables else ():
            counts.update((*person_of(row), name) for name in _counted(table, row))
    columns = tables["outcomes"].columns
    names = {name: table for table, listed in _OF_TABLES.items() for name in listed}
    filled = [name for name in names if any(count != "" for count in columns.get(name, ()))]
    if not filled:
        return  # an earlier release made the export
    counting = [name for name in names if name in filled or names[name] in tables]
    _check_filled(list(tables["outcomes"].records()), findings)
    groups = tables["config"].records()
    served = {row["session"] for row in groups if has_server(read(row["options"]))}
    for row in tables["outcomes"].records():
        key = f"participant {row['participant']}"
        for name in counting:
            should, by = counts[*person_of(row), name], names[name]
            if row.get(name, "") == "" and not should and row["session"] not in served:
                continue
            findings.value("outcomes", row["row"], name, row.get(name, ""), should, key, by)


def _check_filled(rows: Sequence[Row], findings: Findings) -> None:
    for name in _FILLED:
        sessions = {row["session"] for row in rows if row.get(name, "") != ""}
        for row in rows:
            if row["session"] in sessions and row[name] == "":
                rule = "is empty, but other people in the session have a number"
                key = f"participant {row['participant']}"
                findings.rule(False, "outcomes", row["row"], name, "", rule, key)


def _counted(table: str, row: Row) -> list[str]:
    """Return the names of the counts in which this row is counted."""
    if table == "messages":
        return ["messages_sent"] if row["occupant"] == "person" else []
    return ["questions_asked", *(["questions_answered"] if row["value"] != "" else [])]

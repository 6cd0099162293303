"""Check the `outcomes` table: how many points people earned, how their participation ended, and how
many messages, questions and answers they have.

The quiz, the practice and the manager's actions are JSON lists. `money` checks the payments.

Answers on pages are not in the journal, and a message's author can be changed in the journal as
well. So the counts are the only trace of a missing row. If anyone in the session has a count,
everyone must have one. Exports from earlier releases lack counts. Counts can also be empty in
imported and simulated sessions, because nobody wrote or answered anything there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mixed_company.analysis.audit.group import OF_PLAYS, Group
from mixed_company.analysis.audit.rows import Findings, Rows, person_of
from mixed_company.experiment.comparisons import counted
from mixed_company.experiment.digests import has_server, read
from mixed_company.files import parsed
from mixed_company.table import pay
from mixed_company.table.directives import OF_PERSONS
from mixed_company.table.export import Row
from mixed_company.table.export.played import credited
from mixed_company.table.options import QUIZ_ATTEMPTS_KEPT
from mixed_company.table.seating import block_and_number


def check_lists(row: Row, findings: Findings, group: Group | None = None) -> None:
    """Check that the logs in a person's row match their counts. `group` is None if the person had
    no seat."""
    _quiz(row, findings)
    _practised(row, findings, group)
    _managed(row, findings)
    for name in ("waited_ms", "hidden_ms", "hidden_times", "idle_ms"):
        value = row.get(name, "")  # missing in exports from earlier releases
        if value != "" and value < 0:
            findings.rule(False, "outcomes", row["row"], name, value, "should not be negative")


def _managed(row: Row, findings: Findings) -> None:
    """Check that the manager's directives are of kinds that can apply to people without a seat."""
    acts = _listed(row, "managed", "acts", ("what", "at_ms"), findings) or []
    if any(act["what"] not in OF_PERSONS or not _is_time(act["at_ms"]) for act in acts):
        rule = f"should only have directives of the kinds {', '.join(OF_PERSONS)}, with times"
        findings.rule(False, "outcomes", row["row"], "managed", row["managed"], rule)


def _quiz(row: Row, findings: Findings) -> None:
    """Check that the number of logged quiz attempts matches their count."""
    log = _listed(row, "quiz_log", "attempts", (), findings)
    if log is not None and row["quiz_attempts"] != "":
        attempts = row["quiz_attempts"]
        right = len(log) == min(attempts, QUIZ_ATTEMPTS_KEPT)
        rule = f"attempts, but {len(log)} are logged"
        findings.rule(right, "outcomes", row["row"], "quiz_attempts", attempts, rule)


def _practised(row: Row, findings: Findings, group: Group | None) -> None:
    """Check that a person did not practise longer than the session allows or than a play lasts."""
    log = _logged(row, findings)
    if group is None:
        return
    periods = row.get("practised_periods", "")
    limit = min(group.option("practice_periods", 0), group.game.horizon)
    if periods != "":  # missing in exports from earlier releases, and for plays without pages
        rule = f"should be from 0 to {limit}, the number of practice periods"
        right = 0 <= periods <= limit
        findings.rule(right, "outcomes", row["row"], "practised_periods", periods, rule)
    if log:
        names = [field.name for field in group.game.declaration.actions]
        if not all(entry["action"].keys() <= {*names} for entry in log):
            rule = f"has an action with fields other than {', '.join(names)}"
            findings.rule(False, "outcomes", row["row"], "practice_log", row["practice_log"], rule)
        within = all(entry["period"] in range(limit) for entry in log)
        rule = f"has a period outside 0 to {limit - 1}, the practice periods"
        findings.rule(within, "outcomes", row["row"], "practice_log", row["practice_log"], rule)


def _logged(row: Row, findings: Findings) -> list[Row]:
    """Check that the periods of the practice decisions match the count; return the decisions."""
    keys = ("at_ms", "period", "action")
    log = _listed(row, "practice_log", "practice decisions", keys, findings)
    periods = row.get("practised_periods", "")
    if log is None or not (log or periods):
        return []
    rule = f"should have exactly the fields {', '.join(keys)}"
    others = {*keys} != {name for entry in [dict.fromkeys(keys), *log] for name in entry}
    findings.rule(not others, "outcomes", row["row"], "practice_log", row["practice_log"], rule)
    if not all(map(_is_decision, log)):
        rule = "has an action that is not an object with numbers, or an at_ms that is not a time"
        findings.rule(False, "outcomes", row["row"], "practice_log", row["practice_log"], rule)
        return []
    # the participant may have left the last period before everyone had decided
    decided = len({str(entry["period"]) for entry in log})
    rule = f"periods, but {decided} are logged"
    right = periods in (decided, decided - 1)
    findings.rule(right, "outcomes", row["row"], "practised_periods", periods, rule)
    return log


def _is_decision(entry: Row) -> bool:
    """Return whether an entry in the practice log has a time and a numeric action."""
    action = entry["action"]
    return (
        _is_time(entry["at_ms"])
        and isinstance(action, dict)
        and all(map(_is_amount, action.values()))
    )


def _is_time(value: Any) -> bool:
    return type(value) in (int, float) and value >= 0


def _is_amount(value: Any) -> bool:
    """Return whether a decision in one field can have this value: a number, a flag or a list."""
    if isinstance(value, list):
        return all(map(_is_amount, value))
    return isinstance(value, int | float)


def _listed(
    row: Row, column: str, content: str, keys: Sequence[str], findings: Findings
) -> list[Row] | None:
    """Return the list in a column; its entries must have these keys. Report an invalid list and
    return None."""
    text = row.get(column, "")
    try:
        listed = parsed(text) if text else []
    except (ValueError, RecursionError):
        listed = None
    right = isinstance(listed, list) and all(
        isinstance(entry, dict) and set(keys) <= set(entry) for entry in listed
    )
    rule = f"is not a list of {content} in JSON"
    findings.rule(right, "outcomes", row["row"], column, text, rule)
    return listed if right else None


_SIMULATED = (
    *("status", "points", "seat_points", "paid_points", "question_points"),
    *("reaction_ms", "disconnections", "bot_share"),
)
"""Columns that have a value even if a policy plays in place of a person."""


def check_outcomes(group: Group, findings: Findings) -> None:
    """Compare people's earnings, and how their participation ended, with the replay."""
    if "outcomes" not in group.tables:
        return
    seats: set[int] = set()
    for row in group.tables["outcomes"].records():
        seat, line = row["seat"], ("outcomes", row["row"])
        seat = int(seat) if seat != "" else seat
        if seat in seats:
            findings.tell(*line, f"seat {seat}: appears twice")
            continue
        seats.add(seat)
        code = group.played.code(seat)
        findings.value(*line, "participant", row["participant"], code, f"seat {seat}")
        people = people_of(group)
        rule = "was never a person's seat"
        findings.rule(seat in people, *line, "seat", seat, rule)
        if seat in people and group.complete:
            _credited(group, row, findings)
        check_lists(row, findings, group)
    for seat in people_of(group):
        if seat not in seats:
            findings.tell("outcomes", None, f"missing: the person in seat {seat}")
    _check_full(group, findings)


def _check_full(group: Group, findings: Findings) -> None:
    """Check that a group in the first block has all its people if the lobby sends away people
    without a group."""
    size, people = group.option("people_per_group", None), len(people_of(group))
    releases = group.option("lobby_outcome", "") == "release" and has_server(group.options)
    if releases and size is not None and block_and_number(group.config["group"])[0] == 1:
        findings.numbers += 1
        if people != size:
            rule = f"with lobby_outcome = 'release', groups start with {size}"
            message = f"{counted(people, 'person')}, but {rule}"
            findings.tell("seats", None, message)


def people_of(group: Group) -> list[int]:
    """Return the seats that a person had at any time."""
    if group.table is not None:
        return group.table.people
    persons = [seat for seat, rows in group.sat.items() if rows[0]["occupant"] == "person"]
    return [seat for seat in persons if seat in range(group.game.seats)]


def _credited(group: Group, row: Row, findings: Findings) -> None:
    seat = int(row["seat"])
    key = f"seat {seat}"
    if group.table is not None:
        should = credited(group.played, seat) | {"status": group.table.status(seat)}
    elif group.whole:
        [outcome] = [outcome for outcome in group.again["outcomes"] if outcome["seat"] == seat]
        names = row.keys() - OF_PLAYS - {"row", "participant", "seat"}
        names = names if "imported" in group.options else {*_SIMULATED}
        should = {name: outcome.get(name, "") for name in row if name in names}
    else:
        should = _by_rules(group, row)
    for name, value in should.items():
        if name in row and not _is_older(row, name, value):
            findings.value("outcomes", row["row"], name, row[name], value, key)


def _by_rules(group: Group, row: Row) -> Row:
    """Return a person's columns that depend only on the decisions, with their values."""
    should = credited(group.played, int(row["seat"]))
    floor, cap = group.option("pay_floor", 0.0), group.option("pay_cap", 0.0)
    prizes = row.get("question_points") or 0.0
    if isinstance(prizes, str):  # a cell that is not a number is reported separately
        prizes = 0.0
    points = should["points"] + prizes
    numbers = {name: should[name] for name in ("points", "seat_points", "bot_share")}
    return {**numbers, "paid_points": pay.paid_points(points, floor, cap)}


def _is_older(row: Row, name: str, value: Any) -> bool:
    """Return whether the value is missing because an earlier release made the export."""
    return name in ("reaction_ms", "question_points") and row[name] == "" and not value


def check_unseated(rows: Iterable[Row], findings: Findings) -> None:
    """Check that people who never had a seat earned nothing."""
    for row in rows:
        key, line = f"participant {row['participant']}", ("outcomes", row["row"])
        for name in ("group", "seat", "seat_points", "disconnections", "bot_share"):
            findings.value(*line, name, row[name], "", key)
        for name in ("points", "paid_points"):
            findings.value(*line, name, row[name], 0.0, key)
        valid = row["status"] in pay.UNSEATED
        findings.rule(
            valid,
            *line,
            "status",
            row["status"],
            "is not a possible status for a person without a seat",
        )
        check_lists(row, findings)


# -- counts of messages, questions and answers -------------------------------------------------


_OF_TABLES = {
    "messages": ("messages_sent",),
    "answers": ("questions_asked", "questions_answered"),
}


_FILLED = ("quiz_attempts", "practised_periods", "question_points", "pay_questions")
"""Columns that have a number for everybody in a session or, in earlier releases, for nobody."""


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
    groups = tables["config"].records()
    served = {row["session"] for row in groups if has_server(read(row["options"]))}
    _check_filled(list(tables["outcomes"].records()), served, findings)
    for row in tables["outcomes"].records():
        key = f"participant {row['participant']}"
        for name in counting:
            should, by = counts[*person_of(row), name], names[name]
            if row.get(name, "") == "" and not should and row["session"] not in served:
                continue
            findings.value("outcomes", row["row"], name, row.get(name, ""), should, key, by)


def _check_filled(rows: Sequence[Row], served: set[Any], findings: Findings) -> None:
    """Report missing numbers that other people in the session have, or that servers of all releases
    write (in the sessions `served`)."""
    for name in _FILLED:
        sessions = {row["session"] for row in rows if row.get(name, "") != ""}
        sessions |= served if name == "quiz_attempts" else set()
        for row in rows:
            if row["session"] in sessions and row[name] == "":
                rule = "is empty, but a server writes a number for everybody"
                key = f"participant {row['participant']}"
                findings.rule(False, "outcomes", row["row"], name, "", rule, key)


def _counted(table: str, row: Row) -> list[str]:
    """Return the names of the counts that include this row."""
    if table == "messages":
        return ["messages_sent"] if row["occupant"] == "person" else []
    return ["questions_asked", *(["questions_answered"] if row["value"] != "" else [])]

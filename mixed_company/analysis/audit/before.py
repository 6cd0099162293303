"""Check the steps before the play: consent, quiz and practice, and who was excluded.

A person who continued must have passed the quiz, or have used up all attempts in a session that
lets people continue anyway. An export does not contain the questions and the correct answers, which
are part of the game's pages. But the questions must be the same for everybody in a treatment, and
the same answer must be marked the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mixed_company.analysis.audit.options import OptionsOf
from mixed_company.analysis.audit.rows import Findings, Rows, treatment_of
from mixed_company.analysis.audit.way import first_blocks, rows_of
from mixed_company.files import parsed
from mixed_company.table.export import Row

_OF_ATTEMPT = {"at_ms", "answers", "wrong"}

Attempt = Mapping[str, Any]
Judged = dict[tuple[Any, ...], Any]
"""Verdict on each answer (correct or not), by session, treatment, block, question and answer; and
the correct answer itself, by session, treatment, block and question."""


def check_before(
    games: Mapping[str, Mapping[str, Rows]],
    manifest: Mapping[str, Any],
    findings: Findings,
    whole: bool,
) -> None:
    """Check all rows of the audited game's `outcomes`. `games` maps each game to its tables;
    `whole` says whether these are all of the games in the export."""
    tables = games[findings.game]
    recorded = whole and manifest.get("anonymous") is not True
    excluded = Counter(
        _person(row) for row in rows_of(games, "outcomes") if row["status"] == "excluded"
    )
    options_of = OptionsOf(tables["config"].records())
    rows = list(tables["outcomes"].records())
    first = first_blocks(rows, manifest)
    quizzes = _quizzes(rows)
    judged: Judged = {}
    for row in rows:
        options = options_of(row)
        again = row.get("block", "") != first.get(row["session"], row.get("block", ""))
        attempts = _attempts(row)
        if attempts is None:
            rule = "is not a list of attempts that each have exactly at_ms, answers and wrong"
            _tell(row, "quiz_log", rule, findings)
        elif row["quiz_attempts"] != "":
            _check_quiz(row, attempts, {**options, "again": again}, findings)
            _check_judged(row, attempts, judged, findings)
            _check_questions(row, attempts, quizzes[treatment_of(row)], findings)
        if again and row.get("disclosure"):
            rule = "but people read this sentence before an earlier block"
            _tell(row, "disclosure", rule, findings)
        _check_practice(row, options, again, findings)
        _check_consent(row, options, findings)
        # if a person has several excluded rows, only the earliest game's row has the manager's
        # record
        if recorded and excluded[_person(row)] == 1:
            _check_excluded(row, findings)


def _person(row: Row) -> tuple[str, str]:
    return row["session"], row["participant"]


def _attempts(row: Row) -> list[Attempt] | None:
    """Return the quiz attempts in order; None if the log is invalid."""
    try:
        listed = parsed(row.get("quiz_log", "") or "[]")
    except (ValueError, RecursionError):
        return None
    right = isinstance(listed, list) and all(
        isinstance(attempt, Mapping)
        and isinstance(attempt.get("answers"), Mapping)
        and all(isinstance(answer, str) for answer in attempt["answers"].values())
        and isinstance(attempt.get("wrong"), list)
        and all(isinstance(name, str) for name in attempt["wrong"])
        and type(attempt.get("at_ms", 0)) in (int, float)
        and attempt.keys() <= _OF_ATTEMPT
        for attempt in listed
    )
    return listed if right else None


def _quizzes(rows: Sequence[Row]) -> dict[tuple[str, ...], frozenset[str]]:
    """Return the quiz questions for every session, treatment and block: the set that appears most
    often in people's logs."""
    logs: dict[tuple[str, ...], Counter[frozenset[str]]] = {}
    for row in rows:
        sets = {_questions_in(attempt) for attempt in _attempts(row) or ()}
        logs.setdefault(treatment_of(row), Counter()).update(sets)
    return {
        place: max(sets, key=lambda names: (sets[names], sorted(names)), default=frozenset())
        for place, sets in logs.items()
    }


def _questions_in(attempt: Attempt) -> frozenset[str]:
    """Return the quiz questions in an attempt: those answered, and those marked as wrong."""
    return frozenset((*attempt["answers"], *attempt["wrong"]))


def _check_questions(
    row: Row, attempts: Sequence[Attempt], questions: frozenset[str], findings: Findings
) -> None:
    """Check that every attempt answers the quiz's questions or marks them as wrong."""
    if any(_questions_in(attempt) != questions for attempt in attempts):
        rule = "does not have the same questions as others in this treatment and block"
        _tell(row, "quiz_log", rule, findings)
    elif attempts and not questions:
        _tell(row, "quiz_log", "has an attempt without questions", findings)


def _check_quiz(
    row: Row, attempts: Sequence[Attempt], options: Mapping[str, Any], findings: Findings
) -> None:
    """Check that nobody continued without passing the quiz, unless the session allows it, and that
    nobody who still had attempts left counts as having failed."""
    if "quiz" not in options:
        return
    asks, tries = options["quiz"] and not options["again"], options.get("quiz_tries", 0)
    passed = bool(attempts) and not attempts[-1]["wrong"]
    used = sum({*attempt["wrong"]} <= {*attempt["answers"]} for attempt in attempts)
    spent = bool(tries) and used >= tries and not passed
    ends = options.get("quiz_failed", "end") == "end"
    if not asks:
        if row["quiz_attempts"]:
            _tell(row, "quiz_attempts", "but there was no quiz", findings)
        return
    if tries and used > tries:
        _tell(row, "quiz_log", f"has more than {tries} attempts, the limit (quiz_tries)", findings)
    if any(not attempt["wrong"] for attempt in attempts[:-1]):
        _tell(row, "quiz_log", "has an attempt after a successful one", findings)
    went_on = row["seat"] != "" or row["status"] == "waiting" or row.get("practised_periods")
    if went_on and not passed and not (spent and not ends):
        rule = "does not end with a successful attempt, but the person continued"
        _tell(row, "quiz_log", rule, findings)
    if row["status"] == "quiz_failed" and not (spent and ends):
        _tell(row, "status", "but the person had attempts left", findings)


def _check_judged(
    row: Row,
    attempts: Sequence[Attempt],
    judged: Judged,
    findings: Findings,
) -> None:
    """Check that each answer was marked the same way as in all other attempts, and that each
    question has only one correct answer."""
    setup = treatment_of(row)
    for attempt in attempts:
        for name, answer in attempt["answers"].items():
            right = name not in attempt["wrong"]
            same = judged.setdefault((*setup, name, answer), right)
            only = not right or judged.setdefault((*setup, name), answer) == answer
            if same != right or not only:
                rule = f"marks the answer {answer!r} to {name} differently from another attempt"
                _tell(row, "quiz_log", rule, findings)
                return


def _check_practice(row: Row, options: Mapping[str, Any], again: bool, findings: Findings) -> None:
    if row.get("practised_periods") and (again or options.get("practice_periods") == 0):
        _tell(row, "practised_periods", "but there was no practice", findings)


def _check_consent(row: Row, options: Mapping[str, Any], findings: Findings) -> None:
    refused = row.get("consented", "") == "no"
    if (row["status"] == "no_consent") != refused:
        _tell(row, "status", f"contradicts consented: {row.get('consented', '')!r}", findings)
    if refused and options.get("consent") == "":
        _tell(row, "consented", "but nobody was asked for consent", findings)


def _check_excluded(row: Row, findings: Findings) -> None:
    """Check that the log of the manager's actions records the exclusion of every excluded person
    without a seat."""
    if row["status"] == "excluded" and row["seat"] == "":
        right = '"exclude"' in row.get("managed", "")
        rule = "but `managed` does not say that this person was excluded"
        key = f"participant {row['participant']}"
        findings.rule(right, "outcomes", row["row"], "status", "excluded", rule, key)


def _tell(row: Row, column: str, rule: str, findings: Findings) -> None:
    key = f"participant {row['participant']}"
    findings.rule(False, "outcomes", row["row"], column, row.get(column, ""), rule, key)

"""Check answers to questions. The play determines the correct value of a belief, and that value
determines the points for the answer (`table.beliefs`). Answers within a period are in the journal;
answers on a page are only in `answers`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from mixed_company.analysis.audit.group import Group, check_listed
from mixed_company.analysis.audit.options import options_of
from mixed_company.analysis.audit.people import people_of
from mixed_company.analysis.audit.rows import Findings, Rows, person_of, treatment_of
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.comparisons import counted
from mixed_company.table.beliefs import Belief, Facts, judged
from mixed_company.table.export import LEFT_OUT, Row
from mixed_company.table.export.answers import PAGES_LAST, answer_row
from mixed_company.table.export.played import answer_rows, facts_of
from mixed_company.table.items import Item, Value, problem
from mixed_company.table.questions import QuestionOptions, items_at, items_in, recorded

Person = tuple[str, str, str]
"""A session, a participant and a block."""

_COMPARED = ("type", "value", "truth", "error", "points")


def check_answers(group: Group, onward: Collection[Person], findings: Findings) -> None:
    """Compare answers within periods with the group's journal, and answers on pages with the
    session's questions. `onward` lists the people who went on to a later block, and the blocks
    after which they did so (`way.gone_on`)."""
    try:
        options = recorded(group.option("questions", ()))
    except ConfigError as error:
        findings.tell("config", group.config["row"], f"options: {error}")
        return
    rows = group.tables.get("answers")
    if group.table is not None:
        _check_periods(group, findings)
    elif rows is not None:
        _check_alone(group, rows, options, findings)
    answered: dict[tuple[Any, str], bool] = {}
    for row in rows.records() if rows is not None else ():
        if row["when"] == "period":
            continue
        key, item = (row["seat"], row["question"]), _asked(row, options)
        rule = "was not asked here, or appears twice"
        right = item is not None and key not in answered
        findings.rule(right, "answers", row["row"], "question", row["question"], rule)
        if item is not None:
            answered[key] = _answer(row, item) is not None
            _check_page(group, row, item, findings)
    _check_shown(group, options, answered, onward, findings)


def check_unseated_answers(tables: Mapping[str, Rows], findings: Findings) -> None:
    """Check the answers of people without a seat, who saw only the page before the play."""
    if "answers" not in tables or "outcomes" not in tables:
        return
    pages = _before(tables["config"])
    unseated = (row for row in tables["outcomes"].records() if row["group"] == "")
    people = {person_of(row): row for row in unseated}
    answered: dict[Person, dict[str, bool]] = {}
    for row in tables["answers"].records():
        if row["group"] != "":
            continue
        line, key = ("answers", row["row"]), f"participant {row['participant']}"
        person, questions = people.get(person_of(row)), answered.setdefault(person_of(row), {})
        rule = "has no row in `outcomes` for this block as a person without a seat"
        findings.rule(person is not None, *line, "participant", row["participant"], rule, key)
        if person is None:
            continue
        for name in ("treatment", "seat", "period"):
            findings.value(*line, name, row.get(name, ""), person.get(name, ""), key)
        items = pages.get(treatment_of(row))
        item = next((item for item in items or () if item.name == row["question"]), None)
        right = row["when"] == "before" and row["question"] not in questions
        right = right and (items is None or item is not None)
        rule = "was not asked here, or appears twice"
        findings.rule(right, *line, "question", row["question"], rule, key)
        questions[row["question"]] = item is not None and _answer(row, item) is not None
        if item is not None:
            _check_page(None, row, item, findings)
    for place, person in people.items():
        items = pages.get(treatment_of(person), [])
        _check_reached(person, items, answered.get(place, {}), findings)


def _check_reached(
    person: Row, items: Sequence[Item], answered: Mapping[str, bool], findings: Findings
) -> None:
    """Check that a person has rows for all questions before the play or for none, and that nobody
    reached the lobby without answering the required questions."""
    key, waits = f"participant {person['participant']}", person["status"] == "waiting"
    absent = [item.name for item in items if item.name not in answered]
    if absent and (answered or waits):
        findings.tell("answers", None, f"missing: {key}, before: {', '.join(absent)}")
    required = [item.name for item in items if item.required and answered.get(item.name) is False]
    if waits and required:
        message = f"{key}, before: no answer to {', '.join(required)}, but the person continued"
        findings.tell("answers", None, f"{message} although the answer is required")


def _before(config: Rows) -> dict[tuple[str, str, str], list[Item]]:
    """Return the questions before the play, for each session, treatment and block with a group."""
    pages = {}
    for row in config.records():
        with suppress(ConfigError):  # `check_answers` reports it
            questions = recorded(options_of(row).get("questions", ()))
            pages[treatment_of(row)] = items_at(questions, "before")
    return pages


def _check_shown(
    group: Group,
    options: QuestionOptions,
    answered: Mapping[tuple[Any, str], bool],
    onward: Collection[Person],
    findings: Findings,
) -> None:
    """Check that a person has rows for all questions on a page or for none, and that nobody
    continued without seeing a page and answering its required questions.

    `answered` maps each seat and question with a row to whether the row has an answer. Everyone
    with a seat has seen the page before the play. The page after the play comes before the
    comments, the final page and the next block.
    """
    commented = _commented(group)
    for seat in people_of(group):
        code = group.played.code(seat)
        place = (group.config["session"], code, group.config.get("block", ""))
        past = place in onward or seat in commented
        for when in (*reversed(PAGES_LAST), "before"):
            items = items_at(options, when, seat)
            absent = [item.name for item in items if (seat, item.name) not in answered]
            shown = len(absent) < len(items)
            passed = when == "before" or (past and when != PAGES_LAST[-1])
            if absent and (shown or passed):
                message = f"missing: seat {seat}, {when}: {', '.join(absent)}"
                findings.tell("answers", None, message)
            empty = [item.name for item in items if answered.get((seat, item.name)) is False]
            required = [item.name for item in items if item.required and item.name in empty]
            if passed and required:
                message = f"seat {seat}, {when}: no answer to {', '.join(required)}, but the person"
                findings.tell(
                    "answers", None, f"{message} continued although the answer is required"
                )
            past = past or shown


def _commented(group: Group) -> set[Any]:
    """Return the seats of people who commented, and so must have passed the page after the play."""
    rows = group.tables.get("outcomes")
    records = rows.records() if rows is not None else ()
    return {row["seat"] for row in records if row.get("comments", "") != ""}


def _check_periods(group: Group, findings: Findings) -> None:
    """Compare each person's answers within periods with the journal."""
    rows, table = group.tables.get("answers"), group.table
    people = [] if table is None else table.people
    for seat in people:
        named = {"seat": seat, "participant": group.played.code(seat)}
        answers = [{**row, **named} for row in answer_rows(group.played, seat)]
        should = group.expected("answers", answers)
        if rows is None:
            if should:
                findings.tell(
                    "answers", None, f"missing: {counted(len(should), 'answer')} of seat {seat}"
                )
            continue
        columns = zip(rows.columns["seat"], rows.columns["when"], strict=True)
        places = [place for place, key in enumerate(columns) if key == (seat, "period")]
        check_listed(rows.take(places), should, findings)


def _check_alone(group: Group, rows: Rows, options: QuestionOptions, findings: Findings) -> None:
    """Check the answers within periods of a group without a journal. Check the values that follow
    from the answer and the decisions. In an imported group, also check that everybody answered each
    question exactly once, and that answers have no times."""
    periods = {line["period"]: line for line in group.played.periods}
    answered: set[tuple[Any, Any, str]] = set()
    times = [name for name in rows.columns if name.endswith("_ms")]
    times = times if "imported" in group.options else []
    for row in rows.records():
        if row["when"] != "period" or (row["period"] not in periods and not group.complete):
            continue
        place, line = (row["period"], row["seat"], row["question"]), ("answers", row["row"])
        item = None
        if row["period"] in periods and row["seat"] in range(group.game.seats):
            items = items_in(options, row["seat"], row["period"])
            item = next((item for item in items if item.name == row["question"]), None)
        rule = "was not asked here, or appears twice"
        right = item is not None and place not in answered
        key = f"{row['participant']}, {row['question']}"
        findings.rule(right, *line, "question", row["question"], rule)
        answered.add(place)
        if item is not None:
            code = group.played.code(row["seat"])
            findings.value(*line, "participant", row["participant"], code, key)
            for name in times:
                findings.value(*line, name, row.get(name, ""), "", key)
            facts = facts_of(periods[row["period"]])
            _compare(row, item, facts, group.played.seed, key, findings)
    if "imported" in group.options:
        for period, seat in product(periods, range(group.game.seats)):
            for item in items_in(options, seat, period):
                if (period, seat, item.name) not in answered:
                    message = f"missing: period {period}, seat {seat}: {item.name}"
                    findings.tell("answers", None, message)


def _compare(row: Row, item: Item, facts: Facts, seed: int, key: str, findings: Findings) -> None:
    """Check the values that follow from an answer within a period."""
    value = _answer(row, item)
    should = answer_row(item, value, judged(item, value, row["seat"], facts, seed, row["period"]))
    for name in _COMPARED:
        if name != "value" or item.type != "text":
            findings.value("answers", row["row"], name, row[name], should[name], key)


def _asked(row: Row, options: QuestionOptions) -> Item | None:
    """Return the question on a page that a row answers; None if this seat was not asked the
    question."""
    if row["seat"] == "" or row["period"] != "":
        return None
    items = items_at(options, row["when"], row["seat"])
    return next((item for item in items if item.name == row["question"]), None)


def _check_page(group: Group | None, row: Row, item: Item, findings: Findings) -> None:
    """Check an answer on a page. `group` is None if the person had no seat."""
    line, key = ("answers", row["row"]), f"{row['participant']}, {item.name}"
    if group is not None:
        code = group.played.code(row["seat"])
        findings.value(*line, "participant", row["participant"], code, key)
    for name in ("answered_ms", "shown_ms"):
        findings.value(*line, name, row[name], "", key)
    value = _answer(row, item)
    if value is None:
        findings.value(*line, "wall_ms", row["wall_ms"], "", key)
    if value not in (None, LEFT_OUT) and (why := problem(item, value)):
        findings.rule(False, *line, "number", row["number"], f"is not a valid answer: {why}", key)
        return
    should = answer_row(item, value, _belief(group, row, item, value))
    for name in _COMPARED:
        if name != "value" or item.type != "text":
            findings.value(*line, name, row[name], should[name], key)


def _answer(row: Row, item: Item) -> Value | None:
    if item.type == "text":
        return row["value"] or None
    if row["number"] == "":
        return None
    whole = item.type == "choice" and row["number"] == int(row["number"])
    return int(row["number"]) if whole else float(row["number"])


def _belief(group: Group | None, row: Row, item: Item, value: Value | None) -> Belief:
    """Return the correct value, error and points of an answer on a page. On a page before the play,
    all three are empty."""
    if group is None or row["when"] == "before" or not group.played.periods:
        return Belief()
    last = group.played.periods[-1]
    return judged(item, value, row["seat"], facts_of(last), 0, last["period"])

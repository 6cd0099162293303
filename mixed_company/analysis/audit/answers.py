"""Answers to questions: each was asked of who gave it, what it was about is what the play gave, and
what it won follows from that and from the seed (`table.beliefs`); outcomes have the sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.beliefs import Belief, Facts, judged
from mixed_company.table.export import LEFT_OUT, Row
from mixed_company.table.export.answers import answer_row
from mixed_company.table.items import Item, Value, problem
from mixed_company.table.questions import QuestionOptions, items_at, items_in, recorded

__all__ = ["check_answers"]

_COMPARED = ("type", "value", "truth", "error", "points")


def check_answers(group: Group, findings: Findings) -> None:
    """Every answer of a group, those that are missing, and what people won by them."""
    try:
        options = recorded(group.option("questions", ()))
    except ConfigError as error:
        findings.tell("config", group.config["row"], f"options: {error}")
        return
    rows = list(group.tables["answers"].records()) if "answers" in group.tables else []
    known = {item.name: item for item in options.questions}
    seen: dict[tuple[Any, ...], None] = {}
    for row in rows:
        key = (row["seat"], row["period"], row["question"])
        item = known.get(row["question"])
        asked_for = item is not None and _is_asked(row, item, options)
        rule = "was not asked here, or is there twice"
        findings.rule(
            asked_for and key not in seen, "answers", row["row"], "question", row["question"], rule
        )
        seen[key] = None
        if item is not None and asked_for:
            _check(group, row, item, findings)
    if group.complete:
        _missing(group, options, seen, findings)
        _sums(group, rows, findings)


def _is_asked(row: Row, item: Item, options: QuestionOptions) -> bool:
    """Is the question one of this period, or of this page, and of this seat?"""
    if row["seat"] == "":
        return False
    if row["when"] == "period":
        return row["period"] != "" and item in items_in(options, row["seat"], row["period"])
    return row["period"] == "" and item in items_at(options, row["when"], row["seat"])


def _check(group: Group, row: Row, item: Item, findings: Findings) -> None:
    given, key = ("answers", row["row"]), f"{row['participant']}, {item.name}"
    code = group.participants.get(row["seat"], "")
    findings.value(*given, "participant", row["participant"], code, key)
    value = _answer(row, item)
    known = value is not None and value != LEFT_OUT
    if known and (why := problem(item, value)):
        findings.rule(False, *given, "number", row["number"], f"is no answer: {why}", key)
        return
    belief = _belief(group, row, item, value)
    if belief is not None:
        should = answer_row(item, value, belief)
        for name in _COMPARED:
            if name != "value" or item.type != "text":
                findings.value(*given, name, row[name], should[name], key)
    _times(group, row, value is not None, key, findings)


def _times(group: Group, row: Row, answered: bool, key: str, findings: Findings) -> None:
    """An answer came when its question was shown, and no later than the period was over."""
    given, period = ("answers", row["row"]), group.rounds.get(row["period"], {})
    shown, over = period.get("shown_ms", ""), period.get("settled_ms", "")
    at, wall = row["answered_ms"], row["wall_ms"]
    if row["when"] == "period" and over != "":
        findings.value(*given, "shown_ms", row["shown_ms"], shown, key)
    if row["when"] != "period":
        findings.value(*given, "answered_ms", at, "", key)
        findings.value(*given, "shown_ms", row["shown_ms"], "", key)
    elif answered and over != "":
        right = at != "" and shown <= at <= over
        rule = f"should be from {shown} to {over}, when the period was over"
        findings.rule(right, *given, "answered_ms", at, rule, key)
    if not answered:
        findings.value(*given, "answered_ms", at, "", key)
        findings.value(*given, "wall_ms", wall, "", key)


def _answer(row: Row, item: Item) -> Value | None:
    if item.type == "text":
        return row["value"] or None
    if row["number"] == "":
        return None
    whole = item.type == "choice" and row["number"] == int(row["number"])
    return int(row["number"]) if whole else float(row["number"])


def _belief(group: Group, row: Row, item: Item, value: Value | None) -> Belief | None:
    """What became of an answer; None: its period cannot be played again."""
    if row["when"] == "before":
        return Belief()
    period = row["period"] if row["period"] != "" else group.periods - 1
    if not group.periods or period == group.periods:
        return Belief()  # it is not over
    facts = _facts(group, period)
    if facts is None:
        return None
    seed = int(group.config["seed"])
    return judged(item, value, row["seat"], facts, seed, period)


def _facts(group: Group, period: int) -> Facts | None:
    seats = range(group.game.seats)
    again = group.replay.decisions
    if (period,) not in group.replay.periods or any((period, seat) not in again for seat in seats):
        return None
    occupants = [group.decisions[period, seat]["occupant"] for seat in seats]
    used = {
        field.name: [again[period, seat][f"used_{field.name}"] for seat in seats]
        for field in group.game.declaration.actions
        if field.shape == ()
    }
    after = group.replay.periods[(period,)]
    state = {"stock": after["after_stock"]} if "after_stock" in after else {}
    return Facts(occupants, used, state)


def _missing(
    group: Group, options: QuestionOptions, seen: dict[tuple[Any, ...], None], findings: Findings
) -> None:
    for (period, seat), row in group.decisions.items():
        if row["occupant"] == "person":
            for item in items_in(options, seat, period):
                if (seat, period, item.name) not in seen:
                    what = f"missing: period {period}, seat {seat}: {item.name}"
                    findings.tell("answers", None, what)


def _sums(group: Group, rows: Sequence[Row], findings: Findings) -> None:
    """What people won, period by period as the server sums it up."""
    for row in group.tables["outcomes"].records() if "outcomes" in group.tables else ():
        own = [one for one in rows if one["seat"] == row["seat"] and one["period"] != ""]
        points = 0.0
        for _, some in groupby(own, key=lambda one: one["period"]):
            points += sum(one["points"] or 0.0 for one in some)
        won, key = row.get("question_points", ""), f"seat {row['seat']}"
        if won != "" or points:
            findings.value("outcomes", row["row"], "question_points", won, points, key)

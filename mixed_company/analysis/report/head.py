"""The first screen of a report: what was asked, of whom, and what the main measure says."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from mixed_company.analysis.audit import NOTES
from mixed_company.analysis.report import blind, markup
from mixed_company.analysis.report.contents import Contents
from mixed_company.analysis.report.markup import Html, paragraph, shown_table
from mixed_company.analysis.report.parts import Figure, Shown, Table, worded
from mixed_company.analysis.report.results import note

__all__ = ["first", "tables", "title"]

SHOWN = 20
"""So many differences stand at the head; all of them are in the table of problems."""
MOST_TOLD = 3
"""Of so many treatments the head says what their names stand for."""


def title(contents: Contents) -> str:
    """What the page is called."""
    word = "Blind report" if contents.blind else "Report"
    return f"{word}: {contents.data.game_id.replace('_', ' ')}"


def first(contents: Contents) -> Html:
    """The head of the page."""
    warning = "Simulated: policies in people's places." if contents.rehearsed else ""
    drawn = _figure(contents)
    above = [
        *([paragraph(warning, "warning")] if warning else []),
        *([paragraph(blind.words(contents.data), "warning")] if contents.blind else []),
        *([paragraph(f"Left out: {blind.LEFT_OUT}.")] if contents.blind else []),
        paragraph(_question(contents), "question"),
    ]
    left = [shown_table(own) for own in tables(contents)]
    right = [
        *([markup.drawing(drawn)] if drawn else []),
        paragraph(_summary(contents)),
        _audit(contents),
    ]
    return markup.head(title(contents), above, (left, right), _wrong(contents))


def _question(contents: Contents) -> str:
    """What is asked: by the plan, else what is compared."""
    if contents.plan is not None:
        return f"{contents.plan.title}. {contents.plan.question}"
    tests = contents.tables["tests"].frame
    if tests.empty:
        return "No measure has a value."
    measure = worded(str(tests["measure"].iloc[0]))
    names = contents.treatments
    if len(names) < 2:
        return f"What is described: {measure} under {names[0]}." if names else "No group played."
    return f"What is compared: {measure} between {', '.join(names[:-1])} and {names[-1]}."


def _treated(contents: Contents) -> Shown:
    """The treatments. What their names stand for is told above: a column of it would be broken
    within words, and push the test below the first screen."""
    table = contents.tables["treatments"]
    if contents.blind:
        return Shown(table)
    frame = table.frame[table.frame["stands_for"] != table.frame["treatment"]]
    pairs = zip(frame["treatment"], frame["stands_for"], strict=True)
    words = "" if len(frame) > MOST_TOLD else ". ".join(f"{name}: {what}" for name, what in pairs)
    if len(frame) > MOST_TOLD:
        words = "What they stand for is in the annex of the export"
    return Shown(table, columns=_COUNTS, note=f"{words}." if words else "")


_COUNTS = ["treatment", "sessions", "groups", "people"]


def _figure(contents: Contents) -> Figure | None:
    return next(iter(contents.of("groups_")), None)


def tables(contents: Contents) -> list[Shown]:
    """The treatments, and the main measure."""
    return [
        _treated(contents),
        *_answer(contents),
    ]


def _answer(contents: Contents) -> list[Shown]:
    """The main measure: its numbers and its test, upright; of a plan the means are above."""
    means = _means(contents)
    if contents.plan is not None:
        table, columns = contents.tables["hypotheses"], _PLANNED
    elif len(contents.treatments) < 2:
        table, columns = contents.tables["measures_by_treatment"], _ALONE
    else:
        table = contents.tables["tests"]
        columns = ["groups", *(f"mean {name}" for name in contents.treatments), *_TESTED]
    if table.frame.empty:
        return []
    row = table.frame.iloc[[0]]
    units = [own.content.frame["unit"].iloc[own.places[0]] for own in means]
    unit = "".join(f", {unit}" for unit in units or row.get("unit", []))
    title = f"{worded(str(row['measure'].iloc[0])).capitalize()}{unit}"
    size = _SIZES[len(contents.treatments) > 2]
    words = f"{note(row)} Standardised: {size}." if "p" in row else ""
    test = Shown(table, [0], _there(table, columns), upright=True, title=title, note=words)
    return [*means, test]


def _means(contents: Contents) -> list[Shown]:
    """By treatment, of what the plan's first hypothesis is about."""
    if contents.plan is None or not contents.plan.measures:
        return []
    table, (level, measure) = contents.tables["measures_by_treatment"], contents.plan.measures[0]
    own = (table.frame["level"] == level) & (table.frame["measure"] == measure)
    places = [place for place, there in enumerate(own) if there]
    title, words = (
        f"Means of {worded(measure)}",
        "Over groups. Low, high: 95% interval of the mean.",
    )
    return [Shown(table, places, ["treatment", *_ALONE], title=title, note=words)] if places else []


_TESTED = ["effect", "low", "high", "standardised", "p", "p_corrected"]
_PLANNED = ["groups", "effect", "unbiased_effect", *_TESTED[1:], "level", "notes"]
_ALONE = ["groups", "mean", "low", "high"]
_SIZES = ("Cliff's delta", "epsilon squared")
"""Without a unit: of two treatments, and of more."""


def _there(table: Table, columns: Sequence[str]) -> list[str]:
    """Of these columns, those that have a value in the first row."""
    row = table.frame.iloc[0]
    return [name for name in columns if name in row and not pd.isna(row[name]) and row[name] != ""]


def _summary(contents: Contents) -> str:
    data = contents.data
    counts = {
        "sessions": len({*data.outcomes["session"], *data.config["session"]}),
        "treatments": len(contents.treatments),
        "groups": len(data.groups),
        "participants": len(data.outcomes),
        "decisions": len(data.decisions),
    }
    sentence = ", ".join(f"{name}: {number}" for name, number in counts.items())
    file = f"File: {contents.file}. " if contents.file else ""
    return f"{file}{sentence[0].upper()}{sentence[1:]}."


def _audit(contents: Contents) -> Html:
    audit = contents.audit
    sentence = (
        f"Audit: groups played again: {audit.groups}; periods: {audit.periods}; numbers compared: "
        f"{audit.numbers}; "
    )
    wrong = sum(problem.kind not in NOTES for problem in audit.problems)
    if not wrong:
        return paragraph(f"{sentence}no difference.", "good")
    return paragraph(f"{sentence}problems: {wrong}.", "bad")


def _wrong(contents: Contents) -> list[Html]:
    """The first problems; in a blind report none, since they name groups and what these played."""
    if contents.blind:
        return []
    problems, wrong = contents.tables["problems"], _rows(contents)
    return [markup.table(problems, wrong[:SHOWN], title="The first problems")] if wrong else []


def _rows(contents: Contents) -> list[int]:
    """Where the problems are that are more than notes."""
    frame = contents.tables["problems"].frame
    return [int(row) for row in frame.index[~frame["kind"].isin(NOTES)]]

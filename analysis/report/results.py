"""What a report says of measures and people, before its annexes."""

from __future__ import annotations

from typing import Any

import pandas as pd

from analysis.report import markup
from analysis.report.compared import alone, hopeless
from analysis.report.contents import Contents
from analysis.report.flags import flagged
from analysis.report.markup import paragraph
from analysis.report.parts import shown

__all__ = [
    "any_value",
    "courses",
    "further",
    "individuals",
    "main",
    "note",
    "people",
    "plan",
    "quality",
]

MOST_MEANS = 4
"""Of more treatments than these, means stand in a table of their own."""


def plan(contents: Contents) -> list[str]:
    """The hypotheses, and what was done otherwise."""
    if contents.plan is None:
        return []
    kind = "good" if contents.plan.confirmatory else "warning"
    first, *others = contents.plan.words
    parts = [paragraph(first, kind), *map(paragraph, others)]
    return [*parts, *(markup.table(table) for table in contents.plan.tables)]


def main(contents: Contents) -> list[str]:
    """The main measures, with sessions in mind, and what so many groups could tell."""
    parts = []
    if contents.plan is not None:
        parts.append(paragraph(_EXPLORATORY))
    if len(contents.treatments) < 2:
        words = "All groups are of one treatment: there is nothing to compare, and no test is made."
        parts.append(paragraph(words))
    means = contents.tables["measures_by_treatment"].frame
    if {"main"} & {*means.loc[means["level"] == "person", "family"]}:
        parts.append(paragraph(_PEOPLE_FIRST))
    parts += _family(contents, "main", "Main measures")
    if len(contents.treatments) > 2:
        parts += [_tested(contents, name) for name in ("pairs", "trends")]
    parts.append(markup.drawings(contents.of("groups_")[1:]))
    parts += _sessions(contents)
    return [*parts, markup.table(contents.tables["precision"])]


def further(contents: Contents) -> list[str]:
    """All other measures."""
    return [
        *_family(contents, "group", "Further measures of groups"),
        *_family(contents, "person", "Measures of people"),
        paragraph(_FULL),
    ]


def _family(contents: Contents, family: str, title: str) -> list[str]:
    """Means and tests of measures that belong together, a line each."""
    tests, names = contents.tables["tests"], contents.treatments
    rows = _where(tests.frame, "family", family)
    if not rows:
        return [paragraph(f"{title}: none has a value.")]
    if len(names) < 2 or len(names) > MOST_MEANS:
        means = contents.tables["measures_by_treatment"]
        columns = [name for name in means.frame.columns if name not in ("family", "level")]
        parts = [markup.table(means, _where(means.frame, "family", family), columns, title=title)]
        if len(names) < 2:
            return parts
    own = tests.frame.iloc[rows]
    of = [f"mean {name}" for name in names] if len(names) <= MOST_MEANS else []
    columns = [name for name in ("measure", "unit", "groups", *of, *_LINE) if any_value(own, name)]
    lines = markup.table(tests, rows, columns, title=title, note=note(own))
    least = hopeless(own)
    warned = [] if least is None else [paragraph(_HOPELESS.format(least=shown(least)), "look")]
    return [*(parts if len(names) > MOST_MEANS else []), lines, *warned]


_LINE = ("effect", "low", "high", "standardised", "p", "p_corrected")


def note(tests: pd.DataFrame) -> str:
    """What rows of tests have in common, to stand above them once."""
    sentences = ["Groups: with a value, by treatment; means are over them"]
    for label, column in (("Effect", "effect_name"), ("Test", "test"), ("Corrected", "correction")):
        words = list(dict.fromkeys(tests[column].dropna()))
        if len(words) == 1:
            sentences.append(f"{label}: {words[0]}")
    sentences.append("Low, high: 95% interval of the effect")
    if tests["p"].isna().any():
        sentences.append("Without p: not tested, the annex says why")
    return ". ".join(sentences) + "."


def _tested(contents: Contents, name: str) -> str:
    table = contents.tables[name]
    columns = ["measure", "first", "second", "effect_name", *_LINE, "test", "statistic", "notes"]
    return markup.table(table, columns=[own for own in columns if any_value(table.frame, own)])


def _sessions(contents: Contents) -> list[str]:
    """Treatments by session, a warning where nothing can tell them apart, and tests that mind."""
    table, ways = contents.tables["sessions"], contents.tables["by_session"]
    names = alone(table.frame)
    parts = [markup.table(table)]
    if len(contents.treatments) > 1 and names:
        parts.append(paragraph(_ALONE.format(names="; ".join(names)), "look"))
    if len(ways.frame):
        columns = [name for name in _OF_WAYS if any_value(ways.frame, name)]
        tested = [int(row) for row in ways.frame.index[ways.frame["p"].notna()]]
        parts.append(markup.table(ways, tested, columns))
    return parts


_OF_WAYS = ("way", "measure", "n", "effect", "low", "high", "p", "p_corrected")

_EXPLORATORY = (
    "Exploratory: what the plan names is tested at the head of this report, and nowhere else."
)
_PEOPLE_FIRST = (
    "Treatments differ in the bots that sit in their groups. The main measures are therefore those "
    "of people, averaged over the people of a group; measures of groups, further below, count what "
    "bots do as well."
)
_HOPELESS = (
    "No values could make any of these tests significant after the correction: with so few groups "
    "the smallest corrected p is {least}. Fewer measures, chosen beforehand, or more groups could."
)
_ALONE = (
    "One session only: {names}. Nothing tells what is of the treatment from what is of the "
    "session; where sessions differ, tests find an effect of the treatment too often. Spread "
    "treatments over sessions: with several each, sessions are compared here as units."
)
_FULL = (
    "Intervals of means, statistics, and why a measure is not tested stand in the annex of tests."
)


def courses(contents: Contents) -> list[str]:
    """Measures by period, and how long groups lasted."""
    parts = [markup.drawings(contents.of("period_", "survival"))]
    if len(contents.tables["lasted"].frame):
        parts += [markup.table(contents.tables[name]) for name in ("survival", "log_rank")]
    return parts


def individuals(contents: Contents) -> list[str]:
    """How people differ."""
    parts = [markup.drawings(contents.of("people_"))]
    if contents.tables["types"].frame.empty:
        words = "No measure of this game tells types of people, or nobody is of one."
        return [*parts, paragraph(words)]
    return [*parts, markup.table(contents.tables["types"])]


def people(contents: Contents) -> list[str]:
    """Who took part."""
    table = contents.tables["who"]
    columns = [
        name
        for name in table.frame.columns
        if name in _ALWAYS or table.frame[name].fillna(0).astype(bool).any()
    ]
    note = f"{table.note} What is 0 everywhere has no row."
    parts = [markup.table(table, columns=columns, upright=True, note=note)]
    return [*parts, markup.drawings(contents.of("who"))]


_ALWAYS = ("treatment", "arrived", "grouped", "finished", "dropped_out")


def quality(contents: Contents) -> list[str]:
    """What to look at before data are believed."""
    people = contents.tables["participants"].frame
    words = (
        "A flag says where to look. Nobody is excluded: every participant and every decision is in "
        "all numbers of this report, flagged or not. "
        f"Participants: {len(people)}; with a flag or more: {flagged(people)}. All of them are in "
        "the annex of participants."
    )
    return [paragraph(words), markup.table(contents.tables["flags"])]


def _where(frame: pd.DataFrame, column: str, value: str) -> list[int]:
    return [int(row) for row in frame.index[frame[column] == value]]


def any_value(frame: pd.DataFrame, name: str) -> bool:
    """Is there such a column, and a value in it? What has none is not shown."""
    if name not in frame:
        return False
    values: pd.Series[Any] = frame[name]
    return bool((values.notna() & (values.astype(object) != "")).any())

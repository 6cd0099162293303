"""What a report says of measures and people, before its annexes."""

from __future__ import annotations

from typing import Any

import pandas as pd

from mixed_company.analysis.report import markup
from mixed_company.analysis.report.behaving import why_none
from mixed_company.analysis.report.compared import alone, hopeless
from mixed_company.analysis.report.contents import Contents
from mixed_company.analysis.report.flags import flagged
from mixed_company.analysis.report.markup import Piece, paragraph
from mixed_company.analysis.report.parts import Shown, Table, headed, shown

__all__ = [
    "any_value",
    "behaviour",
    "courses",
    "further",
    "individuals",
    "main",
    "note",
    "people",
    "plan",
    "quality",
    "regressions",
]

MOST_MEANS = 4
"""Of more treatments than these, means stand in a table of their own."""


def plan(contents: Contents) -> list[Piece]:
    """The hypotheses, and what was done otherwise."""
    if contents.plan is None:
        return []
    kind = "good" if contents.plan.confirmatory else "warning"
    first, *others = contents.plan.words
    parts: list[Piece] = [paragraph(first, kind), *map(paragraph, others)]
    tables = contents.plan.tables
    return [*parts, *(_hypotheses(one) if "p" in one.frame else Shown(one) for one in tables)]


def _hypotheses(table: Table) -> Shown:
    """A block for each; what is the same for all stands above them once."""
    frame = table.frame
    shared = [name for name in _SHARED if any_value(frame, name) and frame[name].nunique() == 1]
    words = ", ".join(f"{headed(name)} {shown(frame[name].dropna().iloc[0])}" for name in shared)
    note = table.note + (f" For all: {words}." if words else "")
    if any_value(frame, "low"):
        note += " Low, high: interval of the effect, of the confidence that is named."
    names = [name for name in map(str, frame) if name not in shared and any_value(frame, name)]
    return Shown(table, columns=names, blocks=True, note=note)


_SHARED = ("status", "family", "confidence", "correction", "level")
"""Columns of hypotheses that often say the same of all."""


def main(contents: Contents) -> list[Piece]:
    """The main measures, with sessions in mind, and what so many groups could tell."""
    parts: list[Piece] = []
    if contents.plan is not None:
        parts.append(paragraph(_EXPLORATORY))
    if len(contents.treatments) < 2:
        words = "All groups are of one treatment: there is nothing to compare, and no test is made."
        parts.append(paragraph(words))
    means = contents.tables["measures_by_treatment"].frame
    if {"main"} & {*means.loc[means["level"] == "person", "family"]}:
        parts.append(paragraph(_PEOPLE_FIRST))
    parts += _family(contents, "main", "Main measures")
    parts += _both_ways(contents, ("main",))
    if len(contents.treatments) > 2:
        parts += [_tested(contents, name) for name in ("pairs", "trends")]
    parts.append(markup.drawings(contents.of("groups_")[1:]))
    parts += _sessions(contents)
    return parts if contents.blind else [*parts, Shown(contents.tables["precision"])]


def further(contents: Contents) -> list[Piece]:
    """All other measures."""
    return [
        *_family(contents, "group", "Further measures of groups"),
        *_family(contents, "person", "Measures of people"),
        *_both_ways(contents, ("group", "person")),
        paragraph(_FULL),
    ]


def _family(contents: Contents, family: str, title: str) -> list[Piece]:
    """Means and tests of measures that belong together, a line each."""
    tests, names = contents.tables["tests"], contents.treatments
    rows = _where(tests.frame, "family", family)
    if not rows:
        return [paragraph(f"{title}: none has a value.")]
    if len(names) < 2 or len(names) > MOST_MEANS:
        means = contents.tables["measures_by_treatment"]
        columns = [name for name in means.frame.columns if name not in ("family", "level")]
        parts: list[Piece] = [
            Shown(means, _where(means.frame, "family", family), columns, title=title)
        ]
        if len(names) < 2:
            return parts
    tested = tests.frame.iloc[rows]
    of = [f"mean {name}" for name in names] if len(names) <= MOST_MEANS else []
    columns = [
        name for name in ("measure", "unit", "groups", *of, *_LINE) if any_value(tested, name)
    ]
    lines = Shown(tests, rows, columns, title=title, note=note(tested))
    least = hopeless(tested)
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
    levels = tests["confidence"].dropna().unique() if "confidence" in tests else [0.95]
    if len(levels) == 1 and any_value(tests, "low"):
        sentences.append(f"Low, high: {100 * float(levels[0]):.4g}% interval of the effect")
    if tests["p"].isna().any():
        sentences.append("Without p: not tested, the annex says why")
    return ". ".join(sentences) + "."


def _both_ways(contents: Contents, families: tuple[str, ...]) -> list[Piece]:
    """The tests with and without the groups that somebody leaves out."""
    if "both_ways" not in contents.tables or len(contents.treatments) < 2:
        return []
    table = contents.tables["both_ways"]
    chosen = table.frame["family"].isin(families) & table.frame["all p"].notna()
    rows = [int(row) for row in table.frame.index[chosen]]
    return [Shown(table, rows, [name for name in table.frame.columns if name != "family"])]


def _tested(contents: Contents, name: str) -> Shown:
    table = contents.tables[name]
    columns = ["measure", "first", "second", "effect_name", *_LINE, "test", "statistic", "notes"]
    return Shown(table, columns=[own for own in columns if any_value(table.frame, own)])


def _sessions(contents: Contents) -> list[Piece]:
    """Treatments by session, a warning where nothing can tell them apart, and tests that mind."""
    if contents.blind:
        return []
    table, ways = contents.tables["sessions"], contents.tables["by_session"]
    names = alone(table.frame)
    parts: list[Piece] = [Shown(table)]
    if len(contents.treatments) > 1 and names:
        parts.append(paragraph(_ALONE.format(names="; ".join(names)), "look"))
    if len(ways.frame):
        columns = [name for name in _OF_WAYS if any_value(ways.frame, name)]
        tested = [int(row) for row in ways.frame.index[ways.frame["p"].notna()]]
        parts.append(Shown(ways, tested, columns))
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


def courses(contents: Contents) -> list[Piece]:
    """Measures by period, and how long groups lasted."""
    parts: list[Piece] = [markup.drawings(contents.of("period_", "survival"))]
    if len(contents.tables["log_rank"].frame):
        parts += [Shown(contents.tables[name]) for name in ("survival", "log_rank")]
    return parts


def individuals(contents: Contents) -> list[Piece]:
    """How people differ."""
    parts: list[Piece] = [markup.drawings(contents.of("people_"))]
    if contents.tables["types"].frame.empty:
        words = "No measure of this game tells types of people, or nobody is of one."
        return [*parts, paragraph(words)]
    return [*parts, Shown(contents.tables["types"])]


def behaviour(contents: Contents) -> list[Piece]:
    """Which model predicts best what people of other groups do."""
    table = contents.tables["behaviour"]
    if table.frame.empty:
        return [paragraph(why_none(contents.data))]
    columns = ["treatment", "model", "decisions", "groups", *_PREDICTED]
    return [Shown(table, columns=[name for name in columns if any_value(table.frame, name)])]


_PREDICTED = ("score", "to_best", "low", "high", "gain", "reason")


def regressions(contents: Contents) -> list[Piece]:
    """Where treatments begin, and how they go on."""
    table = contents.tables["regressions"]
    if table.frame.empty:
        return [paragraph("No measure that is drawn by period has a value.")]
    columns = ["measure", "unit", "coefficient", "groups", "effect", "low", "high", "p"]
    why = ["notes"] if table.frame["p"].isna().any() else []
    return [Shown(table, columns=[own for own in [*columns, *why] if any_value(table.frame, own)])]


def people(contents: Contents) -> list[Piece]:
    """Who took part."""
    table = contents.tables["who"]
    columns = [
        name
        for name in table.frame.columns
        if name in _ALWAYS or table.frame[name].fillna(0).astype(bool).any()
    ]
    note = f"{table.note} What is 0 everywhere has no row."
    parts: list[Piece] = [Shown(table, columns=columns, upright=True, note=note)]
    return [*parts, markup.drawings(contents.of("who"))]


_ALWAYS = ("treatment", "arrived", "grouped", "finished", "dropped_out")


def quality(contents: Contents) -> list[Piece]:
    """What to look at before data are believed."""
    people = contents.tables["participants"].frame
    out = contents.tables.get("excluded")
    nobody = "Nobody is excluded: every participant" if out is None else "Every participant"
    but = "" if out is None else ", but for the tests without groups that are left out"
    words = (
        f"A flag says where to look. {nobody} and every decision is in all numbers of this report, "
        f"flagged or not{but}. Participants: {len(people)}; with a flag or more: "
        f"{flagged(people)}. All of them are in the annex of participants."
    )
    return [paragraph(words), *([Shown(out)] if out else []), Shown(contents.tables["flags"])]


def _where(frame: pd.DataFrame, column: str, value: str) -> list[int]:
    return [int(row) for row in frame.index[frame[column] == value]]


def any_value(frame: pd.DataFrame, name: str) -> bool:
    """Is there such a column, and a value in it? What has none is not shown."""
    if name not in frame:
        return False
    values: pd.Series[Any] = frame[name]
    known = values[values.notna()]
    return bool(len(known) if known.dtype.kind in "iufb" else (known.astype(object) != "").any())

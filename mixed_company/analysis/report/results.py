"""The sections of a report before its annexes: what it says of measures and people."""

from __future__ import annotations

import pandas as pd

from mixed_company.analysis.report import markup
from mixed_company.analysis.report.behaving import why_none
from mixed_company.analysis.report.compared import alone, hopeless
from mixed_company.analysis.report.contents import Contents
from mixed_company.analysis.report.flags import flagged
from mixed_company.analysis.report.markup import Piece, paragraph
from mixed_company.analysis.report.parts import Shown, Table, filled, headed, shown

__all__ = [
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


def _filled(table: Table, *columns: str) -> Shown:
    """Return a table with those of the columns that have a value."""
    return Shown(table, columns=filled(table.frame, columns))


def plan(contents: Contents) -> list[Piece]:
    """Return the hypotheses, and what was done otherwise."""
    if contents.plan is None:
        return []
    kind = "good" if contents.plan.confirmatory else "warning"
    first, *others = contents.plan.words
    parts: list[Piece] = [paragraph(first, kind), *map(paragraph, others)]
    tables = contents.plan.tables
    return [*parts, *(_hypotheses(one) if "p" in one.frame else Shown(one) for one in tables)]


def _hypotheses(table: Table) -> Shown:
    """Return a block for each hypothesis; what is the same for all stands above them once."""
    frame = table.frame
    shared = [name for name in filled(frame, _SHARED) if frame[name].nunique() == 1]
    words = ", ".join(f"{headed(name)} {shown(frame[name].dropna().iloc[0])}" for name in shared)
    note = table.note + (f" For all: {words}." if words else "")
    if filled(frame, ["low"]):
        note += " Low, high: interval of the effect, of the confidence that is named."
    names = [name for name in filled(frame) if name not in shared]
    return Shown(table, columns=names, blocks=True, note=note)


_SHARED = ("status", "family", "confidence", "correction", "level")
"""Columns of hypotheses that often say the same of all."""


def main(contents: Contents) -> list[Piece]:
    """Return the main measures, also by session, and how much so many groups could tell."""
    parts: list[Piece] = []
    if contents.plan is not None:
        parts.append(paragraph(_EXPLORATORY))
    if len(contents.treatments) < 2:
        words = "All groups are of one treatment: there is nothing to compare, and no test is made."
        parts.append(paragraph(words))
    means = contents.tables["measures_by_treatment"].frame
    if ((means["level"] == "person") & (means["family"] == "main")).any():
        parts.append(paragraph(_PEOPLE_FIRST))
    parts += _family(contents, "main", "Main measures")
    parts += _both_ways(contents, "main")
    if len(contents.treatments) > 2:
        columns = ("measure", "first", "second", "effect_name", *_LINE, "test", "statistic")
        parts += [_filled(contents.tables[name], *columns, "notes") for name in ("pairs", "trends")]
    parts.append(markup.drawings(contents.of("groups_")[1:]))
    if contents.blind:
        return parts
    return [*parts, *_sessions(contents), Shown(contents.tables["precision"])]


def further(contents: Contents) -> list[Piece]:
    """Return all other measures."""
    return [
        *_family(contents, "group", "Further measures of groups"),
        *_family(contents, "person", "Measures of people"),
        *_both_ways(contents, "group", "person"),
        paragraph(_FULL),
    ]


def _family(contents: Contents, family: str, title: str) -> list[Piece]:
    """Return means and tests of measures that belong together, a line each."""
    tests, means = contents.tables["tests"], contents.tables["measures_by_treatment"]
    rows, names = _rows(tests, tests.frame["family"] == family), contents.treatments
    if not rows:
        return [paragraph(f"{title}: none has a value.")]
    parts: list[Piece] = []
    if not 2 <= len(names) <= MOST_MEANS:
        columns = [name for name in means.frame.columns if name not in ("family", "level")]
        of_family = _rows(means, means.frame["family"] == family)
        parts.append(Shown(means, of_family, columns, title=title))
        if len(names) < 2:
            return parts
    tested = tests.frame.iloc[rows]
    by_treatment = [f"mean {name}" for name in names] if len(names) <= MOST_MEANS else []
    columns = filled(tested, ("measure", "unit", "groups", *by_treatment, *_LINE))
    parts.append(Shown(tests, rows, columns, title=title, note=note(tested)))
    least = hopeless(tested)
    if least is not None:
        parts.append(paragraph(_HOPELESS.format(least=shown(least)), "look"))
    return parts


_LINE = ("effect", "low", "high", "standardised", "p", "p_corrected")


def note(tests: pd.DataFrame) -> str:
    """Return what rows of tests have in common, to stand above them once."""
    sentences = ["Groups: with a value, by treatment; means are over them"]
    for label, column in (("Effect", "effect_name"), ("Test", "test"), ("Corrected", "correction")):
        words = tests[column].dropna().unique()
        if len(words) == 1:
            sentences.append(f"{label}: {words[0]}")
    levels = tests["confidence"].dropna().unique() if "confidence" in tests else [0.95]
    if len(levels) == 1 and filled(tests, ["low"]):
        sentences.append(f"Low, high: {100 * float(levels[0]):.4g}% interval of the effect")
    if tests["p"].isna().any():
        sentences.append("Without p: not tested, the annex says why")
    return ". ".join(sentences) + "."


def _both_ways(contents: Contents, *families: str) -> list[Piece]:
    """Return the tests with and without the groups that somebody leaves out."""
    if "both_ways" not in contents.tables or len(contents.treatments) < 2:
        return []
    table = contents.tables["both_ways"]
    rows = _rows(table, table.frame["family"].isin(families) & table.frame["all p"].notna())
    return [Shown(table, rows, [name for name in table.frame.columns if name != "family"])]


def _sessions(contents: Contents) -> list[Piece]:
    """Return treatments by session, and tests that take sessions into account.

    A warning comes with a treatment of one session, since nothing tells the two apart.
    """
    table, ways = contents.tables["sessions"], contents.tables["by_session"]
    names = alone(table.frame)
    parts: list[Piece] = [Shown(table)]
    if len(contents.treatments) > 1 and names:
        parts.append(paragraph(_ALONE.format(names="; ".join(names)), "look"))
    if len(ways.frame):
        rows = _rows(ways, ways.frame["p"].notna())
        parts.append(Shown(ways, rows, filled(ways.frame, _OF_WAYS)))
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
    """Return measures by period, and how long groups lasted."""
    parts: list[Piece] = [markup.drawings(contents.of("period_", "survival"))]
    if len(contents.tables["log_rank"].frame):
        parts += [Shown(contents.tables[name]) for name in ("survival", "log_rank")]
    return parts


def individuals(contents: Contents) -> list[Piece]:
    """Return how people differ."""
    words = paragraph("No measure of this game tells types of people, or nobody is of one.")
    types = contents.tables["types"]
    drawn = markup.drawings(contents.of("people_"))
    return [drawn, words if types.frame.empty else Shown(types)]


def behaviour(contents: Contents) -> list[Piece]:
    """Return which model predicts best what people of other groups do."""
    table = contents.tables["behaviour"]
    if table.frame.empty:
        return [paragraph(why_none(contents.data))]
    columns = ("treatment", "model", "decisions", "groups", "score", "to_best", "low", "high")
    return [_filled(table, *columns, "gain", "reason")]


def regressions(contents: Contents) -> list[Piece]:
    """Return where treatments begin, and how they go on."""
    table = contents.tables["regressions"]
    if table.frame.empty:
        return [paragraph("No measure that is drawn by period has a value.")]
    columns = ("measure", "unit", "coefficient", "groups", "effect", "low", "high", "p")
    why = ["notes"] if table.frame["p"].isna().any() else []
    return [_filled(table, *columns, *why)]


def people(contents: Contents) -> list[Piece]:
    """Return who took part."""
    table = contents.tables["who"]
    columns = [
        name
        for name in table.frame.columns
        if name in _ALWAYS or table.frame[name].fillna(0).astype(bool).any()
    ]
    note = f"{table.note} What is 0 everywhere has no row."
    rows = Shown(table, columns=columns, upright=True, note=note)
    return [rows, markup.drawings(contents.of("who"))]


_ALWAYS = ("treatment", "arrived", "grouped", "finished", "dropped_out")


def quality(contents: Contents) -> list[Piece]:
    """Return what to look at before data are believed."""
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


def _rows(table: Table, chosen: pd.Series[bool]) -> list[int]:
    """Return where the chosen rows of a table are."""
    return [int(row) for row in table.frame.index[chosen]]

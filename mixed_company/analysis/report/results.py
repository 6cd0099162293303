"""The sections of a report before its annexes: measures, people and data quality."""

from __future__ import annotations

import pandas as pd

from mixed_company.analysis.report import markup
from mixed_company.analysis.report.behaving import why_none
from mixed_company.analysis.report.compared import alone, hopeless, rules_of
from mixed_company.analysis.report.contents import Contents
from mixed_company.analysis.report.flags import flagged
from mixed_company.analysis.report.markup import Piece, paragraph
from mixed_company.analysis.report.measured import ALL_SEATS, PEOPLE_ONLY, dependent
from mixed_company.analysis.report.over_space import EFFECTS, PREDICTED
from mixed_company.analysis.report.participants import head_count
from mixed_company.analysis.report.parts import Shown, Table, filled, headed, shown
from mixed_company.analysis.statistics.result import percentage
from mixed_company.experiment.comparisons import unread_in

MOST_MEANS = 4
"""Maximum number of treatments whose means fit next to the tests. With more treatments, the
means get a separate table."""


def _filled(table: Table, *columns: str) -> Shown:
    """Return a table with only the columns that have a value."""
    return Shown(table, columns=filled(table.frame, columns))


def plan(contents: Contents) -> list[Piece]:
    """Return the section on the plan: the hypotheses, and deviations from the plan."""
    if contents.plan is None:
        return []
    kind = "good" if contents.plan.confirmatory else "warning"
    first, *others = *contents.plan.words, *contents.plan.reading
    parts: list[Piece] = [paragraph(first, kind), *map(paragraph, others)]
    tables = [table for table in contents.plan.tables if table.name != PREDICTED]
    return [
        *parts,
        *(_hypotheses(table) if "status" in table.frame else Shown(table) for table in tables),
        markup.drawings(contents.of(EFFECTS)[1:] + contents.of(PREDICTED)[1:]),
    ]


def _hypotheses(table: Table) -> Shown:
    """Return a block for each hypothesis. Values that all hypotheses share go into the note."""
    frame = table.frame
    shared = [name for name in filled(frame, _SHARED) if frame[name].nunique() == 1]
    words = ", ".join(f"{headed(name)} {shown(frame[name].dropna().iloc[0])}" for name in shared)
    note = table.note + (f" For all hypotheses: {words}." if words else "")
    if filled(frame, ["low"]):
        note += " Low, high: interval of the effect, with the confidence shown."
    names = [name for name in filled(frame) if name not in shared]
    return Shown(table, columns=names, blocks=True, note=note)


_SHARED = ("status", "family", "confidence", "correction", "level")
"""Columns that often have the same value for all hypotheses."""


def main(contents: Contents) -> list[Piece]:
    """Return the section on the main measures, overall and by session, and on their precision."""
    parts: list[Piece] = []
    if contents.plan is not None:
        parts.append(paragraph(_EXPLORATORY))
    if len(contents.treatments) < 2:
        words = "All groups have the same treatment, so nothing is compared or tested."
        if contents.plan is not None and contents.plan.over_space:
            words = (
                "From here on, all points of the space are treated as one sample, and points are "
                "not compared."
            )
        parts.append(paragraph(words))
    means = contents.tables["measures_by_treatment"].frame
    of_people = ((means["level"] == "person") & (means["family"] == "main")).any()
    by_default = of_people and contents.plan is None
    if by_default or (contents.tables["series"].frame["seats"] == PEOPLE_ONLY).any():
        parts.append(paragraph(f"{_BOTS_DIFFER} {_PEOPLE_FIRST if by_default else ''}".rstrip()))
    of_simulated = unread_in(rules_of(contents.data)) if contents.rehearsed else ""
    if of_simulated and not contents.blind:
        parts.append(paragraph(f"{of_simulated}.", "warning"))
    largest = max(map(len, contents.blocks.values()), default=0)
    if words := dependent(contents.data, contents.blocks):
        parts.append(paragraph(words))
    parts += _family(contents, "main", "Main measures")
    parts += _both_ways(contents, "main")
    if largest > 2:
        parts.append(_compact(contents.tables["pairs"]))
        trends = contents.tables["trends"]
        parts.append(_compact(trends) if len(trends.frame) else paragraph(_NO_TREND))
    parts.append(markup.drawings(contents.of("groups_")[1:]))
    if contents.blind:
        return parts
    return [*parts, *_sessions(contents), Shown(contents.tables["precision"])]


def _compact(table: Table) -> Shown:
    """Return a table of pairs or trends that is narrow enough for the page. Columns that repeat the
    treatments, or have the same value in every row, go into the note."""
    frame = table.frame
    kinds = frame["effect_name"].dropna().astype(str).str.split(" (", regex=False).str[0]
    named = [("Effect", kinds)] + ([("Test", frame["test"].dropna())] if "test" in frame else [])
    shared = [f"{label}: {values.iloc[0]}." for label, values in named if values.nunique() == 1]
    order = ["An effect is the second treatment minus the first."] if "second" in frame else []
    columns = ["block", "measure", "first", "second"]
    columns += ["effect_name"] if kinds.nunique() > 1 else []
    columns += [*_LINE, "statistic", "notes"]
    columns += ["test"] if "test" in frame and frame["test"].nunique() > 1 else []
    note = " ".join([table.note, *shared, *order])
    return Shown(table, columns=filled(frame, columns), note=note)


def further(contents: Contents) -> list[Piece]:
    """Return the section on all other measures."""
    return [
        *_family(contents, "group", "Other group measures"),
        *_family(contents, "person", "Measures of people"),
        *_both_ways(contents, "group", "person"),
        paragraph(_FULL),
    ]


def _family(contents: Contents, family: str, title: str) -> list[Piece]:
    """Return a table with the means and tests for a family of measures, one line per measure."""
    tests, means = contents.tables["tests"], contents.tables["measures_by_treatment"]
    rows, names = _rows(tests, tests.frame["family"] == family), contents.treatments
    if not rows:
        return [paragraph(f"{title}: no measure has a value.")]
    parts: list[Piece] = []
    if not 2 <= len(names) <= MOST_MEANS:
        columns = [name for name in means.frame.columns if name not in ("family", "level")]
        of_family = _rows(means, means.frame["family"] == family)
        parts.append(Shown(means, of_family, columns, title=title))
        if len(names) < 2:
            return parts
    tested = tests.frame.iloc[rows]
    by_treatment = [f"mean {name}" for name in names] if len(names) <= MOST_MEANS else []
    columns = filled(tested, ("block", "measure", "unit", "groups", *by_treatment, *_LINE))
    seats = _seats(contents, tested)
    parts.append(Shown(tests, rows, columns, title=title, note=f"{note(tested)}{seats}"))
    floor = hopeless(tested)
    if floor is not None:
        parts.append(paragraph(_HOPELESS.format(least=shown(floor)), "look"))
    return parts


_LINE = ("effect", "low", "high", "standardised", "p", "p_corrected")


def note(tests: pd.DataFrame) -> str:
    """Return the note below a table of tests, with the values that all rows share."""
    sentences = ["Groups: number of groups with a value, by treatment; means are over these groups"]
    for label, column in (("Effect", "effect_name"), ("Test", "test"), ("Corrected", "correction")):
        words = tests[column].dropna().unique()
        if len(words) == 1:
            sentences.append(f"{label}: {words[0]}")
    levels = tests["confidence"].dropna().unique() if "confidence" in tests else [0.95]
    if len(levels) == 1 and filled(tests, ["low"]):
        sentences.append(f"Low, high: {percentage(levels[0])}% interval of the effect")
    if tests["p"].isna().any():
        sentences.append("Measures without p were not tested; the annex states the reason")
    return ". ".join(sentences) + "."


def _seats(contents: Contents, tested: pd.DataFrame) -> str:
    """Return a sentence about the seats that measures of groups cover; empty if there are no
    bots."""
    decided = contents.data.decisions["decided_by"]
    of_groups = (tested["level"] == "group").all()
    return _ALL_SEATS if of_groups and (decided == "policy").any() else ""


_ALL_SEATS = (
    f" Group measures cover {ALL_SEATS}, except those whose names or meanings say otherwise."
)


def _both_ways(contents: Contents, *families: str) -> list[Piece]:
    """Return a table of tests with and without the excluded groups."""
    if "both_ways" not in contents.tables or len(contents.treatments) < 2:
        return []
    table = contents.tables["both_ways"]
    rows = _rows(table, table.frame["family"].isin(families) & table.frame["all p"].notna())
    return [Shown(table, rows, [name for name in table.frame.columns if name != "family"])]


def _sessions(contents: Contents) -> list[Piece]:
    """Return tables of treatments by session, and of tests that take sessions into account.

    Add a warning if a treatment had only one session, with no other treatment in it, because the
    effects of treatment and session cannot then be separated.
    """
    table, ways = contents.tables["sessions"], contents.tables["by_session"]
    blocks = contents.blocks.values()
    names = [name for listed in blocks for name in alone(table.frame, listed)]
    parts: list[Piece] = [Shown(table)]
    if len(contents.treatments) > 1 and names:
        parts.append(paragraph(_ALONE.format(names="; ".join(names)), "look"))
    if len(contents.treatments) > 2 and table.frame["session"].nunique() > 1:
        parts.append(paragraph(_BY_TWO))
    if len(ways.frame):
        rows = _rows(ways, ways.frame["p"].notna())
        parts.append(Shown(ways, rows, filled(ways.frame, _OF_WAYS)))
    return parts


_OF_WAYS = ("way", "measure", "n", "effect", "low", "high", "p", "p_corrected")

_EXPLORATORY = (
    "Exploratory: the hypotheses of the plan are tested in the first section of this report. "
    "There, p is corrected over the hypotheses of a family; here, it is corrected over the "
    "measures of a family. So the same test can have a different corrected p in this section. The "
    "p in the first section is the one that counts."
)
_BOTS_DIFFER = (
    "Treatments differ in the bots with which their groups began, as planned or because bots took "
    "the seats of missing people. Group measures also include the decisions of bots. People's "
    "points, and harvests from a common resource, also depend directly on what bots do, so a "
    "difference in them can be due to the bots."
)
_PEOPLE_FIRST = (
    "The main measures are therefore measures of people, without points, averaged within groups."
)
_NO_TREND = (
    "No trend over the treatments is tested: either they differ in several keys, so their "
    "order means nothing, or no main measure has a value."
)
_BY_TWO = (
    "Tests that take sessions into account compare two treatments, so there are none for three or "
    "more."
)
_HOPELESS = (
    "None of these tests can be significant after the correction: with so few groups, the smallest "
    "possible corrected p is {least}. Use more groups, or fewer measures, chosen in advance."
)
_ALONE = (
    "Played in one session that had no other treatment: {names}. The effects of the treatment "
    "and of the "
    "session cannot be separated. If sessions differ, the tests find a treatment effect too often. "
    "Run "
    "all treatments in each session, or each treatment in several sessions; this report then "
    "takes sessions into account."
)
_FULL = (
    "The annex on tests contains intervals of means, test statistics, and the reasons why measures "
    "were not tested."
)


def courses(contents: Contents) -> list[Piece]:
    """Return the section on measures by period and the survival of groups."""
    parts: list[Piece] = [markup.drawings(contents.of("period_", "survival"))]
    if "lengths" in contents.tables:
        parts.append(Shown(contents.tables["lengths"]))
    if len(contents.tables["log_rank"].frame):
        parts += [Shown(contents.tables[name]) for name in ("survival", "log_rank")]
    return parts


def individuals(contents: Contents) -> list[Piece]:
    """Return the section on differences between people."""
    words = paragraph("No measure of this game classifies people, or nobody was classified.")
    types = contents.tables["types"]
    figures = markup.drawings(contents.of("people_"))
    return [figures, words if types.frame.empty else Shown(types)]


def behaviour(contents: Contents) -> list[Piece]:
    """Return the section on how well models predict decisions in held-out groups, and on who
    punishes whom."""
    table, punishing = contents.tables["behaviour"], contents.tables["punishing"]
    parts: list[Piece] = [paragraph(why_none(contents.data))]
    if not table.frame.empty:
        columns = ("treatment", "model", "decisions", "groups", "score", "to_best", "low", "high")
        parts = [_filled(table, *columns, "gain", "reason")]
    if not punishing.frame.empty:
        parts.append(_filled(punishing, *_OF_PAIRS))
    return parts


_OF_PAIRS = (
    *("treatment", "part", "coefficient", "pairs", "groups", "punishments"),
    *("effect", "low", "high", "p", "notes"),
)


def regressions(contents: Contents) -> list[Piece]:
    """Return the section on regressions with treatment and period."""
    table = contents.tables["regressions"]
    if table.frame.empty:
        return [paragraph("None of the measures that are drawn by period has a value.")]
    incomplete = table.frame["p"].isna().any()
    columns = [str(name) for name in table.frame if name != "notes" or incomplete]
    return [_filled(table, *columns)]


def people(contents: Contents) -> list[Piece]:
    """Return the section on participants by treatment."""
    table = contents.tables["who"]
    columns = [
        name
        for name in table.frame.columns
        if name in _ALWAYS or table.frame[name].fillna(0).astype(bool).any()
    ]
    note = f"{table.note} Counts that are 0 everywhere are not shown."
    rows = Shown(table, columns=columns, upright=True, note=note)
    return [rows, markup.drawings(contents.of("who"))]


_ALWAYS = ("treatment", "arrived", "grouped", "finished", "dropped_out")


def quality(contents: Contents) -> list[Piece]:
    """Return the section on data quality: flags, and excluded groups."""
    people = contents.tables["participants"].frame
    excluded = contents.tables.get("excluded")
    subject = "Nobody is excluded: all" if excluded is None else "All"
    exception = "" if excluded is None else ", except in the tests without excluded groups"
    words = (
        "A flag marks data that somebody should inspect. "
        f"{subject} numbers in this report include every participant and every decision, flagged "
        f"or not{exception}. Participants: {head_count(people)}; with at least one flag: "
        f"{flagged(people)}. The annex on participants lists them all."
    )
    tables = [contents.tables["flags"], contents.tables["bots_entered"]]
    tables = tables if excluded is None else [excluded, *tables]
    return [paragraph(words), *map(Shown, tables)]


def _rows(table: Table, chosen: pd.Series[bool]) -> list[int]:
    """Return the positions of the chosen rows of a table."""
    return [int(row) for row in table.frame.index[chosen]]

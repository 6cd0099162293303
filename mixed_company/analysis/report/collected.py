"""The tables of a report, with their names, titles and notes, and the functions that make them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.audit import PRINCIPLE, UNKNOWN, Audit, audited
from mixed_company.analysis.behaviour.punishing import READING, punishing
from mixed_company.analysis.data import Data
from mixed_company.analysis.entered import bots_entered
from mixed_company.analysis.kept import kept, left_out
from mixed_company.analysis.report import (
    behaving,
    compared,
    courses,
    flags,
    groups,
    measured,
    participants,
)
from mixed_company.analysis.report import excluded as exclusions
from mixed_company.analysis.report.excluded import Excluded
from mixed_company.analysis.report.flags import Thresholds
from mixed_company.analysis.report.measured import OF_GAME, Main, Measured, dependent
from mixed_company.analysis.report.parts import Table, from_one, from_one_in, function_name
from mixed_company.analysis.statistics.intervals import OF_MEAN
from mixed_company.analysis.treatments import described


def collected(
    data: Data,
    limits: Thresholds | None = None,
    main: Main = OF_GAME,
    audit: Audit | None = None,
    excluded: Sequence[Excluded] = (),
    contest: bool = False,
    rules: Collection[str] | None = None,
) -> dict[str, Table]:
    """Return all tables in the report's order. The arguments are the same as for `report.files`;
    `rules` holds a plan's exclusions."""
    able = kept(data).shortened()
    computed = Measured(able, main)
    tables = [
        *_of_export(data, audit or audited(data)),
        *_of_people(able, limits, computed.plays),
        *of_measures(computed, excluded, contest, rules),
        *_of_groups(able),
    ]
    return {table.name: table for table in tables}


def _table(
    name: str, title: str, function: Callable[..., pd.DataFrame], *arguments: Any, note: str = ""
) -> Table:
    frame = function(*arguments).reset_index(drop=True)
    return Table(name, title, frame, function_name(function), note)


# -- the export ------------------------------------------------------------------------------------


def simulated_people(data: Data) -> list[str]:
    """Return a rehearsal's sentences about its simulated people; empty for older exports."""
    return list(data.manifest.get("rehearsed", {}).get("described", ()))


_ITEMS = {
    "format": "file format",
    "software": "file written by",
    "made": "file written at",
    "code": "sha256 of the code",
    "games": "all games in the file",
    "sessions": "session",
    "rehearsed": "rehearsed with",
}
"""Descriptions of the manifest's keys."""


def export(data: Data) -> pd.DataFrame:
    """Return the entries of the manifest and of the configuration, one per row."""
    entries = {key: value for key, value in data.manifest.items() if key != "tables"}
    versions = [described(text) for text in dict.fromkeys(data.config["software"])]
    rows = [
        ("game", data.game_id),
        ("rules version", _list(data.config["version"])),
        ("sessions", _list([*data.outcomes["session"], *data.config["session"]])),
        ("session configs", _list(data.config["session_config"])),
        *_items({_ITEMS.get(key, key): entries[key] for key in entries}, ""),
    ]
    for software in versions:
        if software is None:
            rows.append(("group exported with", "cannot be read"))
        else:
            rows += _items(software, "group exported with ")
    return pd.DataFrame(rows, columns=["item", "value"])


def _items(entries: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in entries.items():
        if isinstance(value, Mapping):
            yield from _items(value, f"{prefix}{key} ")
        else:
            yield f"{prefix}{key}", _list(value) if isinstance(value, list) else str(value)


def _list(values: Any) -> str:
    return ", ".join(dict.fromkeys(str(value) for value in values))


def files(data: Data) -> pd.DataFrame:
    """Return the number of rows and the sha256 of the export's tables, according to its
    manifest."""
    listed = data.manifest.get("tables", {})
    entries = {name: entry if isinstance(entry, Mapping) else {} for name, entry in listed.items()}
    rows = [(name, entry.get("rows"), entry.get("sha256")) for name, entry in entries.items()]
    return pd.DataFrame(rows, columns=["file", "rows", "sha256"])


def problems(audit: Audit) -> pd.DataFrame:
    """Return all problems found while reading and by the audit, in order, with periods counted from
    1."""
    names = ["kind", "session", "group", "participant", "where", "what"]
    rows = [[getattr(problem, name) for name in names] for problem in audit.problems]
    table = pd.DataFrame(rows, columns=names).astype({"group": "Int64"})
    return table.assign(what=[from_one_in(str(sentence)) for sentence in table["what"]])


def unknown() -> pd.DataFrame:
    """Return the columns that the audit cannot check, and why."""
    return pd.DataFrame(UNKNOWN.items(), columns=["column", "why"])


def _of_export(data: Data, audit: Audit) -> list[Table]:
    return [
        _table("export", "The export", export, data),
        _table("files", "Tables in the export", files, data),
        _table("problems", "All problems", problems, audit),
        _table("left_out", "Groups without measures", left_out, data),
        _table("unknown", "Columns that the audit cannot check", unknown, note=PRINCIPLE),
    ]


# -- people ----------------------------------------------------------------------------------------

_WHO = (
    "The rows from finished to left in instructions count participants by the last stage that they "
    "reached, and add up to arrived. Dropped out, taken over and returned count participants to "
    "whom this happened at least once. Payment and points include only participants who played to "
    "the end."
)
_TOGETHER = "A participant's payment is for all blocks together."
_SIMULATED = "The participants are simulated: policies earned these payments, and nobody was paid."
_ALL = "The flags are in the last column; their rules are above."


def _of_people(data: Data, limits: Thresholds | None, plays: measures.Plays) -> list[Table]:
    title, function = "All participants", flags.of_participants
    flagged = _table("participants", title, function, data, limits, plays, note=_ALL)
    several = "block" in data.config and data.config["block"].nunique() > 1
    together, simulated = _TOGETHER if several else "", _SIMULATED if data.rehearsed else ""
    sentences = (_WHO, together, participants.unopened(data), simulated)
    note = " ".join(filter(None, sentences))
    who, function_of_who = "Who took part, by treatment", participants.taking_part
    return [
        _table("treatments", "Treatments", participants.treatments, data),
        _table("who", who, function_of_who, data, note=note),
        _table("flags", "The flags and their rules", flags.rules, flagged.frame, limits),
        flagged,
        _table("bots_entered", "Groups in which bots took people's seats", bots_entered, data),
    ]


# -- measures --------------------------------------------------------------------------------------

_MEANS = (
    "Groups: number with a value. Low and high: 95% interval of the mean over groups; missing if "
    "there is only one group, or if all groups are identical. Person-level measures are first "
    f"averaged within groups. {OF_MEAN}"
)
_TESTS = (
    "The group is the unit of independence. Low and high: 95% interval of the effect, obtained by "
    "inverting the test; missing if there are too few groups to reject any value. "
    "Standardised: Cliff's delta for two treatments, epsilon squared for more than two, "
    "which is the share of the variance in ranks that is between treatments. P corrected: by "
    "Holm's method, over all tested measures of the family. A measure is not tested if it is the "
    "same in all groups, is a count or a description, is set by the design, or is another measure "
    "on a different scale; see the notes."
)
_PAIRS = "P corrected: by Holm's method, over all rows."
_TRENDS = (
    "Effect: probability that a group of a later treatment has a higher value than a group of an "
    "earlier one. Low and high: its 95% interval, which contains 0.5 if and only if p is above "
    "0.05. Standardised: Somers' d, the share of pairs in this order minus the share in the "
    "reverse order, from -1 to 1. A trend is meaningful only if the treatments have a meaningful "
    "order. The notes give the order that was tested, with its means, and say whether the means "
    "are monotone."
)
_WAYS = (
    "Within sessions: a test of means that permutes labels only within each session. Sessions as "
    "units: a rank test of session means. There are few sessions. P corrected: by Holm's method, "
    "over the measures tested in the same way."
)
_PRECISION = (
    "Deviation: standard deviation of groups within treatments. Reached: difference between two "
    "treatments that a t test at the 0.05 level would detect with power 0.8; with three or more "
    "treatments, between the two with the fewest groups. Corrected: the same, "
    "with 0.05 divided by the number of measures. ICC: intraclass correlation of groups within "
    "sessions and of people within groups; at 0 or below, they are no more alike than groups or "
    "people in general."
)
_LENGTHS = (
    "Planned: number of periods in the configuration. Playing: groups that are still playing. "
    "Early: groups that ended after fewer periods, with the reasons. Means by period are over the "
    "groups that were still playing. Plays: number of plays of a repeated block; each play has its "
    "own groups."
)
_LASTED = (
    "At risk: number of groups that lasted until then. Share: share of groups that lasted longer "
    "(Kaplan-Meier). Low and high are missing if groups exchanged people."
)
_SESSIONS = (
    "Mean over the groups of each session. All groups in a session share its particular "
    "conditions, such as the day and the pool of participants; the tests ignore this dependence."
)
_BEHAVIOUR = (
    "Each model is fitted to the people of some groups, as if they were all alike, and predicts "
    "the decisions in the other groups; each group is held out once. Score: mean log probability "
    "of a "
    "decision. To best: score minus the best model's score on the same decisions. Low, high: 95% "
    "t interval over groups; it is only a guide and not a test, because the fits have groups in "
    "common. "
    "Gain: score minus the score of pure chance (uniform)."
)
_SEATS = "Treatments differ in bots, so measures of people cover only people's decisions."
_REGRESSIONS = (
    "Least squares of a measure on treatment and period. First period: the fitted value of the "
    "first treatment and, for each other treatment, its difference from the first. Per period: the "
    "change from one period to the next, given in the same way. Errors are clustered by group; "
    "with "
    "fewer than 20 groups, P and intervals come from the wild cluster bootstrap. Later periods "
    "include only groups that were still playing. P is not corrected, so these results are "
    "exploratory."
)
_BOTH = (
    "Each test, with all groups and without the excluded groups. With a plan, these are the groups "
    "that its tests leave out. P values are corrected separately within each set."
)


def of_measures(
    computed: Measured,
    excluded: Sequence[Excluded] = (),
    contest: bool = False,
    rules: Collection[str] | None = None,
) -> list[Table]:
    """Return the tables of measures, comparisons, courses and predictions."""
    apart = f" {dependent(computed.data, computed.blocks)}".rstrip()
    tests = _table("tests", "Tests", compared.compared, computed, note=f"{_TESTS}{apart}")
    means, data = measured.by_treatment, computed.data
    of_types = measured.without_type(computed)
    precise, contested = "Precision of the main measures", "Predictions of models of behaviour"
    tables = [
        _table("measures_by_treatment", "Means", means, computed, tests.frame, note=_MEANS),
        tests,
        _table("pairs", "Pairs of treatments", compared.pairs, computed, note=f"{_PAIRS}{apart}"),
        _table("trends", "Trends", compared.trends, computed, note=_TRENDS),
        _table("sessions", "Treatments by session", compared.sessions, computed, note=_SESSIONS),
        _table("by_session", "Tests by session", compared.by_session, computed, note=_WAYS),
        _table("precision", precise, compared.precision, computed, note=_PRECISION),
        _table("lengths", "Periods that groups played", courses.lengths, data, note=_LENGTHS),
        _table("lasted", "Observed duration of each group", courses.seen, computed),
        _table("survival", "How long groups lasted", courses.survival, computed, note=_LASTED),
        _table("log_rank", "Comparison of treatments", courses.log_rank, computed),
        _table("types", "Types of people", measured.types, computed, note=of_types),
        _table("series", "Measures by period", courses.series, computed),
        *_of_people_by_period(computed),
        *_values(computed),
        _table("measures", "The measures", measured.codebook, computed),
        _table("without_value", "Measures that have no values", measured.without_value, computed),
        _table("behaviour", contested, behaving.contest, data, contest, note=_BEHAVIOUR),
        _table("punishing", "Who punishes whom", punishing, data, note=READING),
        _table(
            "regressions",
            "Regressions",
            courses.regressions,
            computed,
            note=f"{_REGRESSIONS}{apart}",
        ),
    ]
    if excluded:
        title, both = "Excluded groups", exclusions.both_ways
        tables.append(_table("excluded", title, exclusions.table, data, excluded, rules))
        tables.append(
            _table(
                "both_ways",
                "Tests with and without excluded groups",
                both,
                computed,
                tests.frame,
                excluded,
                rules,
                note=_BOTH,
            )
        )
    return tables


def _of_people_by_period(computed: Measured) -> Iterator[Table]:
    """Yield the table of people's measures by period, if treatments differ in bots."""
    if computed.bots_differ:
        title, function = "Measures of people by period", courses.of_people
        yield _table("periods_of_people", title, function, computed, note=_SEATS)


def _values(computed: Measured) -> Iterator[Table]:
    """Yield the tables of measures for groups, people and periods."""
    for name in ("groups", "people", "periods"):
        function = function_name(getattr(measures, name))
        frame = from_one(getattr(computed, name))
        yield Table(f"measures_{name}", f"Measures of {name}", frame, function)


# -- groups ----------------------------------------------------------------------------------------


_TEXTS = "Free-text answers are only in the export."


def _of_groups(data: Data) -> list[Table]:
    title, function = "All groups", "mixed_company.analysis.data.Data.groups"
    tables = [
        Table("groups", title, data.groups, function),
        _table("answers", "Answers to questions", groups.answers, data, note=_TEXTS),
        _table("occupancy", "Occupants of seats", groups.occupancy, data),
        _table("group_series", "Data in the groups' figures", groups.drawn, data),
    ]
    return [table for table in tables if table.name != "answers" or data.answers is not None]

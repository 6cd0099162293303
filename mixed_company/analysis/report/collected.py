"""The tables of a report: their names, titles and notes, and the functions that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.audit import UNKNOWN, Audit, audited
from mixed_company.analysis.data import Data
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
from mixed_company.analysis.report.measured import OF_GAME, Main, Measured
from mixed_company.analysis.report.parts import Table, from_one, from_one_in, function_name
from mixed_company.analysis.treatments import described

__all__ = ["collected", "export", "files", "of_measures", "problems", "rehearsed", "unknown"]


def collected(
    data: Data,
    limits: Thresholds | None = None,
    main: Main = OF_GAME,
    audit: Audit | None = None,
    excluded: Sequence[Excluded] = (),
    contest: bool = False,
) -> dict[str, Table]:
    """Return all tables, in the order of the report; arguments are those of `report.files`."""
    able = kept(data).shortened()
    computed = Measured(able, main)
    tables = [
        *_of_export(data, audit or audited(data)),
        *_of_people(able, limits, computed.people),
        *of_measures(computed, excluded, contest),
        *_of_groups(able),
    ]
    return {table.name: table for table in tables}


def _table(
    name: str, title: str, function: Callable[..., pd.DataFrame], *given: Any, note: str = ""
) -> Table:
    frame = function(*given).reset_index(drop=True)
    return Table(name, title, frame, function_name(function), note)


# -- the export ------------------------------------------------------------------------------------


def rehearsed(data: Data) -> bool:
    """Return whether policies sat in people's places."""
    return bool(data.manifest.get("rehearsed")) or any(
        "simulated" in (described(text) or {}) for text in data.config["options"]
    )


_ITEMS = {
    "format": "format of the file",
    "software": "file made with",
    "made": "file made at",
    "code": "sha256 of the code",
    "games": "all games in the file",
    "sessions": "session",
    "rehearsed": "rehearsed with",
}
"""Keys of the manifest, in words."""


def export(data: Data) -> pd.DataFrame:
    """Return what the manifest and the configuration say of the export, one row per item."""
    entries = {key: value for key, value in data.manifest.items() if key != "tables"}
    versions = [described(text) for text in dict.fromkeys(data.config["software"])]
    rows = [
        ("game", data.game_id),
        ("version of the rules", _list(data.config["version"])),
        ("sessions", _list([*data.outcomes["session"], *data.config["session"]])),
        ("session configs", _list(data.config["session_config"])),
        *_items({_ITEMS.get(key, key): entries[key] for key in entries}, ""),
    ]
    for software in versions:
        if software is None:
            rows.append(("played with", "cannot be read"))
        else:
            rows += _items(software, "played with ")
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
    """Return rows and sha256 of the tables of the export, as its manifest lists them."""
    listed = data.manifest.get("tables", {})
    rows = [(name, entry.get("rows"), entry.get("sha256")) for name, entry in listed.items()]
    return pd.DataFrame(rows, columns=["file", "rows", "sha256"])


def problems(audit: Audit) -> pd.DataFrame:
    """Return all problems of reading and audit in their order, with periods as people saw them."""
    names = ["kind", "session", "group", "participant", "where", "what"]
    rows = [[getattr(problem, name) for name in names] for problem in audit.problems]
    table = pd.DataFrame(rows, columns=names).astype({"group": "Int64"})
    return table.assign(what=[from_one_in(str(what)) for what in table["what"]])


_UNKNOWN = (
    "A change in these has no consequence in any other table. Only the sha256 of the file as it "
    "was when it was made can tell."
)


def unknown() -> pd.DataFrame:
    """Return the columns that the audit cannot judge, and why."""
    return pd.DataFrame(UNKNOWN.items(), columns=["column", "why"])


def _of_export(data: Data, audit: Audit) -> list[Table]:
    return [
        _table("export", "The export", export, data),
        _table("files", "The tables in it", files, data),
        _table("problems", "All that was found", problems, audit),
        _table("left_out", "Groups without measures", left_out, data),
        _table("unknown", "What the audit cannot know", unknown, note=_UNKNOWN),
    ]


# -- people ----------------------------------------------------------------------------------------

_WHO = (
    "The rows from finished to left in instructions say where people were at the end, and add up "
    "to arrived. Dropped out, taken over and returned count people to whom that happened at least "
    "once. Payment and points are of those who played to the end."
)
_ALL = "The flags are in the last column; their rules stand above."


def _of_people(data: Data, limits: Thresholds | None, seats: pd.DataFrame) -> list[Table]:
    title, function = "All participants", flags.of_participants
    flagged = _table("participants", title, function, data, limits, seats, note=_ALL)
    who, function_of_who = "Who took part, by treatment", participants.taking_part
    return [
        _table("treatments", "Treatments", participants.treatments, data),
        _table("who", who, function_of_who, data, note=_WHO),
        _table("flags", "The flags and their rules", flags.rules, flagged.frame, limits),
        flagged,
    ]


# -- measures --------------------------------------------------------------------------------------

_MEANS = (
    "Groups: how many have a value. Low and high: 95% interval of the mean, by t over groups; "
    "none for one group, or for groups that are all alike. A measure of persons is first averaged "
    "over the people of a group."
)
_TESTS = (
    "The group is the unit of independence. Low and high: 95% interval of the effect: what "
    "the test would not reject; none where so few groups reject nothing. Standardised: Cliff's "
    "delta of two treatments, epsilon squared of more. P corrected: by Holm, "
    "over all measures of the family that are tested. Not tested is what is the same in all "
    "groups, a count or a description, or another measure on another scale; the notes say so."
)
_PAIRS = "P corrected: by Holm, over all rows."
_TRENDS = (
    "The chance that a group of a later treatment has more than one of an earlier one, in the "
    "order of the treatments. It means something only if that order does."
)
_WAYS = (
    "Within sessions: means, groups permuted within their session alone. Sessions as units: a rank "
    "test of the means of sessions, of which there are few. P corrected: by Holm, over the "
    "measures of a way."
)
_PRECISION = (
    "Deviation: of groups within treatments. Reached: the difference of two treatments that four "
    "of five such experiments would have found, by a t test at 0.05; corrected: with 0.05 "
    "divided by the number of measures. ICC: intraclass correlation, of groups in sessions and of "
    "people in groups; 0 and below: they have nothing in common."
)
_LASTED = "At risk: groups that had lasted so long. Share: that lasted longer, by Kaplan and Meier."
_SESSIONS = (
    "The mean of the groups of each session. What sets sessions apart, such as the day or who "
    "came, is in their groups alike, and the tests do not know it."
)
_BEHAVIOUR = (
    "Each model is fitted to the people of some groups, taken to be alike, and gives chances of "
    "what those of the others did; each group is held out once. Score: mean log chance of a "
    "decision. To best: the score less that of the best model, on the same decisions; low, high: "
    "95% interval by t over groups, as if the fits, which share groups, were of others: a guide, "
    "no test. Gain: what the score is above pure chance (uniform)."
)
_REGRESSIONS = (
    "Least squares of a measure on treatment and period. In the first period: a treatment as the "
    "line has it, of the others the difference from the first treatment; per period: the change "
    "from one to the next, of the others the difference. Errors are clustered by group, with fewer "
    "than 20 groups by the wild bootstrap. Later periods are of the groups that still played. P is "
    "not corrected: these are to be looked at, beside the tests above."
)
_BOTH = (
    "Every test twice, with all groups and without those that are left out; each p corrected "
    "among its own."
)


def of_measures(
    computed: Measured, excluded: Sequence[Excluded] = (), contest: bool = False
) -> list[Table]:
    """Return all that is measured, compared, counted over periods, and predicted."""
    tests = _table("tests", "Tests", compared.compared, computed, note=_TESTS)
    means, data = measured.by_treatment, computed.data
    precise, contested = "What so many groups could tell", "Models of behaviour, on groups held out"
    tables = [
        _table("measures_by_treatment", "Means", means, computed, tests.frame, note=_MEANS),
        tests,
        _table("pairs", "Every two treatments", compared.pairs, computed, note=_PAIRS),
        _table("trends", "Trends", compared.trends, computed, note=_TRENDS),
        _table("sessions", "Treatments by session", compared.sessions, computed, note=_SESSIONS),
        _table("by_session", "With sessions in mind", compared.by_session, computed, note=_WAYS),
        _table("precision", precise, compared.precision, computed, note=_PRECISION),
        _table("lasted", "How long each group was seen", courses.seen, computed),
        _table("survival", "How long groups lasted", courses.survival, computed, note=_LASTED),
        _table("log_rank", "Treatments compared", courses.log_rank, computed),
        _table("types", "Types of people", measured.types, computed),
        _table("series", "Measures by period", courses.series, computed),
        *_values(computed),
        _table("measures", "The measures", measured.codebook, computed),
        _table("without_value", "Measures without any value", measured.without_value, computed),
        _table("behaviour", contested, behaving.contest, data, contest, note=_BEHAVIOUR),
        _table("regressions", "Regressions", courses.regressions, computed, note=_REGRESSIONS),
    ]
    if excluded:
        gone, both = "Groups that are left out", exclusions.both_ways
        tables.append(_table("excluded", gone, exclusions.table, data, excluded))
        tables.append(_table("both_ways", "With and without", both, computed, excluded, note=_BOTH))
    return tables


def _values(computed: Measured) -> Iterator[Table]:
    """Yield the measures of groups, people and periods, which are computed already."""
    for name in ("groups", "people", "periods"):
        function = function_name(getattr(measures, name))
        frame = from_one(getattr(computed, name))
        yield Table(f"measures_{name}", f"Measures of {name}", frame, function)


# -- groups ----------------------------------------------------------------------------------------


_TEXTS = "Texts that people wrote are in the export alone."


def _of_groups(data: Data) -> list[Table]:
    title, function = "All groups that were formed", "mixed_company.analysis.data.Data.groups"
    tables = [
        Table("groups", title, data.groups, function),
        _table("answers", "Answers to questions", groups.answers, data, note=_TEXTS),
        _table("occupancy", "Who sat where", groups.occupancy, data),
        _table("group_series", "What the figures of groups draw", groups.drawn, data),
    ]
    return [table for table in tables if table.name != "answers" or data.answers is not None]

"""The tables of a report: what each is called, what it shows and who made it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.audit import UNKNOWN, Audit, audited
from mixed_company.analysis.data import Data
from mixed_company.analysis.described import described
from mixed_company.analysis.kept import kept, left_out
from mixed_company.analysis.report import (
    answered,
    behaving,
    compared,
    flags,
    groups,
    measured,
    participants,
    regressed,
    robust,
    surviving,
)
from mixed_company.analysis.report import excluded as exclusions
from mixed_company.analysis.report.excluded import Excluded
from mixed_company.analysis.report.flags import Thresholds
from mixed_company.analysis.report.measured import OF_GAME, Main, Measured
from mixed_company.analysis.report.parts import Table, from_one, from_one_in
from mixed_company.analysis.report.parts import function_name as _named

__all__ = [
    "collected",
    "export",
    "files",
    "of_exclusions",
    "of_measures",
    "problems",
    "rehearsed",
    "unknown",
]


def collected(
    data: Data,
    limits: Thresholds | None = None,
    main: Main = OF_GAME,
    audit: Audit | None = None,
    excluded: Sequence[Excluded] = (),
    contest: bool = False,
) -> dict[str, Table]:
    """All tables, in the order of the report. `main`: measures to be compared first; `excluded`:
    groups that the tests are made with and without; `contest`: models of behaviour are compared
    however many decisions there are."""
    able = kept(data).shortened()
    computed = Measured(able, main)
    parts = [
        *_of_export(data, audit or audited(data)),
        *_of_people(able, limits, computed.people),
        *of_measures(computed),
        behaving.table(able, contest),
        regressed.table(computed),
        *(of_exclusions(computed, excluded) if excluded else []),
        *_of_groups(able),
    ]
    return {table.name: table for table in parts}


def _table(
    name: str, title: str, note: str, function: Callable[..., pd.DataFrame], *given: Any
) -> Table:
    frame = function(*given).reset_index(drop=True)
    return Table(name, title, frame, _named(function), note)


# -- the export ------------------------------------------------------------------------------------


def rehearsed(data: Data) -> bool:
    """Did policies sit in people's places?"""
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
    """What the manifest and the configuration say of the export, one row per item."""
    entries = {
        _ITEMS.get(key, key): value for key, value in data.manifest.items() if key != "tables"
    }
    rows = [
        ("game", data.game_id),
        ("version of the rules", _list(data.config["version"])),
        ("sessions", _list([*data.outcomes["session"], *data.config["session"]])),
        ("session configs", _list(data.config["session_config"])),
        *_items(entries, ""),
        *(item for text in dict.fromkeys(data.config["software"]) for item in _software(text)),
    ]
    return pd.DataFrame(rows, columns=["item", "value"])


def _items(entries: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in entries.items():
        if isinstance(value, Mapping):
            yield from _items(value, f"{prefix}{key} ")
        else:
            yield f"{prefix}{key}", _list(value) if isinstance(value, list) else str(value)


def _software(text: str) -> Iterator[tuple[str, str]]:
    versions = described(text)
    if versions is None:
        yield "played with", "cannot be read"
    else:
        yield from _items(versions, "played with ")


def _list(values: Any) -> str:
    return ", ".join(dict.fromkeys(str(value) for value in values))


def files(data: Data) -> pd.DataFrame:
    """The tables of the export as its manifest lists them: rows and sha256."""
    listed = data.manifest.get("tables", {})
    rows = [(name, entry.get("rows"), entry.get("sha256")) for name, entry in listed.items()]
    return pd.DataFrame(rows, columns=["file", "rows", "sha256"])


def problems(audit: Audit) -> pd.DataFrame:
    """Everything that reading and audit found wrong or left out, one row each, in that order;
    periods as people saw them."""
    names = ("kind", "session", "group", "participant", "where", "what")
    rows = [[getattr(problem, name) for name in names] for problem in audit.problems]
    table = pd.DataFrame(rows, columns=list(names)).astype({"group": "Int64"})
    return table.assign(what=[from_one_in(str(what)) for what in table["what"]])


_UNKNOWN = (
    "A change in these has no consequence in any other table. Only the sha256 of the file as it "
    "was when it was made can tell."
)


def unknown() -> pd.DataFrame:
    """The columns that the audit cannot judge, and why."""
    return pd.DataFrame(UNKNOWN.items(), columns=["column", "why"])


def _of_export(data: Data, audit: Audit) -> list[Table]:
    return [
        _table("export", "The export", "", export, data),
        _table("files", "The tables in it", "", files, data),
        _table("problems", "All that was found", "", problems, audit),
        _table("left_out", "Groups without measures", "", left_out, data),
        _table("unknown", "What the audit cannot know", _UNKNOWN, unknown),
    ]


# -- people ----------------------------------------------------------------------------------------

_WHO = (
    "The rows from finished to left in instructions say where people were at the end, and add up "
    "to arrived. Dropped out, taken over and returned count people to whom that happened at least "
    "once. Payment and points are of those who played to the end."
)
_ALL = "The flags are in the last column; their rules stand above."


def _of_people(data: Data, limits: Thresholds | None, seats: pd.DataFrame) -> list[Table]:
    flagged = _table(
        "participants", "All participants", _ALL, flags.of_participants, data, limits, seats
    )
    return [
        _table("treatments", "Treatments", "", participants.treatments, data),
        _table("who", "Who took part, by treatment", _WHO, participants.taking_part, data),
        _table("flags", "The flags and their rules", "", flags.rules, flagged.frame, limits),
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


def of_measures(computed: Measured) -> list[Table]:
    """All that is measured, compared and counted over periods."""
    tests = _table("tests", "Tests", _TESTS, compared.compared, computed)
    means = measured.by_treatment
    return [
        _table("measures_by_treatment", "Means", _MEANS, means, computed, tests.frame),
        tests,
        _table("pairs", "Every two treatments", _PAIRS, compared.pairs, computed),
        _table("trends", "Trends", _TRENDS, compared.trends, computed),
        _table("sessions", "Treatments by session", _SESSIONS, compared.sessions, computed),
        _table("by_session", "With sessions in mind", _WAYS, robust.by_session, computed),
        _table(
            "precision", "What so many groups could tell", _PRECISION, robust.precision, computed
        ),
        _table("lasted", "How long each group was seen", "", surviving.seen, computed),
        _table("survival", "How long groups lasted", _LASTED, surviving.survival, computed),
        _table("log_rank", "Treatments compared", "", surviving.log_rank, computed),
        _table("types", "Types of people", "", measured.types, computed),
        _table("series", "Measures by period", "", measured.series, computed),
        *(
            Table(
                f"measures_{name}",
                f"Measures of {name}",
                from_one(getattr(computed, name)),
                _named(function),
            )
            for name, function in (
                ("groups", measures.groups),
                ("people", measures.people),
                ("periods", measures.periods),
            )
        ),
        _table("measures", "The measures", "", measured.codebook, computed),
        _table("without_value", "Measures without any value", "", measured.without_value, computed),
    ]


_BOTH = (
    "Every test twice, with all groups and without those that are left out; each p corrected "
    "among its own."
)


def of_exclusions(computed: Measured, rows: Sequence[Excluded]) -> list[Table]:
    """The groups that are left out, and the tests both ways."""
    named = _table(
        "excluded", "Groups that are left out", "", exclusions.table, computed.data, rows
    )
    return [
        named,
        _table("both_ways", "With and without", _BOTH, exclusions.both_ways, computed, rows),
    ]


# -- groups ----------------------------------------------------------------------------------------


_LEFT_OUT = "Texts that people wrote are in the export alone."


def _of_groups(data: Data) -> list[Table]:
    played = Table(
        "groups",
        "All groups that were formed",
        data.groups,
        "mixed_company.analysis.data.Data.groups",
    )
    answers = _table("answers", "Answers to questions", _LEFT_OUT, answered.answers, data)
    return [
        played,
        *([answers] if data.answers is not None else []),
        _table("occupancy", "Who sat where", "", groups.occupancy, data),
        _table("group_series", "What the figures of groups draw", "", groups.drawn, data),
    ]

"""Groups that a researcher excludes, and the tests with and without them.

They are listed in a file, with the reason for each decision and its time. A CSV file has one row
per exclusion, a TOML file one `[[exclude]]` table:

    session,group,participant,why,when
    ab12cd34,3,,the projector failed,2026-11-02
    ab12cd34,,k3x9q2ta,had played the day before,before the data were looked at

An entry names a group by its session and number, or by the code of one of its participants. Either
way, the whole group is excluded, because its members influence each other. All numbers in the
report include all groups; only the tests are shown both with and without the excluded groups. With
a plan, tests leave out a group only if the reason repeats one of the plan's exclusions word for
word.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd

from mixed_company import files
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.kept import keys_of, without
from mixed_company.analysis.report.compared import compared
from mixed_company.analysis.report.measured import Measured
from mixed_company.engine.contract.errors import ConfigError, UnknownName

_KEYS = ("session", "group", "participant", "why", "when")
KEPT = "named for exclusion, but kept in the tests"
"""The status of a group excluded for a reason that is not in the plan."""
LEFT_OUT = "left out of the tests"
NO_GROUP = "in no test, because this person had no group"
"""The status of a participant who never joined a group, so there is nothing to leave out."""
_BOTH_WAYS = "tested with and without it"


@dataclass(frozen=True)
class Excluded:
    """An excluded group: `session` and `group`, or `participant`; the reason (`why`), and when it
    was decided (`when`)."""

    session: str
    group: int | None
    participant: str
    why: str
    when: str


def read(file: Path) -> tuple[Excluded, ...]:
    """Read the exclusions in a file. Raises ConfigError if a value is missing or invalid."""
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read: {error}") from None
    rows: Any
    try:
        if file.suffix == ".toml":
            rows = files.toml(text).get("exclude", [])
        else:
            table = csv.DictReader(io.StringIO(text, newline=""))
            _check_once(table.fieldnames or ())
            rows = list(table)
    except (ValueError, csv.Error) as error:
        kind = "TOML" if file.suffix == ".toml" else "CSV"
        raise ConfigError(f"{file}: not valid {kind}: {error}") from None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise ConfigError(f"{file}: exclude: should be an array of tables, [[exclude]]")
    return tuple(_of_row(f"{file}, {number}", row) for number, row in enumerate(rows, 1))


def _check_once(names: Collection[str]) -> None:
    """Raise ValueError if two columns have the same name."""
    counts = Counter(names)
    if twice := [name for name, count in counts.items() if count > 1]:
        raise ValueError(f"column {', '.join(twice)} appears twice")


def _of_row(location: str, row: Mapping[str, Any]) -> Excluded:
    unknown = [str(key) for key in row if key not in _KEYS]
    if unknown:
        raise ConfigError(
            f"{location}: unknown key {unknown[0]!r}; the keys are {', '.join(_KEYS)}"
        )
    texts = {key: " ".join(str(row.get(key) or "").split()) for key in _KEYS}
    for key in ("why", "when"):
        if not texts[key]:
            raise ConfigError(f"{location}: {key}: is missing")
    _check_dates(location, texts["when"])
    number = texts.pop("group")
    if number and not re.fullmatch("[0-9]{1,18}", number):
        raise ConfigError(f"{location}: group = {number!r}: should be a number in digits 0 to 9")
    group = int(number) if number else None
    if not texts["participant"] and (not texts["session"] or group is None):
        raise ConfigError(f"{location}: should name a participant, or a session and a group")
    return Excluded(group=group, **texts)


_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_MONTH = r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_OTHER_DATE = re.compile(
    r"\d[./-]\d{1,2}[./-]\d|(?<!\d)(?:19|20)\d{2}(?:\d{4})?(?!\d)"
    rf"|\d(?:st|nd|rd|th)?\W*(?:of )?{_MONTH}|{_MONTH}[a-z]*\W*\d",
    re.IGNORECASE,
)
"""Dates in formats other than ISO 8601: numbers, years and English months."""


def dates_in(when: str) -> list[date]:
    """Return the dates in the text of `when`. Raises ValueError for a date that does not exist."""
    return [date.fromisoformat(text) for text in _ISO.findall(when)]


def _check_dates(location: str, when: str) -> None:
    """Raise ConfigError for a date that cannot be compared with the data."""
    try:
        dates_in(when)
    except ValueError:
        wrong = True
    else:
        wrong = _OTHER_DATE.search(_ISO.sub("", when)) is not None
    if wrong:
        rule = "should have its dates written as YEAR-MONTH-DAY, such as 2026-11-02"
        raise ConfigError(f"{location}: when = {when!r}: {rule}")


def table(
    data: Data, rows: Sequence[Excluded], rules: Collection[str] | None = None
) -> pd.DataFrame:
    """Return one row per excluded group: treatment, session, group, participant, why, when, tests.

    `rules` holds a plan's exclusions; None: there is no plan. `tests` says whether the tests
    include the group. A participant who had no group has a row without a group and treatment.

    Raises UnknownName for an unknown group or participant, ConfigError if a treatment loses all its
    groups, or if a row names a participant and a group that this participant was not in.
    """
    treatments = data.groups.set_index(GROUP)["treatment"].astype(str).to_dict()
    listed = []
    for row in rows:
        for session, group in _groups(data, row):
            if _disagree(data, row, session):
                raise ConfigError(
                    f"exclude: participant {row.participant!r} is not in group {row.group} of "
                    f"session {session!r}; name only one of the two"
                )
            if group is not None and (session, group) not in treatments:
                raise UnknownName(f"exclude: session {session!r} has no group {group}")
            treatment = "" if group is None else treatments[session, group]
            listed.append((treatment, session, group, row.participant, row.why, row.when))
    excluded_groups = {(session, group) for _, session, group, *_ in listed}
    remaining = {name for group, name in treatments.items() if group not in excluded_groups}
    for name in data.treatments:
        if name not in remaining:
            raise ConfigError(f"exclude: no group would be left in treatment {name!r}")
    columns = ["treatment", "session", "group", "participant", "why", "when"]
    frame = pd.DataFrame(listed, columns=columns).astype({"group": "Int64"})
    groups = pd.MultiIndex.from_frame(frame[GROUP])
    left_out = groups.isin(groups[frame["why"].isin(rules or ())])
    tests = pd.Series(KEPT, frame.index).mask(left_out, LEFT_OUT)
    tests = tests if rules is not None else pd.Series(_BOTH_WAYS, frame.index)
    return frame.assign(tests=tests.mask(frame["group"].isna(), NO_GROUP))


def of_games(
    games: Sequence[Data], rows: Sequence[Excluded], rules: Collection[str] | None = None
) -> pd.DataFrame:
    """Return the `table` for sessions in which the same groups play several games."""
    parts = [rows_of(data, rows) for data in games]
    # `table` rejects rows that are in no game
    parts[0] += [row for row in rows if not any(row in part for part in parts)]
    tables = [table(data, part, rules) for data, part in zip(games, parts, strict=True)]
    listed = pd.concat(tables, ignore_index=True)
    alone = listed["tests"] == NO_GROUP
    elsewhere = listed["participant"].isin(listed.loc[~alone, "participant"])
    return listed[~(alone & elsewhere)].drop_duplicates(ignore_index=True)


def rows_of(data: Data, rows: Sequence[Excluded]) -> list[Excluded]:
    """Return the rows that name a group or a participant of this game."""
    groups = set(data.config[GROUP].itertuples(index=False, name=None))
    people = set(data.outcomes["participant"])
    return [
        row
        for row in rows
        if (row.participant in people if row.participant else (row.session, row.group) in groups)
    ]


def _disagree(data: Data, row: Excluded, session: str) -> bool:
    """Return whether a row names a participant and a group that this participant was not in. If the
    export has several games, the group can be from another game."""
    key = (session, row.group)
    if not row.participant or row.group is None or key in _groups(data, row):
        return False
    exists = key in set(data.config[GROUP].itertuples(index=False, name=None))
    return exists or len(data.manifest.get("games", ())) <= 1


def _groups(data: Data, row: Excluded) -> Sequence[tuple[str, int | None]]:
    """Return the groups that a row names; None if it names a participant who had no group."""
    if not row.participant:
        return [(row.session, int(row.group or 0))]
    people = data.outcomes[data.outcomes["participant"] == row.participant]
    if row.session:
        people = people[people["session"] == row.session]
    if people.empty:
        raise UnknownName(f"exclude: unknown participant {row.participant!r}")
    return keys_of(people) or [(str(session), None) for session in people["session"].unique()]


def both_ways(
    measured: Measured,
    tests: pd.DataFrame,
    rows: Sequence[Excluded],
    rules: Collection[str] | None = None,
) -> pd.DataFrame:
    """Return the tests of all measures with all groups (`tests`), and without the excluded ones. If
    a plan has exclusions (`rules`), groups that are in the plan's tests are not left out here
    either.

    Columns: `family`, `block` (if there are several), `measure`, and then `groups`, `effect`,
    `low`, `high`, `p`, `p_corrected` once with the `all` prefix and once with the `without` prefix.
    """
    listed = table(measured.data, rows, rules)
    excluded = keys_of(listed[listed["tests"] != KEPT])
    others = tests
    if excluded:
        data = without(measured.data, excluded)
        others = compared(Measured(data, measured.main, measured.played))
    ways = {"all": tests, "without": others}
    keys = ["family", *(["block"] if measured.in_blocks else []), "measure"]
    numbers = ["groups", "effect", "low", "high", "p", "p_corrected"]
    parts = [way.set_index(keys)[numbers].add_prefix(f"{name} ") for name, way in ways.items()]
    return parts[0].join(parts[1]).reset_index()

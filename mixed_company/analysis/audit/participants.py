"""Check the `participants` table. Each row follows from the other tables of all games, except the
times when the person opened the link and reached the lobby. `times` compares these with others."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis.audit.assigned import check_slots
from mixed_company.analysis.audit.money import are_amounts
from mixed_company.analysis.audit.options import OptionsOf
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.times import Times
from mixed_company.analysis.audit.way import (
    block_names,
    export_ms,
    other_apps,
    plan_of,
    seed_of,
    session_in,
)
from mixed_company.analysis.data import Data, Problem
from mixed_company.experiment.assignment import drawn_block, paid_block
from mixed_company.table.export import CODED, Row, is_anonymous, spread
from mixed_company.table.export.archive import MANIFEST
from mixed_company.table.export.participants import (
    PARTICIPANTS,
    Stage,
    participant_columns,
    participant_row,
)

_SEEN = re.compile(r"first_seen_ms|arrived_ms_\d+")
"""Columns that only this table has."""

"""Largest difference between two readings of the clock that belong to the same moment."""

_TIMES = re.compile(r"(began|ended)_ms_\d+")
_PLAYED = "seats, periods or events"
"""Tables that record when a play began and ended."""
_APP = re.compile(r"app_(\d+)")
_USED = ("outcomes", "seats", "periods", "events", "config")

Person = tuple[str, str]


def check_participants(frame: pd.DataFrame, games: Sequence[Data], findings: Findings) -> None:
    """Check that every participant has one correct row; `games` must hold all games of the
    export."""
    if any(name in data.unread for data in games for name in _USED):
        return
    people = _People(games)
    times = Times(people.export_ms, findings)
    rows = Rows.of(PARTICIPANTS, frame)
    seen = set()
    for row in rows.records():
        person = row["session"], row["participant"]
        stages = people.stages.get(person)
        if stages is None or person in seen:
            fault = "appears twice" if person in seen else "is not in any other table"
            findings.tell(PARTICIPANTS, row["row"], f"participant {person[1]}: {fault}")
        else:
            _check_row(row, stages, people, times, findings)
        seen.add(person)
    _check_columns(rows, people, findings)
    check_slots(rows.records(), findings)
    _check_sessions(rows, games, findings)
    for session, code in people.stages:
        if (session, code) not in seen:
            message = f"missing: participant {code} of session {session}"
            findings.tell(PARTICIPANTS, None, message)
    if games and games[0].manifest.get("anonymous") is True:
        _check_anonymous(rows, findings)


def _check_columns(rows: Rows, people: _People, findings: Findings) -> None:
    """Check that every block that somebody reached has the columns of the first block."""
    blocks = max(map(len, people.stages.values()), default=0)
    first = [name.removesuffix("1") for name in rows.columns if name.endswith("_1")]
    missing = [
        f"{name}{number}"
        for number in range(2, blocks + 1)
        for name in first
        if f"{name}{number}" not in rows.columns
    ]
    if missing:
        message = f"lacks the columns {', '.join(missing)}, although somebody reached that block"
        findings.tell(PARTICIPANTS, None, message)


def _check_sessions(rows: Rows, games: Sequence[Data], findings: Findings) -> None:
    """Check that every session in the manifest has participants, unless none of its games is in the
    export, and that its list of apps includes every app that participants reached."""
    manifest = games[0].manifest if games else {}
    reached: dict[str, set[str]] = {}
    for row in rows.records():
        apps = {value for name, value in row.items() if _APP.fullmatch(name) and value}
        reached.setdefault(row["session"], set()).update(apps)
    for session in manifest.get("sessions", ()):
        entry = session_in(manifest, session)
        others = other_apps(entry, [data.game_id for data in games])
        names = block_names(plan_of(manifest, session))
        message = ""
        if session not in reached and (not others or {"plan", "total", "groups"} & {*entry}):
            message = f"has no rows in {PARTICIPANTS}"
        elif others is not None and not _is_list(entry["apps"], reached.get(session, set())):
            message = "apps: does not list an app that participants reached, or lists one twice"
        elif others is not None and 0 < len(names) < len(entry["apps"]) - len(others):
            message = f"apps: lists more game apps than the plan's {len(names)} blocks"
        if message:
            where = f"sessions: {session}: {message}"
            findings.problems.append(Problem("differs", where, MANIFEST, session))


def _is_list(apps: Sequence[Any], reached: set[str]) -> bool:
    return len({*map(str, apps)}) == len(apps) and reached <= {*map(str, apps)}


def _check_row(
    row: Row, stages: Mapping[str, Stage], people: _People, times: Times, findings: Findings
) -> None:
    numbers = people.numbers(row["session"], stages) or _as_named(row)
    key = f"participant {row['participant']}"
    for app in stages:
        if app not in numbers:
            findings.tell(PARTICIPANTS, row["row"], f"{key}: missing: the play of app {app}")
    came = {numbers[app]: stage for app, stage in stages.items() if app in numbers}
    if not came:
        return
    if not all(are_amounts(dict(stage.outcome)) for stage in came.values()):
        return  # already reported as a fault of `outcomes`
    ordered = dict(sorted(came.items()))
    should = participant_row(ordered, "", people.paid_block(row["session"], ordered))
    for name, actual in row.items():
        if name != "row" and not _SEEN.fullmatch(name):
            by = _PLAYED if _TIMES.fullmatch(name) else "outcomes"
            findings.value(PARTICIPANTS, row["row"], name, actual, should.get(name, ""), key, by)
    times.check_order(row, ordered)
    for number, stage in ordered.items():
        if stage.outcome.get("waited_ms") and row.get(f"arrived_ms_{number}", "") == "":
            fault = f"is empty, but outcomes has waited_ms = {stage.outcome['waited_ms']}"
            message = f"participant {row['participant']}: {fault}"
            findings.tell(PARTICIPANTS, row["row"], message, column=f"arrived_ms_{number}")
        times.check_wait(row, number, stage, people.options(stage))


def _as_named(row: Row) -> dict[str, int]:
    """Return the number of each app, read from the row itself. Without a plan, no other table has
    this number."""
    numbered = {name: _APP.fullmatch(name) for name in row}
    return {
        str(row[name]): int(match[1]) for name, match in numbered.items() if match and row[name]
    }


def _check_anonymous(rows: Rows, findings: Findings) -> None:
    personal = [
        column for column in spread(participant_columns(1)).values() if column.personal in CODED
    ]
    for row in rows.records():
        for column in personal:
            cell = (PARTICIPANTS, row["row"], column.name, row[column.name])
            findings.coded(is_anonymous(column, row), *cell)


class _People:
    """Rows of `outcomes` in all games, by session and participant code, then by app."""

    def __init__(self, games: Sequence[Data]) -> None:
        self.manifest = games[0].manifest if games else {}
        self.export_ms = math.inf
        if not self.manifest.get("rehearsed"):  # a rehearsal sets its own clock
            self.export_ms = export_ms(self.manifest) or math.inf
        self.stages: dict[Person, dict[str, Stage]] = {}
        self.seeds: dict[str, int] = {}
        self._options: dict[str, OptionsOf] = {}
        for data in games:
            times = _Times(data)
            options_of = OptionsOf(Rows.of("config", data.config).records())
            for row in Rows.of("outcomes", data.outcomes).records():
                app = self._app(data.game_id, row)
                began, ended = times.of(row)
                stage = Stage(app, row, "", began, ended)
                self._options[app] = options_of
                self.stages.setdefault((row["session"], row["participant"]), {})[app] = stage
            for session, config in zip(data.config["session"], data.config["config"], strict=True):
                self.seeds.setdefault(str(session), seed_of(config) or 0)

    def options(self, stage: Stage) -> Mapping[str, Any]:
        """Return the options of a person's block."""
        return self._options[stage.app](dict(stage.outcome))

    def _plan(self, session: str) -> Mapping[str, Any]:
        return plan_of(self.manifest, session) or {}

    def _app(self, game: str, row: Row) -> str:
        """Return the app of a block. Each later block is a separate app, with the block's number in
        its name."""
        number = self._number(row)
        return game if number == 1 else f"{game}_{number}"

    def _number(self, row: Row) -> int:
        names, block = block_names(self._plan(row["session"])), str(row.get("block", ""))
        if names:
            return names.index(block) + 1 if block in names else 1
        return int(block) if block.isdecimal() else 1

    def numbers(self, session: str, stages: Mapping[str, Stage]) -> dict[str, int]:
        """Return the block number of each app; empty if there is no plan."""
        if not block_names(self._plan(session)):
            return {}
        return {app: self._number(dict(stage.outcome)) for app, stage in stages.items()}

    def paid_block(self, session: str, stages: Mapping[int, Stage]) -> int | str:
        """Return the number of the paid block, 0 if no block is paid, or an empty string if all
        are."""
        plan = self._plan(session)
        names = block_names(plan)
        if not names or plan.get("pay_blocks") != "one":
            return ""
        rows = [stage.outcome for stage in stages.values()]
        slot = -1 if rows[0].get("slot", "") == "" else int(rows[0]["slot"])
        drawn = drawn_block(self.seeds.get(session, 0), slot, len(names))
        chosen = paid_block(drawn, [(row["status"], row["seat"] != "") for row in rows])
        return 0 if chosen is None else chosen + 1


class _Times:
    """The time at which each group's play began, and the time at which it ended for each person, on
    the machine's clock."""

    def __init__(self, data: Data) -> None:
        self._sat = _by(Rows.of("seats", data.seats).records(), ("session", "group", "seat"))
        periods = Rows.of("periods", data.periods).records()
        self._last = {(row["session"], row["group"]): row for row in periods}
        events = Rows.of("events", data.events).records()
        ended = (row for row in events if row["event"] == "ended")
        self._ended = _by(ended, ("session", "group"))

    def of(self, row: Row) -> tuple[Any, Any]:
        """Return when play began and ended for the participant in this row of `outcomes`."""
        group = row["session"], row["group"]
        sat = self._sat.get((*group, row["seat"]), [])
        if row["seat"] == "" or not sat:
            return "", ""
        began = sat[0]["wall_ms"]
        if row["status"] == "seated":
            return began, ""
        if sat[-1]["occupant"] != "person":
            return began, sat[-1]["wall_ms"]
        last = [self._last[group]] if group in self._last else []
        ends = [*self._ended.get(group, ()), *last]
        return began, (ends or sat)[0]["wall_ms"]


def _by(rows: Iterable[Row], keys: Sequence[str]) -> dict[tuple[Any, ...], list[Row]]:
    gathered: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        gathered.setdefault(tuple(row[key] for key in keys), []).append(row)
    return gathered

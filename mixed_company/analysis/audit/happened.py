"""Events: what the rules say happened, in order; who left and was replaced; and policies' faults.

rules         collapse, conflict, penalty, vote, shock, fee, drift, ending: as the replay gives them
takeover      a policy sat down for a person who left, as in `seats`
left          a person left and the seat is out, as in `seats`
policy_fault  a policy did not decide; the decision is a default
policy_late   a policy was asked beside the server's loop, and answered so much after it had thought
handed        the manager gave the seat of a person to a policy, as in `seats`
slow_line     what was pressed in time is waited for (`analysis.audit.lines`)
late          the server was late, by so many seconds; nothing follows from it

What else the manager had done is in `analysis.audit.managed`, whom the others waited for in
`analysis.audit.awaited`, what a group voted for in `analysis.audit.chosen`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from mixed_company.analysis.audit.awaited import check_awaited
from mixed_company.analysis.audit.chosen import CHOICE, check_chosen
from mixed_company.analysis.audit.group import SLOW_LINE, Group
from mixed_company.analysis.audit.lines import check_lines
from mixed_company.analysis.audit.managed import BESIDE, check_managed
from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.interruptions import seconds_late
from mixed_company.table.export import Row
from mixed_company.table.journal import LATE

__all__ = ["check_events"]

_OF_SEATS = {"takeover": "policy", "left": "nobody", "handed": "policy"}
_WHY = {"takeover": ("dropout", "missed"), "left": ("dropout",), "handed": ("handed",)}
"""Event -> the reasons of who sits down then; `missed`: an agent from outside did not decide."""

_REASONS = {reason for reasons in _WHY.values() for reason in reasons}
TALK = ("talk", "talk_done", "talk_over", "talk_fault")
"""`analysis.audit.talk` looks at these."""

_FAULT, _LATE = "policy_fault", "policy_late"


def check_events(group: Group, findings: Findings) -> None:
    """Every event there should be, once, and no other."""
    if "events" not in group.tables:
        return
    rows = list(group.tables["events"].records())
    _in_time(rows, findings)
    _once(rows, findings)
    others = (*_OF_SEATS, *BESIDE, *CHOICE, _FAULT, _LATE, SLOW_LINE, LATE, *TALK)
    ruled = [row for row in rows if row["event"] not in others]
    if group.complete:
        _ruled(group, ruled, findings)
    _of_seats(group, [row for row in rows if row["event"] in _OF_SEATS], findings)
    _faults(group, [row for row in rows if row["event"] == _FAULT], findings)
    _late(group, [row for row in rows if row["event"] == _LATE], findings)
    _late_server([row for row in rows if row["event"] == LATE], findings)
    check_lines(group, [row for row in rows if row["event"] == SLOW_LINE], findings)
    check_managed(group, [row for row in rows if row["event"] in BESIDE], findings)
    check_awaited(group, rows, findings)
    check_chosen(group, [row for row in rows if row["event"] in CHOICE], findings)


def _in_time(rows: list[Row], findings: Findings) -> None:
    for before, row in pairwise(rows):
        for name in ("period", "at_ms"):
            if "" not in (before[name], row[name]) and row[name] < before[name]:
                what = f"{name} {row[name]} comes after {before[name]}"
                findings.tell("events", row["row"], what, column=name)


def _once(rows: list[Row], findings: Findings) -> None:
    """Of talk nothing is there twice (of the rest others look); its times are the whole group's."""
    seen: set[Any] = set()
    for row in rows:
        key = tuple(row[name] for name in ("period", "at_ms", "event", "seat", "detail"))
        if row["event"] in TALK and key in seen:
            findings.tell("events", row["row"], f"period {key[0]}: {key[2]} is there twice")
        seen.add(key)
        if row["event"] in ("talk", "talk_over"):
            for name in ("seat", "detail"):
                findings.value("events", row["row"], name, row[name], "", row["event"])


def _ruled(group: Group, rows: list[Row], findings: Findings) -> None:
    """The events of the rules, period by period."""
    should: dict[Any, list[Row]] = {}
    for period, event in group.replay.events:
        should.setdefault(period, []).append(event)
    if group.replay.ended is not None:
        ending = {"event": "ending", "detail": group.replay.ended}
        should.setdefault(group.periods, []).append(ending)
    actual: dict[Any, list[Row]] = {}
    for row in rows:
        actual.setdefault(row["period"], []).append(row)
    for period in sorted({*should, *actual}, key=str):
        _period(group, period, actual.get(period, []), should.get(period, []), findings)


def _period(
    group: Group, period: Any, actual: list[Row], should: list[Row], findings: Findings
) -> None:
    key = f"period {period}"
    if len(actual) == len(should):
        for row, event in zip(actual, should, strict=True):
            given = ("events", row["row"])
            findings.value(*given, "event", row["event"], event["event"], key)
            findings.value(*given, "seat", row["seat"], event.get("seat", ""), key)
            findings.value(*given, "detail", _read(row["detail"]), _rest(event), key)
            if group.timed:
                at = group.rounds.get(min(period, group.periods - 1), {}).get("settled_ms", "")
                findings.value(*given, "at_ms", row["at_ms"], at, key)
        return
    wanted = [(event["event"], event.get("seat", ""), _rest(event)) for event in should]
    for row in actual:
        own = (row["event"], row["seat"], _read(row["detail"]))
        if own in wanted:
            wanted.remove(own)
        else:
            what = f"{key}: {row['event']} did not happen, or is there twice"
            findings.tell("events", row["row"], what)
    for event, seat, _ in wanted:
        whom = "" if seat == "" else f", seat {seat}"
        findings.tell("events", None, f"missing: {key}{whom}: {event}")


def _rest(event: Mapping[str, Any]) -> Any:
    return {key: value for key, value in event.items() if key not in ("event", "seat")}


def _read(detail: str) -> Any:
    """What a detail says; a text that is no JSON is itself."""
    try:
        return json.loads(detail) if detail else {}
    except (ValueError, RecursionError):
        return detail


def _of_seats(group: Group, rows: list[Row], findings: Findings) -> None:
    """Each time a person leaves, `seats` and `events` say so."""
    if "seats" not in group.tables:
        return
    left: dict[Any, list[Row]] = {}
    for seat, sat in group.occupancies.items():
        for occupancy in sat[1:]:
            if occupancy["reason"] in _REASONS:
                change = (occupancy["at_ms"], occupancy["occupant"], occupancy["reason"])
                left.setdefault((seat, occupancy["since_period"], *change), []).append(occupancy)
    for row in rows:
        key = f"period {row['period']}, seat {row['seat']}"
        same = _same(group, row, left)
        if same is None:
            what = f"{key}: {row['event']} is not in seats"
            findings.tell("events", row["row"], what)
            continue
        policy = same["policy_id"]
        detail = {"detail": policy} if policy else {}
        findings.value("events", row["row"], "detail", _read(row["detail"]), detail, key)
    for occupancy in (one for several in left.values() for one in several):
        what = (
            f"missing: seat {occupancy['seat']} was left, before period {occupancy['since_period']}"
        )
        findings.tell("events", None, what)


def _same(group: Group, event: Row, left: Mapping[Any, list[Row]]) -> Row | None:
    """The row of `seats` that says what an event says, which is taken out of `left`."""
    if event["period"] == "" or not _within(group, event):
        return None
    who = (event["at_ms"], _OF_SEATS[event["event"]])
    for since in (event["period"], event["period"] + 1):
        for reason in _WHY[event["event"]]:
            if several := left.get((event["seat"], since, *who, reason)):
                return several.pop(0)
    return None


def _within(group: Group, event: Row) -> bool:
    """Does an event lie in its period, as far as both have times?"""
    period, at = group.rounds.get(event["period"]), event["at_ms"]
    if period is None or "" in (at, period["shown_ms"], period["settled_ms"]):
        return True
    first = group.talk_times(event["period"])[0] or period["shown_ms"]
    return bool(first <= at <= period["settled_ms"])


def _faults(group: Group, rows: list[Row], findings: Findings) -> None:
    """A fault of a policy is a default decision on its seat; the period being played has none."""
    seen: set[Any] = set()
    for row in rows:
        key = (row["period"], row["seat"])
        where = f"period {key[0]}, seat {key[1]}"
        decision = group.decisions.get(key)
        known = decision is not None and decision["decided_by"] == "default"
        known = known or key[0] == group.periods
        if not known or key in seen:
            what = f"{where}: policy_fault is there twice, or the policy decided"
            findings.tell("events", row["row"], what)
        seen.add(key)
        detail = _read(row["detail"])
        right = isinstance(detail, dict) and set(detail) == {"detail"}
        rule = "does not say what the fault was"
        findings.rule(right, "events", row["row"], "detail", row["detail"], rule, where)
        if decision is not None and group.timed:
            right = row["at_ms"] != "" and _may_begin(row["at_ms"], decision)
            findings.rule(
                right, "events", row["row"], "at_ms", row["at_ms"], "is another time", where
            )
    for key in _defaults(group):
        if key not in seen:
            where = f"period {key[0]}, seat {key[1]}"
            findings.tell("events", None, f"missing: {where}: policy_fault")


def _late(group: Group, rows: list[Row], findings: Findings) -> None:
    """An answer that was late is of a policy, once, and counts when it came."""
    seen: set[Any] = set()
    for row in rows:
        key = (row["period"], row["seat"])
        where = f"period {key[0]}, seat {key[1]}"
        decision = group.decisions.get(key)
        known = key[0] == group.periods or (decision is not None and decision["policy_id"])
        if not known or key in seen:
            findings.tell(
                "events", row["row"], f"{where}: policy_late is there twice, or no policy"
            )
        seen.add(key)
        right, rule = group.late[key] > 0, "does not say how late it was"
        findings.rule(right, "events", row["row"], "detail", row["detail"], rule, where)
        if decision is not None and group.timed:
            received = decision["received_ms"]
            findings.value("events", row["row"], "at_ms", row["at_ms"], received, where)


def _late_server(rows: list[Row], findings: Findings) -> None:
    """The server was late for all of the group, by so many seconds."""
    for row in rows:
        given, key = ("events", row["row"]), f"period {row['period']}, {LATE}"
        findings.value(*given, "seat", row["seat"], "", key)
        right = seconds_late(row["detail"]) is not None
        rule = "does not say by how many seconds the server was late"
        findings.rule(right, *given, "detail", row["detail"], rule, key)


def _may_begin(at: int, decision: Row) -> bool:
    """A policy is at fault when it begins: in the period, and no later than it decides."""
    return bool(decision["shown_ms"] <= at <= decision["received_ms"])


def _defaults(group: Group) -> Iterator[tuple[int, int]]:
    for key, row in group.decisions.items():
        if row["occupant"] == "policy" and row["decided_by"] == "default":
            yield key

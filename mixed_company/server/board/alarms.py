"""Alarms about problems that the manager should look at, worst first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mixed_company.server.keeping.writer import Trouble
from mixed_company.server.preflight.session import CARRIED

SILENT_MS = 15_000
"""Time without a response from a person's page after which the person counts as silent."""

IDLE_PERIODS = 2
"""Number of consecutive periods without a decision after which a person counts as idle."""

STUCK_MS = 120_000
"""Duration after which a period without a time limit counts as stuck."""

READING_S = 600
"""Time that a person can spend on one of the pages before the play without raising an alarm."""

QUIZ_TRIES = 4
"""Number of quiz attempts after which a person needs help."""

NEAR = 0.9
"""Alarm threshold, as a share of the number of people that a server was tested with."""

Row = dict[str, Any]


def alarms(
    groups: Sequence[Row], before: Sequence[Row], trouble: Trouble | None, now: float
) -> list[str]:
    """Return the alarms of all groups; `now` is a reading of `time.monotonic`, as in `trouble`."""
    listed = []
    if trouble is not None:
        since = now - trouble.since
        listed.append(f"Nothing has been saved for {since:.0f} s, still trying: {trouble.reason}")
    for group in groups:
        listed += _of_group(group)
    return listed + list(_before(before))


def late_server(late_ms: int, page_ms: int) -> list[str]:
    """Return alarms about the longest delays, in ms, of the loop and of pages in the last
    minute.
    """
    listed = []
    if late_ms:
        seconds = f"{late_ms / 1000:.1f} s late in the last minute"
        listed.append(f"The server was {seconds}: pages and decisions are delayed")
    if page_ms:
        waited = f"waited {page_ms / 1000:.1f} s for a page in the last minute"
        listed.append(f"A participant {waited}: do not admit anybody else")
    return listed


def near_limit(people: int) -> list[str]:
    """Return an alarm if the number of people playing in all sessions is close to a server's
    limit.
    """
    if people < NEAR * CARRIED:
        return []
    carried = f"this server, which has been tested with {CARRIED}"
    return [f"{people} people are playing on {carried}: do not admit anybody else"]


def agents_away(wanted: Iterable[str], connected: Mapping[str, int]) -> list[str]:
    """Return alarms about outside agents that have seats in the session but are not connected."""
    return [
        f"Agent {name} is not connected: its seats play the default action"
        for name in wanted
        if not connected.get(name, 0)
    ]


def over_budget(budget: float, paid: Iterable[float]) -> list[str]:
    """Return an alarm if the payments so far exceed the session's budget; a budget of 0 means that
    there is no budget.
    """
    total = sum(paid)
    if not budget or total <= budget:
        return []
    return [f"Payments so far are {total:.2f}, but the budget is {budget:g}"]


def _of_group(group: Row) -> Iterator[str]:
    name = group["name"]
    for seat in group["seats"]:
        yield from (f"{name}: {line}" for line in _faults(seat))
    if not group["started"] or group["paused"]:
        return
    silent = [seat["name"] for seat in group["seats"] if _is_silent(seat)]
    if silent:
        yield f"{name}: not responding: {', '.join(silent)}"
    for seat in group["seats"]:
        if _is_idle(seat) and seat["name"] not in silent:
            yield f"{name}: {seat['name']} has not decided for {seat['idle']} periods"
    waited = [seat["name"] for seat in group["seats"] if _is_waited_for(seat)]
    if group["left_ms"] is None and group["in_period_ms"] > STUCK_MS and waited:
        minutes = group["in_period_ms"] / 60_000
        yield f"{name}: stuck for {minutes:.0f} min, waiting for {', '.join(waited)}"


def _faults(seat: Row) -> Iterator[str]:
    """Yield alarms about policies that failed to talk, or failed to decide, in which case the
    default action was used. These alarms stay until play is over.
    """
    where = f"player {seat['seat'] + 1}"
    for fault, problem in (
        (seat["fault"], "did not decide"),
        (seat["talk_fault"], "could not talk"),
    ):
        if fault:
            when = f"period {fault['period'] + 1}"
            often = f" ({fault['times']} times)" if fault["times"] > 1 else ""
            yield f"{where}: {fault['policy']} {problem} in {when}{often}: {fault['detail']}"


def _is_silent(seat: Row) -> bool:
    plays = seat["occupant"] == "person" and not seat["parted"]
    return plays and (seat["silent_ms"] is None or seat["silent_ms"] > SILENT_MS)


def _is_idle(seat: Row) -> bool:
    return seat["occupant"] == "person" and int(seat["idle"]) >= IDLE_PERIODS


def _is_waited_for(seat: Row) -> bool:
    return seat["occupant"] == "person" and bool(seat["deciding"])


def _before(people: Iterable[Row]) -> Iterator[str]:
    for person in people:
        if person["quiz_tries"] >= QUIZ_TRIES:
            yield f"{person['name']}: {person['quiz_tries']} quiz attempts"
        elif person["page"] and person["since_s"] > READING_S:
            minutes = person["since_s"] / 60
            yield f"{person['name']}: on {person['page']} for {minutes:.0f} min"

"""What happens at a table by itself, and when: the next thing that is due.

vote       all people are there, or had the time to come: the vote on the rule begins
chosen     that is over (`table.voting`)
start      all people are there and their pages have counted down, or they had the time to come
say        a policy has written what it says (`table.talk`)
talk_over  the time for talk is over that the group has before a period
answer     a bot has thought
late       a policy that was asked elsewhere has taken too long
await      a person has not been heard of for the grace time, or has not come: dropout `pause`
takeover   the same where the others do not wait, or have waited
timeout    in a sequential play: the time of the seat whose turn it is is up
settle     the period is over: all have decided, or the time is up, and what was pressed in time is
           there (`table.lines`)
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from mixed_company.table import timing, voting
from mixed_company.table.answers import LATE_MS
from mixed_company.table.seating import Seat
from mixed_company.table.state import State
from mixed_company.table.talk.due import next_talk

__all__ = ["Due", "next_due"]


class Due(NamedTuple):
    """What is due at `at_ms`, and on which seat (-1: not on one of them)."""

    at_ms: int
    what: Literal[
        "vote",
        "chosen",
        "start",
        "say",
        "talk_over",
        "answer",
        "late",
        "await",
        "takeover",
        "timeout",
        "settle",
    ]
    seat: int = -1


def next_due(table: State) -> Due | None:
    """The next thing that happens by itself; at the same time, in the order of the docstring."""
    if table.paused_ms is not None:
        return None
    if voting.is_open(table):
        return Due(voting.closes_ms(table), "chosen")
    if voting.is_held(table):
        return Due(table.starts_ms, "vote")
    if table.started_ms is None:
        return Due(table.starts_ms, "start")
    due = [Due(*own) for own in next_talk(table)]
    if table.talking:
        return min(due, key=_order)
    if not table.waiting() and not table.options.by_clock:
        due.append(Due(max(decision.at_ms for decision in table.decided.values()), "settle"))
        return min(due, key=_order)
    due += [Due(decision.at_ms, "answer", seat) for seat, decision in table.answers.items()]
    due += _first_takeover(table)
    due += [Due(late_at(table, seat), "late", seat) for seat in table.pending]
    end, turn = table.closes_ms, table.episode.turn
    if end is not None:
        due.append(Due(end, "settle") if turn is None else Due(end, "timeout", turn))
    return min(due, key=_order, default=None)


def late_at(table: State, seat: int) -> int:
    """Until when a policy may answer that was asked elsewhere; an agent from outside has as long as
    a person, and where people have no limit, as long as one may not be heard of."""
    if table.seats[seat].agent is not None:
        begun, end = table.pending[seat], table.deadline_ms
        return begun + table.grace_ms if end is None else max(begun, end)
    return timing.answers_at(table.pending[seat], LATE_MS, table.deadline_ms)


_RANK = {
    "start": 0,
    "say": -1,
    "talk_over": 0,
    "answer": 0,
    "late": 0,
    "await": 1,
    "takeover": 1,
    "timeout": 2,
    "settle": 2,
}


def _order(due: Due) -> tuple[int, int, int]:
    return due.at_ms, _RANK[due.what], due.seat


def _first_takeover(table: State) -> list[Due]:
    """When the first seat of a person is taken from whom nothing more is heard."""
    absent = table.episode.absent
    taken = [
        (_taken_at(table, chair), chair.seat)
        for chair in table.seats
        if chair.occupant == "person" and chair.seat not in absent
    ]
    if not taken:
        return []
    time_ms, seat = min(taken)
    waits = table.options.dropout == "pause" and table.seats[seat].awaited_ms is None
    return [Due(time_ms, "await" if waits else "takeover", seat)]


def _taken_at(table: State, chair: Seat) -> int:
    if chair.awaited_ms is not None:
        return timing.takes_over_at(chair.awaited_ms, table.pause_ms, table.period_ms)
    since, patience = chair.last_seen_ms, table.grace_ms
    if since is None:
        since, patience = table.opened_ms, table.come_ms
    return timing.takes_over_at(since, patience, table.period_ms)

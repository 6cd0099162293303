"""Next scheduled event of a table.

vote       all people have come, or their time to come is over: the vote on the rule begins
chosen     the vote is over (`table.voting`)
start      all people have come and their pages have counted down, or their time to come is over
say        a policy has written its message (`table.talk`)
talk_over  the group's talk before a period has ended
answer     a bot's thinking time is over
late       a policy that was asked elsewhere has taken too long
await      a person has been silent for the grace time, or has not come: dropout `pause`
takeover   the same, if the others do not wait or are done waiting
timeout    in a sequential play: time is up for the seat whose turn it is
settle     the period is over: all have decided, or the time is up, including the wait for slow
           connections (`table.lines`)
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from mixed_company.table import timing, voting
from mixed_company.table.answers import LATE_MS
from mixed_company.table.seating import Seat
from mixed_company.table.state import State
from mixed_company.table.talk.due import next_talk


class Due(NamedTuple):
    """Event that is due at `at_ms`, and its seat (-1 if it concerns no seat)."""

    at_ms: int
    kind: Literal[
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
    """Return the next event; events at the same time come in the order of `_RANK`."""
    if table.paused_ms is not None:
        return None
    if table.started_ms is None:
        if not voting.is_held(table):
            return Due(table.starts_ms, "start")
        if voting.is_open(table):
            return Due(voting.closes_ms(table), "chosen")
        return Due(table.starts_ms, "vote")
    due = [] if table.talk is None else [Due(*event) for event in next_talk(table, table.talk)]
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
    """Return the deadline of a policy that was asked elsewhere.

    An outside agent has as much time as a person, or the grace time if people have no limit.
    """
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
    return due.at_ms, _RANK[due.kind], due.seat


def _first_takeover(table: State) -> list[Due]:
    """Return the first takeover, or wait, for a person who has been silent for too long."""
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

"""Next scheduled event of a table.

vote       everyone has arrived, or the time to arrive is up: the vote on the rule begins
chosen     the vote is over (`table.voting`)
start      everyone has arrived and the pages have counted down, or the time to arrive is up
say        a policy has written its message (`table.talk`)
talk_over  the group's talk before a period has ended
answer     a bot's thinking time is over
late       a policy that the table's host asked has taken too long
await      a person has not responded for the grace time, or has not arrived: dropout `pause`
takeover   as for `await`, if the others do not wait or are done waiting
timeout    in a sequential play: time is up for the seat whose turn it is
settle     the period is over: everyone has decided, or the time is up, including the wait for slow
           connections (`table.lines`)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from mixed_company.table import timing, voting
from mixed_company.table.answers import LATE_MS
from mixed_company.table.state import State
from mixed_company.table.talk.memory import Conversation

Kind = Literal[
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
_Event = tuple[int, int, int, Kind]
"""Time, rank, seat and kind of an event. Simultaneous events are ordered by rank, then by seat."""

_SAYS, _FIRST, _LEAVES, _LAST = range(-1, 3)


class Due(NamedTuple):
    """Event that is due at `at_ms`, with its seat (-1 if it concerns no seat)."""

    at_ms: int
    kind: Kind
    seat: int = -1


def next_due(table: State) -> Due | None:
    """Return the next event; None if nothing is scheduled."""
    if table.paused_ms is not None:
        return None
    if table.started_ms is None:
        if not voting.is_held(table):
            return Due(table.starts_ms, "start")
        if voting.is_open(table):
            return Due(voting.closes_ms(table), "chosen")
        return Due(table.starts_ms, "vote")
    due = _of_period(table) if table.talk is None else _with_talk(table, table.talk)
    if not due:
        return None
    at_ms, _, seat, kind = min(due)
    return Due(at_ms, kind, seat)


def _with_talk(table: State, talk: Conversation) -> list[_Event]:
    """Return the events of a table while people talk."""
    due: list[_Event] = [
        (at_ms, _SAYS if kind == "say" else _FIRST, seat, kind)
        for at_ms, kind, seat in next_talk(table, talk)
    ]
    return due if table.talking else due + _of_period(table)


def _of_period(table: State) -> list[_Event]:
    """Return the events of a period while its seats decide."""
    if not table.waiting() and not table.by_clock:
        last = max([decision.at_ms for decision in table.decided.values()])
        return [(last, _LAST, -1, "settle")]
    due: list[_Event] = [
        (decision.at_ms, _FIRST, seat, "answer") for seat, decision in table.answers.items()
    ]
    due += [(late_at(table, seat), _FIRST, seat, "late") for seat in table.pending]
    due += _first_takeover(table)
    end, turn = table.closes_ms, table.episode.turn
    if end is not None:
        due.append((end, _LAST, -1, "settle") if turn is None else (end, _LAST, turn, "timeout"))
    return due


def late_at(table: State, seat: int) -> int:
    """Return the deadline of a policy that the table's host has asked.

    An outside agent has as much time as a person, or the grace time if people have no limit.
    """
    if table.seats[seat].agent is not None:
        begun, end = table.pending[seat], table.deadline_ms
        return begun + table.grace_ms if end is None else max(begun, end)
    return timing.answers_at(table.pending[seat], LATE_MS, table.deadline_ms)


def _first_takeover(table: State) -> list[_Event]:
    """Return the first takeover or wait that becomes due because a person does not respond."""
    absent, taken = table.episode.absent, []
    for chair in table.seats:
        if chair.occupant != "person" or chair.seat in absent:
            continue
        since, patience = chair.awaited_ms, table.pause_ms
        if since is None:
            since, patience = chair.last_seen_ms, table.grace_ms
        if since is None:
            since, patience = table.opened_ms, table.come_ms
        taken.append((timing.takes_over_at(since, patience, table.period_ms), chair.seat))
    if not taken:
        return []
    time_ms, seat = min(taken)
    waits = table.options.dropout == "pause" and table.seats[seat].awaited_ms is None
    return [(time_ms, _LEAVES, seat, "await" if waits else "takeover")]


def next_talk(
    table: State, talk: Conversation
) -> Iterator[tuple[int, Literal["say", "talk_over"], int]]:
    """Yield (time, kind, seat) for each scheduled event; the seat is -1 if the event concerns no
    seat."""
    for seat, composed in talk.composed.items():
        yield composed.at_ms, "say", seat
    if talk.open_ms is not None:
        yield over_ms(table, talk, talk.open_ms), "talk_over", -1


def over_ms(table: State, talk: Conversation, open_ms: int) -> int:
    """Return when the talk phase is over.

    This is when its time is up, or earlier if all people, outside agents, and unlabelled bots are
    ready.
    """
    end = table.ends_ms or open_ms
    people = [chair.seat for chair in table.seats if chair.occupant == "person" or chair.agent]
    if any(seat not in talk.done and not table.parted(seat) for seat in people):
        return end
    ready = [time_ms for seat, time_ms in talk.ready.items() if not table.out(seat)]
    return min(end, max([open_ms, *talk.done.values(), *ready]))

"""Effects of the manager's directives on a table (`table.directives`).

Each directive is logged as a `manager` entry in the journal, so its effects can be recomputed. For
exports it is also an event: `handed`, `given_back`, `paused`, `resumed`, `extended`, `ended`,
`released`, `excluded`, `message`.

A person whose seat was handed to a policy is asked to confirm being present, and sends `back`. A
skipped person gets the seat back in the next period if the page is open. If a stand-in has the
seat, an open page is not enough: the person must send `back`, or the manager must give the seat
back. If policies have all the seats, they keep playing among themselves.

While a group votes on the rule of its play, a skipped person abstains.

While a table is paused, its clock is stopped (`State.clock_ms`). No time passes for anyone, and all
times in the play are as if there had been no pause.
"""

from __future__ import annotations

from collections.abc import Callable

from mixed_company.table import settling, timing, voting
from mixed_company.table.directives import Directive
from mixed_company.table.seating import successor
from mixed_company.table.state import State
from mixed_company.table.writing import log_event


def why_not(table: State, directive: Directive) -> str | None:
    """Return why a directive is refused, as a sentence for the manager, or None if it is valid."""
    if table.over:
        return "this group's play is over"
    if directive.seat is not None:
        return _why_not_seat(table, directive.kind, directive.seat)
    if directive.kind == "pause" and table.paused_ms is not None:
        return "the group is already paused"
    if directive.kind == "go_on" and table.paused_ms is None:
        return "the group is not paused"
    if directive.kind == "extend" and table.started_ms is None:
        return "the game has not started yet"
    if directive.kind == "extend" and table.talking:
        return "the group is talking; time can be added once it decides"
    if directive.kind == "extend" and table.limit_ms is None:
        return "decisions have no time limit in this session"
    return None


def _why_not_seat(table: State, kind: str, seat: int) -> str | None:
    if seat not in table.people:
        return f"seat {seat} is not a person's seat"
    chair = table.seats[seat]
    if table.parted(seat):
        return "this person's part is over"
    if kind == "skip" and voting.is_open(table):
        return "this person has already voted" if voting.has_voted(table, seat) else None
    if kind in ("skip", "stand_in", "release", "exclude") and table.started_ms is None:
        return "the game has not started yet"
    if kind in ("skip", "stand_in") and chair.occupant != "person":
        return "a stand-in already has this seat"
    if kind == "skip" and table.talking:
        return "the group is talking and will not wait for this person afterwards"
    if kind == "skip" and seat in table.decided:
        return "this person has already decided"
    if kind == "skip" and (table.by_clock or table.episode.turn not in (None, seat)):
        return "nobody waits for this person"
    if kind == "give_back" and not chair.held:
        return "this seat was not handed to a stand-in"
    return None


def follow(table: State, directive: Directive, time_ms: int) -> None:
    """Carry out an accepted directive."""
    _FOLLOWS[directive.kind](table, directive, time_ms)


def _skip(table: State, directive: Directive, time_ms: int) -> None:
    """Skip a person, who gets the seat back in the next period if the page is open.

    In a vote on the rule of the play, the person abstains for now but can still choose.
    """
    if voting.is_open(table):
        voting.abstain(table, int(directive.seat or 0), time_ms)
        return
    chair = table.seats[int(directive.seat or 0)]
    present = chair.last_seen_ms is not None and not timing.is_silence(chair.last_seen_ms, time_ms)
    _hand_over(table, chair.seat, time_ms)
    chair.called, chair.returning = True, present


def _stand_in(table: State, directive: Directive, time_ms: int) -> None:
    chair = table.seats[int(directive.seat or 0)]
    _hand_over(table, chair.seat, time_ms)
    chair.called = chair.held = True


def _hand_over(table: State, seat: int, time_ms: int) -> None:
    options, chair = table.options, table.seats[seat]
    _, policy = successor("bot", options.dropout_bot, options.bot_list)
    waiting = seat not in table.decided
    settling.replace_person(table, chair, ("policy", policy), time_ms, "handed")
    chair.handed = True
    log_event(table, "handed", time_ms, seat=seat, detail=policy)
    settling.sit_down(table, chair, time_ms, waiting)


def _give_back(table: State, directive: Directive, time_ms: int) -> None:
    seat = int(directive.seat or 0)
    table.seats[seat].called = table.seats[seat].held = False
    log_event(table, "given_back", time_ms, seat=seat)


def _pause(table: State, _directive: Directive, time_ms: int) -> None:
    table.paused_ms = time_ms
    log_event(table, "paused", time_ms)


def _go_on(table: State, directive: Directive, time_ms: int) -> None:
    table.paused_ms = None
    table.stood_ms += directive.ms
    log_event(table, "resumed", time_ms, stood_ms=directive.ms)
    settling.begin_with_all(table, time_ms)


def _extend(table: State, directive: Directive, time_ms: int) -> None:
    table.extensions.append((time_ms, directive.ms))
    turn = table.episode.turn
    whose = {} if turn is None else {"seat": turn}
    log_event(table, "extended", time_ms, **whose, extra_ms=directive.ms)


def _end(table: State, _directive: Directive, time_ms: int) -> None:
    settling.end(table, time_ms)


def _release(table: State, directive: Directive, time_ms: int) -> None:
    """End a person's part. If no people are left, the play ends."""
    seat = int(directive.seat or 0)
    chair = table.seats[seat]
    if chair.occupant == "person":
        _hand_over(table, seat, time_ms)
    chair.called, chair.held, chair.returning, chair.released = False, False, False, True
    log_event(table, "released", time_ms, seat=seat)
    if all(table.parted(other) for other in table.people):
        settling.end(table, time_ms)


def _exclude(table: State, directive: Directive, time_ms: int) -> None:
    """End a person's part without pay, and bar the person from the session."""
    seat = int(directive.seat or 0)
    table.seats[seat].excluded = True
    log_event(table, "excluded", time_ms, seat=seat)
    _release(table, directive, time_ms)


def _message(table: State, directive: Directive, time_ms: int) -> None:
    seats = table.people if directive.seat is None else [directive.seat]
    for seat in seats:
        table.seats[seat].note = {"id": directive.id, "text": directive.text}
    whose = {} if directive.seat is None else {"seat": directive.seat}
    log_event(table, "message", time_ms, **whose, text=directive.text)


_FOLLOWS: dict[str, Callable[[State, Directive, int], None]] = {
    "skip": _skip,
    "stand_in": _stand_in,
    "give_back": _give_back,
    "pause": _pause,
    "go_on": _go_on,
    "extend": _extend,
    "end": _end,
    "release": _release,
    "exclude": _exclude,
    "message": _message,
}

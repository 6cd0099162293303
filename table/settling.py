"""What becomes of a table when something is due: a period begins, seats decide, a period is over.

Every function says when it takes place (`at`, milliseconds), and writes it into the log.
"""

from __future__ import annotations

from typing import Any

from engine.play.decision import By, Decision
from engine.play.period import Period
from table import journal
from table.answers import answer
from table.due import Due
from table.seating import Occupancy, Seat, successor
from table.state import LastPeriod, State

__all__ = ["begin", "decide", "enter_policy", "happen", "log", "log_seat"]


def happen(table: State, due: Due) -> None:
    """What is due takes place, at its own time."""
    if due.what == "start":
        begin(table, due.at_ms)
    elif due.what == "takeover":
        _take_over(table, due.seat, due.at_ms)
    elif due.what == "answer":
        decide(table, due.seat, table.answers.pop(due.seat))
    elif due.what == "timeout":
        decide(table, due.seat, _silent(table, due.seat, due.at_ms))
    else:
        _settle(table, due.at_ms)


# -- a period begins --------------------------------------------------------------------------


def begin(table: State, at: int) -> None:
    """A period begins: people who came back take their seats, bots start to think."""
    table.started_ms = at if table.started_ms is None else table.started_ms
    table.period_ms, table.turn_ms, table.decided, table.answers = at, at, {}, {}
    for chair in table.seats:
        if chair.returning:
            log_seat(table, at, chair.take("person", None, table.episode.period, "returned"))
        if table.episode.turn is None:
            _open(table, chair, at)
    if table.episode.turn is not None:
        _open_turn(table, at)


def _open(table: State, chair: Seat, at: int) -> None:
    """A seat is to decide: a bot begins to think, a seat that is out has decided."""
    if table.out(chair.seat):
        decide(table, chair.seat, _silent(table, chair.seat, at))
    elif chair.occupant == "policy":
        _think(table, chair, at)


def _open_turn(table: State, at: int) -> None:
    """In a sequential play: the next seat decides."""
    table.turn_ms = at
    _open(table, table.seats[int(table.episode.turn or 0)], at)


def _think(table: State, chair: Seat, at: int) -> None:
    """The policy on a seat decides now and answers after its thinking time."""
    decision, fault = answer(table.setup, table.episode, chair, at, table.deadline_ms)
    if fault:
        _event(table, "policy_fault", at, seat=chair.seat, detail=fault)
    table.answers[chair.seat] = decision


# -- a seat decides ---------------------------------------------------------------------------


def decide(table: State, seat: int, decision: Decision) -> None:
    """A seat's decision counts; in a sequential play the next one follows at once."""
    table.decided[seat] = decision
    if table.episode.turn is None:
        return
    leaving = table.seats[seat].occupant == "nobody"
    period = table.episode.decide(seat, decision.action, leaving=leaving)
    if period is None:
        _open_turn(table, decision.at_ms)
    else:
        _settled(table, period, decision.at_ms)


def _silent(table: State, seat: int, at: int) -> Decision:
    """The decision of a seat that does not decide: the game's default."""
    by: By = "absent" if table.out(seat) else "default"
    return Decision(table.episode.allowed(seat).default_action(), by, at)


def _take_over(table: State, seat: int, at: int) -> None:
    """The person has left: a policy sits down, or the seat is out of the play."""
    chair, options = table.seats[seat], table.options
    waiting = seat not in table.decided
    chair.gaps += 1
    chair.last_seen_ms = None
    since = table.episode.period + (0 if waiting else 1)
    occupant, policy = successor(options.dropout, options.dropout_bot, options.bot_list)
    log_seat(table, at, chair.take(occupant, policy, since, "dropout"))
    if policy is None:
        _event(table, "left", at, seat=seat)
    else:
        _event(table, "takeover", at, seat=seat, detail=policy)
        enter_policy(table, chair)
    if waiting and table.episode.turn in (None, seat):
        _open(table, chair, at)


def enter_policy(table: State, chair: Seat) -> None:
    """The policy on a seat begins with nothing to remember."""
    if chair.occupant == "policy":
        chair.memory = table.setup.policy(str(chair.policy_id)).start()


# -- a period is over -------------------------------------------------------------------------


def _settle(table: State, at: int) -> None:
    """The period is over: everybody's actions go to the engine, defaults for the silent."""
    for seat in table.waiting():
        table.decided[seat] = _silent(table, seat, at)
    absent = table.episode.absent
    gone = [seat for seat, decision in table.decided.items() if decision.by == "absent"]
    leaving = [seat for seat in sorted(gone) if seat not in absent]
    _settled(table, table.episode.step(_sent(table), leaving), at)


def _sent(table: State) -> dict[str, list[Any]]:
    return {
        field.name: [table.decided[chair.seat].action[field.name] for chair in table.seats]
        for field in table.game.declaration.actions
    }


def _settled(table: State, period: Period, at: int) -> None:
    """A period has been played: write it down, and begin the next one."""
    for seat in period.absent:
        table.decided.setdefault(seat, _silent(table, seat, at))
    decisions = [table.decided[chair.seat] for chair in table.seats]
    for chair, decision, reward in zip(
        table.seats, decisions, period.rewards.tolist(), strict=True
    ):
        chair.earn(decision, reward)
    line = {**journal.period(table.game, period), "sent": _sent(table)}
    by = [decision.answered for decision in decisions]
    table.last = LastPeriod(line["rewards"], line["components"], line["used"], list(by))
    seats = [decision.to_json() for decision in decisions]
    log(table, "period", at, **line, shown_ms=table.period_ms, seats=seats)
    for event in period.events:
        log(table, "event", at, period=period.number, **event)
    if period.done:
        _event(table, "ending", at, detail=str(period.reason))
        table.decided, table.answers = {}, {}
    else:
        begin(table, at)


# -- the log ----------------------------------------------------------------------------------


def log(table: State, kind: str, at: int, **content: Any) -> None:
    """Write an entry into the log (`table.journal` says which there are)."""
    table.rows.append({"kind": kind, "at_ms": at, **content})


def log_seat(table: State, at: int, occupancy: Occupancy) -> None:
    """Somebody sits down."""
    log(table, "seat", at, **occupancy.to_json())


def _event(table: State, event: str, at: int, **content: Any) -> None:
    log(table, "event", at, period=table.episode.period, event=event, **content)

"""Effects of due events: a period begins, seats decide, a period ends.

Every function is passed the time at which it takes effect (`time_ms`) and logs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from mixed_company.engine.contract.space import Field
from mixed_company.engine.play.period import By, Decision, Occupant, Period
from mixed_company.policies.policy import Answer
from mixed_company.table import answers, awaiting, lines, replying, voting
from mixed_company.table.due import Due
from mixed_company.table.seating import Seat, successor
from mixed_company.table.state import LastPeriod, State
from mixed_company.table.talk import talking
from mixed_company.table.thinking import RECENT
from mixed_company.table.writing import log, log_event, log_seat, log_sightings, period_entry

__all__ = ["begin", "begin_with_all", "decide", "end", "enter_policy", "happen"]
__all__ += ["replace_person", "sit_down", "take_answer"]


def happen(table: State, due: Due) -> None:
    """Carry out a due event, at its own time."""
    if due.kind == "start":
        begin(table, due.at_ms)
    elif due.kind == "say":
        talking.utter(table, due.seat, due.at_ms)
    elif due.kind == "talk_over":
        talking.close(table, due.at_ms)
        (begin if table.episode.at_first_stage else _open_stage)(table, due.at_ms)
    elif due.kind == "vote":
        voting.begin(table, due.at_ms)
    elif due.kind == "chosen":
        voting.close(table, due.at_ms)
    elif due.kind == "late":
        chair, waited = table.seats[due.seat], due.at_ms - table.pending[due.seat]
        take_answer(table, chair, answers.late(table.episode, chair, waited), due.at_ms)
    elif due.kind == "await":
        awaiting.await_person(table, due.seat, due.at_ms)
    elif due.kind == "takeover":
        _take_over(table, due.seat, due.at_ms)
    elif due.kind == "answer":
        for seat in _answering(table, due):
            decide(table, seat, table.answers.pop(seat))
    elif due.kind == "timeout":
        decide(table, due.seat, _default_decision(table, due.seat, due.at_ms))
    else:
        _settle(table, due.at_ms)


# -- a period begins --------------------------------------------------------------------------


def begin_with_all(table: State, time_ms: int) -> None:
    """Begin the play once everyone has arrived, unless it has already begun.

    Before that, their pages count down, or they vote on the rule (`table.voting`). The play begins
    no later than it would with people missing.
    """
    people = [chair for chair in table.seats if chair.occupant == "person"]
    here = all(chair.last_seen_ms is not None for chair in people)
    if table.started_ms is not None or table.paused_ms is not None or not here:
        return
    if voting.is_held(table):
        voting.begin(table, time_ms)
        return
    if table.ready_ms is None:
        table.ready_ms = max(
            time_ms, min(time_ms + table.countdown_ms, table.opened_ms + table.come_ms)
        )
    if time_ms >= table.ready_ms:
        begin(table, time_ms)


def begin(table: State, time_ms: int) -> None:
    """Begin a period: people who came back get their seats, and bots start to think.

    If the group talks before the period, the talk comes first.
    """
    table.started_ms = time_ms if table.started_ms is None else table.started_ms
    if table.talk is not None and talking.begin(table, time_ms):
        return
    table.period_ms, table.turn_ms = time_ms, time_ms
    table.decided, table.answers, table.pending, table.extensions = {}, {}, {}, []
    table.earlier, table.taken = {}, [*table.taken[-RECENT:], {}]
    if table.episode.turn is None and table.options.dropout == "pause":
        awaiting.await_still(table, time_ms)
    answered = _answered_together(table) if table.episode.turn is None else {}
    for chair in table.seats:
        if chair.returning:
            log_seat(table, time_ms, chair.take("person", None, table.episode.period, "returned"))
        if chair.agent is not None and 0 < table.options.agent_misses <= chair.missed:
            _replace_agent(table, chair, time_ms)
        if table.episode.turn is None:
            _begin_decision(table, chair, time_ms, answered.get(chair.seat) if answered else None)
    if table.episode.turn is not None:
        _open_turn(table, time_ms)


def _begin_stage(table: State, period: Period, time_ms: int) -> None:
    """Begin a later stage of a period, in which everyone sees the results of the previous stage."""
    _fill_in(table, period, time_ms)
    episode = table.episode
    log(table, "stage", time_ms, period=episode.period, stage=episode.stage, after=period.stage)
    table.earlier = table.decided
    if table.talk is None or not talking.begin(table, time_ms):
        _open_stage(table, time_ms)


def _open_stage(table: State, time_ms: int) -> None:
    """Let everyone decide at a later stage of a period."""
    table.stage_ms, table.turn_ms = time_ms, time_ms
    table.decided, table.answers, table.pending, table.extensions = {}, {}, {}, []
    table.taken_later = [*table.taken_later[-RECENT:], {}]
    if table.options.dropout == "pause":
        awaiting.await_still(table, time_ms)
    answered = _answered_together(table)
    for chair in table.seats:
        _begin_decision(table, chair, time_ms, answered.get(chair.seat))


def _answered_together(table: State) -> dict[int, Answer]:
    """Return the answers of policies with several seats; none in a replay or if there is talk."""
    if table.talk is not None or table.recalled is not None:
        return {}
    chairs = [
        chair
        for chair in table.seats
        if chair.occupant == "policy" and chair.agent is None and not chair.returning
        if chair.seat not in table.episode.absent
        if not (table.apart and table.thinks_apart(chair.seat))
    ]
    return answers.together(table.setup, table.episode, chairs) if len(chairs) > 1 else {}


def _begin_decision(
    table: State, chair: Seat, time_ms: int, answered: Answer | None = None
) -> None:
    """Apply the latest measurement of the seat's connection, and let the seat decide."""
    if chair.line_ms or chair.waits_ms:
        lines.hold(table, chair, time_ms)
    _open(table, chair, time_ms, answered)


def _open(table: State, chair: Seat, time_ms: int, answered: Answer | None = None) -> None:
    """Let a seat decide: a bot begins to think, and an eliminated seat gets the default.

    `answered` is the answer of the seat's policy; if it is None, the policy is asked now.
    """
    if table.out(chair.seat):
        decide(table, chair.seat, _default_decision(table, chair.seat, time_ms))
    elif answered is not None:
        _schedule(table, chair, answered, time_ms, time_ms)
    elif chair.occupant == "policy":
        _ask_policy(table, chair, time_ms)


def _open_turn(table: State, time_ms: int) -> None:
    """Begin the next seat's turn in a sequential play."""
    table.turn_ms, table.extensions = time_ms, []
    if table.options.dropout == "pause":
        awaiting.await_still(table, time_ms)
    _begin_decision(table, table.seats[int(table.episode.turn or 0)], time_ms)


def _ask_policy(table: State, chair: Seat, time_ms: int) -> None:
    """Ask the policy in a seat, here or through the table's host."""
    if (table.apart or table.recalled is not None) and _is_asked_apart(table, chair):
        table.pending[chair.seat] = time_ms
        content = {"seat": chair.seat, "period": table.episode.period}
        log(table, "asked", time_ms, **content, **_at_stage(table))
    else:
        talk = None if table.talk is None else talking.heard(table, chair.seat)
        answered = answers.answer(table.setup, table.episode, chair, table.recalled, talk)
        _schedule(table, chair, answered, time_ms, time_ms)


def _is_asked_apart(table: State, chair: Seat) -> bool:
    """Return whether the table's host asks the policy; a replay follows the journal."""
    recalled = table.recalled
    if recalled is not None and len(table.rows) < recalled.entries:
        return answers.place(table.episode, chair.seat) in recalled.apart
    return table.thinks_apart(chair.seat)


def _at_stage(table: State) -> dict[str, str]:
    """Return the stage field of a journal entry; empty at the first stage."""
    return {} if table.episode.at_first_stage else {"stage": table.episode.stage}


def take_answer(
    table: State, chair: Seat, answered: Answer, time_ms: int, message: str | None = None
) -> None:
    """Accept a pending policy's answer, or the default after its time limit."""
    begun = table.pending.pop(chair.seat)
    content = {"action": dict(answered.action), "memory": answered.memory, "fault": answered.fault}
    if message is not None:
        content["id"] = message
        chair.remember(message, table.episode.period)
    chair.missed = chair.missed + 1 if answered.fault and chair.agent is not None else 0
    log(table, "answer", time_ms, seat=chair.seat, period=table.episode.period, **content)
    _schedule(table, chair, answered, begun, time_ms)


def _schedule(table: State, chair: Seat, answered: Answer, begun: int, time_ms: int) -> None:
    """Schedule the decision that follows from an answer at `time_ms`.

    The decision takes effect when the policy, which began at `begun`, has finished thinking.
    """
    end = table.deadline_at(begun)
    points = [rewards[chair.seat] for rewards in table.earned]
    arguments = table.setup, table.episode, chair, answered, begun, end
    decision = answers.decision(*arguments, table.times[:-1], points)
    if table.recalled is not None:
        decision = table.recalled.decided(decision, answers.place(table.episode, chair.seat))
    if answered.fault:
        chair.fail(table.episode.period, answered.fault)
        fault = {"seat": chair.seat, "detail": answered.fault, **_at_stage(table)}
        log_event(table, "policy_fault", time_ms, **fault)
    if time_ms > decision.at_ms:
        log_event(table, "policy_late", time_ms, seat=chair.seat, late_ms=time_ms - decision.at_ms)
        decision = replace(decision, at_ms=time_ms)
    table.answers[chair.seat] = decision


# -- a seat decides ---------------------------------------------------------------------------


def decide(table: State, seat: int, decision: Decision) -> None:
    """Record the decision of a seat. In a sequential play, the next turn begins immediately."""
    table.decided[seat] = decision
    if decision.by == "person" and not table.by_clock:
        table.times[-1][seat] = decision.at_ms - table.turn_ms
    if table.episode.turn is None:
        return
    leaving = table.seats[seat].occupant == "nobody" and table.episode.at_first_stage
    period = table.episode.decide(seat, decision.action, leaving=leaving)
    if period is None:
        _open_turn(table, decision.at_ms)
    else:
        _close(table, period, decision.at_ms)


def _answering(table: State, due: Due) -> list[int]:
    """Return the seats of policies whose decisions take effect when an answer arrives."""
    if table.episode.turn is not None or table.pending or table.talk is not None:
        return [due.seat]
    return sorted([seat for seat in table.answers if table.answers[seat].at_ms == due.at_ms])


def _default_decision(table: State, seat: int, time_ms: int) -> Decision:
    """Return the game's default as the decision of a seat that has not decided."""
    by: By = "absent" if table.out(seat) else "default"
    return Decision(table.episode.allowed(seat).default_action(), by, time_ms)


def _take_over(table: State, seat: int, time_ms: int) -> None:
    """Replace a person who has left, remove the seat from the play, or end the play."""
    log_sightings(table)  # before last_seen_ms is cleared
    chair, options = table.seats[seat], table.options
    waiting = seat not in table.decided
    chair.gaps += chair.awaited_ms is None
    chair.last_seen_ms = None
    occupant, policy = successor(options.dropout, options.dropout_bot, options.bot_list)
    replace_person(table, chair, (occupant, policy), time_ms, "dropout")
    if policy is None:
        log_event(table, "left", time_ms, seat=seat)
    else:
        log_event(table, "takeover", time_ms, seat=seat, detail=policy)
    if options.dropout == "end":
        end(table, time_ms, seat=seat)
    else:
        sit_down(table, chair, time_ms, waiting)


def _replace_agent(table: State, chair: Seat, time_ms: int) -> None:
    """Replace an outside agent that has missed too many periods with a policy."""
    options = table.options
    follower = successor("bot", options.dropout_bot, options.bot_list)
    log_seat(table, time_ms, chair.take(*follower, table.episode.period, "missed"))
    log_event(table, "takeover", time_ms, seat=chair.seat, detail=follower[1])
    enter_policy(table, chair)


def end(table: State, time_ms: int, **whose: int) -> None:
    """End the play before its rules would; `whose` has the `seat` of the person who caused it."""
    table.ended_ms = time_ms  # during a pause the clock is stopped
    table.decided, table.answers, table.pending = {}, {}, {}
    talking.stop(table)
    log_event(table, "ended", time_ms, **whose)


def replace_person(
    table: State, chair: Seat, follower: tuple[Occupant, str | None], time_ms: int, why: str
) -> None:
    """Give a person's seat to another occupant, or to nobody; a decision already made still
    counts."""
    since = table.episode.period + (chair.seat in table.decided)
    log_seat(table, time_ms, chair.take(*follower, since, why))


def sit_down(table: State, chair: Seat, time_ms: int, waiting: bool) -> None:
    """Let the new occupant of a person's seat decide now, if `waiting`."""
    enter_policy(table, chair)
    if table.talking:
        talking.join(table, chair.seat, time_ms)
    elif waiting and table.episode.turn in (None, chair.seat):
        _open(table, chair, time_ms)


def enter_policy(table: State, chair: Seat) -> None:
    """Give the policy in a seat an empty memory."""
    if chair.occupant == "policy":
        chair.memory = table.setup.policy(str(chair.policy_id)).start()


# -- a period is over -------------------------------------------------------------------------


def _settle(table: State, time_ms: int) -> None:
    """End the period, with defaults for the seats that have not decided."""
    for seat in table.waiting():
        table.decided[seat] = _default_decision(table, seat, time_ms)
    gone = {seat for seat, decision in table.decided.items() if decision.by == "absent"}
    first = table.episode.at_first_stage  # at a later stage, they leave when the next period begins
    leaving = sorted(gone.difference(table.episode.absent)) if gone and first else []
    sent = _sent(table, table.decided, table.episode.fields)
    _close(table, table.episode.step(sent, leaving), time_ms)


def _sent(
    table: State, decided: Mapping[int, Decision], fields: Iterable[Field]
) -> dict[str, list[Any]]:
    return {
        field.name: [decided[chair.seat].action[field.name] for chair in table.seats]
        for field in fields
    }


def _close(table: State, period: Period, time_ms: int) -> None:
    """Continue after a stage of a period, with the next stage or the next period."""
    if period.settled:
        _close_period(table, period, time_ms)
    else:
        _begin_stage(table, period, time_ms)


def _fill_in(table: State, period: Period, time_ms: int) -> None:
    """Record the default action for the seats that took no part in a stage."""
    for seat in period.absent:
        action = table.episode.allowed(seat).default_action(whole=True)
        table.decided.setdefault(seat, Decision(action, "absent", time_ms))


def _by_stage(table: State) -> tuple[list[Decision], dict[str, list[Any]], dict[str, Any]]:
    """Return the first stage's decisions by seat, the actions sent, and the log fields for a later
    stage.
    """
    last = [table.decided[chair.seat] for chair in table.seats]
    actions = table.game.declaration.actions
    if not table.earlier:
        return last, _sent(table, table.decided, actions), {}
    early = [field for field in actions if not field.stage]
    late = [field for field in actions if field.stage]
    sent = _sent(table, table.earlier, early) | _sent(table, table.decided, late)
    later = {"later_ms": table.stage_ms, "later": [decision.to_json() for decision in last]}
    later["stage"] = table.game.stages.names[late[0].stage]
    return [table.earlier[chair.seat] for chair in table.seats], sent, later


def _close_period(table: State, period: Period, time_ms: int) -> None:
    """Log a period that has been played, and begin the next one."""
    _fill_in(table, period, time_ms)
    decisions, sent, later = _by_stage(table)
    seats = [decision.to_json() for decision in decisions]
    for chair, seat, reward in zip(table.seats, seats, period.rewards.tolist(), strict=True):
        chair.earn(seat["occupant"], seat["by"], reward)
    line = {**period_entry(table.episode, period, sent), **later}
    # a default used after a policy error counts as the policy's
    by: list[str] = ["policy" if decision.policy_id else decision.by for decision in decisions]
    table.earned = [*table.earned[-1:], line["rewards"]]
    table.last = LastPeriod(line["rewards"], line["components"], line["used"], by)
    log(table, "period", time_ms, **line, shown_ms=table.period_ms, seats=seats)
    if table.options.questions:
        replying.settle(table, line, [seat["occupant"] for seat in seats])
    for event in period.events:
        log(table, "event", time_ms, period=period.number, **event)
    if period.done:
        log_event(table, "ending", time_ms, detail=str(period.reason))
        talking.stop(table)
        table.decided, table.answers, table.pending, table.earlier = {}, {}, {}, {}
    elif table.episode.period == table.most_periods:
        end(table, time_ms)
    else:
        begin(table, time_ms)

"""Talk as it happens at a table; `time_ms` and `now` are milliseconds on its clock.

During a talk phase before a period, or before its second stage, nobody decides, the decision
time does not run, and no policy takes over a seat. It is over when its time is up, or when all
people are ready to go on and no unlabelled bot is still writing.

In the journal: `message`, `report` and `done`; events `talk` and `talk_over`, and `talk_done` for
the seat whose person is ready. The `talk_fault` event means that a policy failed to send a message.
"""

from __future__ import annotations

from functools import partial

from mixed_company.language import gettext as _
from mixed_company.policies.policy import BUDGET_SECONDS, PATIENCE_SECONDS
from mixed_company.policies.talk import Talk
from mixed_company.table.journal import Entry
from mixed_company.table.protocol import Ack, Message, Refusal
from mixed_company.table.seating import Seat
from mixed_company.table.state import State
from mixed_company.table.talk import voices
from mixed_company.table.talk.among import can_write, readers
from mixed_company.table.talk.checking import is_too_often, why_not_to, words_of
from mixed_company.table.talk.memory import Composed, Conversation, Utterance
from mixed_company.table.talk.parsing import Content
from mixed_company.table.talk.wording import is_blocked
from mixed_company.table.writing import log, log_event, log_seat


def heard(table: State, seat: int) -> Talk | None:
    """Return the talk as the policy in a seat sees it; None if there is no talk."""
    if table.talk is None:
        return None
    return voices.talk_of(
        table.talk.messages, table.game, table.options, seat, table.episode.period
    )


# -- a talk phase -------------------------------------------------------------------------------


def begin(table: State, time_ms: int) -> bool:
    """Ask policies for their messages before a stage, and return whether the group talks first."""
    talk, options, period = table.talk, table.options, table.episode.period
    if talk is None or talk.period == period or (options.talk_when == "before" and period > 0):
        return False
    if (options.talk_when == "stages") == table.episode.at_first_stage:
        return False
    talk.period, talk.since_ms = period, time_ms
    if not options.talk_apart:
        _ask_all(table, talk, time_ms)
        return False
    talk.open_ms, talk.done, talk.ready = time_ms, {}, {}
    table.decided, table.answers, table.pending, table.extensions = {}, {}, {}, []
    log_event(table, "talk", time_ms)
    for chair in table.seats:
        if chair.returning and table.episode.at_first_stage:
            log_seat(table, time_ms, chair.take("person", None, period, "returned"))
    _ask_all(table, talk, time_ms)
    return True


def close(table: State, time_ms: int) -> None:
    """End the talk phase, without sending messages that policies are still writing."""
    talk = _of(table)
    talk.open_ms, talk.composed, talk.ready = None, {}, {}
    log_event(table, "talk_over", time_ms)


def stop(table: State) -> None:
    """End the talk because the play is over."""
    if table.talk is not None:
        table.talk.open_ms, table.talk.composed, table.talk.ready = None, {}, {}


def is_open(table: State, time_ms: int) -> bool:
    """Return whether messages can currently be sent."""
    talk, options = table.talk, table.options
    if talk is None or table.over or table.started_ms is None or table.paused_ms is not None:
        return False
    if options.talk_apart:
        return talk.open_ms is not None
    return not options.talk_seconds or time_ms < talk.since_ms + round(1000 * options.talk_seconds)


# -- people -------------------------------------------------------------------------------------


def say(table: State, seat: int, message: Message, now: int) -> Ack | Refusal:
    """Handle a message from a person. Return an ack once it has reached the others, or a refusal. A
    blocked message is refused, but kept in the data.
    """
    talk, period = table.talk, table.episode.period
    if talk is None or message.talk is None:
        return Refusal(_("players cannot write messages in this game"), message.id, period)
    number = talk.ids.get(seat, {}).get(message.id)
    if number is None:
        content = message.talk
        reason = _why_not(table, talk, seat, content.to, now)
        if reason is not None:
            return Refusal(reason, message.id, period)
        words = words_of(table.options, content.text, content.sentence)
        if isinstance(words, str):
            return Refusal(words, message.id, period)
        number = _write(table, talk, Composed(now, *words, content.to), seat, id=message.id).number
        talk.remember(seat, message.id, number)
    if talk.messages[number].blocked:
        reason = _("the message contains a word that is not allowed here; nobody has received it")
        return Refusal(reason, message.id, period)
    return Ack(message.id, period)


def _why_not(table: State, talk: Conversation, seat: int, to: int | None, now: int) -> str | None:
    if table.parted(seat):
        return _("the game is over")
    if table.paused_ms is not None:
        return _("the game is paused")
    if table.started_ms is None:
        return _("the game has not started yet")
    if not is_open(table, now):
        return _("nobody can write messages right now")
    if table.seats[seat].occupant == "policy" and table.seats[seat].agent is None:
        return _("a stand-in is deciding for you; you can write again once you decide for yourself")
    reason = why_not_to(table.game, table.options, seat, to)
    if reason is None and to is not None and table.out(to):
        return _("Player {n} is no longer in the game").format(n=to + 1)
    if reason is None and is_too_often(talk.messages, table.options, seat, now):
        return _("you have sent many messages; please wait a moment before you send another")
    return reason


def message_of(entry: Entry) -> Message:
    """Return the person's message that is recorded in a journal entry."""
    if entry["kind"] == "report":
        return Message("report", entry["id"], talk=Content(number=entry["message"]))
    if entry["kind"] == "done":
        return Message("done", entry["id"], entry["period"], talk=Content())
    content = Content(None, entry["sentence"], entry["to"])
    if entry["sentence"] is None:
        content = Content(entry["text"], None, entry["to"])
    return Message("say", entry["id"], talk=content)


def report(table: State, seat: int, message: Message, now: int) -> Ack | Refusal:
    """Record that a person reports a message, which the person must be able to read."""
    talk, period = table.talk, table.episode.period
    if talk is None or message.talk is None:
        return Refusal(_("players cannot write messages in this game"), message.id, period)
    number = message.talk.number
    readable = 0 <= number < len(talk.messages) and seat in talk.messages[number].readers
    if not readable or talk.messages[number].seat == seat:
        return Refusal(_("this message cannot be reported"), message.id, period)
    if seat not in talk.messages[number].reported_by:
        log(table, "report", now, seat=seat, id=message.id, message=number)
        talk.messages[number].reported_by.append(seat)
    return Ack(message.id, period)


def done(table: State, seat: int, message: Message, now: int) -> Ack | Refusal:
    """Record that a person is ready to go on; repeating this changes nothing."""
    talk, period = table.talk, table.episode.period
    if table.parted(seat):
        return Refusal(_("the game is over"), message.id, period)
    open_now = talk is not None and talk.open_ms is not None and message.period == period
    chair = table.seats[seat]
    present = chair.occupant == "person" or chair.agent is not None
    if talk is None or not open_now or not present:
        return Ack(message.id, period)
    if seat not in talk.done:
        log(table, "done", now, seat=seat, id=message.id, period=period)
        log_event(table, "talk_done", now, seat=seat)
        talk.done[seat] = now
    return Ack(message.id, period)


# -- policies -----------------------------------------------------------------------------------


def _ask_all(table: State, talk: Conversation, time_ms: int) -> None:
    for chair in table.seats:
        if chair.occupant == "policy" and chair.agent is None and not table.out(chair.seat):
            if chair.seat not in talk.composed:  # one message at a time
                _ask(table, talk, chair, time_ms)
            if talk.open_ms is not None:
                join(table, chair.seat, time_ms)


def join(table: State, seat: int, time_ms: int) -> None:
    """Record when a policy is ready to go on in the group's talk phase.

    An unlabelled bot appears to read for a while after its message. An outside agent reports when
    it is ready.
    """
    talk, options = _of(table), table.options
    if table.seats[seat].agent is not None:
        return
    begun = talk.composed[seat].at_ms if seat in talk.composed else time_ms
    read_ms = voices.reading_ms(options, table.episode.seed, seat, table.episode.period)
    talk.ready[seat] = time_ms if options.disclosure == "labels" else begun + read_ms


def _ask(table: State, talk: Conversation, chair: Seat, time_ms: int) -> None:
    seat, period = chair.seat, table.episode.period
    policy = table.setup.policy(str(chair.policy_id)).at_stage(table.episode.stage_number)
    if policy is None or not policy.talks or not can_write(table.game, table.options, seat):
        return
    talk_so_far = heard(table, seat)
    assert talk_so_far is not None  # noqa: S101  only asked in sessions with talk
    seen, seed = table.episode.observation(seat), table.episode.seed
    recalled = table.recalled
    if recalled is not None and len(table.rows) < recalled.entries:
        ask = partial(voices.asked, policy, table.options, talk_so_far, seen, seed)
        answer = recalled.said(policy, ask, period, seat)
    elif table.thinks_apart(seat):
        answer = "runs outside the server's loop, where policies cannot send messages"
    else:
        answer = voices.asked(
            policy, table.options, talk_so_far, seen, seed, BUDGET_SECONDS, PATIENCE_SECONDS
        )
    if isinstance(answer, str):
        chair.fail_to_talk(period, answer)
        log_event(table, "talk_fault", time_ms, seat=seat, detail=answer)
        return
    if answer is not None:
        composed = voices.composed(table.game, table.options, talk_so_far, seed, answer, time_ms)
        if composed is not None:
            talk.composed[seat] = composed


def utter(table: State, seat: int, time_ms: int) -> None:
    """Send the message that a policy has written, unless it has lost the seat or sent too many."""
    talk = _of(table)
    composed, present = talk.composed.pop(seat), table.seats[seat].occupant == "policy"
    if present and not is_too_often(talk.messages, table.options, seat, time_ms):
        _write(table, talk, composed, seat)


def _write(
    table: State, talk: Conversation, composed: Composed, seat: int, **more: str
) -> Utterance:
    """Store and log a message, blocked or not."""
    chair, content, options = table.seats[seat], composed, table.options
    blocked = is_blocked(content.text, options.talk_blocklist)
    utterance = Utterance(
        len(talk.messages),
        content.at_ms,
        table.episode.period,
        seat,
        chair.occupant,
        chair.policy_id,
        content.to,
        content.text,
        content.sentence,
        blocked,
        [] if blocked else readers(table.game, options, seat, content.to),
    )
    log(table, "message", content.at_ms, **utterance.entry(), **more)
    talk.messages.append(utterance)
    return utterance


def _of(table: State) -> Conversation:
    assert table.talk is not None  # noqa: S101  only called in sessions with talk
    return table.talk

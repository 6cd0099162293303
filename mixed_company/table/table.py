"""Table: the play of one group, from its opening to the last period.

A table needs no oTree, no database and no clock. Every call passes the time (`now`, in
milliseconds). Everything due by then is settled first, in order, each event at its own time. So it
does not matter who calls or when: a deadline that passed without a call still takes effect.

    table = Table.open(setup, people=[0, 2], seed=7, now=0)
    table.hear(0, now=10)                         a page has loaded
    table.act(0, message, now=4000)               a person decides: an ack or a refusal
    table.time_line(0, 2010, now=4500)            round trip of a message to the page
    table.advance(now=9000)                       only time has passed
    view(table, 0, now=9000)                      view for the page of seat 0 (`table.view`)
    table.manage(directive, now=9500)             a directive from the manager

`Table.due` is the next scheduled event (`table.due` lists all kinds). When the time for a decision
is up, a seat that has not decided gets the game's default action. If a person's page does not
respond for the grace time, a policy takes the seat (dropout `bot`) until the period after the
person comes back. With `pause`, the others wait first (`table.awaiting`); with `reduced` the seat
is eliminated, and the others go on without it; with `end` the play ends.

A period with peer points has a second stage, with its own time limit: everyone sees the results of
the first stage and decides again. A stage ends the same way as a period.

A period ends when all have decided, or when its time is up and choices on slow connections have
arrived (`table.lines`). If the pace is `clock`, it ends only when its time is up. Until then
everyone can choose again, and the last choice counts. In a sequential play (`agents.timing`), the
seats decide in turn, each with its own time limit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mixed_company.engine.contract.errors import ActionError
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Decision
from mixed_company.language import gettext as _
from mixed_company.policies.policy import Answer
from mixed_company.table import awaiting, journal, managing, replying, settling, timing, voting
from mixed_company.table.answers import Question, question
from mixed_company.table.directives import Directive
from mixed_company.table.due import Due, next_due
from mixed_company.table.journal import Entry
from mixed_company.table.protocol import Ack, Message, Refusal, in_words
from mixed_company.table.seating import MOST_CHOICES, REMEMBERED_IDS, seats_for
from mixed_company.table.setup import Setup
from mixed_company.table.state import State
from mixed_company.table.talk import talking
from mixed_company.table.writing import log, log_event, log_seat, log_sightings


class Table(State):
    """Play of one group. See the module's docstring."""

    _due: Due | None = None
    _due_at: tuple[int, int | None] = -1, None
    """The number of entries and the end of the countdown when `_due` was computed."""

    @classmethod
    def open(cls, setup: Setup, people: Sequence[int], seed: int, now: int) -> Table:
        """Open a table; `people` lists the people's seats, and bots take the others in rotation."""
        seats = seats_for(setup.game.seats, people, setup.options.bot_list)
        table = cls(setup, Episode(setup.game, seed), seats, now)
        log(table, "start", now, seed=seed, observations=table.episode.observations_json)
        for chair in seats:
            log_seat(table, now, chair.take(chair.occupant, chair.policy_id, 0, "seated"))
            settling.enter_policy(table, chair)
        return table

    def hear(self, seat: int, now: int) -> None:
        """Record that the person in a seat is still connected, after settling what is due."""
        self.advance(now)
        if self.parted(seat):
            return
        chair = self.seats[seat]
        gap = timing.is_silence(chair.last_seen_ms, now)
        returns = chair.occupant == "policy" and not (chair.returning or chair.held)
        awaited = chair.awaited_ms is not None
        if gap or returns or awaited or chair.last_seen_ms is None:
            log(self, "heard", now, seat=seat, gap=gap)
        elif now != chair.last_seen_ms:
            self.sighted.add(seat)
        chair.gaps += gap and not awaited
        chair.last_seen_ms, chair.came = now, True
        chair.returning |= returns
        if awaited:
            awaiting.meet(self, chair, now)
        if self.started_ms is None:
            settling.begin_with_all(self, now)
            self.advance(now)

    def act(self, seat: int, message: Message, now: int) -> Ack | Refusal:
        """Handle a person's decision. Return an ack, or a refusal that changes nothing."""
        unwritten = seat in self.sighted
        self.hear(seat, now)
        chair = self.seats[seat]
        if message.id in chair.ids:
            return Ack(message.id, chair.ids[message.id])
        reason = self._why_not(seat, message)
        if reason is not None:
            return Refusal(reason, message.id, self.episode.period)
        try:
            action = self.episode.allowed(seat).plain(message.action)
        except ActionError as error:
            return Refusal(in_words(error), message.id, self.episode.period)
        if not unwritten:  # this entry also shows that the person is present
            self.sighted.discard(seat)
        content = {"id": message.id, "period": message.period, "action": action}
        log(self, "act", now, seat=seat, **content)
        chair.remember(message.id, message.period)
        settling.decide(self, seat, Decision(action, "person", now))
        self.advance(now)
        return Ack(message.id, message.period)

    def reply(self, seat: int, message: Message, now: int) -> Ack | Refusal:
        """Handle an answer to a question of the period. Return an ack, or a refusal that changes
        nothing. First settles everything that is due.
        """
        self.hear(seat, now)
        if message.id in self.replies.known(seat):
            return Ack(message.id, self.replies.known(seat)[message.id])
        reason = self.why_closed(seat, message) or replying.why_not(self, seat, message)
        if reason is not None:
            return Refusal(reason, message.id, self.episode.period)
        replying.follow(self, seat, message, now)
        return Ack(message.id, message.period)

    def ready(self, seat: int, message: Message, now: int) -> Ack | Refusal:
        """Confirm that a person is ready; until then, an open page does not show that anyone is
        present."""
        self.advance(now)
        if self.parted(seat):
            return Refusal(_("the game is over"), message.id, self.episode.period)
        self.hear(seat, now)
        return Ack(message.id, self.episode.period)

    def choose(self, seat: int, message: Message, now: int) -> Ack | Refusal:
        """Handle a vote on the rule of the play. Return an ack, or a refusal that changes
        nothing."""
        self.hear(seat, now)
        refusal = voting.take(self, seat, message, now, self._barred(seat))
        self.advance(now)
        return refusal or Ack(message.id, self.episode.period)

    def back(self, seat: int, message: Message, now: int) -> Ack | Refusal:
        """Give back, at the person's request, a seat that the manager handed to a policy."""
        self.hear(seat, now)
        if self.parted(seat):
            return Refusal(_("the game is over"), message.id, self.episode.period)
        chair = self.seats[seat]
        if chair.called:
            log(self, "back", now, seat=seat, id=message.id)
            chair.called, chair.held, chair.returning = False, False, True
        return Ack(message.id, self.episode.period)

    def say(self, seat: int, message: Message, now: int) -> Ack | Refusal:
        """Handle a message, a report, or the end of a person's talk (`table.talk.talking`)."""
        if self.seats[seat].agent is None:
            self.hear(seat, now)
        else:
            self.advance(now)
        acts = {"say": talking.say, "report": talking.report, "done": talking.done}
        answer = acts[message.kind](self, seat, message, now)
        self.advance(now)
        return answer

    def time_line(self, seat: int, round_trip_ms: int, now: int) -> None:
        """Record the measured round trip of a message to a person's page.

        First settles everything that is due. The measurement applies starting with the next
        decision.
        """
        self.advance(now)
        line_ms = timing.line_ms(round_trip_ms, self.line_ms)
        chair = self.seats[seat]
        if line_ms != chair.line_ms and not self.parted(seat):
            log(self, "line", now, seat=seat, round_trip_ms=round_trip_ms)
            chair.line_ms = line_ms

    def note_late(self, late_s: float, stood_s: float, for_s: float, now: int) -> None:
        """Log that the table's host was late (`journal.LATE`). This has no effect on the play.

        First settles everything that is due.
        """
        self.advance(now)
        log_event(self, journal.LATE, now, late_s=late_s, stood_s=stood_s, for_s=for_s)

    def manage(self, directive: Directive, now: int) -> Ack | Refusal:
        """Carry out a directive from the manager. Return an ack, or a refusal that changes nothing.

        First settles everything that is due.
        """
        self.advance(now)
        if directive.id not in self.managed:
            reason = managing.why_not(self, directive)
            if reason is not None:
                return Refusal(reason, directive.id, self.episode.period)
            log(self, "manager", now, **directive.to_json())
            self.managed = [*self.managed, directive.id][-REMEMBERED_IDS:]
            managing.follow(self, directive, now)
            self.advance(now)
        return Ack(directive.id, self.episode.period)

    def question(self, seat: int) -> Question:
        """Return the question for the policy in a seat if the table's host asks it (`pending`)."""
        return question(self.setup, self.episode, self.seats[seat], talking.heard(self, seat))

    def answered(
        self, seat: int, period: int, answer: Answer, now: int, message: str | None = None
    ) -> None:
        """Accept the answer of a policy that the table's host asked in a period, unless it is too
        late.

        First settles everything that is due. `message` is the id of the message in which an agent
        sent the answer.
        """
        self.advance(now)
        now_open = {field.name for field in self.episode.fields} == set(answer.action)
        if seat in self.pending and period == self.episode.period and now_open:
            settling.take_answer(self, self.seats[seat], answer, now, message)
        self.advance(now)

    def _barred(self, seat: int) -> str | None:
        """Return why nothing is currently accepted from a seat, or None if messages are
        accepted."""
        if self.parted(seat):
            return _("the game is over")
        return None if self.paused_ms is None else _("the game is paused")

    def why_closed(self, seat: int, message: Message) -> str | None:
        """Return why messages from a seat do not count for this period, or None if they do."""
        numbers = {"then": message.period + 1, "now": self.episode.period + 1}
        barred = self._barred(seat)
        if barred is not None:
            return barred
        if self.started_ms is None:
            return _("the game has not started yet")
        if self.talk is not None and self.talking:
            return _("your group is still talking; you can decide afterwards")
        if message.period < self.episode.period:
            return _("period {then} is over; this is period {now}").format(**numbers)
        if message.period > self.episode.period:
            return _("period {then} has not begun yet; this is period {now}").format(**numbers)
        if self.seats[seat].occupant == "policy" and self.seats[seat].agent is None:
            return _(
                "a stand-in is deciding for you in this period; you decide again in the next one"
            )
        return None

    def _why_not(self, seat: int, message: Message) -> str | None:
        closed = self.why_closed(seat, message)
        if closed is not None:
            return closed
        if not self.episode.at_first_stage and self._is_of_an_earlier_stage(message):
            return _("it is too late for this decision in period {n}").format(n=message.period + 1)
        if seat in self.decided and not self.by_clock:
            return _("you have already made your decision")
        if self.episode.turn not in (None, seat):
            return _("it is Player {n}'s turn").format(n=self.episode.turn + 1)
        if self.seats[seat].choices(message.period) >= MOST_CHOICES:
            return _(
                "you have changed your choice too many times in this period; your last choice "
                "counts"
            )
        return replying.missing(self, seat) if self.options.questions else None

    def _is_of_an_earlier_stage(self, message: Message) -> bool:
        """Return whether an action has fields, but none that belong to this stage."""
        sent = message.action if isinstance(message.action, Mapping) else {}
        return bool(sent) and not {field.name for field in self.episode.fields} & set(sent)

    def take_rows(self) -> list[Entry]:
        """Remove and return the rows that have yet to be appended to the journal."""
        if self.sighted:
            log_sightings(self)
        rows, self.rows = self.rows, []
        return rows

    def advance(self, now: int, max_periods: float = math.inf) -> bool:
        """Settle everything that was due by `now`, in order, each event at its own time.

        Return False if that is more than `max_periods` periods; the rest is then still due.
        """
        ahead = self._due is not None and self._due.at_ms > now
        if ahead and self._due_at == (self.entries, self.ready_ms):
            return True
        last = self.episode.period + max_periods
        while not (self.episode.done or self.ended_ms is not None):
            due = self.due
            if due is not None and due.at_ms <= now and self.sighted:
                self._due_at = -1, None
                due = self.due
            if due is None or due.at_ms > now:
                break
            settles = due.kind == "settle" or self.episode.turn is not None
            if settles and self.episode.period >= last:
                return False
            self._due_at = -1, None
            settling.happen(self, due)
        return True

    @property
    def due(self) -> Due | None:
        """Next scheduled event; None if nothing is scheduled.

        The event is recomputed only after the journal has grown or the countdown has begun. By
        itself, hearing from a person can only delay an event, so the cached time is the earliest
        possible one.
        """
        if self._due_at != (self.entries, self.ready_ms):
            self._due, self._due_at = next_due(self), (self.entries, self.ready_ms)
        return self._due

"""The table: one group's play, from the first person who sits down to the last period.

A table knows no oTree, no database and no clock: every call says what time it is (`now`, in
milliseconds), and first everything is settled that was due by then, in order, each at its own
time. So it does not matter who calls, or when: a deadline that passed while nobody was there is
settled as if somebody had been.

    table = Table.open(setup, people=[0, 2], seed=7, now=0)
    table.hear(0, now=10)                         a page has loaded
    table.act(0, message, now=4000)               a person decides: an ack or a refusal
    table.advance(now=9000)                       nothing but the time has passed
    view(table, 0, now=9000)                      what the page of seat 0 shows (`table.view`)

What is due by itself stands in `table.due`. When the time of a decision is up, whoever has not
decided gets the game's default action. The seat of a person who has not been heard of for the
grace time is taken over by a policy (dropout `bot`), and given back at the next period if the
person comes back; or it is out of the play (`reduced`), and the others go on without it.

A period ends when all have decided, or when its time is up. If the pace is `clock` it ends when its
time is up and not before, and until then everybody can choose anew: the last choice counts. In a
sequential play (`agents.timing`) the seats decide in turn, each with a time of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from gettext import gettext as _

from engine.contract.errors import ActionError
from engine.play.decision import Decision
from engine.play.episode import Episode
from table import journal, settling, timing
from table.due import next_due
from table.protocol import Ack, Message, Refusal, in_words
from table.seating import MOST_CHOICES, seats_for
from table.setup import Setup
from table.state import State

__all__ = ["Table"]


class Table(State):
    """One group's play. See the module's docstring."""

    @classmethod
    def open(cls, setup: Setup, people: Sequence[int], seed: int, now: int) -> Table:
        """A table at which `people` are the seats of persons; bots take the others, in turn."""
        seats = seats_for(setup.game.seats, people, setup.options.bot_list)
        table = cls(setup, Episode(setup.game, seed), seats, now)
        seen = journal.shown(table.game, table.episode.observations)
        settling.log(table, "start", now, seed=seed, observations=seen)
        for chair in seats:
            settling.log_seat(table, now, chair.take(chair.occupant, chair.policy_id, 0, "seated"))
            settling.enter_policy(table, chair)
        return table

    def hear(self, seat: int, now: int) -> None:
        """The person of this seat gave a sign of life. Settles first what was due."""
        self.advance(now)
        chair = self.seats[seat]
        chair.gaps += timing.is_silence(chair.last_seen_ms, now)
        chair.last_seen_ms = now
        if chair.occupant == "policy" and chair.owner and not self.episode.done:
            chair.returning = True
        people = [chair for chair in self.seats if chair.occupant == "person"]
        if self.started_ms is None and all(chair.last_seen_ms is not None for chair in people):
            settling.begin(self, now)
        self.advance(now)

    def act(self, seat: int, message: Message, now: int) -> Ack | Refusal:
        """A person's decision: an ack, or a refusal and nothing has changed."""
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
        chair.remember(message.id, message.period)
        settling.decide(self, seat, Decision(action, "person", now))
        self.advance(now)
        return Ack(message.id, message.period)

    def _why_not(self, seat: int, message: Message) -> str | None:
        numbers = {"then": message.period + 1, "now": self.episode.period + 1}
        if self.out(seat):
            return _("the game is over")
        if self.started_ms is None:
            return _("the game has not started yet")
        if message.period < self.episode.period:
            return _("period {then} is over; now is period {now}").format(**numbers)
        if message.period > self.episode.period:
            return _("period {then} has not begun; now is period {now}").format(**numbers)
        if self.seats[seat].occupant == "policy":
            return _("a stand-in decides in this period; you decide again in the next one")
        if seat in self.decided and not self.options.by_clock:
            return _("you have decided already in this period")
        if self.episode.turn not in (None, seat):
            return _("it is the turn of Player {n}").format(n=self.episode.turn + 1)
        if self.seats[seat].choices(message.period) >= MOST_CHOICES:
            return _("you have chosen too often in this period; the last choice stays")
        return None

    def advance(self, now: int, most: float = math.inf) -> bool:
        """Settle everything that was due by `now`, in order, each at its own time.

        False if that is more than `most` periods: then the rest is still due.
        """
        last = self.episode.period + most
        while not self.episode.done:
            due = next_due(self)
            if due is None or due.at_ms > now:
                break
            settles = due.what == "settle" or self.episode.turn is not None
            if settles and self.episode.period >= last:
                return False
            settling.happen(self, due)
        return True

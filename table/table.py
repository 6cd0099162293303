"""The table: one group's play, from the first person who sits down to the last period.

A table knows no oTree, no database and no clock: every call says what time it is (`now`, in
milliseconds), and first everything is settled that was due by then, in order, each at its own
time. So it does not matter who asks, or when: a deadline that passed while nobody was there is
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

`rows` collects what must be appended to the log, in order; whoever stores the table empties it.
`bulk` fields are left out of it: config, seed and actions give them again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from gettext import gettext as _
from typing import Any

from engine.contract import space
from engine.game import Game
from engine.play.episode import Episode
from engine.play.period import Period
from table import journal
from table.answers import answer
from table.due import next_due
from table.options import Options
from table.protocol import Message, Refusal, parse_action
from table.seating import MOST_CHOICES, Seat
from table.setup import Setup

__all__ = ["SILENCE_MS", "Table"]

SILENCE_MS = 15_000
"""Five missed signs of life of a page: counted as a gap in the connection."""

Row = dict[str, Any]


class Table:
    """One group's play. See the module's docstring."""

    def __init__(self, setup: Setup, episode: Episode, seats: list[Seat], opened_ms: int) -> None:
        self.setup = setup
        self.options: Options = setup.options
        self.episode = episode
        self.game: Game[Any] = episode.game
        self.seats = seats
        self.opened_ms = opened_ms
        self.started_ms: int | None = None
        self.period_ms = opened_ms
        self.turn_ms = opened_ms
        self.decided: dict[int, Row] = {}
        self.answers: dict[int, Row] = {}
        self.last: Row | None = None
        self.rows: list[Row] = []

    # -- opening, saving ------------------------------------------------------------------

    @classmethod
    def open(cls, setup: Setup, people: Sequence[int], seed: int, now: int) -> Table:
        """A table at which `people` are the seats of persons; bots take the others, in turn."""
        game = setup.made
        specs = setup.options.bot_list
        empty = [seat for seat in range(game.seats) if seat not in people]
        seats = [Seat(seat, "person", owner=True) for seat in range(game.seats)]
        for turn, seat in enumerate(empty):
            seats[seat] = Seat(seat, "policy", specs[turn % len(specs)])
        table = cls(setup, Episode(game, seed), seats, now)
        table._log(
            "start", now, seed=seed, observations=journal.shown(game, table.episode.observations)
        )
        for each in seats:
            table._log_seat(now, each.take(each.occupant, each.policy_id, 0, "seated"))
            table._enter_policy(each)
        return table

    def to_json(self) -> str:
        """Everything but the setup and the rows."""
        return json.dumps(
            {
                "episode": self.episode.state_json(),
                "seats": [seat.to_json() for seat in self.seats],
                "opened_ms": self.opened_ms,
                "started_ms": self.started_ms,
                "period_ms": self.period_ms,
                "turn_ms": self.turn_ms,
                "decided": self.decided,
                "answers": self.answers,
                "last": self.last,
            },
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, setup: Setup, text: str) -> Table:
        """The table that `to_json` described."""
        data = json.loads(text)
        episode = Episode.from_json(setup.made, data["episode"])
        table = cls(setup, episode, [Seat(**seat) for seat in data["seats"]], data["opened_ms"])
        table.started_ms = data["started_ms"]
        table.period_ms, table.turn_ms = data["period_ms"], data["turn_ms"]
        table.decided = {int(seat): row for seat, row in data["decided"].items()}
        table.answers = {int(seat): row for seat, row in data["answers"].items()}
        table.last = data["last"]
        return table

    # -- what pages send ------------------------------------------------------------------

    def hear(self, seat: int, now: int) -> None:
        """The person of this seat gave a sign of life. Settles first what was due."""
        self.advance(now)
        chair = self.seats[seat]
        if chair.last_seen_ms is not None and now - chair.last_seen_ms > SILENCE_MS:
            chair.gaps += 1
        chair.last_seen_ms = now
        if chair.occupant == "policy" and chair.owner and not self.episode.done:
            chair.returning = True
        self._start_if_ready(now)
        self.advance(now)

    def act(self, seat: int, message: Message, now: int) -> dict[str, Any]:
        """A person's decision: an ack, or a refusal and nothing has changed."""
        self.hear(seat, now)
        chair = self.seats[seat]
        ack = {"kind": "ack", "id": message.id, "period": message.period}
        if message.id in chair.ids:
            return {**ack, "period": chair.ids[message.id]}
        action = parse_action(self.episode.allowed(seat), message.action)
        reason = self._why_not(seat, message) or (action if isinstance(action, str) else None)
        if reason is not None:
            return {**Refusal(reason, message.id).to_json(), "period": self.episode.period}
        chair.remember(message.id, message.period)
        self._decide(seat, {"action": action, "by": "person", "at_ms": now})
        self.advance(now)
        return ack

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

    # -- time -----------------------------------------------------------------------------

    def advance(self, now: int, most: float = math.inf) -> bool:
        """Settle everything that was due by `now`, in order, each at its own time.

        False if that is more than `most` periods: then the rest is still due.
        """
        last = self.episode.period + most
        while not self.episode.done:
            due = next_due(self)
            if due is None or due[0] > now:
                break
            at, kind, seat = due
            settles = kind == "settle" or self.episode.turn is not None
            if settles and self.episode.period >= last:
                return False
            if kind == "start":
                self._begin(at)
            elif kind == "takeover":
                self._take_over(seat, at)
            elif kind == "answer":
                self._decide(seat, self.answers.pop(seat))
            elif kind == "timeout":
                self._decide(seat, self._silent(seat, at))
            else:
                self._settle(at)
        return True

    def out(self, seat: int) -> bool:
        """Is the play over for this seat?"""
        gone = self.seats[seat].occupant == "nobody" or seat in self.episode.absent()
        return self.episode.done or gone

    def waiting(self) -> list[int]:
        """The seats that have not decided yet in this period."""
        return [chair.seat for chair in self.seats if chair.seat not in self.decided]

    @property
    def grace_ms(self) -> int:
        """How long a person may not be heard of."""
        return round(1000 * self.options.grace_seconds)

    @property
    def deadline_ms(self) -> int | None:
        """When the time for what is being decided is up; None without a limit."""
        if self.options.decision_seconds == 0:
            return None
        return self.turn_ms + round(1000 * self.options.decision_seconds)

    def _start_if_ready(self, now: int) -> None:
        people = [chair for chair in self.seats if chair.occupant == "person"]
        if self.started_ms is None and all(chair.last_seen_ms is not None for chair in people):
            self._begin(now)

    def _begin(self, at: int) -> None:
        """A period begins: people who came back take their seats, bots start to think."""
        self.started_ms = at if self.started_ms is None else self.started_ms
        self.period_ms, self.turn_ms, self.decided, self.answers = at, at, {}, {}
        for chair in self.seats:
            if chair.returning:
                entry = chair.take("person", None, self.episode.period, "returned")
                self._log_seat(at, entry)
            if self.episode.turn is None:
                self._open(chair, at)
        if self.episode.turn is not None:
            self._open_turn(at)

    def _open(self, chair: Seat, at: int) -> None:
        """A seat is to decide: a bot begins to think, a seat that is out has decided."""
        if self.out(chair.seat):
            self._decide(chair.seat, self._silent(chair.seat, at))
        elif chair.occupant == "policy":
            self._think(chair, at)

    def _open_turn(self, at: int) -> None:
        """In a sequential play: the next seat decides."""
        self.turn_ms = at
        self._open(self.seats[int(self.episode.turn or 0)], at)

    def _decide(self, seat: int, row: Row) -> None:
        """A seat's decision counts; in a sequential play the next one follows at once."""
        self.decided[seat] = row
        if self.episode.turn is None:
            return
        leaving = self.seats[seat].occupant == "nobody"
        step = self.episode.decide(seat, row["action"], leaving=leaving)
        if step is None:
            self._open_turn(row["at_ms"])
        else:
            self._settled(step, row["at_ms"])

    def _silent(self, seat: int, at: int) -> Row:
        """The decision of a seat that does not decide: the game's default."""
        by = "absent" if self.out(seat) else "default"
        default = self.episode.allowed(seat).default
        action = {name: value.tolist() for name, value in default.items()}
        return {"action": action, "by": by, "at_ms": at}

    def _think(self, chair: Seat, at: int) -> None:
        """The policy on a seat decides now and answers after its thinking time."""
        row, fault = answer(self.setup, self.episode, chair, at, self.deadline_ms)
        if fault:
            self._event("policy_fault", at, seat=chair.seat, detail=fault)
        self.answers[chair.seat] = row

    def _take_over(self, seat: int, at: int) -> None:
        """The person has left: a policy sits down, or the seat is out of the play."""
        chair = self.seats[seat]
        waiting = seat not in self.decided
        chair.gaps += 1
        chair.last_seen_ms = None
        since = self.episode.period + (0 if waiting else 1)
        if self.options.dropout == "reduced":
            self._log_seat(at, chair.take("nobody", None, since, "dropout"))
            self._event("left", at, seat=seat)
        else:
            policy = self.options.dropout_bot or self.options.bot_list[0]
            self._log_seat(at, chair.take("policy", policy, since, "dropout"))
            self._event("takeover", at, seat=seat, detail=policy)
            self._enter_policy(chair)
        if waiting and self.episode.turn in (None, seat):
            self._open(chair, at)

    def _enter_policy(self, chair: Seat) -> None:
        if chair.occupant == "policy":
            chair.memory = self.setup.policy(str(chair.policy_id)).start()

    def _settle(self, at: int) -> None:
        """The period is over: everybody's actions go to the engine, defaults for the silent."""
        for seat in self.waiting():
            self.decided[seat] = self._silent(seat, at)
        absent = self.episode.absent()
        gone = [seat for seat, row in self.decided.items() if row["by"] == "absent"]
        leaving = [seat for seat in sorted(gone) if seat not in absent]
        self._settled(self.episode.step(self._sent(), leaving), at)

    def _sent(self) -> dict[str, list[Any]]:
        return {
            field.name: [self.decided[chair.seat]["action"][field.name] for chair in self.seats]
            for field in self.game.declaration.actions
        }

    def _settled(self, step: Period, at: int) -> None:
        """A period has been played: write it down, and begin the next one."""
        for seat in step.absent:
            self.decided.setdefault(seat, self._silent(seat, at))
        period, actions = self.episode.period - 1, self._sent()
        done_by = [self.decided[chair.seat] for chair in self.seats]
        for chair, row, reward in zip(self.seats, done_by, step.rewards.tolist(), strict=True):
            journal.credit(chair, row, reward)
        self.last = {
            "rewards": step.rewards.tolist(),
            "components": space.to_json(step.components),
            "used": space.to_json(step.used),
            "by": [journal.answered(row) for row in done_by],
        }
        self._log(
            "period",
            at,
            period=period,
            shown_ms=self.period_ms,
            sent=actions,
            **journal.period(self.episode, step),
            seats=[journal.who(row) for row in done_by],
            **{name: value for name, value in self.last.items() if name != "by"},
        )
        for event in step.events:
            self._log("event", at, period=period, **event)
        if step.done:
            self._event("ending", at, detail=str(step.reason))
            self.decided, self.answers = {}, {}
        else:
            self._begin(at)

    # -- the log --------------------------------------------------------------------------

    def _log(self, kind: str, at: int, **content: Any) -> None:
        self.rows.append({"kind": kind, "at_ms": at, **content})

    def _log_seat(self, at: int, entry: Any) -> None:
        self._log("seat", at, **asdict(entry))

    def _event(self, event: str, at: int, **content: Any) -> None:
        self._log("event", at, period=self.episode.period, event=event, **content)

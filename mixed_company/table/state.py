"""What a table holds, and what can be read off it: who is to decide, who is out, until when.

Nothing here changes it: `table.settling` does, when something is due, and `table.table`, when a
page sends something.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Self

from mixed_company.engine.play.decision import Decision
from mixed_company.engine.play.episode import Episode
from mixed_company.table import pay, timing
from mixed_company.table.answers import Recalled
from mixed_company.table.choosing import Vote
from mixed_company.table.replies import Replies
from mixed_company.table.seating import Seat
from mixed_company.table.setup import Setup
from mixed_company.table.talk.memory import Conversation

__all__ = ["LastPeriod", "State"]


@dataclass(frozen=True)
class LastPeriod:
    """What the last period gave, by seat: rewards and their components, actions as used, by whom
    they were."""

    rewards: list[float]
    components: dict[str, list[float]]
    used: dict[str, list[Any]]
    by: list[str]


class State:
    """One group's play, as it is.

    options      how people and bots meet
    grace_ms     how long a person may not be heard of
    pause_ms     how long the others wait for one who has left, where they do
    come_ms      how long people have to come to the table
    countdown_ms for how long pages count down when all people are there
    limit_ms     the time for a decision; None: no limit
    line_ms      how long is waited at most for what was pressed in time (`table.lines`)
    opened_ms    when the table was opened
    ready_ms     when the countdown is over; None: not all people are there yet
    started_ms   when the play began; None: it has not
    period_ms    when the present period began; `turn_ms`: when its present turn did
    decided      seat -> what counts in this period
    answers      seat -> what a policy will have decided when it has thought
    apart        is a policy that could keep others waiting asked by whoever keeps the table
    pending      seat -> when the policy on it was asked elsewhere, and has not answered yet
    taken        seat -> milliseconds that a person took, in the last periods and this one
    earned       the points of all seats, in the last two periods
    last         the period that was settled last
    entries      how many entries its journal has, with those in `rows`
    rows         what must be appended to the journal, in order; who stores the table takes it
    sighted      seats heard of since the last entry, of which the journal knows nothing yet
    paused_ms    when its clock was made to stand still; None: it runs
    stood_ms     for how long it has stood still before
    extensions   when how much time was added to what is being decided, milliseconds
    ended_ms     when the play was ended before its rules ended it; None: it was not
    most_periods the play ends after so many, a practice; None: as its rules have it
    managed      ids of the manager's last directives, oldest first
    recalled     what the policies once answered, while the table is built anew
    talk         what people and policies say; None: nobody talks here
    replies      what people answered to questions, and what that has won
    vote         on the rule of the play (`table.voting`); None: there is none
    """

    def __init__(self, setup: Setup, episode: Episode, seats: list[Seat], opened_ms: int) -> None:
        self.setup = setup
        self.options = setup.options
        self.episode = episode
        self.game = episode.game
        self.grace_ms = timing.grace_ms(setup.options.grace_seconds)
        self.pause_ms = round(1000 * setup.options.pause_seconds)
        self.come_ms = timing.come_ms(self.grace_ms, setup.options.dropout)
        self.countdown_ms = round(1000 * setup.options.countdown_seconds)
        self.limit_ms = timing.limit_ms(setup.options.decision_seconds)
        times = setup.options.line_seconds, setup.options.decision_seconds
        self.line_ms = timing.longest_line_ms(*times)
        self.seats = seats
        self.opened_ms = opened_ms
        self.ready_ms: int | None = None
        self.started_ms: int | None = None
        self.period_ms = opened_ms
        self.turn_ms = opened_ms
        self.decided: dict[int, Decision] = {}
        self.answers: dict[int, Decision] = {}
        self.apart = False
        self.pending: dict[int, int] = {}
        self.taken: list[dict[int, int]] = [{}]
        self.earned: list[list[float]] = []
        self.last: LastPeriod | None = None
        self.replies = Replies()
        self.entries = 0
        self.rows: list[dict[str, Any]] = []
        self.sighted: set[int] = set()
        self.paused_ms: int | None = None
        self.stood_ms = 0
        self.extensions: list[tuple[int, int]] = []
        self.ended_ms: int | None = None
        self.most_periods: int | None = None
        self.managed: list[str] = []
        self.recalled: Recalled | None = None
        self.talk = Conversation() if setup.options.talks else None
        self.vote: Vote | None = Vote() if setup.rules else None

    # -- what can be read off it ----------------------------------------------------------

    def out(self, seat: int) -> bool:
        """Is the play over for this seat?"""
        absent = seat in self.episode.absent
        return self.over or absent or self.seats[seat].occupant == "nobody"

    def parted(self, seat: int) -> bool:
        """Is the part of the person on this seat over?"""
        return self.out(seat) or self.seats[seat].released

    def to_confirm(self, seat: int) -> bool:
        """Is the person on this seat still to say that he or she is ready?"""
        return self.options.ready and not self.seats[seat].came and not self.parted(seat)

    def status(self, seat: int) -> pay.Seated:
        """How the part of the person on this seat stands."""
        chair = self.seats[seat]
        ended = self.ended_ms is not None
        return pay.status(
            chair.occupant,
            self.out(seat),
            ended=ended,
            released=chair.released,
            excluded=chair.excluded,
            handed=chair.handed,
        )

    @property
    def over(self) -> bool:
        """Is the play over, by its rules or because it was ended before?"""
        return self.episode.done or self.ended_ms is not None

    def clock_ms(self, running_ms: int) -> int:
        """What time it is at the table when a clock that never stood still shows `running_ms`."""
        return running_ms - self.stood_ms if self.paused_ms is None else self.paused_ms

    def stands_ms(self, running_ms: int) -> int:
        """For how long the table's clock has stood still by then, if it does."""
        paused = running_ms - self.stood_ms if self.paused_ms is None else self.paused_ms
        return running_ms - self.stood_ms - paused

    def waiting(self) -> list[int]:
        """The seats that have not decided yet in this period."""
        return [chair.seat for chair in self.seats if chair.seat not in self.decided]

    @property
    def talking(self) -> bool:
        """Does the group talk before a period, so that nobody decides?"""
        return self.talk is not None and self.talk.open_ms is not None

    @property
    def ends_ms(self) -> int | None:
        """When what the group does now is over at the latest: the talk, or the decision."""
        if self.talk is not None and self.talk.open_ms is not None:
            return self.talk.open_ms + round(1000 * self.options.talk_seconds)
        return self.deadline_ms

    def decides(self, seat: int) -> bool:
        """Is it this seat's decision that is missing now, perhaps beside others?"""
        return not self.talking and seat not in self.decided and self.episode.turn in (None, seat)

    @property
    def people(self) -> list[int]:
        """The seats that belong to a person, who may be away."""
        return [chair.seat for chair in self.seats if chair.owner]

    @property
    def agents(self) -> dict[int, str]:
        """The seats that agents from outside have now, with their names."""
        return {chair.seat: chair.agent for chair in self.seats if chair.agent is not None}

    @property
    def starts_ms(self) -> int:
        """When a play that has not begun begins, at the latest."""
        return self.opened_ms + self.come_ms if self.ready_ms is None else self.ready_ms

    @property
    def deadline_ms(self) -> int | None:
        """When the time for what is being decided is up; None without a limit."""
        return self.deadline_at(None)

    def deadline_at(self, time_ms: int | None) -> int | None:
        """The same as it was known at a time; None: as it is known now."""
        extra = timing.extra_ms(self.extensions, time_ms)
        return None if self.limit_ms is None else self.turn_ms + self.limit_ms + extra

    @property
    def closes_ms(self) -> int | None:
        """When what is being decided is over, if not all decide before: at the deadline, and when
        those on slow lines were waited for (`table.lines`); None without a limit."""
        end, slow = self.deadline_ms, [chair for chair in self.seats if chair.waits_ms]
        if end is None or not slow:
            return end
        waits = [chair.waits_ms for chair in slow if self._counts(chair.seat)]
        # whoever was waited for has decided meanwhile
        decided = [decision.at_ms for decision in self.decided.values()]
        return max([end + max(waits, default=0), *decided])

    def _counts(self, seat: int) -> bool:
        """Would a decision of this seat count now?"""
        return self.decides(seat) or (self.options.by_clock and self.episode.turn is None)

    def thinks_apart(self, seat: int) -> bool:
        """Is the policy on a seat asked by whoever keeps the table, and not here?"""
        chair = self.seats[seat]
        policy = chair.policy_id if self.apart and chair.occupant == "policy" else None
        return policy is not None and self.setup.policy(policy).apart

    # -- its JSON form --------------------------------------------------------------------

    def to_json(self) -> str:
        """Everything but the setup and the rows."""
        data = {
            "episode": self.episode.state_json(),
            "seats": [chair.to_json() for chair in self.seats],
            "opened_ms": self.opened_ms,
            "ready_ms": self.ready_ms,
            "started_ms": self.started_ms,
            "period_ms": self.period_ms,
            "turn_ms": self.turn_ms,
            "decided": {seat: decision.to_json() for seat, decision in self.decided.items()},
            "answers": {seat: decision.to_json() for seat, decision in self.answers.items()},
            "pending": self.pending,
            "taken": self.taken,
            "earned": self.earned,
            "last": None if self.last is None else vars(self.last),
            "entries": self.entries,
            "sighted": sorted(self.sighted),
            "paused_ms": self.paused_ms,
            "stood_ms": self.stood_ms,
            "extensions": self.extensions,
            "ended_ms": self.ended_ms,
            "managed": self.managed,
            **({} if self.vote is None else {"vote": self.vote.to_json()}),
        }
        if self.talk is not None:
            data["talk"] = self.talk.to_json()
        if replies := self.replies.to_json():
            data["replies"] = replies
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def from_json(cls, setup: Setup, text: str) -> Self:
        """The table that `to_json` described."""
        data = json.loads(text)
        vote = Vote.from_json(data["vote"]) if "vote" in data else None
        setup = setup.chosen(vote.rule) if vote is not None and vote.rule is not None else setup
        episode = Episode.from_json(setup.game, data["episode"])
        table = cls(setup, episode, [Seat(**seat) for seat in data["seats"]], data["opened_ms"])
        table.ready_ms, table.started_ms = data["ready_ms"], data["started_ms"]
        table.period_ms, table.turn_ms = data["period_ms"], data["turn_ms"]
        table.decided = _decisions(data["decided"])
        table.answers = _decisions(data["answers"])
        table.pending = {int(seat): time_ms for seat, time_ms in data["pending"].items()}
        table.taken = [{int(seat): ms for seat, ms in own.items()} for own in data["taken"]]
        table.earned = data["earned"]
        table.last = None if data["last"] is None else LastPeriod(**data["last"])
        table.replies = Replies.from_json(data.get("replies", {}))
        table.entries, table.sighted = data["entries"], set(data["sighted"])
        table._take_managed(data)
        if table.talk is not None:
            table.talk = Conversation.from_json(data["talk"])
        table.vote = vote
        return table

    def _take_managed(self, data: dict[str, Any]) -> None:
        """What the manager has had done."""
        self.paused_ms, self.stood_ms = data["paused_ms"], data["stood_ms"]
        self.extensions = [(time_ms, ms) for time_ms, ms in data["extensions"]]
        self.ended_ms, self.managed = data["ended_ms"], data["managed"]


def _decisions(data: dict[str, Any]) -> dict[int, Decision]:
    return {int(seat): Decision.from_json(decision) for seat, decision in data.items()}

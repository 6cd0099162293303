"""State of a table, and values derived from it.

Nothing in this module changes it. `table.settling` does so when an event is due, and `table.table`
when a page sends a message.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Self

from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Decision
from mixed_company.table import pay, timing
from mixed_company.table.answers import Recalled
from mixed_company.table.choosing import Vote
from mixed_company.table.replies import Replies
from mixed_company.table.seating import Seat
from mixed_company.table.setup import Setup
from mixed_company.table.talk.memory import Conversation


@dataclass(frozen=True)
class LastPeriod:
    """The last period's result, by seat: rewards, components, used actions, and what kind of
    occupant decided."""

    rewards: list[float]
    components: dict[str, list[float]]
    used: dict[str, list[Any]]
    by: list[str]


class State:
    """State of one group's play.

    options      how people and bots meet
    by_clock     whether a period ends only when its time is up
    grace_ms     time without messages after which a person counts as having left
    pause_ms     how long the others wait for a person who has left, with dropout `pause`
    come_ms      how long people have to arrive at the table
    countdown_ms length of the pages' countdown once everyone has arrived
    line_ms      longest wait for choices made in time (`table.lines`)
    people       seats of people, who may be away
    opened_ms    when the table was opened
    ready_ms     end of the countdown; None until everyone has arrived
    started_ms   when the play began; None before that
    period_ms    when the current period began; `turn_ms`: when its current turn did
    decided      seat -> decision that counts in this period
    earlier      seat -> decision at the first stage of this period, while a later one is decided
    stage_ms     when that later stage began
    answers      seat -> decision of a policy that is still thinking
    apart        whether policies that could delay others are asked by the table's host
    pending      seat -> when the table's host asked its policy, if it has not answered yet
    taken        seat -> milliseconds a person took to decide, in recent periods and this one
    taken_later  the same for the later stage of a period
    earned       the points of all seats, in the last two periods
    last         the last period that was settled
    entries      number of entries in its journal, including those in `rows`
    rows         entries to append to the journal, in order; the table's host takes them
    sighted      seats heard from since the last entry, not logged yet
    paused_ms    when its clock was stopped; None while it runs
    stood_ms     total time for which it was stopped earlier
    extensions   (when, how much): milliseconds added to the time for the current decision
    ended_ms     when the play was ended before its rules ended it, otherwise None
    most_periods number of periods after which a practice ends; None if its rules end it
    managed      ids of the manager's last directives, oldest first
    recalled     past answers of the policies, while the table is rebuilt
    talk         conversation between people and policies; None in a play without talk
    replies      answers to questions, and the points they have won
    vote         the vote on the rule of the play (`table.voting`); None if there is none
    """

    def __init__(self, setup: Setup, episode: Episode, seats: list[Seat], opened_ms: int) -> None:
        self.setup = setup
        self.options = setup.options
        self.episode = episode
        self.game = episode.game
        self.grace_ms = timing.grace_ms(setup.options.grace_seconds)
        self.pause_ms = round(1000 * setup.options.pause_seconds)
        options = setup.options
        self.come_ms = timing.come_ms(self.grace_ms, options.dropout, options.confirms_alone)
        self.countdown_ms = round(1000 * setup.options.countdown_seconds)
        times = setup.options.line_seconds, setup.options.decision_seconds
        self.line_ms = timing.longest_line_ms(*times)
        self.by_clock = options.by_clock
        self._limits_ms = timing.limits_ms(options.decision_seconds, options.peer_seconds)
        self.seats = seats
        self.people = [chair.seat for chair in seats if chair.owner]
        self.opened_ms = opened_ms
        self.ready_ms: int | None = None
        self.started_ms: int | None = None
        self.period_ms = opened_ms
        self.turn_ms = opened_ms
        self.decided: dict[int, Decision] = {}
        self.earlier: dict[int, Decision] = {}
        self.stage_ms = opened_ms
        self.answers: dict[int, Decision] = {}
        self.apart = False
        self.pending: dict[int, int] = {}
        self.taken: list[dict[int, int]] = [{}]
        self.taken_later: list[dict[int, int]] = [{}]
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

    # -- derived values -------------------------------------------------------------------

    def out(self, seat: int) -> bool:
        """Return whether the play is over for this seat."""
        episode = self.episode
        over = episode.done or self.ended_ms is not None or seat in episode.absent
        return over or self.seats[seat].occupant == "nobody"

    def parted(self, seat: int) -> bool:
        """Return whether the participation of the person in this seat is over."""
        return self.seats[seat].released or self.out(seat)

    def to_confirm(self, seat: int) -> bool:
        """Return whether the person in this seat has yet to confirm being ready."""
        return self.options.ready and not self.seats[seat].came and not self.parted(seat)

    def status(self, seat: int) -> pay.Seated:
        """Return the status of the person in this seat."""
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
        """True if the play is over, under its rules or because it was ended early."""
        return self.episode.done or self.ended_ms is not None

    @property
    def paused(self) -> bool:
        """True if the play is not over and its clock is stopped."""
        return self.paused_ms is not None and not self.over

    def clock_ms(self, running_ms: int) -> int:
        """Return the table's time when a clock that never stops shows `running_ms`."""
        return running_ms - self.stood_ms if self.paused_ms is None else self.paused_ms

    def stands_ms(self, running_ms: int) -> int:
        """Return how long the current pause has lasted at `running_ms`; 0 if there is no pause."""
        paused = running_ms - self.stood_ms if self.paused_ms is None else self.paused_ms
        return running_ms - self.stood_ms - paused

    def waiting(self) -> list[int]:
        """Return the seats that have not decided yet in this period."""
        return [chair.seat for chair in self.seats if chair.seat not in self.decided]

    @property
    def talking(self) -> bool:
        """True if the group is talking before a period, so nobody can decide."""
        return self.talk is not None and self.talk.open_ms is not None

    @property
    def ends_ms(self) -> int | None:
        """Latest end of the current talk, or the decision's deadline; None if there is no limit."""
        if self.talk is not None and self.talk.open_ms is not None:
            return self.talk.open_ms + round(1000 * self.options.talk_seconds)
        return self.deadline_at(None)

    def decides(self, seat: int) -> bool:
        """Return whether this seat, possibly along with others, has yet to decide."""
        return not self.talking and seat not in self.decided and self.episode.turn in (None, seat)

    @property
    def agents(self) -> dict[int, str]:
        """Current seats of outside agents, with the agents' names."""
        return {chair.seat: chair.agent for chair in self.seats if chair.agent is not None}

    @property
    def starts_ms(self) -> int:
        """Latest start of a play that has not begun."""
        return self.opened_ms + self.come_ms if self.ready_ms is None else self.ready_ms

    @property
    def limit_ms(self) -> int | None:
        """Time for a decision at this stage; None if there is no limit."""
        return self._limits_ms[self.episode.stage_number > 0]

    @property
    def times(self) -> list[dict[int, int]]:
        """Times that people took to decide at this stage."""
        return self.taken_later if self.episode.stage_number else self.taken

    @property
    def deadline_ms(self) -> int | None:
        """Deadline of the current decision; None if there is no limit."""
        return self.deadline_at(None)

    def deadline_at(self, time_ms: int | None) -> int | None:
        """Return the deadline as known at `time_ms`; if None, as known now."""
        limit = self._limits_ms[self.episode.stage_number > 0]
        if limit is None:
            return None
        extra = timing.extra_ms(self.extensions, time_ms) if self.extensions else 0
        return self.turn_ms + limit + extra

    @property
    def closes_ms(self) -> int | None:
        """End of the current decision unless everyone decides before then; None if there is no
        limit.

        It is the deadline plus the wait for slow connections (`table.lines`).
        """
        end = self.deadline_at(None)
        if end is None or not self.line_ms:
            return end
        slow = [chair for chair in self.seats if chair.waits_ms]
        if not slow:
            return end
        waits = [chair.waits_ms for chair in slow if self._counts(chair.seat)]
        # an awaited seat may have decided after the deadline
        decided = [decision.at_ms for decision in self.decided.values()]
        return max([end + max(waits, default=0), *decided])

    def _counts(self, seat: int) -> bool:
        """Return whether a decision by this seat would count now."""
        return self.decides(seat) or (self.by_clock and self.episode.turn is None)

    def thinks_apart(self, seat: int) -> bool:
        """Return whether the policy in a seat is asked by the table's host."""
        chair = self.seats[seat]
        policy = chair.policy_id if self.apart and chair.occupant == "policy" else None
        return policy is not None and self.setup.policy(policy).apart

    # -- JSON form ------------------------------------------------------------------------

    def to_json(self) -> str:
        """Return everything except the setup and the rows."""
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
        if self.game.stages.several:
            data["earlier"] = {seat: first.to_json() for seat, first in self.earlier.items()}
            data["stage_ms"] = self.stage_ms
            data["taken_later"] = self.taken_later
        if self.talk is not None:
            data["talk"] = self.talk.to_json()
        if replies := self.replies.to_json():
            data["replies"] = replies
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def from_json(cls, setup: Setup, text: str) -> Self:
        """Return the table from the result of `to_json`."""
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
        table.taken = [{int(seat): ms for seat, ms in times.items()} for times in data["taken"]]
        table.earlier = _decisions(data.get("earlier", {}))
        table.stage_ms = data.get("stage_ms", table.opened_ms)
        later = data.get("taken_later", [{}])
        table.taken_later = [{int(seat): ms for seat, ms in times.items()} for times in later]
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
        """Restore the effects of the manager's directives."""
        self.paused_ms, self.stood_ms = data["paused_ms"], data["stood_ms"]
        self.extensions = [(time_ms, ms) for time_ms, ms in data["extensions"]]
        self.ended_ms, self.managed = data["ended_ms"], data["managed"]


def _decisions(data: dict[str, Any]) -> dict[int, Decision]:
    return {int(seat): Decision.from_json(decision) for seat, decision in data.items()}

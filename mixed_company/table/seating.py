"""A seat and who sits on it: a person, a policy or nobody, since which period, and why.

People of a group sit on seats that are drawn, policies on the others, in turn. The server seats
by the rules at the end of this file, and the audit of an export checks by them.

The history of a seat is a timeline of occupancies. The present one is on the seat; each change is
also logged, so that the export can show who decided what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from mixed_company.engine.contract import chance
from mixed_company.engine.play.decision import Decision, Occupant
from mixed_company.policies.outside import agent_of
from mixed_company.table import pay

__all__ = [
    "MOST_CHOICES",
    "MOST_GROUPS",
    "REMEMBERED_IDS",
    "Occupancy",
    "Seat",
    "block_and_number",
    "draw_seats",
    "group_number",
    "play_seed",
    "policy_in_turn",
    "seats_for",
    "successor",
]

REMEMBERED_IDS = 32
"""How many message ids of past periods a seat keeps, to acknowledge late duplicates again."""

MOST_CHOICES = 200
"""How often a seat can choose anew within one period."""


@dataclass(frozen=True)
class Occupancy:
    """One entry of a seat's timeline."""

    seat: int
    occupant: Occupant
    policy_id: str | None
    since_period: int
    reason: str

    def to_json(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)


@dataclass
class Seat:
    """One seat of a table.

    occupant, policy_id   who decides now; `policy_id` is a policy spec
    owner                 does this seat belong to a person (who may be away)
    memory                the notes of the policy on it
    last_seen_ms          when the person was last heard of; None if never
    returning             the person is back and takes over at the next period
    handed                the policy on it has it from the manager
    called                the same, and the person has not said yet that he or she is there
    held                  the same, and an open page alone does not give it back
    released              the manager has ended the person's part
    excluded              the same without pay
    note                  what the manager wrote to the person last: its id and text
    awaited_ms            since when the others wait for the person (dropout `pause`); None: not
    awaited_extra_ms      how much longer the present decision is by that
    met_period            the period in which the person came back last; -1: never
    line_ms               how long what is under way from the person is waited for, as measured last
    waits_ms              the same, as it holds for the present decision
    came                  has the person ever given a sign of life that counts?
    gaps                  how often the person was silent for longer than a page ever is
    ids                   id -> period of the person's accepted actions, newest last
    fault                 when a policy did not decide here last: which `policy`, in which `period`,
                          why (`detail`), and how often that was (`times`); None: never
    talk_fault            the same of a policy that was to say something and failed
    missed                periods running in which an agent from outside has not decided here
    idle                  periods running in which the person did not decide here
    points, periods       what the person earned, and in how many periods he or she had the seat
    seat_points           what was earned on this seat by whoever sat on it
    """

    seat: int
    occupant: Occupant
    policy_id: str | None = None
    owner: bool = False
    memory: dict[str, Any] = field(default_factory=dict)
    last_seen_ms: int | None = None
    returning: bool = False
    gaps: int = 0
    ids: dict[str, int] = field(default_factory=dict)
    points: float = 0.0
    periods: int = 0
    seat_points: float = 0.0
    handed: bool = False
    called: bool = False
    held: bool = False
    released: bool = False
    excluded: bool = False
    note: dict[str, str] | None = None
    awaited_ms: int | None = None
    awaited_extra_ms: int = 0
    met_period: int = -1
    line_ms: int = 0
    waits_ms: int = 0
    came: bool = False
    fault: dict[str, Any] | None = None
    talk_fault: dict[str, Any] | None = None
    missed: int = 0
    idle: int = 0

    @property
    def agent(self) -> str | None:
        """The name of the agent from outside that has it now; None: somebody else has."""
        return agent_of(self.policy_id) if self.occupant == "policy" else None

    def take(self, occupant: Occupant, policy_id: str | None, period: int, why: str) -> Occupancy:
        """Change the occupant; the entry for the timeline."""
        self.occupant, self.policy_id = occupant, policy_id
        self.returning = self.handed = self.called = self.held = False
        self.awaited_ms, self.missed, self.idle = None, 0, 0
        return Occupancy(self.seat, occupant, policy_id, period, why)

    def remember(self, message_id: str, period: int) -> None:
        """Keep the id of an accepted action; the oldest of past periods are forgotten."""
        self.ids[message_id] = period
        past = [name for name, when in self.ids.items() if when < period]
        for name in past[: max(len(past) - REMEMBERED_IDS, 0)]:
            del self.ids[name]

    def fail(self, period: int, detail: str) -> None:
        """The policy on it did not decide, and why."""
        self.fault = self._failed(self.fault, period, detail)

    def fail_to_talk(self, period: int, detail: str) -> None:
        """The policy on it said nothing since it failed, and why."""
        self.talk_fault = self._failed(self.talk_fault, period, detail)

    def _failed(self, before: dict[str, Any] | None, period: int, detail: str) -> dict[str, Any]:
        times = 1 if before is None else before["times"] + 1
        return {"policy": self.policy_id, "period": period, "detail": detail, "times": times}

    def choices(self, period: int) -> int:
        """How many actions of a period were accepted."""
        return sum(when == period for when in self.ids.values())

    def earn(self, decision: Decision, reward: float) -> None:
        """What was earned on the seat in a period, with this decision."""
        occupant = decision.occupant
        self.seat_points += reward
        self.points += pay.credited(occupant, reward)
        self.periods += occupant == "person"
        self.idle = self.idle + 1 if (occupant, decision.by) == ("person", "default") else 0

    def to_json(self) -> dict[str, Any]:
        """All fields, as the constructor takes them."""
        return dict(vars(self))


# -- who sits where ---------------------------------------------------------------------------

MOST_GROUPS = 999
"""So many groups a session with several blocks has at most, in each of them."""


def group_number(block: int, number: int) -> int:
    """The number that the so many-th group of a block (both from 1) has in its session.

    The third group of the second block is 2003. In a session of one block groups are numbered on.
    """
    return number if block == 1 else block * (MOST_GROUPS + 1) + number


def block_and_number(group: int) -> tuple[int, int]:
    """The block of a group that is numbered so in its session, and its number there."""
    block, number = divmod(group, MOST_GROUPS + 1)
    return (block, number) if block > 1 else (1, group)


def play_seed(session_seed: int, number: int) -> int:
    """The seed of the play of the session's group with this number (`group_number`)."""
    return chance.group_seed(session_seed, number)


def draw_seats(session_seed: int, number: int, seats: int, people: int) -> list[int]:
    """The seats of the people of a group, in their order of arrival: drawn from the seed."""
    order = chance.stream(session_seed, "seats of group", number)
    drawn: list[int] = order.order(seats)[:people].tolist()
    return drawn


def seats_for(seats: int, people: Sequence[int], specs: Sequence[str]) -> list[Seat]:
    """All seats when a table is opened: `people` are the seats of persons, policies have the rest.

    `specs` are the policies for the empty seats, in turn.
    """
    empty = iter(range(seats))
    return [
        Seat(seat, "person", owner=True)
        if seat in people
        else Seat(seat, "policy", policy_in_turn(specs, next(empty)))
        for seat in range(seats)
    ]


def policy_in_turn(specs: Sequence[str], turn: int) -> str:
    """The policy on the empty seat with this number, from 0."""
    return specs[turn % len(specs)]


def successor(dropout: str, dropout_bot: str, specs: Sequence[str]) -> tuple[Occupant, str | None]:
    """Who follows a person who has left: nobody (dropout `reduced`, `end`), or a policy."""
    if dropout in ("reduced", "end"):
        return "nobody", None
    return "policy", dropout_bot or specs[0]

"""Seats and their occupants: a person, a policy or nobody, since when, and why.

The seats of a group's people are drawn at random; policies get the remaining seats, in rotation.
The server uses the rules at the end of this file to assign seats, and an export's audit reapplies
them.

A seat's history is a timeline of occupancies. The seat stores the current one. Each change is also
logged, so exports can show who decided what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from mixed_company.engine.contract import chance
from mixed_company.engine.play.period import By, Occupant
from mixed_company.policies.outside import agent_of

REMEMBERED_IDS = 32
"""Number of message ids from past periods that a seat keeps, to acknowledge late duplicates."""

MOST_CHOICES = 200
"""Maximum number of choices that a seat can make within one period."""


@dataclass(frozen=True)
class Occupancy:
    """Entry of a seat's timeline."""

    seat: int
    occupant: Occupant
    policy_id: str | None
    since_period: int
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return all fields."""
        return asdict(self)


@dataclass
class Seat:
    """Seat of a table.

    occupant, policy_id   who currently decides; `policy_id` is a policy spec
    owner                 whether this seat belongs to a person (who may be away)
    memory                memory of the policy in the seat
    last_seen_ms          when the person was last heard from; None if never
    returning             whether the person is back and gets the seat in the next period
    handed                whether the manager gave the seat to its policy
    called                whether `handed` and the person has yet to confirm being back
    held                  whether `handed` and an open page is not enough to get the seat back
    released              whether the manager has ended the person's part
    excluded              whether the part was ended without pay
    note                  last message from the manager: its id and text
    awaited_ms            start of the group's wait for the person (dropout `pause`); None without a
                          wait
    awaited_extra_ms      extra time for the current decision because of this wait
    met_period            last period in which an awaited person came back; -1 if there was none
    line_ms               how long to wait for the person's late messages, as last measured
    waits_ms              how long to wait for them at the current decision
    came                  whether the person has ever shown activity that counts as being present
    gaps                  how often the page was silent for longer than a connected page would be
    ids                   id -> period of the person's accepted actions, newest last
    fault                 last failure of a policy to decide here: its `policy`, `period`, `detail`,
                          and the number of failures (`times`); None if there was none
    talk_fault            the same for a policy that failed to send a message
    missed                consecutive periods in which an outside agent has not decided
    idle                  consecutive periods in which the person in the seat did not decide
    agent                 name of the outside agent in the seat; None for any other
                          occupant
    points, periods       points of the person, and number of periods played in person
    seat_points           points of all occupants of the seat
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
    agent: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.agent = agent_of(self.policy_id) if self.occupant == "policy" else None

    def take(self, occupant: Occupant, policy_id: str | None, period: int, why: str) -> Occupancy:
        """Change the occupant, and return the entry for the timeline."""
        self.occupant, self.policy_id = occupant, policy_id
        self.agent = agent_of(policy_id) if occupant == "policy" else None
        self.returning = self.handed = self.called = self.held = False
        self.awaited_ms, self.missed, self.idle = None, 0, 0
        return Occupancy(self.seat, occupant, policy_id, period, why)

    def remember(self, message_id: str, period: int) -> None:
        """Keep the id of an accepted action, and forget the oldest ids of past periods."""
        self.ids[message_id] = period
        past = [name for name, when in self.ids.items() if when < period]
        for name in past[:-REMEMBERED_IDS]:
            del self.ids[name]

    def fail(self, period: int, detail: str) -> None:
        """Record that the seat's policy did not decide, and why."""
        self.fault = self._failed(self.fault, period, detail)

    def fail_to_talk(self, period: int, detail: str) -> None:
        """Record that the seat's policy failed to send a message, and why."""
        self.talk_fault = self._failed(self.talk_fault, period, detail)

    def _failed(self, before: dict[str, Any] | None, period: int, detail: str) -> dict[str, Any]:
        times = 1 if before is None else before["times"] + 1
        return {"policy": self.policy_id, "period": period, "detail": detail, "times": times}

    def choices(self, period: int) -> int:
        """Return how many actions of a period were accepted."""
        return list(self.ids.values()).count(period)

    def earn(self, occupant: Occupant, by: By, reward: float) -> None:
        """Credit the reward of a period in which `occupant` had the seat and `by` decided.

        The person gets all of it unless a policy decided. If the seat is now empty, the person who
        left gets any rewards that are still due.
        """
        self.seat_points += reward
        self.points += 0.0 if occupant == "policy" else reward
        self.periods += occupant == "person"
        self.idle = self.idle + 1 if (occupant, by) == ("person", "default") else 0

    def to_json(self) -> dict[str, Any]:
        """Return all fields, in the form that the constructor accepts."""
        data = dict(vars(self))
        del data["agent"]
        return data


# -- assignment of seats------------------------------------------------------------------------

MOST_GROUPS = 999
"""Maximum number of groups in each block of a session with several blocks."""


def group_number(block: int, number: int) -> int:
    """Return the session-wide number of a block's n-th group; `block` and `number` start at 1.

    The third group of the second block has the number 2003. In a session with one block, the number
    does not change.
    """
    return number if block == 1 else block * (MOST_GROUPS + 1) + number


def block_and_number(group: int) -> tuple[int, int]:
    """Return the block of the group with this number, and the group's number within the block."""
    block, number = divmod(group, MOST_GROUPS + 1)
    return (block, number) if block > 1 else (1, group)


def play_seed(session_seed: int, number: int) -> int:
    """Return the seed of the play for the session's group with this number (`group_number`)."""
    return chance.group_seed(session_seed, number)


def draw_seats(session_seed: int, number: int, seats: int, people: int) -> list[int]:
    """Draw the seats of a group's people from the seed, in order of arrival."""
    order = chance.stream(session_seed, "seats of group", number)
    drawn: list[int] = order.order(seats)[:people].tolist()
    return drawn


def seats_of_people(
    how: str, session_seed: int, number: int, seats: int, people: int
) -> Sequence[int]:
    """Return the seats of a group's people, in order of arrival: the `first` ones, or drawn ones.

    `how` is the option `people_seats`.
    """
    drawn = draw_seats(session_seed, number, seats, people)
    return range(people) if how == "first" else drawn


def seats_for(seats: int, people: Sequence[int], specs: Sequence[str]) -> list[Seat]:
    """Return all seats of a new table: people get the seats in `people`, and policies get the
    others.

    `specs` lists the policies for the empty seats, in rotation.
    """
    empty = iter(range(seats))
    return [
        Seat(seat, "person", owner=True)
        if seat in people
        else Seat(seat, "policy", policy_in_turn(specs, next(empty)))
        for seat in range(seats)
    ]


def policy_in_turn(specs: Sequence[str], turn: int) -> str:
    """Return the policy for the empty seat with this number, counted from 0."""
    return specs[turn % len(specs)]


def successor(dropout: str, dropout_bot: str, specs: Sequence[str]) -> tuple[Occupant, str | None]:
    """Return who takes the seat after a person has left: nobody (`reduced`, `end`) or a policy."""
    if dropout in ("reduced", "end"):
        return "nobody", None
    return "policy", dropout_bot or specs[0]

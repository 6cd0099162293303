"""The declaration that a game makes before it is played, and the outcome of a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Literal, NamedTuple

from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.contract.stages import DECIDE

Result = Literal["success", "failure", "neither"]


class EventKind(NamedTuple):
    """The meaning of an event and its values, and whether it reports a change to the rules."""

    meaning: str
    changes_rule: bool = False


EVENTS: Mapping[str, EventKind] = {
    "clamped": EventKind("the `field` of an action was `used` differently from `sent`"),
    "ending": EventKind("the play, or a `seat`, is over: `reason`"),
}
"""Events of every game."""


@dataclass(frozen=True)
class Info:
    """Named value that a game reports for each period, for logs, as plain JSON.

    of   the observation fields it can be computed from: a seat that does not see them
         unaltered does not get the info either. Empty: it follows from the rules and the period
         number
    keys   the keys, in order, of a value that maps names to numbers; empty if the value is a number
    """

    name: str
    meaning: str
    unit: str = ""
    of: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


STATE = (
    Field("period", "periods played so far", kind="whole", low=0, visibility="hidden"),
    Field("reason", "0, or 1 + index into the endings", kind="whole", low=0, visibility="hidden"),
)
"""State fields of every game."""

SEEN = (
    Field("period", "the current period, from 0", kind="whole", low=0),
    Field("seat", "own seat, from 0", kind="whole", low=0, visibility="private"),
    Field("ended", "whether the game is over for this seat", kind="flag", low=0, high=1),
)
"""Observation fields of every game. `ended` is private where seats can end one by one."""


class Sum(NamedTuple):
    """Observation that sums another observation over a seat's own group.

    of      the observation with a number per seat
    groups  the group of each seat
    """

    of: str
    groups: tuple[int, ...]


@dataclass(frozen=True)
class Declaration:
    """Layouts and endings of a game, fixed before it is played.

    `endings` maps each reason why a play can end to its result. `horizon` (the last period is over,
    neither success nor failure) is always added. `seat_endings` does the same for the reasons why
    one seat can end while the others continue. `sums` lists observations that add up other
    observations; layers treat them like their parts. `info` lists the values that the game reports
    for a period (`Rules.info`), and `stages` the stages of a period (`engine.contract.stages`).
    """

    actions: tuple[Field, ...]
    observations: tuple[Field, ...]
    state: tuple[Field, ...]
    components: tuple[Field, ...]
    endings: Mapping[str, Result]
    seat_endings: Mapping[str, Result] = dataclass_field(default_factory=dict)
    sums: Mapping[str, Sum] = dataclass_field(default_factory=dict)
    info: tuple[Info, ...] = ()
    stages: tuple[str, ...] = (DECIDE,)


class Outcome(NamedTuple):
    """Outcome of one step. Shapes follow a leading batch shape; n is the number of seats.

    observations  named arrays, see `engine.contract.space`
    rewards       (n,) in points, the sum of the components
    components    named (n,) arrays that add up to the rewards
    used          the actions as used: clamped, and limited by state and role
    seat_done     (n,) flags of the seats that have ended
    done          () whether the play is over
    reason        () 0 while it continues, else 1 + index into `Game.reasons`
    seat_reason   (n,) 0 while a seat continues or ends with the play, else 1 + index into
                  `Game.seat_reasons`; None where seats cannot end one by one
    """

    observations: Arrays
    rewards: Array
    components: Arrays
    used: Arrays
    seat_done: Array
    done: Array
    reason: Array
    seat_reason: Array | None = None


@dataclass(frozen=True)
class Happened:
    """A finished period of one play (batch shape `()`). n is the number of seats.

    before, used, after   the state before, the actions as used, the state after
    chance                the random arrays of the period
    components            named (n,) arrays of the rewards
    """

    before: Arrays
    used: Arrays
    after: Arrays
    chance: Arrays
    components: Arrays

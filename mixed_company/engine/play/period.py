"""A period of a play, or one of its stages: the actions sent and used, the rewards, and the next
state.

`Decision` is the action of one seat in one period, with its source and time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from mixed_company.engine.contract import space
from mixed_company.engine.contract.declaration import Happened, Result
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game, Outcome
from mixed_company.engine.play.events import Event, is_wanted

Occupant = Literal["person", "policy", "nobody"]
By = Literal["person", "policy", "default", "absent"]

DECIDES: Mapping[Occupant, tuple[By, ...]] = {
    "person": ("person", "default"),
    "policy": ("policy", "default"),
    "nobody": ("absent",),
}
"""Possible sources of a decision, by the seat's occupant."""


@dataclass(frozen=True)
class Decision:
    """One seat's action in one period. Tables, logs and exports use its JSON form.

    action      action field -> number
    by          person or policy; default: the occupant did not decide, so the default was used;
                absent: the seat has ended
    at_ms       time at which the decision took effect, in milliseconds since 1970
    policy_id   the policy in the seat; None for a person or an empty seat
    delay_ms    thinking time of the policy; None unless a policy was in the seat
    """

    action: Mapping[str, float]
    by: By
    at_ms: int
    policy_id: str | None = None
    delay_ms: int | None = None

    @property
    def occupant(self) -> Occupant:
        """Occupant of the seat at the time of the decision; it may have changed since."""
        if self.policy_id:
            return "policy"
        return "nobody" if self.by == "absent" else "person"

    def to_json(self) -> dict[str, Any]:
        """Return all fields, and the occupant, as plain JSON values."""
        return {
            "action": dict(self.action),
            "by": self.by,
            "at_ms": self.at_ms,
            "policy_id": self.policy_id,
            "delay_ms": self.delay_ms,
            "occupant": self.occupant,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Decision:
        """Return the decision from the result of `to_json`."""
        return cls(data["action"], data["by"], data["at_ms"], data["policy_id"], data["delay_ms"])


@dataclass(frozen=True, eq=False)
class Period:
    """A period of one play. n is the number of seats.

    A stage before the last stage of its period is also a Period. It contains the actions so far and
    what seats see then, but no rewards, events or info (`settled` is False).

    number        from 0
    stage         name of the stage that was played last
    settled       whether the period is over: all its stages have been played
    sent, used    the actions: action field -> one value per seat
    rewards       (n,) points
    components    named (n,) arrays that add up to the rewards
    observations  observations of all seats after it; `Episode.observation(seat)` picks one seat's
    state         the state after it, by declared field: for logs, never for a seat
    events        the events for a log
    leaving       the seats that left in it
    absent        all seats that took no part
    seat_done     (n,) flags of the seats that have ended
    seat_reasons, seat_results   per seat, None while it continues
    endings       {seat: reason} of the seats that ended by themselves while the play went on
    done, reason, result   whether the play is over, why, and success, failure or neither
    info          the declared values of the period, for logs
    """

    number: int
    stage: str
    settled: bool
    sent: Mapping[str, Any]
    used: Arrays
    rewards: Array
    components: Arrays
    observations: Arrays
    state: Arrays
    events: Sequence[Mapping[str, Any]]
    leaving: tuple[int, ...]
    absent: tuple[int, ...]
    seat_done: Array
    seat_reasons: tuple[str | None, ...]
    seat_results: tuple[Result | None, ...]
    endings: Mapping[int, str]
    done: bool
    reason: str | None
    result: Result | None
    _info: Callable[[], Mapping[str, Any]] = field(repr=False, compare=False)

    @classmethod
    def of(
        cls,
        game: Game[Any],
        before: Arrays,
        after: Arrays,
        outcome: Outcome,
        *,
        chance: Arrays,
        sent: Mapping[str, Any],
        leaving: tuple[int, ...] = (),
        absent: tuple[int, ...] = (),
        stage: int = 0,
    ) -> Period:
        """Return the period, up to a stage, between two states of one play (batch shape `()`)."""
        settled = stage == game.stages.last
        reason = game.reason_name(after["reason"])
        result = game.declaration.endings[reason] if reason else None
        reasons, results = _seats(game, after, reason, result)
        happened = Happened(before, outcome.used, after, chance, outcome.components)
        return cls(
            number=int(before["period"]),
            stage=game.stages.names[stage],
            settled=settled,
            sent=sent,
            used=outcome.used,
            rewards=outcome.rewards,
            components=outcome.components,
            observations=outcome.observations,
            state={field.name: after[field.name] for field in game.declaration.state},
            events=events(game, happened) if settled else [],
            leaving=leaving,
            absent=absent,
            seat_done=outcome.seat_done,
            seat_reasons=reasons,
            seat_results=results,
            endings=_endings(game, before, after),
            done=reason is not None,
            reason=reason,
            result=result,
            _info=partial(game.info, before, outcome.used, after) if settled else dict,
        )

    @cached_property
    def info(self) -> Mapping[str, Any]:
        """Declared values of the period, for logs.

        They may reveal more than seats see; `adapters.play` passes on only what each seat may know.
        """
        return dict(self._info())

    def to_json(
        self,
        world: bool = True,
        without: Collection[str] = (),
        sent: Mapping[str, list[Any]] | None = None,
    ) -> dict[str, Any]:
        """Return plain JSON values; `world` includes state and observations, except fields in
        `without`. `sent` contains the actions sent, if they are already plain.
        """
        line = {
            "period": self.number,
            "sent": space.to_json(self.sent) if sent is None else sent,
            "used": space.to_json(self.used),
            "rewards": self.rewards.tolist(),
            "components": space.to_json(self.components),
        }
        if self.leaving:
            line["leaving"] = list(self.leaving)
        if world:
            for name, arrays in (("state", self.state), ("observations", self.observations)):
                kept = {key: value for key, value in arrays.items() if key not in without}
                line[name] = space.to_json(kept)
        return {**line, "ended": self.reason}


def events(game: Game[Any], period: Happened) -> list[Event]:
    """Return a period's events to be logged, from the game and its layers."""
    named = [*game.events(period.before, period.used, period.after)]
    for layer in game.layers:
        named += layer.events(period)
    return [event for event in named if is_wanted(game, event["event"])]


def _seats(
    game: Game[Any], after: Arrays, reason: str | None, result: Result | None
) -> tuple[tuple[str | None, ...], tuple[Result | None, ...]]:
    """Return each seat's reason for ending and its result; None for seats that continue."""
    if not game.seat_reasons:
        return (reason,) * game.seats, (result,) * game.seats
    codes = after["seat_reason"].tolist()
    names = [game.seat_reasons[code - 1] if code else None for code in codes]
    endings = game.declaration.seat_endings
    return (
        tuple(name or reason for name in names),
        tuple(endings[name] if name else result for name in names),
    )


def _endings(game: Game[Any], before: Arrays, after: Arrays) -> dict[int, str]:
    if not game.seat_reasons:
        return {}
    new = np.flatnonzero((before["seat_reason"] == 0) & (after["seat_reason"] > 0)).tolist()
    return {seat: game.seat_reasons[int(after["seat_reason"][seat]) - 1] for seat in new}


def play_period(
    game: Game[Any], state: Arrays, actions: Mapping[str, Any], chance: Arrays
) -> tuple[Arrays, Outcome]:
    """Play a period with these first-stage actions; no seat does anything in later stages.

    Return the state after the period and its outcome. `state` is the state before the period, with
    any batch shape. Raises ActionError.
    """
    after, outcome = game.step(state, actions, chance)
    while game.stages.several and after["stage"].any():
        after, outcome = game.step(after, game.allowed(after).default, chance)
    return after, outcome

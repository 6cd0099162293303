"""One play from its first observation to its end.

An Episode keeps the state to itself. Its seat observations are what a person or a policy in
that seat would see.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import space
from engine.chance import check_seed
from engine.errors import ActionError, EngineError, LogError
from engine.game import Game, Result
from engine.space import Array, Arrays, Field

__all__ = ["Episode", "Step"]


@dataclass(frozen=True)
class Step:
    """What one period of one play gave. n is the number of seats.

    observations  named arrays for all seats; `Episode.observation(seat)` picks one seat's
    rewards       (n,) points
    components    named (n,) arrays that add up to the rewards
    seat_done     (n,) flags
    done, reason, result   is the play over, why, and was it success, failure or neither
    info          `used`: the actions as used; `events`: what a log should name
    """

    observations: Arrays
    rewards: Array
    components: Arrays
    seat_done: Array
    done: bool
    reason: str | None
    result: Result | None
    info: Mapping[str, Any]


class Episode:
    """One play of a game.

    Raises ConfigError for a bad seed, ActionError for a refused action (the play is as before)
    or for an action after the end.
    """

    def __init__(self, game: Game[Any], seed: int | None = None) -> None:
        self.game = game
        self.seed = check_seed(game.config.identity.seed if seed is None else seed)
        self._state: Arrays
        self._seen: Arrays | None
        self._state, self._seen = game.reset(self.seed)

    @property
    def observations(self) -> Arrays:
        """Named arrays for all seats, as they are now."""
        if self._seen is None:
            chance = self.game.draw_chance(self.seed, self.period - 1)
            self._seen = self.game.observe(self._state, chance)
        return self._seen

    @property
    def period(self) -> int:
        """The period to be decided now, from 0; after the end, the number of periods played."""
        return int(self._state["period"])

    @property
    def done(self) -> bool:
        return bool(self._state["reason"] > 0)

    @property
    def reason(self) -> str | None:
        return self.game.reason_name(self._state["reason"])

    @property
    def result(self) -> Result | None:
        return self.game.declaration.endings[self.reason] if self.reason else None

    def observation(self, seat: int) -> dict[str, Array]:
        """What one seat sees now."""
        return space.of_seat(self.game.declaration.observations, self.observations, seat)

    def actions(self, seat: int) -> tuple[Field, ...]:
        """The action fields as one seat has them now: ranges and defaults as the state allows."""
        bounds = self.game.limits(self._state)
        layout = []
        for field in self.game.declaration.actions:
            if field.name in bounds:
                low, high = (float(_of(end, seat)) for end in bounds[field.name])
                low, high = max(field.low, low), min(field.high, high)
                default = min(max(field.default, low), high)
                field = replace(field, low=low, high=high, default=default)
            layout.append(field)
        return tuple(layout)

    def default_action(self, seat: int) -> dict[str, float]:
        """What one seat does now if nobody decides for it."""
        return {field.name: field.default for field in self.actions(seat)}

    def limits(self, seat: int) -> dict[str, tuple[float, float]]:
        """The range of each action field for one seat now; its default alone if it may not act."""
        return {
            field.name: (field.low, field.high)
            if self.game.may_act(field.name, seat)
            else (field.default, field.default)
            for field in self.actions(seat)
        }

    def step(self, actions: Mapping[str, Any]) -> Step:
        """One period: `actions` maps each action field to one value per seat."""
        if self.done:
            raise ActionError(f"the play is over ({self.reason}); no action is taken any more")
        chance = self.game.draw_chance(self.seed, self.period)
        before = self._state
        after, outcome = self.game.step(before, actions, chance)
        self._state, self._seen = after, outcome.observations
        return Step(
            observations=outcome.observations,
            rewards=outcome.rewards,
            components=outcome.components,
            seat_done=outcome.seat_done,
            done=self.done,
            reason=self.reason,
            result=self.result,
            info={"used": outcome.used, "events": self.game.events(before, outcome.used, after)},
        )

    def state_record(self) -> dict[str, Any]:
        """The whole state as plain JSON values. For logs, never for a seat."""
        layout = self.game.declaration.state
        return space.to_json({field.name: self._state[field.name] for field in layout})

    def state_json(self) -> str:
        """Everything needed to go on later, as JSON. For servers and logs, never for a seat."""
        return json.dumps(
            {
                "game": self.game.id,
                "version": self.game.version,
                "seed": self.seed,
                "state": self.state_record(),
            },
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, game: Game[Any], text: str) -> Episode:
        """The play that `state_json` described. Raises LogError if it is of another game."""
        try:
            data = json.loads(text)
            if (data["game"], data["version"]) != (game.id, game.version):
                raise LogError(
                    f"state of {data['game']} version {data['version']}, "
                    f"not of {game.id} version {game.version}"
                )
            episode = cls.__new__(cls)
            episode.game = game
            episode.seed = check_seed(data["seed"])
            episode._state = space.from_json(game.declaration.state, data["state"])
            for field in game.declaration.state:
                if episode._state[field.name].shape != field.shape:
                    raise LogError(f"state field {field.name!r} is not of shape {field.shape}")
                episode._state[field.name].flags.writeable = False
            episode._seen = None  # computed when somebody looks
        except EngineError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise LogError(f"not the state of a play: {error}") from None
        return episode


def _of(bound: Any, seat: int) -> Any:
    return bound[seat] if getattr(bound, "ndim", 0) else bound

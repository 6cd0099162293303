"""One play after another of one game, acted in through spaces; what the wrappers share.

Seeds. `reset(seed=s)` plays the play of seed s, the same as `engine.Episode(game, s)`. Every
further `reset()` plays another one, whose seed follows from s and its number (`adapters.rollout`).
Who never gives a seed starts from `identity.seed` of the configuration: nothing here depends on a
clock.

An info has `seed`, that of the play; `action_mask`, where an action is a single choice; after a
step also `components` (they add up to the reward), `used` (the action as the game used it),
`illegal_action` (a choice that was not open, so that the default was played), and `reason` and
`result`, None until the play is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.spaces import Form, form
from engine.contract.chance import check_seed, play_seeds
from engine.contract.errors import ActionError
from engine.contract.space import Array
from engine.game import Game
from engine.play.episode import Episode
from engine.play.period import Period

__all__ = ["Play"]


class Play:
    """Plays of one game. `form` is `flat` or `named`, see `adapters.spaces`."""

    def __init__(self, game: Game[Any], form_name: str = "flat") -> None:
        self.game = game
        self.form: Form = form(game, form_name)
        self._base = game.config.identity.seed
        self._number = 0
        self._episode: Episode | None = None
        self._illegal: dict[int, bool] = {}

    @property
    def episode(self) -> Episode:
        """The play. Raises ActionError before the first reset."""
        if self._episode is None:
            raise ActionError("no play has begun; call reset() first")
        return self._episode

    def reset(self, seed: int | None = None) -> None:
        """Begin a play. Raises ConfigError for a bad seed."""
        if seed is not None:
            self._base, self._number = check_seed(seed), 0
        own = self._base if self._number == 0 else int(play_seeds(self._base, self._number))
        self._number += 1
        self._episode, self._illegal = Episode(self.game, own), {}

    def observation(self, seat: int) -> Any:
        """What a seat sees now, in the form of the observation space."""
        return self.form.observation(self.episode.observation(seat))

    def mask(self, seat: int) -> Array | None:
        """Which choices are open to a seat now."""
        return self.form.mask(self.episode.allowed(seat))

    def action(self, seat: int, sent: Any) -> dict[str, float]:
        """What a seat sent, as the engine takes it. Raises ActionError that names the seat."""
        try:
            read, illegal = self.form.action(sent, self.episode.allowed(seat))
        except ActionError as error:
            raise ActionError(f"seat {seat}: {error}") from None
        self._illegal[seat] = illegal
        return read

    @property
    def turn(self) -> int | None:
        """The seat that is to decide now; None where all decide together, and after the end."""
        return self.episode.turn

    def decide(self, seat: int, action: Mapping[str, float]) -> Period | None:
        """The action of the seat whose turn it is; the step if it was the last in its period."""
        return self.episode.decide(seat, action)

    def step(self, actions: Mapping[int, Mapping[str, float]]) -> Period:
        """One period. Seats that send nothing do what the game does for them."""
        play = self.episode
        defaults = play.allowed(slice(None)).default
        return play.step(
            {
                name: [
                    actions[seat][name] if seat in actions else value
                    for seat, value in enumerate(default.tolist())
                ]
                for name, default in defaults.items()
            }
        )

    def info(self, seat: int, step: Period | None = None) -> dict[str, Any]:
        """The info of a seat after a reset, or after a step; every call makes new objects."""
        info: dict[str, Any] = {"seed": self.episode.seed}
        mask = self.mask(seat)
        if mask is not None:
            info["action_mask"] = mask
        if step is None:
            return info
        used = step.used
        return info | {
            "components": {name: float(each[seat]) for name, each in step.components.items()},
            "used": {name: each[seat].item() for name, each in used.items()},
            "illegal_action": self._illegal.get(seat, False),
            "reason": step.reason,
            "result": step.result,
        }

"""One play after another of one game, acted in through spaces; what the wrappers share.

Seeds. `reset(seed=s)` plays the play of seed s, the same as `engine.Episode(game, s)`. Every
further `reset()` plays another one, whose seed follows from s and its number (`adapters.plays`).
Who never gives a seed starts from `identity.seed` of the configuration: nothing here depends on a
clock.

An info has `seed`, that of the play; `action_mask`, where an action is a single choice; after a
step also `components` (they add up to the reward), `used` (the action as the game used it),
`illegal_action` (a choice that was not open, so that the default was played), `reason` and
`result`, None until the play is over, and what the game tells of the period, by the names it
declares (in the sanctions game those of GraduatedSanction-v0), as far as the seat may know it.
Infos are diagnostics, never observations: what learns or decides should not read them. But whoever
has the info of a seat may also be who plays it, so it holds nothing that the seat could not work
out from what it sees. A value follows from observation fields (`Info.of`); a seat for which one of
these is hidden, blurred, late or not its to see, or that has ended before the others, gets None in
place of the value. The keys are the same in every period.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mixed_company.adapters.spaces import Form, form
from mixed_company.engine.contract.chance import check_seed, play_seeds
from mixed_company.engine.contract.errors import ActionError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period

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
        play_seed = self._base if self._number == 0 else int(play_seeds(self._base, self._number))
        self._number += 1
        self._episode, self._illegal = Episode(self.game, play_seed), {}

    def observation(self, seat: int) -> Any:
        """What a seat sees now, in the form of the observation space."""
        return self.form.observation(self.episode.observation(seat))

    def observations(self) -> Sequence[Any]:
        """What all seats see now."""
        return self.form.observations(self.episode.observations)

    def mask(self, seat: int) -> Array | None:
        """Which choices are open to a seat now."""
        return self.form.mask(self.episode.allowed(seat))

    def action(self, seat: int, sent: Any) -> dict[str, Any]:
        """What a seat sent, as the engine takes it. Raises ActionError that names the seat."""
        try:
            action, illegal = self.form.action(sent, self.episode.allowed(seat))
        except ActionError as error:
            raise ActionError(f"seat {seat}: {error}") from None
        self._illegal[seat] = illegal
        return action

    @property
    def turn(self) -> int | None:
        """The seat that is to decide now; None where all decide together, and after the end."""
        return self.episode.turn

    def decide(self, seat: int, action: Mapping[str, Any]) -> Period | None:
        """The action of the seat whose turn it is; the period if it was the last to decide."""
        return self.episode.decide(seat, action)

    def step(self, actions: Mapping[int, Mapping[str, Any]]) -> Period:
        """One period of actions read before. Seats that send nothing do the game's default."""
        defaults = self.episode.allowed().default
        return self.episode.step(
            {
                name: [
                    actions[seat][name] if seat in actions else value
                    for seat, value in enumerate(default.tolist())
                ]
                for name, default in defaults.items()
            }
        )

    def step_together(self, sent: Mapping[int, Any]) -> Period:
        """One period of what seats sent. Raises ActionError that names a seat; nothing changed."""
        seats = list(sent)
        everybody = self.episode.allowed()
        all_of_them = len(seats) == self.game.seats
        allowed = everybody if all_of_them else everybody.of(np.array(seats, dtype=np.int64))
        try:
            chosen, illegal = self.form.actions(list(sent.values()), allowed)
        except ActionError:
            for seat, action in sent.items():
                self.action(seat, action)  # the seat that is wrong is named here
            raise
        self._illegal = dict(zip(seats, illegal.tolist(), strict=True))
        if all_of_them:
            return self.episode.step(chosen)
        actions = {name: np.array(value) for name, value in everybody.default.items()}
        for name, value in chosen.items():
            actions[name][seats] = value
        return self.episode.step(actions)

    def info(self, seat: int, step: Period | None = None) -> dict[str, Any]:
        """The info of a seat after a reset, or after a step; every call makes new objects."""
        return self.infos([seat], step)[seat]

    def infos(self, seats: Sequence[int], step: Period | None = None) -> dict[int, dict[str, Any]]:
        """The infos of some seats, by seat."""
        masks = self.form.mask(self.episode.allowed())
        infos: dict[int, dict[str, Any]] = {seat: {"seed": self.episode.seed} for seat in seats}
        if masks is not None:
            for seat, info in infos.items():
                info["action_mask"] = masks[seat].copy()
        if step is None:
            return infos
        components = {name: part.tolist() for name, part in step.components.items()}
        used = {name: value.tolist() for name, value in step.used.items()}
        for seat, info in infos.items():
            info["components"] = {name: part[seat] for name, part in components.items()}
            info["used"] = {name: value[seat] for name, value in used.items()}
            info["illegal_action"] = self._illegal.get(seat, False)
            info["reason"] = step.reason
            info["result"] = step.result
            info |= _known_info(self.game, seat, step)
        return infos


def _known_info(game: Game[Any], seat: int, step: Period) -> dict[str, Any]:
    """Return the info of a period by name, None where the seat may not know it."""
    out = seat in step.absent or seat in step.endings
    hidden = game.sight.hidden_from(seat)
    plain = {
        field.name
        for field in game.own_observations
        if field.visibility == "public" and field.name not in hidden
    }
    return {
        info.name: step.info[info.name]
        if not info.of or (not out and all(_seen(game, name, plain) for name in info.of))
        else None
        for info in game.declaration.info
    }


def _seen(game: Game[Any], name: str, plain: set[str]) -> bool:
    return name in plain and not any(layer.alters(name) for layer in game.layers)

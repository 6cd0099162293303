"""Successive plays of one game through Gymnasium spaces, as the wrappers use them.

Seeds. `reset(seed=s)` starts the play of seed s, the same as `engine.Episode(game, s)`. Every
further `reset()` starts another one, whose seed is derived from s and the play's number
(`adapters.plays`). Without a seed, plays start from `identity.seed` of the configuration; nothing
depends on a clock.

Infos. An info has the play's `seed`, and `action_mask` if an action is a single choice. After a
step it also has

    components      add up to the reward
    used            action as the game used it
    illegal_action  whether the choice was not open, so that the default was played
    reason, result  why the play ended, and its result; None until it is over

and the game's declared facts about the period, as far as the seat may know them. In the sanctions
game these have the names of GraduatedSanction-v0.

Infos are diagnostics, not observations: learners and policies should not read them. But the code
that reads a seat's info may also play that seat, so an info holds nothing that the seat could not
derive from its observations. A value is derived from observation fields (`Info.of`). It is None if
the seat has ended before the others, or if a field is hidden, blurred, delayed or not visible to
it. The keys are the same in every period.
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
        """Current play. Raises ActionError before the first reset."""
        if self._episode is None:
            raise ActionError("no play has started; call reset() first")
        return self._episode

    def reset(self, seed: int | None = None) -> None:
        """Start a play. Raises ConfigError for a bad seed."""
        if seed is not None:
            self._base, self._number = check_seed(seed), 0
        play_seed = self._base if self._number == 0 else int(play_seeds(self._base, self._number))
        self._number += 1
        self._episode, self._illegal = Episode(self.game, play_seed), {}

    def observation(self, seat: int) -> Any:
        """Return the observation of a seat, in the form of the observation space."""
        return self.form.observation(self.episode.observation(seat))

    def observations(self) -> Sequence[Any]:
        """Return the observations of all seats."""
        return self.form.observations(self.episode.observations)

    def mask(self, seat: int) -> Array | None:
        """Return the mask of a seat's open choices; None: its action is not a single choice."""
        return self.form.mask(self.episode.allowed(seat))

    def action(self, seat: int, sent: Any) -> dict[str, Any]:
        """Return a seat's action in the engine's form. Raises ActionError that names the seat."""
        try:
            action, illegal = self.form.action(sent, self.episode.allowed(seat))
        except ActionError as error:
            raise ActionError(f"seat {seat}: {error}") from None
        self._illegal[seat] = illegal
        return action

    @property
    def turn(self) -> int | None:
        """Seat whose turn it is; None if all decide together, and after the end."""
        return self.episode.turn

    def decide(self, seat: int, action: Mapping[str, Any]) -> Period | None:
        """Take the action of the seat whose turn it is; return the period if that seat was the
        last.
        """
        return self.episode.decide(seat, action)

    def step(self, actions: Mapping[int, Mapping[str, Any]]) -> Period:
        """Play one period with parsed actions. Seats without an action take the game's default."""
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
        """Play one period with actions as sent.

        Raises ActionError that names the seat; then nothing has changed.
        """
        seats = list(sent)
        everybody = self.episode.allowed()
        all_of_them = len(seats) == self.game.seats
        allowed = everybody if all_of_them else everybody.of(np.array(seats, dtype=np.int64))
        try:
            chosen, illegal = self.form.actions(list(sent.values()), allowed)
        except ActionError:
            for seat, action in sent.items():
                self.action(seat, action)  # raises an error that names the seat
            raise
        self._illegal = dict(zip(seats, illegal.tolist(), strict=True))
        if all_of_them:
            return self.episode.step(chosen)
        actions = {name: np.array(value) for name, value in everybody.default.items()}
        for name, value in chosen.items():
            actions[name][seats] = value
        return self.episode.step(actions)

    def info(self, seat: int, step: Period | None = None) -> dict[str, Any]:
        """Return a seat's info after a reset or a step; each call makes new objects."""
        return self.infos([seat], step)[seat]

    def infos(self, seats: Sequence[int], step: Period | None = None) -> dict[int, dict[str, Any]]:
        """Return the infos of some seats, by seat."""
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

"""Successive plays of one game through Gymnasium spaces, for this package's wrappers.

Seeds. `reset(seed=s)` starts the play with seed s, like `engine.Episode(game, s)`. Every later
`reset()` starts another play, with a seed derived from s and the play's number (`adapters.plays`).
Without a seed, plays start from the configuration's `identity.seed`; nothing depends on the clock.

Infos. An info is a flat mapping of numbers about the last period, with the same names after a reset
and after a step. After a reset, its numbers are 0. It contains

    action_mask     flags of the available choices, if the action is a single choice
    used_FIELD      the action as the game used it: `used_harvest`, or `used_points_0`, ...
    illegal_action  1 if the choice was not available, so the default was used; else 0
    reason          0 while the play continues, then 1 + the index in the game's `reasons` of the
                    reason why it ended
    result          1 for a success, -1 for a failure, else 0

and the infos that the game declares for the period, if the seat may know them: `shown_NAME` is 1 if
the seat may know NAME; otherwise NAME and `shown_NAME` are 0. In the sanctions game, these have the
same names as in GraduatedSanction-v0; names of numbers for a pair of seats include the pair, as in
`memory_averages.0->1`.

Infos are diagnostics, not observations: learners and policies should not read them. But code that
reads a seat's info may also play that seat. So an info contains only what the seat could derive
from its observations (`engine.play.told`). Two parts are added only with `reveal`:

    "seed"          `seed` of the play, which determines all its random numbers
    "components"    `component_NAME`, which add up to the reward, hidden ones included
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from mixed_company.adapters.rendering import check_mode, rendered
from mixed_company.adapters.spaces import Form, form
from mixed_company.engine.contract.chance import check_seed, play_seeds
from mixed_company.engine.contract.errors import ActionError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.engine.play.told import infos_told

REVEALED = ("seed", "components")
"""Optional parts of infos."""


def revealed(names: Collection[str]) -> frozenset[str]:
    """Return the names in `reveal`. Raises UnknownName for a name that is not in REVEALED."""
    for name in names:
        if name not in REVEALED:
            raise UnknownName(f"reveal = {short(name)}{nearest(name, REVEALED)}")
    return frozenset(names)


class Play:
    """Plays of one game. `form` is `flat` or `named`, see `adapters.spaces`; `reveal` names
    optional parts of infos; `render_mode` is one of `adapters.rendering.MODES`, or None.

    Raises UnknownName for an unknown name in `reveal`, ConfigError for an unknown form or mode.
    """

    def __init__(
        self,
        game: Game[Any],
        form_name: str = "flat",
        reveal: Collection[str] = (),
        render_mode: str | None = None,
    ) -> None:
        self.game = game
        self.render_mode = check_mode(render_mode)
        self.reveal = revealed(reveal)
        self.form: Form = form(game, form_name)
        self._base = game.config.identity.seed
        self._number = 0
        self._episode: Episode | None = None
        self._illegal: dict[int, bool] = {}
        self._points: list[Array] = []

    @property
    def has_begun(self) -> bool:
        """True after the first reset."""
        return self._episode is not None

    @property
    def episode(self) -> Episode:
        """The current play. Raises ActionError before the first reset."""
        if self._episode is None:
            raise ActionError("no play has started; call reset() first")
        return self._episode

    def reset(self, seed: int | None = None) -> None:
        """Start a play. Raises ConfigError for an invalid seed."""
        if seed is not None:
            self._base, self._number = check_seed(seed), 0
        play_seed = self._base if self._number == 0 else int(play_seeds(self._base, self._number))
        self._number += 1
        self._episode, self._illegal, self._points = Episode(self.game, play_seed), {}, []

    def render(self) -> Any:
        """Return a picture of the current state; None if there is no render mode."""
        return rendered(self.render_mode, self.episode, self._points)

    def observation(self, seat: int) -> Any:
        """Return the observation of a seat, in the form of the observation space."""
        return self.form.observation(self.episode.observation(seat))

    def observations(self) -> Sequence[Any]:
        """Return all seats' observations."""
        return self.form.observations(self.episode.observations)

    def state(self) -> Array:
        """Return the whole state as flat numbers, in the order of `Form.state`."""
        return self.form.state.of_seat(self.episode.state)

    def mask(self, seat: int) -> Array | None:
        """Return the mask of a seat's available choices; None if the action is not a single
        choice."""
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
        """Seat whose turn it is; None if all seats decide at the same time, and after the end."""
        return self.episode.turn

    def decide(self, seat: int, action: Mapping[str, Any]) -> Period | None:
        """Take the action of the seat whose turn it is. Return the period if this was the last
        seat."""
        period = self.episode.decide(seat, action)
        return period if period is None else self._noted(period)

    def _noted(self, period: Period) -> Period:
        """Store a period's points for use in pictures."""
        if period.settled:
            self._points.append(period.rewards)
        return period

    def step(self, actions: Mapping[int, Mapping[str, Any]]) -> Period:
        """Play one stage with parsed actions. Seats without an action take the game's default."""
        defaults = self.episode.allowed().default
        return self._noted(
            self.episode.step(
                {
                    name: [
                        actions[seat].get(name, value) if seat in actions else value
                        for seat, value in enumerate(default.tolist())
                    ]
                    for name, default in defaults.items()
                }
            )
        )

    def step_together(self, sent: Mapping[int, Any]) -> Period:
        """Play one period with unparsed actions.

        Raises ActionError that names the seat, and then changes nothing.
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
            return self._noted(self.episode.step(chosen))
        actions = {name: np.array(value) for name, value in everybody.default.items()}
        for name, value in chosen.items():
            actions[name][seats] = value
        return self._noted(self.episode.step(actions))

    def info(self, seat: int, step: Period | None = None) -> dict[str, Any]:
        """Return a seat's info after a reset or a step; every call returns new objects."""
        return self.infos([seat], step)[seat]

    def infos(self, seats: Sequence[int], step: Period | None = None) -> dict[int, dict[str, Any]]:
        """Return the infos of some seats, by seat."""
        declared, masks = self.game.declaration, self.form.mask(self.episode.allowed())
        decided, paid = (None, None) if step is None else (step.used, step.components)
        used = _by_seat("used_", declared.actions, decided, self.game.seats)
        parts: dict[str, list[float]] = {}
        if "components" in self.reveal:
            parts = _by_seat("component_", declared.components, paid, self.game.seats)
        ended = _ending(self.game, step)
        infos: dict[int, dict[str, Any]] = {}
        for seat in seats:
            info: dict[str, Any] = {} if masks is None else {"action_mask": masks[seat].copy()}
            info |= {name: values[seat] for name, values in used.items()}
            info["illegal_action"] = int(self._illegal.get(seat, False))
            info |= ended | infos_told(self.game, seat, step)
            if "seed" in self.reveal:
                info["seed"] = self.episode.seed
            info |= {name: values[seat] for name, values in parts.items()}
            infos[seat] = info
        return infos


def _ending(game: Game[Any], step: Period | None) -> dict[str, int]:
    """Return the numbers `reason` and `result` of an info (see the module's docstring)."""
    reason, result = (None, None) if step is None else (step.reason, step.result)
    number = 0 if reason is None else 1 + game.reasons.index(reason)
    return {"reason": number, "result": {"success": 1, "failure": -1}.get(result or "", 0)}


def _by_seat(
    prefix: str, fields: Sequence[Field], values: Arrays | None, seats: int
) -> dict[str, list[float]]:
    """Return each seat's numbers by name, as a dict; a missing value is 0."""
    numbers: dict[str, list[float]] = {}
    for field in fields:
        size = math.prod(field.shape)
        table = np.zeros((seats, size)) if values is None else values[field.name]
        rows = table.reshape(seats, size).astype(np.float64).T
        names = (
            [f"{prefix}{field.name}"]
            if not field.shape
            else [f"{prefix}{field.name}_{i}" for i in range(size)]
        )
        numbers |= zip(names, rows.tolist(), strict=True)
    return numbers

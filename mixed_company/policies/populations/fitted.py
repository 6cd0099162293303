"""Policies for fitted types: the models in `analysis.behaviour`, under the same names.

A new type is a subclass of Policy in bots/populations/<game>.py, which is discovered automatically.
It may use only a seat's observations, and must reject a game that hides observations that its model
needs.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import Any

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import Decided, Policy, Range, Seats
from mixed_company.policies.populations.form import HERE
from mixed_company.policies.seats import mean_where


class StraightLine(Policy):
    """Responds linearly to the others' last average, with normal errors.

    It decides only the game's first action, which must be an amount, and leaves all other actions
    at their defaults. If no other seat's amount is shown, it returns NaN, and the population plays
    the type's first amount instead.
    """

    id = "straight_line"
    games = ()
    version = "2"
    source = (
        "conditional_cooperation of mixed_company.analysis.behaviour: Fischbacher and "
        "Gaechter (2010)"
    )
    parameters = {
        "intercept": Range(0.0, -1e6, 1e6),
        "slope": Range(0.0, -100.0, 100.0),
        "noise": Range(0.0, 0.0, 1e6),
    }
    apiece = True

    def __init__(self, game: Game[Any], **parameters: float) -> None:
        super().__init__(game.told, **parameters)
        self.layout = game.declaration.actions
        first = self.layout[0]
        if first.kind != "real":
            raise ConfigError(f"straight_line: {game.id}: {first.name} is not an amount")

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> StraightLine:
        """Return the policy. Raises ConfigError if the game's first action is not an amount."""
        return cls(game, **parameters)

    def act_together(self, seats: Seats) -> Decided:
        return self.act_together_within(Allowed(self.layout, (seats.count,), {}, {}), seats)

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        name = self.layout[0].name
        actions = seats.seen[name]
        shown = ~np.isnan(actions) & (seats.period > 0)[:, None]
        shown[seats.rows, seats.seat] = False
        line = self.settings["intercept"] + self.settings["slope"] * mean_where(shown, actions)
        errors = self.settings["noise"] * seats.draws.normal()
        rest = {field.name: allowed.default[field.name] for field in self.layout[1:]}
        return {name: line + errors, **rest}, {}


def chosen(worth: Array, among: Array, draws: Draws) -> Array:
    """Draw choices (K,) among those flagged (K, A), with probabilities proportional to exp(worth).

    Terms are added in a fixed order, so a seat draws the same choice whether or not it draws
    together with others.
    """
    worth = np.where(among, worth, -np.inf)
    chances = np.cumsum(np.exp(worth - worth.max(axis=1, keepdims=True)), axis=1)
    drawn = draws.random()[:, None] * chances[:, -1:]
    return np.asarray((drawn >= chances).sum(axis=1))


def column(number: float | Array) -> Array:
    """Convert a number, or (K,) numbers, to a column that broadcasts with (K, A) arrays."""
    return np.reshape(number, (-1, 1))


def policy_of(name: str, game_id: str) -> type[Policy] | None:
    """Return the policy with this name for a game, or None."""
    policy = _all().get(name)
    return None if policy is None or policy.games not in ((), (game_id,)) else policy


def check_shown(name: str, game: Game[Any], *fields: str) -> None:
    """Raise ConfigError if the policy needs one of these `fields` but the game hides it from every
    seat."""
    shown = {field.name.removeprefix("shown_") for field in game.declaration.observations}
    for field in fields:
        if field not in shown:
            raise ConfigError(f"{name}: needs {field}, which {game.id} does not show here")


@lru_cache(maxsize=1)
def _all() -> dict[str, type[Policy]]:
    """Return the policies for fitted types, by (game id, id)."""
    policies: dict[str, type[Policy]] = {StraightLine.id: StraightLine}
    for module in pkgutil.iter_modules([str(HERE)], "bots.populations."):
        for value in vars(importlib.import_module(module.name)).values():
            local = isinstance(value, type) and value.__module__ == module.name
            if local and issubclass(value, Policy):
                policies[value.id] = value
    return policies

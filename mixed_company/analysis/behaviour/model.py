"""What a model of behaviour is: a chance for every action a person could have taken.

A new model is one file under `mixed_company/analysis/behaviour/families/` with a subclass of Model
in it; it is found by itself. Its docstring says in the first sentence how it takes people to
decide.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from mixed_company import engine
from mixed_company.analysis import games
from mixed_company.analysis.behaviour import families
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

__all__ = ["Model", "Parameter", "field_of", "find", "models"]

PER_PARAMETER = 3
"""Decisions that are needed per parameter; fewer are not fitted."""


@dataclass(frozen=True)
class Parameter:
    """A number that is estimated.

    unit    `action` (the unit of the action), `1/points`, or empty: a plain number
    low, high   the bounds. Those of an `action` are in spans (the widest range a seat could choose
            from), those of `1/points` in one over the standard deviation of the points earned
    start   where the search begins, in the same units
    """

    name: str
    symbol: str
    meaning: str
    unit: Literal["action", "1/points", ""] = ""
    low: float = -np.inf
    high: float = np.inf
    start: float = 0.0

    def scale(self, panel: Panel) -> float:
        """What one unit of bounds and start is in this panel."""
        if self.unit == "action":
            return panel.span
        return 1.0 / panel.spread if self.unit == "1/points" else 1.0


class Model(ABC):
    """How people decide, up to `parameters`. Subclass with `name`, `source`, `formula`."""

    name: ClassVar[str]
    source: ClassVar[str]
    formula: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    amounts: ClassVar[bool] = False
    """Is it about amounts, which are explained as they are, not by the nearest of a grid?"""
    remembers: ClassVar[bool] = False
    """Does a decision depend on the person's earlier ones?"""

    @classmethod
    def applies(cls, game_id: str, field: str) -> bool:
        """Is it a model of this action field?"""
        return not cls.amounts or field in _amounts(game_id)

    def refuses(self, game: Game[Any], field: str) -> str:
        """Why it says nothing about a game under this configuration; empty: it does."""
        return ""

    def prepared(self, panel: Panel) -> Panel:
        """The panel with what the model needs to know of each action (`Panel.worths`)."""
        return panel

    def silent(self, panel: Panel) -> Array:
        """(D,) why it says nothing about a decision; empty: it does."""
        why = np.empty(len(panel), dtype=object)
        for game, rows in panel.by_game():
            why[rows] = self.refuses(game, panel.field)
        return np.where(panel.why != "", panel.why, why)

    def unfit(self, panel: Panel) -> str:
        """Why no parameters can be estimated from these decisions; empty: they can."""
        needed = PER_PARAMETER * len(self.parameters)
        if len(panel) < needed:
            return (
                f"{len(panel)} decisions; {needed} are needed for {len(self.parameters)} parameters"
            )
        if np.ptp(panel.share) == 0:
            return "the same action every time"
        return ""

    @abstractmethod
    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        """(D, A) log chances of the actions; -inf where there is none. `values` as `parameters`."""

    def log_likelihood(self, values: Array, panel: Panel) -> Array:
        """(D,) log chance of what was done; for exact amounts (`panel.exact`) the log density."""
        chances = self.log_probabilities(values, panel)
        return np.asarray(chances[np.arange(len(panel)), panel.chosen])

    def draw(self, values: Array, panel: Panel, rng: np.random.Generator) -> float:
        """What somebody who decides by the model does in the last decision of a panel."""
        chances = np.exp(self.log_probabilities(values, panel)[-1])
        return float(panel.actions[-1, rng.choice(len(chances), p=chances / chances.sum())])

    def vector(self, values: Mapping[str, float]) -> Array:
        """The values in the order of `parameters`. Raises ConfigError for a name or a bound."""
        names = [parameter.name for parameter in self.parameters]
        for name in values:
            if name not in names:
                raise ConfigError(
                    f"{self.name}: parameter {short(name)}: unknown{nearest(name, names)}"
                )
        for parameter in self.parameters:
            if parameter.name not in values:
                raise ConfigError(f"{self.name}: parameter {parameter.name!r}: is missing")
            low = 0.0 if parameter.low >= 0 else -np.inf
            high = np.inf if parameter.unit else parameter.high
            if not low <= values[parameter.name] <= high:
                bounds = f"{values[parameter.name]:g}: from {low:g} to {high:g}"
                raise ConfigError(f"{self.name}: {parameter.name} = {bounds}")
        return np.array([float(values[name]) for name in names])


@lru_cache(maxsize=1)
def _all() -> dict[str, type[Model]]:
    by_name = {}
    for module in pkgutil.iter_modules(families.__path__, families.__name__ + "."):
        for value in vars(importlib.import_module(module.name)).values():
            own = isinstance(value, type) and value.__module__ == module.name
            if own and issubclass(value, Model):
                by_name[value.name] = value
    return by_name


def models(game_id: str, field: str | None = None) -> list[str]:
    """The names of the models of an action field of a game, by default of its first one.

    Raises UnknownName for the game or the field, ConfigError for a game without models.
    """
    chosen = field_of(game_id, field)
    return sorted(name for name, model in _all().items() if model.applies(game_id, chosen))


def find(name: str, game_id: str, field: str | None = None) -> Model:
    """A model by its name. Raises UnknownName or ConfigError as `models`."""
    known = models(game_id, field)
    if name not in known:
        of = f"{game_id} ({field_of(game_id, field)})"
        raise UnknownName(f"model {short(name)}: unknown in {of}{nearest(name, known)}")
    return _all()[name]()


def field_of(game_id: str, field: str | None) -> str:
    """The action field that is meant. Raises UnknownName or ConfigError as `models`."""
    known = _fields(game_id)
    without = games.find(game_id).no_model
    if without:
        raise ConfigError(f"{game_id}: {without}, so no model of behaviour is fitted to it")
    if field is not None and field not in known:
        raise UnknownName(f"field {short(field)}: unknown in {game_id}{nearest(field, known)}")
    return known[0] if field is None else field


def _fields(game_id: str) -> list[str]:
    return [field.name for field in engine.make(game_id).declaration.actions]


def _amounts(game_id: str) -> list[str]:
    actions = engine.make(game_id).declaration.actions
    return [field.name for field in actions if field.kind == "real"]

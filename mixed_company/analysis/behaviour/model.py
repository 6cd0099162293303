"""Base class and registry of behaviour models.

A model assigns a probability to every action that a person could have taken. To add a model, create
a file in `mixed_company/analysis/behaviour/families/` with a subclass of Model. It is registered
automatically. The first sentence of its docstring states how people decide under the model.
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

PER_PARAMETER = 3
"""Minimum number of decisions per parameter. With fewer, the model is not fitted."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model.

    unit    `action` (the unit of the action), `1/points`, or empty for a dimensionless parameter
    low, high   bounds. For the unit `action` they are in spans (the widest range a seat could
            choose from), for `1/points` in 1 / standard deviation of the points earned
    start   starting point of the search, in the same units
    """

    name: str
    symbol: str
    meaning: str
    unit: Literal["action", "1/points", ""] = ""
    low: float = -np.inf
    high: float = np.inf
    start: float = 0.0

    def scale(self, panel: Panel) -> float:
        """Return the size of one unit of the bounds and of `start` in this panel."""
        if self.unit == "action":
            return panel.span
        return 1.0 / panel.spread if self.unit == "1/points" else 1.0


class Model(ABC):
    """A model of decisions with free `parameters`. Subclasses set `name`, `source`, `formula`."""

    name: ClassVar[str]
    source: ClassVar[str]
    formula: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    amounts: ClassVar[bool] = False
    """True if the model explains exact amounts rather than the nearest grid points."""
    remembers: ClassVar[bool] = False
    """True if a decision depends on the person's earlier decisions."""

    @classmethod
    def applies(cls, game_id: str, field: str) -> bool:
        """Return whether the model applies to this action field."""
        return not cls.amounts or field in _amounts(game_id)

    def refuses(self, game: Game[Any], field: str) -> str:
        """Return the reason why the model does not apply to a game's configuration; an empty string
        if it does."""
        return ""

    def prepared(self, panel: Panel) -> Panel:
        """Return the panel with the model's inputs for each action added (`Panel.worths`)."""
        return panel

    def silent(self, panel: Panel) -> Array:
        """Return, for each decision, the reason why the model does not explain it, shape (D,);
        empty if it does."""
        reasons = np.empty(len(panel), dtype=object)
        for game, rows in panel.by_game():
            reasons[rows] = self.refuses(game, panel.field)
        return np.where(panel.why != "", panel.why, reasons)

    def unfit(self, panel: Panel) -> str:
        """Return the reason why these decisions do not identify the parameters; an empty string if
        they do."""
        needed = PER_PARAMETER * len(self.parameters)
        if len(panel) < needed:
            return (
                f"{len(panel)} decisions; {needed} are needed for {len(self.parameters)} parameters"
            )
        if np.ptp(panel.share) == 0:
            return "the person always chose the same action"
        return ""

    @abstractmethod
    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        """Return the log probabilities of actions, shape (D, A); -inf for missing actions.

        `values` are in the order of `parameters`.
        """

    def log_likelihood(self, values: Array, panel: Panel) -> Array:
        """Return each decision's log probability or, for exact amounts, its log density, shape
        (D,).

        `panel.exact` says whether amounts are exact.
        """
        chances = self.log_probabilities(values, panel)
        return np.asarray(chances[np.arange(len(panel)), panel.chosen])

    def draw(self, values: Array, panel: Panel, rng: np.random.Generator) -> float:
        """Draw an action from the model for the panel's last decision."""
        chances = np.exp(self.log_probabilities(values, panel)[-1])
        return float(panel.actions[-1, rng.choice(len(chances), p=chances / chances.sum())])

    def vector(self, values: Mapping[str, float]) -> Array:
        """Return the values in the order of `parameters`.

        Raises ConfigError for unknown, missing or out-of-bounds parameters.
        """
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
                bounds = f"{values[parameter.name]:g}: should be from {low:g} to {high:g}"
                raise ConfigError(f"{self.name}: {parameter.name} = {bounds}")
        return np.array([float(values[name]) for name in names])


@lru_cache(maxsize=1)
def _all() -> dict[str, type[Model]]:
    by_name = {}
    for module in pkgutil.iter_modules(families.__path__, families.__name__ + "."):
        for value in vars(importlib.import_module(module.name)).values():
            defined_here = isinstance(value, type) and value.__module__ == module.name
            if defined_here and issubclass(value, Model):
                by_name[value.name] = value
    return by_name


def models(game_id: str, field: str | None = None) -> list[str]:
    """Return the names of the models for a game's action field, by default its first one.

    Raises UnknownName for an unknown game or field, ConfigError if the game has no models.
    """
    chosen = field_of(game_id, field)
    return sorted(name for name, model in _all().items() if model.applies(game_id, chosen))


def find(name: str, game_id: str, field: str | None = None) -> Model:
    """Return the model with this name. Raises UnknownName, and the same errors as `models`."""
    names = models(game_id, field)
    if name not in names:
        scope = f"{game_id} ({field_of(game_id, field)})"
        raise UnknownName(f"model {short(name)}: unknown in {scope}{nearest(name, names)}")
    return _all()[name]()


def field_of(game_id: str, field: str | None) -> str:
    """Return the action field, or the default one if `field` is None. Raises the same errors as
    `models`."""
    names = [field.name for field in engine.make(game_id).declaration.actions]
    reason = games.find(game_id).no_model
    if reason:
        raise ConfigError(f"{game_id}: {reason}, so no model of behaviour can be fitted")
    if field is not None and field not in names:
        raise UnknownName(f"field {short(field)}: unknown in {game_id}{nearest(field, names)}")
    return names[0] if field is None else field


def _amounts(game_id: str) -> list[str]:
    actions = engine.make(game_id).declaration.actions
    return [field.name for field in actions if field.kind == "real"]

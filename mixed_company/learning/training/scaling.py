"""Rescaling of observations to numbers of order 1, by fixed rules that are part of the model.

A number with two declared bounds is mapped to [-1, 1]; the upper bound of `period` is the horizon.
An unbounded number is mapped by the inverse hyperbolic sine, which is close to the number itself
near 0 and to a logarithm far from 0. The seat number is a label, not an amount, so it is encoded
one-hot.

If a field consists of many cells, each with one of several codes (the punishment vote's window), a
learned layer can summarise each cell as a few numbers. The layer is the same for all cells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.learning.training.paths import Paths
from mixed_company.policies.flat.observations import FlatObservations


@dataclass(frozen=True)
class Cells:
    """`count` cells of a field, starting at `begin`, with `codes` numbers each, summarised by
    `few` numbers.

    `begin` is an index into the scaled numbers.
    """

    begin: int
    count: int
    codes: int
    few: int

    @property
    def end(self) -> int:
        """Index after the last cell."""
        return self.begin + self.count * self.codes


@dataclass(frozen=True)
class Scaling:
    """Rules for `size` numbers: (number - middle) * factor + curved * asinh(number).

    middle, factor, curved   (size,) float32
    seat                     index of the seat number; None if it is not observed
    seats                    number of seats
    cells                    cells to summarise, if any
    """

    middle: Array
    factor: Array
    curved: Array
    seat: int | None
    seats: int
    cells: Cells | None = None

    @property
    def size(self) -> int:
        """Number of scaled numbers."""
        less = self.cells.count * (self.cells.codes - self.cells.few) if self.cells else 0
        return len(self.middle) + (self.seats if self.seat is not None else 0) - less


def scaling(
    game: Game[Any],
    observed: Array,
    remembered: Array,
    cells: tuple[str, int] | None = None,
    paths: Paths | None = None,
) -> Scaling:
    """Return the rules for the observed numbers, followed by the means of some of them, and by
    `paths`.

    `observed` contains indices into the flat observations, and `remembered` indices into the
    observed numbers; `cells` is a field and the number of values that summarise each cell. Raises
    ConfigError for invalid cells.
    """
    flat = FlatObservations(game.declaration.observations, game.seats)
    low, high = flat.low.astype(np.float64), flat.high.astype(np.float64)
    high[flat.values["period"]] = game.horizon
    ends = np.isfinite(low) & np.isfinite(high)
    span = np.where(ends & (high > low), high - low, np.inf)
    middle = np.where(ends, low, 0.0) / 2 + np.where(ends, high, 0.0) / 2
    chosen = observed[np.concatenate([np.arange(len(observed)), remembered])]
    seat = np.flatnonzero(observed == flat.values["seat"].start).tolist()
    more = paths.size if paths else 0  # already between 0 and 1
    return Scaling(
        middle=np.append(middle[chosen], np.zeros(more)).astype(np.float32),
        factor=np.append((2.0 / span)[chosen], np.ones(more)).astype(np.float32),
        curved=np.append((~ends)[chosen], np.zeros(more)).astype(np.float32),
        seat=seat[0] if seat else None,
        seats=game.seats,
        cells=_cells(flat, observed, *cells) if cells else None,
    )


def _cells(flat: FlatObservations, observed: Array, name: str, few: int) -> Cells:
    shapes = {field.name: field.shape for field in flat.layout if len(field.shape) > 1}
    if name not in shapes or few < 1:
        having = ", ".join(shapes) or "no field does"
        raise ConfigError(
            f"cells = {name}:{few}: should be field:number, where the field has cells "
            f"({having}) and the number is at least 1"
        )
    where = np.flatnonzero(observed == flat.values[name].start).tolist()
    if not where:
        raise ConfigError(f"cells = {name}:{few}: {name} is not observed")
    *around, codes = shapes[name]
    return Cells(where[0], math.prod(around), codes, few)


class Scaled(BaseFeaturesExtractor):
    """The rules in torch, as a feature extractor for Stable-Baselines3."""

    def __init__(self, observation_space: Any, rules: Scaling) -> None:
        super().__init__(observation_space, rules.size)
        self.rules = rules
        for name in ("middle", "factor", "curved"):
            self.register_buffer(name, torch.as_tensor(getattr(rules, name)))
        self.register_buffer("numbers", torch.arange(rules.seats, dtype=torch.float32))
        if rules.cells:
            self.cells = torch.nn.Linear(rules.cells.codes, rules.cells.few)

    def forward(self, observations: Any) -> Any:
        scaled = (observations - self.middle) * self.factor
        scaled = scaled + self.curved * torch.asinh(observations)
        if self.rules.seat is not None:
            seat = observations[:, self.rules.seat, None]
            scaled = torch.cat([scaled, torch.relu(1.0 - torch.abs(seat - self.numbers))], dim=1)
        return self._summed_up(scaled, self.rules.cells) if self.rules.cells else scaled

    def _summed_up(self, scaled: Any, cells: Cells) -> Any:
        by_cell = scaled[:, cells.begin : cells.end].reshape(-1, cells.codes)
        few = self.cells(by_cell).reshape(len(scaled), -1)
        return torch.cat([scaled[:, : cells.begin], scaled[:, cells.end :], few], dim=1)

"""Parameters of gem mining; `engine.games.gem_mining` explains them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field as PydanticField
from pydantic import ValidationInfo, field_validator, model_validator

from mixed_company.engine.contract.config import Core, Section, parameter
from mixed_company.engine.contract.errors import listed

Reach = Annotated[int, PydanticField(ge=1, le=10)]
Workers = Annotated[int, PydanticField(ge=1, le=1000)]
Probability = Annotated[float, PydanticField(ge=0, le=1)]
Weight = Annotated[float, PydanticField(ge=0, le=1e6)]


class GivenInstance(Section):
    """Instance that is set in the configuration instead of being drawn."""

    reach: tuple[Reach, ...] = parameter(..., "mines in reach of each village")
    workers: tuple[Workers, ...] = parameter(..., "workers of each village")
    base_probabilities: tuple[tuple[Probability, ...], ...] = parameter(
        ..., "chance of each gem type at each mine, for a single worker: a row per mine"
    )


_mines = partial(parameter, group="Mines and gems")
_see = partial(parameter, group="What players see")


class GemCore(Core):
    """Parameters of gem mining."""

    seats: int = parameter(20, "number of villages", symbol="n", ge=1, le=1000, first=True)
    gem_types: int = _mines(2, "number of gem types", symbol="K", ge=1, le=10)
    min_connectivity: int = _mines(2, "smallest number of mines in reach of a village", ge=2, le=10)
    max_connectivity: int = _mines(
        4, "largest number of mines in reach of a village", symbol="C", ge=2, le=10
    )
    min_workers: int = _mines(1, "smallest number of workers in a village", ge=1, le=1000)
    max_workers: int = _mines(5, "largest number of workers in a village", ge=1, le=1000)
    min_probability: float = _mines(
        0.01, "smallest chance of finding a gem of one type at a mine with one worker", ge=0, le=1
    )
    max_probability: float = _mines(
        0.50, "largest such chance; if correlated, the sum over all types", ge=0, le=1
    )
    truncation: float = _mines(
        0.9, "upper limit of a chance, including the worker bonus", symbol="t", ge=0, le=1
    )
    worker_bonus: float = _mines(
        1.03,
        "factor by which each worker after the first multiplies the chances",
        symbol="b",
        ge=0,
        le=100,
    )
    correlated: bool = _mines(True, "whether a mine that is rich in one type is poor in the others")
    periods: int = parameter(
        1, "number of periods, all with the same instance", symbol="T", ge=1, le=10_000, first=True
    )
    weights: tuple[Weight, ...] | None = _mines(
        None,
        "value of a gem of each type; empty: one point each",
        unit="points",
        symbol="v",
        validate_default=True,
    )
    information: Literal["none", "own", "all"] = _see(
        "none",
        "last period's results that a seat sees: none, those at its own mine, or those at all "
        "mines",
    )
    known_probabilities: bool = _see(
        False, "whether seats see the base probabilities and every village's reach and workers"
    )
    instance: GivenInstance | None = _mines(
        None, "reach, workers and base probabilities; empty: drawn from the seed"
    )

    @property
    def mines(self) -> int:
        """Number of mines. The first mine that village i can reach is mine i."""
        return self.seats + self.max_connectivity - 1

    @field_validator("weights")
    @classmethod
    def _fill_weights(cls, weights: Any, info: ValidationInfo) -> Any:
        types = info.data.get("gem_types")
        if types is None:
            return weights
        if weights is None:
            return (1.0,) * types
        if len(weights) != types:
            raise ValueError(f"{list(weights)}: should be {types} numbers, one per gem type")
        return weights

    @model_validator(mode="after")
    def _possible(self) -> GemCore:
        for name in ("connectivity", "workers", "probability"):
            low, high = getattr(self, f"min_{name}"), getattr(self, f"max_{name}")
            if low > high:
                raise ValueError(f"min_{name} = {low:g}: should be at most max_{name} = {high:g}")
        total = self.gem_types * self.min_probability
        if self.correlated and total > self.max_probability + 1e-12:
            raise ValueError(
                f"min_probability = {self.min_probability:g}: {self.gem_types} gem types add up "
                f"to at least {total:g}, above max_probability = "
                f"{self.max_probability:g}"
            )
        if self.instance is not None:
            self._check_instance(self.instance)
        return self

    def _check_instance(self, instance: GivenInstance) -> None:
        for name in ("reach", "workers"):
            values = getattr(instance, name)
            if len(values) != self.seats:
                raise ValueError(
                    f"instance.{name} = {listed(values)}: should be {self.seats} "
                    "numbers, one per village"
                )
        reach, low, high = instance.reach, self.min_connectivity, self.max_connectivity
        where = f"instance.reach = {listed(reach)}"
        if max(reach) > high:
            raise ValueError(f"{where}: {max(reach)} is above max_connectivity = {high}")
        if min(reach) < low:
            raise ValueError(f"{where}: {min(reach)} is below min_connectivity = {low}")
        rows = instance.base_probabilities
        if len(rows) != self.mines or any(len(row) != self.gem_types for row in rows):
            raise ValueError(
                f"instance.base_probabilities = {listed(rows)}: should be {self.mines} rows "
                f"(seats + max_connectivity - 1) of {self.gem_types} numbers"
            )


_MOMALAND_42: Mapping[str, Any] = {
    "reach": (4, 3, 4, 2, 3, 3, 4, 3, 4, 3, 4, 2, 4, 4, 2, 4, 4, 3, 4, 3),
    "workers": (4, 1, 2, 2, 4, 4, 5, 1, 3, 1, 2, 3, 1, 1, 4, 3, 2, 3, 5, 1),
    "base_probabilities": (
        (0.3887350483614197, 0.06673426417070595),
        (0.14059953058567168, 0.08092445430960477),
        (0.058038829964328895, 0.16651529529905168),
        (0.047236401540417396, 0.4083223521833061),
        (0.3529739397460944, 0.07275266094041459),
        (0.04703609309687534, 0.1340038313230877),
        (0.1429135959295592, 0.2813555082706782),
        (0.12534662060330323, 0.3207937597268238),
        (0.41199932887711904, 0.06025663418882036),
        (0.1406475934617433, 0.21936420151741454),
        (0.08644742566335985, 0.14626499165864665),
        (0.09895993680818867, 0.3398555473255191),
        (0.03972822543498863, 0.29629157266348444),
        (0.15540763944479308, 0.08679917206810633),
        (0.12650851835033408, 0.33176869796524106),
        (0.11765259382312904, 0.02131043767723262),
        (0.1985474499004946, 0.02796706567220391),
        (0.10993447570544608, 0.18975596519331733),
        (0.07714964750776944, 0.06485382024419793),
        (0.3610964914765612, 0.056657946962504764),
        (0.2990865169927004, 0.18013832854539716),
        (0.030047583752692134, 0.24947735802793833),
        (0.018449317640402647, 0.4147183675433329),
    ),
}
"""Instance of the published game: MOGemMining of momaland 0.2.0, seed 42.

Its reach is as listed in the source. The published code truncates the base probabilities to whole
numbers, which makes them 0; these are the numbers it draws before truncation.
"""

_RED, _GREEN = (0.01, 0.0), (0.0, 0.01)
"""Chances at poor mines, which have few gems of one kind."""
_REDDER, _GREENER = (0.9, 0.8), (0.8, 0.9)
"""Chances at good mines. The mines are worth the same if both kinds are."""
_FOUR_GOOD_MINES: Mapping[str, Any] = {
    "reach": (3, 3, 3, 3),
    "workers": (1, 1, 1, 1),
    "base_probabilities": (_RED, _REDDER, _GREENER, _REDDER, _GREENER, _GREEN),
}
_ONE_RICH_MINE: Mapping[str, Any] = {
    "reach": (4, 4, 4, 4),
    "workers": (1, 1, 1, 1),
    "base_probabilities": (_RED, _REDDER, _RED, (0.9, 0.9), _GREEN, _GREENER, _GREEN),
}

ARCHETYPES: Mapping[str, Mapping[str, Any]] = {
    "source": {},
    "momaland_42": {"instance": _MOMALAND_42},
    "lab": {
        "seats": 4,
        "periods": 20,
        "information": "all",
        "known_probabilities": True,
        "max_connectivity": 3,
        "worker_bonus": 0.25,
        "instance": _FOUR_GOOD_MINES,
    },
    "open_book": {
        "seats": 4,
        "periods": 20,
        "information": "own",
        "layers": {
            "information": {"intensity": 1.0, "show": ("base_probabilities", "workers_at")},
            "uncertainty": {"intensity": 1.0, "shocks": {"base_probabilities": 0.02}},
        },
    },
}

SUPERSEDED: Mapping[str, Mapping[str, Any]] = {
    "lab_0_7": {"seats": 4, "periods": 20, "information": "all"},
    "lab_0_8": {
        "seats": 4,
        "periods": 20,
        "information": "all",
        "known_probabilities": True,
        "worker_bonus": 0.5,
        "instance": _ONE_RICH_MINE,
    },
}

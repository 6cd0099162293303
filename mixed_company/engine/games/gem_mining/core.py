"""The parameters of gem mining; `engine.games.gem_mining` says what they do."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field as PydanticField
from pydantic import ValidationInfo, field_validator, model_validator

from mixed_company.engine.contract.config import Core, Section, parameter
from mixed_company.engine.contract.errors import listed

__all__ = ["GemCore", "GivenInstance"]

Reach = Annotated[int, PydanticField(ge=1, le=10)]
Workers = Annotated[int, PydanticField(ge=1, le=1000)]
Probability = Annotated[float, PydanticField(ge=0, le=1)]
Weight = Annotated[float, PydanticField(ge=0, le=1e6)]


class GivenInstance(Section):
    """An instance that is told instead of drawn."""

    reach: tuple[Reach, ...] = parameter(..., "mines in reach of each village")
    workers: tuple[Workers, ...] = parameter(..., "workers of each village")
    base_probabilities: tuple[tuple[Probability, ...], ...] = parameter(
        ..., "chance of each gem type at each mine, for a single worker: a row per mine"
    )


class GemCore(Core):
    """Parameters of gem mining."""

    seats: int = parameter(20, "number of villages", symbol="n", ge=1, le=1000)
    gem_types: int = parameter(2, "number of gem types", symbol="K", ge=1, le=10)
    min_connectivity: int = parameter(2, "mines in reach of a village, at least", ge=2, le=10)
    max_connectivity: int = parameter(
        4, "mines in reach of a village, at most", symbol="C", ge=2, le=10
    )
    min_workers: int = parameter(1, "workers of a village, at least", ge=1, le=1000)
    max_workers: int = parameter(5, "workers of a village, at most", ge=1, le=1000)
    min_probability: float = parameter(
        0.01, "chance of a gem of one type at a mine with one worker, at least", ge=0, le=1
    )
    max_probability: float = parameter(
        0.50, "the same at most; if correlated: of all types together", ge=0, le=1
    )
    truncation: float = parameter(
        0.9, "upper limit of a chance, worker bonus included", symbol="t", ge=0, le=1
    )
    worker_bonus: float = parameter(
        1.03, "factor of the chances for each worker after the first", symbol="b", ge=0, le=100
    )
    correlated: bool = parameter(True, "is a mine that is rich in one type poor in the others")
    periods: int = parameter(
        1, "number of periods, all with the same instance", symbol="T", ge=1, le=10_000
    )
    weights: tuple[Weight, ...] | None = parameter(
        None,
        "what a gem of each type is worth; empty: one point each",
        unit="points",
        symbol="v",
        validate_default=True,
    )
    information: Literal["none", "own", "all"] = parameter(
        "none", "what is seen of the last period: nothing, the own mine, or all mines"
    )
    known_probabilities: bool = parameter(
        False, "are base probabilities and the reach and workers of all villages shown"
    )
    instance: GivenInstance | None = parameter(
        None, "reach, workers and base probabilities; empty: drawn from the seed"
    )

    @property
    def mines(self) -> int:
        """The number of mines; village i reaches some from mine i on."""
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
            raise ValueError(f"{list(weights)}: {len(weights)} weights for {types} gem types")
        return weights

    @model_validator(mode="after")
    def _possible(self) -> GemCore:
        for what in ("connectivity", "workers", "probability"):
            low, high = getattr(self, f"min_{what}"), getattr(self, f"max_{what}")
            if low > high:
                raise ValueError(f"min_{what} = {low:g}: is above max_{what} = {high:g}")
        least = self.gem_types * self.min_probability
        if self.correlated and least > self.max_probability + 1e-12:
            raise ValueError(
                f"min_probability = {self.min_probability:g}: {self.gem_types} gem types with at "
                f"least that have {least:g} together, above max_probability = "
                f"{self.max_probability:g}"
            )
        if self.instance is not None:
            self._check_instance(self.instance)
        return self

    def _check_instance(self, given: GivenInstance) -> None:
        for name in ("reach", "workers"):
            values = getattr(given, name)
            if len(values) != self.seats:
                raise ValueError(
                    f"instance.{name} = {listed(values)}: {len(values)} numbers for "
                    f"{self.seats} villages"
                )
        reach, least, most = given.reach, self.min_connectivity, self.max_connectivity
        where = f"instance.reach = {listed(reach)}"
        if max(reach) > most:
            raise ValueError(f"{where}: {max(reach)} is above max_connectivity = {most}")
        if min(reach) < least:
            raise ValueError(f"{where}: {min(reach)} is below min_connectivity = {least}")
        rows = given.base_probabilities
        if len(rows) != self.mines or any(len(row) != self.gem_types for row in rows):
            raise ValueError(
                f"instance.base_probabilities = {listed(rows)}: should be {self.mines} rows "
                f"(seats + max_connectivity - 1) of {self.gem_types} numbers"
            )

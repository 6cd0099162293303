"""Parameters that drift over the periods, within their declared ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from pydantic import ValidationError

from mixed_company.engine.contract.config import Core, refusal
from mixed_company.engine.contract.space import Array

CoreT = TypeVar("CoreT", bound=Core)


class Drift:
    """Core parameters by period; `rates` maps those that drift to their change per period."""

    def __init__(self, core: Core, rates: Mapping[str, float]) -> None:
        self.core = core
        self.rates = rates
        self._ranges = {name: _range(core, name) for name in rates}

    def now(self, name: str, period: Array, axes: int) -> Any:
        """Return a parameter's value in a period: one number per play, or just one if it does not
        drift.
        """
        value = getattr(self.core, name)
        if name not in self.rates:
            return value
        drifted = np.asarray(value * (1.0 + self.rates[name] * period))
        low, high = self._ranges[name]
        drifted = np.minimum(np.maximum(drifted, low), high)
        return drifted.reshape(drifted.shape + (1,) * axes)

    def ends(self, name: str, periods: int) -> tuple[float, float]:
        """Return the smallest and the largest value over this many periods."""
        both = [float(self.now(name, np.asarray(t), 0)) for t in (0, periods - 1)]
        return min(both), max(both)


def _range(core: Core, name: str) -> tuple[float, float]:
    low, high = -np.inf, np.inf
    for rule in type(core).model_fields[name].metadata:
        low = getattr(rule, "ge", getattr(rule, "gt", low))
        high = getattr(rule, "le", getattr(rule, "lt", high))
    return low, high


def changed(core: CoreT, **values: Any) -> CoreT:
    """Return the parameters with some values changed, after validation. Raises ConfigError."""
    model = type(core)
    try:
        return model.model_validate({**core.model_dump(), **values})
    except ValidationError as error:
        raise refusal(error, model, "core") from None

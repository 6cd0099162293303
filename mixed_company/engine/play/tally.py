"""What one seat, or all seats of a role, did and earned so far, for the lines of seats in a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Field

__all__ = ["Tally", "distribution"]

_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass
class Tally:
    """What was added up over periods, and over the seats of a role.

    total      points
    used       action field -> what was used, in the order of periods; of an array field all places
    entropy    in bits, one for each decision whose policy told it
    """

    total: float = 0.0
    used: dict[str, list[float]] = field(default_factory=dict)
    entropy: list[float] = field(default_factory=list)

    def add(self, reward: float, used: Mapping[str, Any] | None, entropy: float | None) -> None:
        """A period of a seat; `used` is None if it took no part, `entropy` if it was not told."""
        self.total += reward
        if used is None:
            return
        for name, value in used.items():
            self.used.setdefault(name, []).extend(np.ravel(value).tolist())
        if entropy is not None:
            self.entropy.append(entropy)

    def actions(self, layout: Sequence[Field]) -> dict[str, Any]:
        """Per action field the distribution of what was used so far."""
        return {own.name: distribution(own, self.used.get(own.name, [])) for own in layout}

    @property
    def mean_entropy(self) -> float | None:
        """In bits per decision; None: no policy told it."""
        return float(np.mean(self.entropy)) if self.entropy else None


def distribution(action: Field, values: Sequence[float]) -> dict[str, Any]:
    """How the values of an action field are distributed, in the form that follows from its kind.

    A choice or a flag: `counts`, one for each choice from the lowest on. An amount: `mean`, `sd`
    (of these values, not an estimate) and `quantiles`, from the least over the quartiles to the
    greatest; None where there are no values.
    """
    if action.kind in ("choice", "flag"):
        choices = range(int(action.low), int(action.high) + 1)
        return {"counts": [sum(value == choice for value in values) for choice in choices]}
    if not values:
        return {"mean": None, "sd": None, "quantiles": None}
    return {
        "mean": float(np.mean(values)),
        "sd": float(np.std(values)),
        "quantiles": np.quantile(values, _QUANTILES).tolist(),
    }

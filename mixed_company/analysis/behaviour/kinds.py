"""What a mixture comes to, whatever its types are of: lines, or models of a choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from mixed_company.engine.contract.space import Array

__all__ = ["Kind", "Kinds"]


@dataclass(frozen=True)
class Kind:
    """A type: its share of the people, and its numbers with their standard errors (NaN: none).

    values, errors   (k,) the numbers
    correlation      of these errors; those of means come first
    """

    share: float
    share_error: float
    values: Array
    errors: Array
    correlation: Array


Own = TypeVar("Own", bound=Kind)


@dataclass(frozen=True)
class Kinds(Generic[Own]):
    """The types, the largest first; `membership` (P, K) is how likely each person is of each."""

    types: tuple[Own, ...]
    membership: Array
    log_likelihood: float
    bic: float

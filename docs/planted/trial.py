"""What is planted, played, and looked for again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mixed_company.policies.populations import Type

__all__ = ["Trial"]


@dataclass(frozen=True)
class Trial:
    """A planted population, how it plays, and what of it is compared.

    text     the population, without its game
    called   what a fitted type is called here
    truth    of each type its numbers, the share among them
    """

    text: str
    settings: dict[str, Any]
    groups: int
    repetitions: int
    called: Callable[[Type], str]
    truth: dict[str, dict[str, float]]

"""Calibration trial: a population with known types, its plays and its true numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mixed_company.policies.populations import Type

__all__ = ["Trial"]


@dataclass(frozen=True)
class Trial:
    """Planted population, the form of its plays, and the numbers to compare.

    text     population file, without its game
    called   function that labels a fitted type
    truth    true numbers by type, including its share
    """

    text: str
    settings: dict[str, Any]
    groups: int
    repetitions: int
    called: Callable[[Type], str]
    truth: dict[str, dict[str, float]]

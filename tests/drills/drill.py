"""Interface of a drill, and its report."""

from __future__ import annotations

import importlib
import pkgutil
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import tests.drills

__all__ = ["Drill", "Report", "find", "names"]

ARGUMENT = "configure"
"""Functions that make a module in this folder a drill."""


@dataclass(frozen=True)
class Report:
    """Measurements of a drill, in display order, and its faults."""

    figures: Mapping[str, object]
    faults: Sequence[str]

    def lines(self) -> list[str]:
        """Return a table of one row, and a line for each fault."""
        shown = {**self.figures, "faults": len(self.faults)}
        widths = {name: max(len(name), len(str(value))) for name, value in shown.items()}
        head = "  ".join(f"{name:>{width}s}" for name, width in widths.items())
        row = "  ".join(f"{shown[name]!s:>{width}s}" for name, width in widths.items())
        return [head, row, *self.faults]


class Drill(Protocol):
    """Module in this folder. The first line of its docstring says what it does to the server."""

    __doc__: str | None

    def configure(self, parser: ArgumentParser) -> None:
        """Declare the arguments of the drill, except for the seed, which every drill has."""

    def run(self, chosen: Namespace) -> Report:
        """Run the drill on a separate server."""


def names() -> list[str]:
    """Return the names of all drills."""
    modules = sorted(module.name for module in pkgutil.iter_modules(tests.drills.__path__))
    return [name for name in modules if not name.startswith(("_", "test_")) and _is_drill(name)]


def _is_drill(name: str) -> bool:
    return hasattr(importlib.import_module(f"tests.drills.{name}"), ARGUMENT)


def find(name: str) -> Drill:
    """Return a drill by its name."""
    return cast(Drill, importlib.import_module(f"tests.drills.{name}"))

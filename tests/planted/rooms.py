"""Parts of the code in which faults are planted, with the tests that should find them."""

from __future__ import annotations

from dataclasses import dataclass

from mixed_company import engine
from tests.project import ROOT

LIVE = ("playwright", "tests.door", "pgserver", "subprocess", "tests.server.fresh")
"""Imports that mark a test as needing a browser, a server, a database or another process.

Such tests take seconds each, and a fault planted here does not reach another process.
"""
IN_PROCESS = "tests.server.wire"
"""Import that marks a test whose clients, like those of `tests.door`, run in its own process."""


@dataclass(frozen=True)
class Part:
    """Source folders, and the folders or files that test them."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]

    def paths(self) -> list[str]:
        """Return the paths of the sources in the tree."""
        return [path for folder in self.sources for path in _python(folder)]

    def test_paths(self) -> list[str]:
        """Return the test files that run in one process."""
        paths = [path for folder in self.tests for path in _python(folder)]
        return [path for path in paths if "/test_" in path and not _is_live(path)]


PARTS = {
    "games": Part(
        ("mixed_company/engine/games",),
        (
            *(f"tests/engine/{folder}" for folder in ("games", "golden", "layers", "leaks")),
            "tests/bots/scripted/punishment_vote",  # policies read windows by `sight.py`
        ),
    ),
    "table": Part(
        ("mixed_company/table",),
        (
            "tests/table",
            *(f"tests/server/test_{name}.py" for name in ("answered", "outcome", "export_rows")),
        ),
    ),
    "server": Part(
        ("mixed_company/server",),
        ("tests/server", *(f"tests/{game}" for game in engine.game_ids())),
    ),
}


def _python(place: str) -> list[str]:
    """Return the paths of the Python files in a folder, or the path of a file."""
    if place.endswith(".py"):
        return [place]
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / place).rglob("*.py"))


def _is_live(path: str) -> bool:
    source = (ROOT / path).read_text("utf-8")
    live = [name for name in LIVE if f"import {name}" in source or f"from {name}" in source]
    return bool(live) and (live != ["tests.door"] or f"from {IN_PROCESS}" not in source)

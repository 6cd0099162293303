"""The table works without oTree, a database or a clock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import imported, top
from tests.project import ROOT
from tests.sources import nodes

ELSEWHERE = ("otree", "sqlalchemy", "starlette", "server", "settings", "time", "datetime")
LIBRARIES = ("otree", "sqlalchemy", "starlette")


def importing(folder: str, others: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the modules in a folder that import one of these packages, with the names that they
    import."""
    modules = {}
    for path in (ROOT / folder).rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        names = imported(nodes(path.read_text("utf-8")), name)
        if wrong := {name for name in names if top(name) in others}:
            modules[name] = wrong
    return modules


def test_nothing_in_the_table_imports_otree_a_database_or_a_clock() -> None:
    assert list((ROOT / "mixed_company/table").rglob("*.py"))
    assert importing("mixed_company/table", ELSEWHERE) == {}


def test_no_test_of_the_table_imports_otree_a_database_or_a_web_server() -> None:
    assert importing("tests/table", LIBRARIES) == {}


@pytest.mark.long
def test_every_test_of_the_table_can_be_loaded_without_otree(tmp_path: Path) -> None:
    for name in LIBRARIES:
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('{name} is not here')\n")
    files = [str(path) for path in (ROOT / "tests" / "table").rglob("test_*.py")]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [*command, *files],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3000:]

"""A table can be used offline: no oTree, no database, no clock, and no circle of imports."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = ("otree", "sqlalchemy", "starlette", "server", "settings", "time", "datetime")
MODULES = sorted((ROOT / "table").rglob("*.py"))


def imports(path: Path) -> set[str]:
    """The modules that a file imports, also where only types are checked."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {str(node.module)} | {f"{node.module}.{name.name}" for name in node.names}
    return names


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def on_a_circle(needs: dict[str, set[str]]) -> list[str]:
    """The modules that, by way of others, need themselves."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(needs[start])
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += needs[name]
        return seen

    return [name for name in needs if name in reached(name)]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_at_the_table_imports_otree_a_database_or_a_clock(path: Path) -> None:
    assert {name for name in imports(path) if name.split(".")[0] in ELSEWHERE} == set()


def test_no_two_modules_of_the_table_need_each_other() -> None:
    names = {name_of(path) for path in MODULES}
    needs = {name_of(path): imports(path) & names for path in MODULES}
    assert on_a_circle(needs) == []
    planted = {**needs, "table.state": needs["table.state"] | {"table.due"}}
    assert set(on_a_circle(planted)) == {"table.state", "table.due"}


def test_every_test_of_the_table_can_be_loaded_where_there_is_no_otree(tmp_path: Path) -> None:
    for name in ("otree", "sqlalchemy", "starlette"):
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('{name} is not here')\n")
    files = [str(path) for path in (ROOT / "tests" / "table").rglob("test_*.py")]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [*command, *files],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3000:]

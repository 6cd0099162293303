"""Tests that the test suite neither reads nor writes a researcher's files in the project folder."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from tests.project import ROOT, shipped

QUICK = (
    "tests/mixed/test_plan.py::test_the_shipped_plans_lack_nothing[commons_governance]",
    "tests/experiment/test_plan.py::test_the_shipped_plans_can_be_played",
)
"""Tests of plans, settings and databases. They would fail if they read those in the project
folder."""

EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
"""Git's object name for an empty file."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Copy the shipped files into a folder whose git index lists them."""
    folder = tmp_path / "project"
    for path in shipped():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, folder / path)
        compiled = cache_from_source(path)  # so that nothing is compiled again
        if path.endswith(".py") and (ROOT / compiled).exists():
            (folder / compiled).parent.mkdir(exist_ok=True)
            shutil.copy2(ROOT / compiled, folder / compiled)
    names = "".join(f"100644 {EMPTY}\t{path}\n" for path in shipped())
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    subprocess.run(
        ["git", "update-index", "--index-info"], cwd=folder, input=names, text=True, check=True
    )
    return folder


@pytest.fixture
def planted(project: Path) -> dict[Path, tuple[bytes, int]]:
    """Create a researcher's files, and return their content and modification time (ns) by path."""
    texts = {
        ".env": "OTREE_PRODUCTION=nonsense\nDATABASE_URL=postgres://nobody@127.0.0.1:1/none\n",
        "plans/wrong.toml": "colour = 'red'\n",
        "_rooms/lab.txt": "PC-1\n\n",
        "rehearsal.zip": "rubbish",
    }
    for name, text in texts.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    connection = sqlite3.connect(project / "db.sqlite3")
    connection.executescript("PRAGMA user_version = 1; CREATE TABLE otree_session (id INTEGER);")
    connection.close()
    return {path: seen(path) for path in (project / name for name in (*texts, "db.sqlite3"))}


def seen(path: Path) -> tuple[bytes, int]:
    """Return the properties that a test could change: content and modification time."""
    return path.read_bytes(), path.stat().st_mtime_ns


def run(project: Path, *arguments: str) -> None:
    """Run the copy's tests, which must pass."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


@pytest.mark.long
def test_files_of_a_researcher_are_neither_read_nor_changed(
    project: Path, planted: dict[Path, tuple[bytes, int]]
) -> None:
    run(project, *QUICK)
    assert {path: seen(path) for path in planted} == planted


@pytest.mark.long
def test_the_whole_suite_leaves_files_of_a_researcher_alone(
    project: Path, planted: dict[Path, tuple[bytes, int]]
) -> None:
    by_file = ("--dist", "loadfile", "--no-loadscope-reorder")
    run(project, "-n", "2", *by_file, "--ignore=tests/test_project.py")
    assert {path: seen(path) for path in planted} == planted

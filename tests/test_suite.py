"""Tests that a failing test runs again only if requested, and that no other failure is ignored."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import ROOT

STEADY = "def test_steady():\n    pass\n"
ONCE = """
from pathlib import Path

def test_fails_once():
    mark = Path(__file__).with_name("mark")
    first = not mark.exists()
    mark.touch()
    assert not first
"""
ALWAYS = "def test_fails_always():\n    raise AssertionError\n"
BROKEN = "import nothing_of_this_name\n"
STOPPED = """
import pytest

def test_ends_the_run():
    pytest.exit("stopped")
"""


def ran(folder: Path, *arguments: str, workers: int = 0, **files: str) -> tuple[int, list[str]]:
    """Run the suite on these files, and return its exit code and its lines on failed tests."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "tests.suite", *arguments]
    command += ["-n", str(workers), "."]
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    return done.returncode, [
        line for line in lines if line.startswith(("UNSTEADY", "FAILED TWICE"))
    ]


@pytest.mark.long
def test_a_test_that_fails_once_is_named_and_forgiven_when_requested(tmp_path: Path) -> None:
    code, lines = ran(tmp_path / "of", "--again", steady=STEADY, once=ONCE)
    assert code == 0
    assert len(lines) == 1
    assert lines[0].startswith("UNSTEADY ")
    assert lines[0].endswith("test_once.py::test_fails_once")


@pytest.mark.long
def test_nothing_runs_again_unless_requested(tmp_path: Path) -> None:
    assert ran(tmp_path / "of", steady=STEADY, once=ONCE) == (1, [])


def test_a_test_that_fails_twice_fails_the_run(tmp_path: Path) -> None:
    code, lines = ran(tmp_path / "of", "--again", once=ONCE, always=ALWAYS)
    assert code == 1
    assert [line.rpartition("::")[2] for line in lines] == ["test_fails_once", "test_fails_always"]
    assert [line.partition(" ")[0] for line in lines] == ["UNSTEADY", "FAILED"]


@pytest.mark.long
@pytest.mark.parametrize("text", [BROKEN, STOPPED], ids=["not collected", "cut short"])
def test_an_incomplete_run_fails_immediately(tmp_path: Path, text: str) -> None:
    code, lines = ran(tmp_path / "of", "--again", once=ONCE, other=text)
    assert code not in (0, 5)
    assert lines == []

"""Tests of the search for other Python versions: it finds interpreters that run and have the right
version."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import pythons


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setattr(pythons, "SUPPORTED", ("3.98", "3.99"))
    return tmp_path


def test_a_machine_without_other_pythons_has_none(machine: Path) -> None:
    assert pythons.pythons() == {}


def test_a_broken_interpreter_gives_way_to_a_working_one(machine: Path) -> None:
    program(machine / "bin/python3.99", "exit 127")  # as a shim of pyenv does
    program(machine / "bin/python3.98", "echo Python 3.97.1")
    good = program(machine / "pyenv/versions/3.99.2/bin/python3.99", "echo Python 3.99.2")
    assert pythons.pythons() == {"3.99": good}

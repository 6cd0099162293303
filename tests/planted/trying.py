"""One fault in a forked process: do the tests that come by it find it?"""

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
"""By a failing test; by a play without end; by none; none comes by its lines; not to be planted."""
Timed = list[tuple[pytest.Item, float]]
"""Tests, and the seconds that each takes."""
CODES: dict[int, Outcome] = {0: "survived", 1: "found", 3: "unfit"}
SURVIVED, FOUND, UNFIT = 0, 1, 3


def tried(plant: Callable[[], None], tests: Timed) -> Outcome:
    """What comes of a fault: planted in a copy of this process, which runs these tests.

    A test that takes ten times as long as it does without the fault, or thirty times where it only
    waits, ends the copy: the fault is found, by a play that does not end.
    """
    child = os.fork()
    if child == 0:
        _run(plant, tests)
    status = _awaited(child, sum(10 * _most(seconds) for _, seconds in tests))
    if status is None or not os.WIFEXITED(status):
        return "timeout"
    return CODES.get(os.WEXITSTATUS(status), "found")


def apart(work: Callable[[], None]) -> None:
    """Do some work in a copy of this process, which leaves nothing in this one."""
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
        raise RuntimeError("the tests cannot be run: see above")


def _most(seconds: float) -> float:
    """Of the processor's time, for a test that takes so many seconds without a fault."""
    return 3.0 + 10.0 * seconds


def _begin(seconds: float) -> None:
    """The timers of a test: of the processor's time, and of time that passes while it waits."""
    signal.setitimer(signal.ITIMER_PROF, _most(seconds))
    signal.setitimer(signal.ITIMER_REAL, 3 * _most(seconds))


def _run(plant: Callable[[], None], tests: Timed) -> None:
    """In the copy: plant, and test until one fails. Never returns."""
    code = FOUND  # whatever ends this in another way was the fault
    try:
        os.setsid()
        _silence()
        try:
            plant()
        except ValueError:  # the changed function needs other variables from around it
            code = UNFIT
            return
        tests[0][0].config.pluginmanager.register(StopAtFailure())
        run_all(tests, _begin)
        code = SURVIVED
    finally:
        os._exit(code)


def run_all(tests: Timed, begin: Callable[[float], object] = lambda seconds: None) -> None:
    """Run tests in this order, as pytest does; before each, `begin` is told how long it takes."""
    followers = [*(item for item, _ in tests[1:]), None]
    for (item, seconds), following in zip(tests, followers, strict=True):
        begin(seconds)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def _awaited(child: int, seconds: float) -> int | None:
    """How a process ended; None if it had to be ended, with all that it had started."""
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
    """A plugin of pytest: the first test that fails ends the process."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os._exit(FOUND)

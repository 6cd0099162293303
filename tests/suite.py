"""Runner of `make test`; with `--again`, failing tests run a second time.

    python -m tests.suite [--again] [arguments of pytest]

A test can fail because the machine was busy or because the code is wrong. With `--again` (in CI),
failed tests run once more after all others, in a single process. Those that then pass are printed
as `UNSTEADY` and do not fail the run. A test that fails twice does. A run that was interrupted or
had collection errors is never repeated.

The module is also the pytest plugin that records which tests failed (`--failed-to`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

__all__ = ["main"]

FAILED = int(pytest.ExitCode.TESTS_FAILED)


class Run(NamedTuple):
    """Exit code of pytest, ids of the failed tests, and whether all tests were collected."""

    code: int
    failed: list[str]
    whole: bool


def main(arguments: list[str]) -> int:
    """Return the exit code, which is 0 if every test passed on the first or second attempt."""
    again = "--again" in arguments
    workers = [] if "-n" in arguments else ["-n", str(_workers())]
    first = _run([argument for argument in arguments if argument != "--again"] + workers)
    if not again or first.code != FAILED or not first.failed or not first.whole:
        return first.code
    print(f"\nfailed tests, once more and alone: {len(first.failed)}", flush=True)
    second = _run(["-p", "no:xdist", *first.failed])
    if second.code not in (0, FAILED):
        return second.code
    for name in sorted(set(first.failed) - set(second.failed)):
        print(f"UNSTEADY {name}", flush=True)
    for name in second.failed:
        print(f"FAILED TWICE {name}", flush=True)
    return second.code


def _workers() -> int:
    """Return the number of worker processes, and print a hint for machines with one processor."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if cores == 1:
        print("one processor: this takes about twice as long; a single folder: TESTS=tests/table")
    return (cores or 1) + 1  # tests with servers or browsers leave idle time


def _run(arguments: list[str]) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "failed.json"
        options = ["-p", __spec__.name, f"--failed-to={path}"]
        done = subprocess.run([sys.executable, "-m", "pytest", *options, *arguments], check=False)
        report = json.loads(path.read_text("utf-8")) if path.exists() else [[], False]
    return Run(done.returncode, *report)


# -- the plugin -----------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--failed-to", help="write the ids of failed tests to this file, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--failed-to")
    if path is not None and not hasattr(config, "workerinput"):  # not in workers of xdist
        config.pluginmanager.register(_Failures(Path(path)))


class _Failures:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.names: dict[str, None] = {}
        self.whole = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.whole = self.whole and not report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.names[report.nodeid] = None

    def pytest_sessionfinish(self) -> None:
        self.path.write_text(json.dumps([list(self.names), self.whole]), "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

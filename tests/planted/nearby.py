"""Coverage: which tests run which lines, and how long they take. It is measured once.

Lines that a fixture runs count for all tests in its file. Each test file is measured in a separate
fork, so that code that runs once per process counts for every file.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import coverage
import pytest

from tests.planted.planting import Room
from tests.planted.trying import apart, run_all


@dataclass
class Nearby:
    """Measurements of a test file: the seconds and lines of each test, and the lines of its
    fixtures.

    `seconds` is CPU time; `waited` is elapsed time, which is longer on a busy machine.
    """

    state: str = ""  # hash of the file and the sources at the time of measuring
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    shared: dict[str, list[int]] = field(default_factory=dict)
    waited: dict[str, float] = field(default_factory=dict)

    def covering(self, path: str, span: tuple[int, int]) -> list[str]:
        """Return the tests that run any of the lines from first to last, quickest first."""
        run = set(range(span[0], span[1] + 1))
        near = list(self.seconds)
        if not run & set(self.shared.get(path, ())):
            near = [test for test in near if run & set(self.lines[test].get(path, ()))]
        return sorted(near, key=self.seconds.__getitem__)


Known = dict[str, Nearby]
"""Measurements for each test file."""


def chosen(
    measurements: Known, path: str, span: tuple[int, int], limit: float
) -> list[tuple[str, float]]:
    """Return the tests for a fault, each with its elapsed time.

    Together they take at most `limit` seconds of CPU time, but at least one test is returned. Tests
    that run the fault's lines come first, in order of speed. Other tests in their files follow,
    because they may check results that the earlier tests produced and cached.
    """
    near = {
        file: tests for file, entry in measurements.items() if (tests := entry.covering(path, span))
    }
    seconds = {test: took for file in near for test, took in measurements[file].seconds.items()}
    waited = {test: passed for file in near for test, passed in measurements[file].waited.items()}
    first = {test for tests in near.values() for test in tests}
    tests, total = [], 0.0
    for test in sorted(seconds, key=lambda test: (test not in first, seconds[test])):
        total += seconds[test]
        if tests and total > limit:
            break
        tests.append((test, waited[test]))
    return tests


def measured(room: Room, items: list[pytest.Item], path: Path) -> Known:
    """Return the measurements of these tests' files, from the cache if it is up to date.

    A file is measured again if the file, the sources, the list of its tests or this module has
    changed.
    """
    method = Path(__file__).read_text("utf-8")
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    measurements = {file: Nearby(**entry) for file, entry in kept.items()}
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        tests[_file(item.nodeid)].append(item)
    for file, members in tests.items():
        state = room.state(file, [method, *(item.nodeid for item in members)])
        if file not in measurements or measurements[file].state != state:
            fresh = path.with_suffix(".new")
            apart(partial(_measure, room, members, state, fresh))
            measurements[file] = Nearby(**json.loads(fresh.read_text("utf-8")))
            path.write_text(
                json.dumps({file: vars(entry) for file, entry in measurements.items()}), "utf-8"
            )
    return {file: measurements[file] for file in tests}


def _measure(room: Room, items: list[pytest.Item], state: str, path: Path) -> None:
    """Measure the file of these tests, and save the measurements."""
    survey = Survey({str(room.root / source): source for source in room.trees})
    items[0].config.pluginmanager.register(survey)
    measurement = survey.run(items)
    measurement.state = state
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(vars(measurement)), "utf-8")


def _file(test: str) -> str:
    return test.partition("::")[0]


class Survey:
    """Pytest plugin that runs tests once and records the lines that each passing test runs."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files  # absolute path -> path in the tree
        self.seconds: dict[str, float] = {}
        self.waited: dict[str, float] = {}
        self.failed: set[str] = set()
        self.coverage = coverage.Coverage(data_file=None, config_file=False, include=list(files))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        began, since = time.process_time(), time.monotonic()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - began
        self.waited[item.nodeid] = time.monotonic() - since
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(f"setup {item.nodeid}")
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(f"call {item.nodeid}")
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)
            print(f"fails without a fault and is skipped: {report.nodeid}", flush=True)

    def run(self, items: list[pytest.Item]) -> Nearby:
        """Return the measurements of the file of these tests."""
        self.coverage.start()
        run_all([(item, 0.0) for item in items])
        self.coverage.stop()
        lines: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for file, path in self.files.items():
            for line, contexts in self.coverage.get_data().contexts_by_lineno(file).items():
                for context in contexts:
                    lines[context][path].add(line)
        measurement = Nearby()
        for test in self.seconds.keys() - self.failed:
            measurement.seconds[test], measurement.waited[test] = (
                self.seconds[test],
                self.waited[test],
            )
            measurement.lines[test] = {
                path: sorted(run) for path, run in lines[f"call {test}"].items()
            }
            for path, run in lines[f"setup {test}"].items():
                measurement.shared[path] = sorted({*measurement.shared.get(path, ()), *run})
        return measurement

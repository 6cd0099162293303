"""Which tests come by which lines, and how long they take: measured once, with coverage.

What a fixture runs counts for all tests of its file. Each file is measured in a copy of the process
of its own, so that what is made once in a process counts for every file.
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
    """What is known of a file of tests: seconds and lines of each, and lines of its fixtures.

    `seconds` are those of the processor; `waited` has all that passed, more on a busy machine.
    """

    state: str = ""  # of the file and the sources, when it was measured
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    shared: dict[str, list[int]] = field(default_factory=dict)
    waited: dict[str, float] = field(default_factory=dict)

    def come_by(self, path: str, span: tuple[int, int]) -> list[str]:
        """The tests that run one of the lines from the first to the last, the quickest first."""
        run = set(range(span[0], span[1] + 1))
        near = list(self.seconds)
        if not run & set(self.shared.get(path, ())):
            near = [test for test in near if run & set(self.lines[test].get(path, ()))]
        return sorted(near, key=self.seconds.__getitem__)


Known = dict[str, Nearby]
"""File of tests -> what is known of it."""


def chosen(known: Known, path: str, span: tuple[int, int], most: float) -> list[tuple[str, float]]:
    """The tests for a fault, and the time that passes in each: as many as take `most` seconds of
    the processor, at least one.

    The quickest first. After those that come by its lines the others of their files follow: what
    one test has run and kept, another may look at.
    """
    near = {file: tests for file, of in known.items() if (tests := of.come_by(path, span))}
    seconds = {test: took for file in near for test, took in known[file].seconds.items()}
    waited = {test: passed for file in near for test, passed in known[file].waited.items()}
    first = {test for tests in near.values() for test in tests}
    tests, total = [], 0.0
    for test in sorted(seconds, key=lambda test: (test not in first, seconds[test])):
        total += seconds[test]
        if tests and total > most:
            break
        tests.append((test, waited[test]))
    return tests


def measured(room: Room, items: list[pytest.Item], path: Path) -> Known:
    """What is known of the files of these tests: from a file, and measured anew where it is old,
    or was measured in another way."""
    way = Path(__file__).read_text("utf-8")
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    known = {file: Nearby(**of) for file, of in kept.items()}
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        tests[_file(item.nodeid)].append(item)
    for file, own in tests.items():
        state = room.state(file, [way, *(item.nodeid for item in own)])
        if file not in known or known[file].state != state:
            news = path.with_suffix(".new")
            apart(partial(_measure, room, own, state, news))
            known[file] = Nearby(**json.loads(news.read_text("utf-8")))
            path.write_text(json.dumps({file: vars(of) for file, of in known.items()}), "utf-8")
    return {file: known[file] for file in tests}


def _measure(room: Room, items: list[pytest.Item], state: str, path: Path) -> None:
    """Write down what is known of the file of these tests."""
    survey = Survey({str(room.root / source): source for source in room.trees})
    items[0].config.pluginmanager.register(survey)
    known = survey.run(items)
    known.state = state
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(vars(known)), "utf-8")


def _file(test: str) -> str:
    return test.partition("::")[0]


class Survey:
    """Runs tests once, and notes what each comes by; of those that pass."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files  # where it is -> its path in the tree
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
            print(f"fails without a fault, and is left out: {report.nodeid}", flush=True)

    def run(self, items: list[pytest.Item]) -> Nearby:
        """What is known of the file of these tests."""
        self.coverage.start()
        run_all([(item, 0.0) for item in items])
        self.coverage.stop()
        lines: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for file, path in self.files.items():
            for line, contexts in self.coverage.get_data().contexts_by_lineno(file).items():
                for context in contexts:
                    lines[context][path].add(line)
        of = Nearby()
        for test in self.seconds.keys() - self.failed:
            of.seconds[test], of.waited[test] = self.seconds[test], self.waited[test]
            of.lines[test] = {path: sorted(run) for path, run in lines[f"call {test}"].items()}
            for path, run in lines[f"setup {test}"].items():
                of.shared[path] = sorted({*of.shared.get(path, ()), *run})
        return of

"""Fixtures and hooks shared by all tests. This file imports no library that only some tests
need."""

from __future__ import annotations

import gc
import math
import os
import sys
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import few, project

if TYPE_CHECKING:
    from playwright.sync_api import Browser

os.environ["OTREE_IN_MEMORY"] = "1"  # for tests that import oTree without a server

# Examples and their creation have no time limit. All runs use the same examples, so a run fails
# only if the code has changed; `make test-long` draws new ones.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("searching", PATIENT)
settings.register_profile("patient", PATIENT, derandomize=True)
settings.load_profile("patient")


QUICK_FILES = 8


def pytest_configure(config: pytest.Config) -> None:
    """Change to the folder in which tests run, in every process that runs tests."""
    if hasattr(config, "workerinput") or not getattr(config.option, "numprocesses", None):
        config.option.ignore = [os.path.abspath(path) for path in config.option.ignore or ()]
        project.enter()


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out tests that are marked `long`
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the sets that `few` leaves out, and put one file that starts a server ahead of every
    QUICK_FILES others.

    Tests with a real server spend half of the time waiting, and the others can use the processor in
    the meantime. The last files should be short.
    """
    few.mark_others(items)
    doors = {item.path for item in items if item.get_closest_marker("door")}
    door, quick = count(), count()
    place = {
        path: next(door) if path in doors else next(quick) // QUICK_FILES + 0.5
        for path in dict.fromkeys(item.path for item in items)
    }
    items.sort(key=lambda item: place[item.path])


def pytest_collection() -> None:
    """Pause garbage collection while tests are collected, because almost everything is kept."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exclude collected tests from garbage collection, which took 5% of the time, and collect the
    rest rarely, because few objects are in cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _no_policy_is_too_slow() -> Iterator[None]:
    """Lift the time limits of policies at tables, because the machine may pause.

    Tests of slow policies set their own.
    """
    with pytest.MonkeyPatch.context() as patched:
        for name in ("mixed_company.table.answers", "mixed_company.table.talk.talking"):
            if name in sys.modules:
                patched.setattr(f"{name}.BUDGET_SECONDS", math.inf)
                patched.setattr(f"{name}.PATIENCE_SECONDS", math.inf)
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start a real Chromium, once per worker."""
    from playwright.sync_api import Error, expect, sync_playwright

    from tests.browser import ARGUMENTS, MISSING, executable

    # a busy machine is slow, so wait a long time before a check fails
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        try:
            running = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        except Error as error:
            pytest.fail(f"{error}\n{MISSING}", pytrace=False)
        yield running
        running.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """Yield the shared Chromium browser, and close all its windows afterwards, because open pages
    keep playing."""
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture
def folders_forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget the policy folders that a test has registered."""
    from mixed_company import policies

    monkeypatch.setattr(policies, "_folders", {})
    policies._all.cache_clear()
    yield
    policies._all.cache_clear()

"""What tests of several folders share. It imports no library that only some of them need."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import project

if TYPE_CHECKING:
    from playwright.sync_api import Browser

os.environ["OTREE_IN_MEMORY"] = "1"  # for tests that import oTree without a server

# An example may take as long as it takes, and so may what it is made of. All runs draw the same
# ones, so that a run fails only where the code has changed; `make test-long` draws others.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("searching", PATIENT)
settings.register_profile("patient", PATIENT, derandomize=True)
settings.load_profile("patient")


QUICK_FILES = 8


def pytest_configure(config: pytest.Config) -> None:
    """Enter the folder in which tests run, in every process that runs tests."""
    if hasattr(config, "workerinput") or not getattr(config.option, "numprocesses", None):
        config.option.ignore = [os.path.abspath(path) for path in config.option.ignore or ()]
        project.enter()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put a file with a real server or browser before every QUICK_FILES others.

    It waits for half of its time, in which the others compute, and the last files should be short.
    """
    doors = {item.path for item in items if item.get_closest_marker("door")}
    door, quick = count(), count()
    place = {
        path: next(door) if path in doors else next(quick) // QUICK_FILES + 0.5
        for path in dict.fromkeys(item.path for item in items)
    }
    items.sort(key=lambda item: place[item.path])


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real Chromium, started once by each worker."""
    from playwright.sync_api import Error, expect, sync_playwright

    from tests.browser import ARGUMENTS, MISSING, executable

    # a loaded machine takes its time; what is right comes at last
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
    """The Chromium, in which a test leaves no window: an open one goes on playing."""
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture
def folders_forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Folders of policies that a test names are forgotten afterwards."""
    from mixed_company import policies

    monkeypatch.setattr(policies, "_folders", {})
    policies._all.cache_clear()
    yield
    policies._all.cache_clear()

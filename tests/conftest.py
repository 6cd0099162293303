"""The tests import oTree without a server: no database file is made in this folder."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser import ARGUMENTS, executable

os.environ["OTREE_IN_MEMORY"] = "1"
expect.set_options(timeout=20_000)  # a loaded machine takes its time; what is right comes at last


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium. Tests that use it are in the xdist group `browser`."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        yield running
        running.close()

"""What tests of several folders share. It imports no library that only some of them need."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

os.environ["OTREE_IN_MEMORY"] = (
    "1"  # tests import oTree without a server, and make no database file
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium. Tests that use it are in the xdist group `browser`."""
    from playwright.sync_api import expect, sync_playwright

    from tests.browser import ARGUMENTS, executable

    expect.set_options(
        timeout=20_000
    )  # a loaded machine takes its time; what is right comes at last
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        yield running
        running.close()

"""Tests of a phone with half a second of latency each way, by touch only. Each tap counts once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.door.audit import table
from tests.door.pages import PHONE, Wire, read, window
from tests.door.slow_line import SlowLine

pytestmark = [pytest.mark.door, pytest.mark.long]

PERIODS = 2
FIELDS = {"commons": "harvest", "sanctions": "contribution", "gems": "mine"}
PATIENT = {"decision_seconds": 600.0, "grace_seconds": 600.0}


def choose_by_touch(page: Page, config: str) -> None:
    """Tap the first mine, or the start of the slider (0), and confirm."""
    if config == "gems":
        page.locator("#controls label:has(input:enabled)").first.tap()
    else:
        page.locator(f"#{FIELDS[config]}-slider:enabled").tap(position={"x": 8, "y": 8})
    page.locator("#confirm:enabled").tap()


@pytest.mark.parametrize("config", FIELDS)
def test_taps_on_a_slow_line_are_saved_once(server, browser, config):
    session = server.session(config, 1, quiz=False, periods=PERIODS, **PATIENT)
    with SlowLine(server.port, seconds=0.5) as line:
        page = window(browser, line.url(session["session_wide_url"]), **PHONE)
        wire = Wire(page)
        read(page)
        for period in range(1, PERIODS + 1):
            expect(page.locator("#period")).to_have_text(re.compile(rf"^\D*{period}\b"))
            choose_by_touch(page, config)
        page.locator("#leave").tap()
        expect(page.locator("h1")).to_have_text("Results")
        page.context.close()
    decisions = table(server, "decisions", session)
    person_rows = decisions[
        decisions["participant"].notna() & (decisions["decided_by"] == "person")
    ]
    assert person_rows["period"].tolist() == list(range(PERIODS))
    assert len(wire.acknowledged) == PERIODS
    if config != "gems":
        assert person_rows[f"sent_{FIELDS[config]}"].tolist() == [0.0] * PERIODS

"""Tests of the layout of play pages in Chromium: nothing moves while a page loads, and the whole
decision is on the screen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.door.layout import CONFIGS, SCREENS, arrived, covered, opened, shift

pytestmark = [pytest.mark.door, pytest.mark.long]

LARGEST_SHIFT = 0.1
PATIENT = {"decision_seconds": 600.0, "grace_seconds": 600.0, "bot_delay": "instant"}
BELIEF: dict[str, Any] = {"name": "belief", "text": "How many of the others are programs?"}
BELIEF |= {"type": "slider", "least": 0, "most": 3, "pay": "within", "margin": 1, "prize": 5}
BELIEF |= {"about": "bots", "every": 1}
FIELDS = {"commons": "harvest", "gems": "mine", "sanctions": "contribution", "vote": "action"}


def decide(page: Page, config: str) -> None:
    """Make the first decision."""
    if config == "vote":
        page.locator("[data-choice=up]").click()
    elif config == "gems":
        page.locator("input[name=mine]").first.check()
        page.locator("#confirm").click()
    else:
        page.locator(f"#{FIELDS[config]}").fill("2")
        page.locator("#confirm").click()


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("config", CONFIGS)
def test_nothing_moves_while_a_page_loads_or_is_loaded_again(server, browser, config, screen):
    page = arrived(server, browser, config, SCREENS[screen], **PATIENT, pace="answers")
    assert shift(page) < LARGEST_SHIFT
    decide(page, config)
    expect(page.locator("#period")).to_contain_text("2 of")
    again = opened(browser, page.url, SCREENS[screen])
    expect(again.locator("#state")).to_have_text("Connected")
    assert shift(again) < LARGEST_SHIFT


@pytest.mark.parametrize("screen", SCREENS)
def test_little_moves_when_a_play_by_the_clock_ends(server, browser, screen):
    page = arrived(server, browser, "vote", SCREENS[screen], turns=3, bot_delay="instant")
    expect(page.locator("#leave")).to_be_visible()
    assert shift(page) < LARGEST_SHIFT


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("config", CONFIGS)
def test_question_decision_and_button_are_on_the_screen_in_every_period(
    server, browser, config, screen
):
    questions = json.dumps([BELIEF])
    changes = {**PATIENT, "pace": "answers", "questions": questions, "disclosure": "possible"}
    page = arrived(server, browser, config, SCREENS[screen], **changes)
    parts = ["#questions", *([".mc-pad"] if config == "vote" else ["#controls", "#confirm"])]
    assert covered(page, parts) == []
    page.locator("[data-question=belief] input[type=text]").fill("2")
    decide(page, config)
    expect(page.locator("#period")).to_contain_text("2 of")
    assert covered(page, parts) == []

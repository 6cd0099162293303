"""Tests of accessibility: axe-core checks all pages of all games, on a desktop and on a phone.

No page overflows on a tablet, at twice its size, or in any language.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mixed_company.language import codes
from tests.door.accessible import found, look_through
from tests.door.pages import read, window

pytestmark = [pytest.mark.door]

ALONE: dict[str, Any] = {"bot_delay": "instant", "decision_seconds": 0.0, "grace_seconds": 600.0}
SHORT: dict[str, dict[str, Any]] = {
    "commons": {"periods": 2},
    "gems": {"periods": 2},
    "sanctions": {"periods": 2},
    "vote": {"turns": 2, "pace": "answers"},
}

MORE = [pytest.param(config, marks=pytest.mark.long) for config in SHORT if config != "commons"]
PAIRS = [
    pytest.param(
        config, code, marks=[] if (config, code) == ("sanctions", "de") else pytest.mark.long
    )
    for config in SHORT
    for code in codes()
    if code != "en"
]


def show_all_screens(page: Page) -> None:
    expect(page.locator(".mc-scene svg").last).to_be_attached()
    page.evaluate("for (const one of document.querySelectorAll('.mc-screen')) one.hidden = false")


def answer_wrong(page: Page) -> None:
    """Choose the last answer to each quiz question, and wait for the page to reload."""
    questions = page.locator("[data-question]")
    expect(questions.first).to_be_visible()
    for question in questions.all():
        question.locator("input").last.check()
    with page.expect_navigation():
        page.locator("#check").click()
    expect(page.locator(".mc-note-wrong").first).to_be_visible()


def decide(page: Page, config: str) -> None:
    if config == "vote":
        expect(page.locator("[data-choice=up]")).to_have_attribute("aria-disabled", "false")
        page.keyboard.press("ArrowUp")
        return
    if config == "gems":
        page.locator("input[name=mine]").first.check()
    else:
        page.locator("#harvest" if config == "commons" else "#contribution").fill("2")
    page.locator("#confirm").click()


@pytest.mark.long
@pytest.mark.parametrize("config", SHORT)
def test_the_pages_before_a_play_are_accessible(server, browser, config):
    session = server.session(config, 1, **ALONE, **SHORT[config])
    page = window(browser, session["session_wide_url"])
    show_all_screens(page)
    look_through(page, "instructions")
    page.reload()
    read(page)
    for _ in range(2):  # wrong twice, so that notes and hints appear
        answer_wrong(page)
    page.locator(".mc-details summary").click()
    look_through(page, "quiz")


@pytest.mark.parametrize("config", ["commons", *MORE])
def test_instructions_play_and_results_are_accessible(server, browser, config):
    session = server.session(config, 1, quiz=False, **ALONE, **SHORT[config])
    page = window(browser, session["session_wide_url"])
    show_all_screens(page)
    look_through(page, "instructions")
    page.reload()
    read(page)
    expect(page.locator("#period")).to_contain_text("1 ")
    decide(page, config)
    expect(page.locator("#period")).to_contain_text("2 of 2")
    look_through(page, "play")
    decide(page, config)
    page.locator("#leave").click()
    expect(page.locator("h1")).to_have_text("Results")
    look_through(page, "results")


@pytest.mark.long
@pytest.mark.parametrize(("config", "language"), PAIRS)
def test_words_longer_than_english_ones_fit_on_every_screen(server, browser, config, language):
    session = server.session(config, 1, language=language, **ALONE, **SHORT[config])
    page = window(browser, session["session_wide_url"])
    expect(page.locator("html")).to_have_attribute("lang", language)
    show_all_screens(page)
    look_through(page, "instructions", axes=False)
    page.reload()
    read(page)
    answer_wrong(page)
    look_through(page, "quiz", axes=False)
    session = server.session(config, 1, language=language, quiz=False, **ALONE, **SHORT[config])
    page.goto(session["session_wide_url"])
    read(page)
    for period in (1, 2):
        expect(page.locator("#period")).to_have_text(re.compile(rf"^\D*{period}\b"))
        decide(page, config)
    expect(page.locator("#leave")).to_be_visible()
    look_through(page, "play", axes=False)
    page.locator("#leave").click()
    expect(page.locator("h1")).not_to_be_empty()
    look_through(page, "results", axes=False)


ASKED = [
    {"name": when, "text": "How are you?", "type": "choice", "options": ["well", "badly"]}
    | {"when": when}
    for when in ("before", "after")
]
AROUND: dict[str, Any] = {
    "consent": "Do you take part?",
    "comments": True,
    "quiz": False,
    "periods": 1,
}
AROUND |= {"ready": True, "practice_periods": 1, "questions": json.dumps(ASKED)}


@pytest.mark.long
def test_the_pages_around_a_play_are_accessible(server, browser):
    """Test consent, practice, questions, the readiness question, and comments."""
    session = server.session("commons", 1, **ALONE, **AROUND)
    page = window(browser, session["session_wide_url"])
    look_through(page, "consent")
    page.locator("#agree").click()
    expect(page.locator("#forth")).to_be_visible()
    read(page)
    for part in ("practice", "play"):
        if part == "play":
            look_through(page, "questions before")
            answer(page)
            look_through(page, "ready")
            page.get_by_role("button", name="I am ready").click()
        page.locator("#harvest:enabled").wait_for()
        look_through(page, part)
        decide(page, "commons")
        look_through(page, f"end of the {part}")
        page.locator("#leave").click()
    look_through(page, "questions after")
    answer(page)
    expect(page.locator("#comments")).to_be_visible()
    look_through(page, "comments")
    page.locator("#next").click()
    expect(page.locator("h1")).to_have_text("Results")


def answer(page: Page) -> None:
    """Answer the only question of a page."""
    page.locator("[data-question] input").first.check()
    page.locator("#next").click()


@pytest.mark.long
def test_the_lobby_is_accessible(server, browser):
    session = server.session("gems", 2, quiz=False, people_per_group=2, lobby_seconds=600.0)
    page = window(browser, session["session_wide_url"])
    read(page)
    expect(page.locator("#sound")).to_be_visible()
    look_through(page, "lobby")


@pytest.mark.long
def test_the_lists_of_the_talk_and_of_the_board_are_accessible(server, browser):
    session = server.session("commons", 1, quiz=False, talk="free", talk_seconds=600.0)
    page = window(browser, session["session_wide_url"])
    read(page)
    page.locator("#talk-field").fill("hello")
    page.keyboard.press("Enter")
    expect(page.locator(".mc-talk-log li").last).to_contain_text("hello")
    look_through(page, "talk")
    page.goto(f"{server.url}/SessionBoard/{session['code']}")
    expect(page.locator(".mc-seat-list li").first).to_be_visible()
    look_through(page, "board")


@pytest.mark.long
def test_the_pages_of_the_administrator_have_enough_contrast_on_every_screen(server, browser):
    """Ignore other faults in oTree's own templates, such as buttons without names."""
    code = server.session("commons_two_people", 2)["code"]
    page = window(browser, f"{server.url}/demo")
    more_paths = (
        f"SessionPayments/{code}",
        f"SessionStartLinks/{code}",
        "room_without_session/lab",
    )
    for path in ("demo", "sessions", "rooms", "login", *more_paths):
        page.goto(f"{server.url}/{path}")
        look_through(page, path, axes=False)
        assert [fault for fault in found(page) if "contrast" in fault] == [], path

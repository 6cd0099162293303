"""Tests of every play page in a real Chromium: keyboard, button, landmarks, two pages for one
person, and a narrow screen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.door.harness import Server
from tests.door.pages import PHONE, read, window

pytestmark = [pytest.mark.door]

DESK = {"viewport": {"width": 1280, "height": 800}}
PATIENT = {"decision_seconds": 3600.0, "grace_seconds": 3600.0, "lobby_seconds": 3600.0}
ALONE = {**PATIENT, "quiz": False, "bot_delay": "instant"}
CUT = """() => [...document.querySelectorAll("main :is(th, td, svg, .mc-button, label)")]
  .filter((part) => !part.closest(".mc-scroll, .mc-hidden, details:not([open])"))
  .filter((part) => part.getBoundingClientRect().right >
    Math.min(part.closest(".mc-card").getBoundingClientRect().right, innerWidth) + 0.5)
  .map((part) => `${part.tagName} ${part.textContent}`)"""
HALF_SEEN = """() => [...document.querySelectorAll(".mc-rules .mc-scroll")]
  .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent)"""


def at_the_table(server: Server, browser: Browser, config: str, **options: Any) -> Page:
    """Open the play page of a session's only person."""
    session = server.session(config, 1, **{**ALONE, **options.pop("changes", {})})
    page = window(browser, session["session_wide_url"], **options)
    read(page)
    expect(page.locator("#decision")).to_be_visible()
    return page


def two_of_two(server: Server, browser: Browser) -> tuple[Page, Page]:
    """Open the pages of both people in a commons session."""
    session = server.session("commons_two_people", 2, quiz=False, **PATIENT)
    link = session["session_wide_url"]
    first, second = window(browser, link), window(browser, link)
    for page in (first, second):
        read(page)
    for page in (first, second):
        expect(page.locator("#harvest")).to_be_enabled()
    return first, second


def test_the_keyboard_stays_on_the_card_and_both_pages_of_a_person_show_what_is_saved(
    server, browser
):
    first, second = two_of_two(server, browser)
    first.locator("#harvest").press("4")
    first.keyboard.press("Enter")
    expect(first.locator("#waiting")).to_contain_text("Your decision is saved.")
    expect(first.locator("#decision")).to_be_focused()
    second.locator("#harvest").fill("4")
    second.locator("#confirm").click()
    expect(first.locator("#harvest")).to_be_focused()
    expect(second.locator("#decision")).to_be_focused()  # Tab leads to the controls from here
    second.keyboard.press("Tab")
    expect(second.locator("#harvest-slider")).to_be_focused()
    again = window(browser, first.url)
    expect(again.locator("#harvest")).to_be_enabled()
    again.locator("#harvest").fill("3")
    first.locator("#harvest").fill("5")
    first.locator("#confirm").click()
    expect(again.locator("#waiting")).to_contain_text("Your decision is saved.")
    expect(again.locator("#harvest")).to_have_value("5")
    expect(first.locator("#harvest")).to_have_value("5")
    expect(again.locator("#harvest")).to_be_disabled()


@pytest.mark.long
def test_the_keyboard_returns_to_choices_that_are_redrawn(server, browser):
    page = at_the_table(server, browser, "gems")
    expect(page.locator("#controls input").first).to_be_enabled()
    page.locator("#controls input").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("#period")).to_have_text("Period 2 of 20")
    expect(page.locator("#controls input").first).to_be_focused()
    expect(page.locator("#controls input:checked")).to_have_count(0)


@pytest.mark.parametrize(
    ("config", "screen"),
    [
        pytest.param("sanctions", DESK, id="desk"),
        pytest.param("commons_governed", PHONE, id="phone", marks=pytest.mark.long),
    ],
)
def test_the_tab_key_goes_to_the_decision_and_the_button_stays_in_place(
    server, browser, config, screen
):
    page = at_the_table(server, browser, config, **screen)
    box = page.locator("#controls input[type=text]").first
    expect(box).to_be_enabled()
    if screen is DESK:
        page.keyboard.press("Tab")  # the first stop is a control
        expect(page.locator("#controls :focus")).to_have_count(1)
        expect(page.locator(".mc-scroll[tabindex]")).to_have_count(0)  # everything is in view
    for other in page.locator("#controls input[type=text]:enabled").all():
        other.fill("0")
    places = []
    for typed in ("", "99999", "3", "4,500", "10"):
        box.fill(typed)
        places.append(page.locator("#confirm").evaluate("node => node.getBoundingClientRect().y"))
    assert max(places) - min(places) < 0.5, places


@pytest.mark.long
def test_two_pages_of_a_person_show_the_choice_that_counts_by_the_clock(server, browser):
    first = at_the_table(server, browser, "vote")
    again = window(browser, first.url)
    for page, other, key, words in (
        (first, again, "w", "Up"),
        (again, first, "v", "More punishment"),
    ):
        expect(page.locator("[data-choice=up]")).to_have_attribute("aria-disabled", "false")
        page.keyboard.press(key)
        expect(page.locator("#chosen")).to_have_text(f"Chosen: {words}")
        expect(other.locator("#chosen")).to_have_text(f"Chosen: {words}")


def check_frame(page: Page) -> None:
    """Check that the page declares its language, and that landmarks are not wrongly nested."""
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.locator("main").count() == 1
    assert page.locator("form[role], [role=form], [role=main], main main").count() == 0
    assert page.locator("main header, main footer, header header").count() == 0


@pytest.mark.long
def test_a_decision_with_a_decimal_comma_on_pages_that_declare_their_language(server, browser):
    session = server.session("commons", 1, **{**ALONE, "quiz": True, "periods": 1})
    page = window(browser, session["session_wide_url"])
    check_frame(page)
    read(page)
    expect(page.locator("#check")).to_be_visible()
    check_frame(page)
    answers = {
        "shortage": "2.5",
        "growth": "50",
        "when": "All at the same time",
        "loss": "You keep all of them",
        "end": "The game ends, and everybody keeps the points they have earned so far",
        "pay": "€2.20",  # 2 points at 0.10, and the fee
    }
    for name, right in answers.items():
        page.locator(f"input[name={name}][value='{right}']").check()
    page.locator("#check").click()
    expect(page.locator("#harvest")).to_be_enabled()
    check_frame(page)
    assert "is deciding" not in str(page.locator("#ledger").text_content())
    expect(page.locator("#ledger [data-you=true]")).to_contain_text("deciding")
    page.locator("#harvest").press_sequentially("1,5")
    page.locator("#confirm").click()
    page.locator("#leave").click()
    expect(page.locator("h1")).to_have_text("Results")
    check_frame(page)
    expect(page.locator(".mc-huge strong")).to_have_text("1.5")


@pytest.mark.long
@pytest.mark.parametrize(
    "config", ["commons_governed", "sanctions_source", "gems_published", "vote_weighted"]
)
def test_nothing_is_cut_off_on_a_narrow_screen(server, browser, config):
    session = server.session(config, 1, **ALONE, disclosure="labels")
    page = window(browser, session["session_wide_url"], **PHONE)
    assert page.evaluate(HALF_SEEN) == []
    read(page)
    expect(page.locator("#controls :is(input, button)").first).to_be_visible()
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    if config == "gems_published":  # twenty villages need scrolling, which also works by keyboard
        expect(page.locator(".gems-scroll")).to_have_attribute("tabindex", "0")

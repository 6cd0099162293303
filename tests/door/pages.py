"""Pages in a real Chromium, for the tests that look at them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def window(browser: Browser, link: str, **options: Any) -> Page:
    """A window of its own (no shared cookies) that fails the test on a script error."""
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(20_000)
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.goto(link)
    return page


def tab_to(page: Page, selector: str) -> None:
    """Go there by the Tab key alone."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    pytest.fail(f"{selector} cannot be reached by the Tab key")


def answer_by_keyboard(page: Page, answers: dict[str, str]) -> None:
    """Choose the answers of the quiz by Tab, arrows and Space, and hand them in."""
    for name, right in answers.items():
        tab_to(page, f"input[name={name}]")
        for _ in range(4):
            if page.evaluate("() => document.activeElement.value") == right:
                break
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
    tab_to(page, "#check")
    page.keyboard.press("Enter")


def assert_no_sideways_scrolling(page: Page) -> None:
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 360


def page_has_no_broken_number(page: Page) -> None:
    """Nothing is drawn at, or said to be, a number that is none."""
    broken = page.evaluate(
        "() => document.querySelector('main').outerHTML.match(/NaN|Infinity|undefined|null/)"
    )
    assert broken is None, broken

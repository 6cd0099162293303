"""Helpers for tests of pages in a real Chromium."""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from playwright.async_api import Page as AsyncPage
from playwright.async_api import WebSocket as AsyncWebSocket
from playwright.sync_api import Browser, ConsoleMessage, Page, WebSocket, expect

from tests.crowd.promises import Promises

MINUS = "\N{MINUS SIGN}"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def window(browser: Browser, link: str, **options: Any) -> Page:
    """Open a separate window, which shares no cookies.

    The test fails on a script error, and if the page's content security policy blocks anything.
    """
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.on("console", _refuse_forbidden)
    page.goto(link)
    return page


def _refuse_forbidden(message: ConsoleMessage) -> None:
    if "Content Security Policy" in message.text:
        pytest.fail(message.text)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until this element has focus."""
    for _ in range(40):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{selector} cannot be reached by the Tab key")


def read(page: Page) -> None:
    """Go through the screens of the instructions, and continue."""
    forth = page.locator("#forth")
    while forth.is_visible():
        forth.click()
    page.locator("#next").click()


def read_by_keyboard(page: Page) -> None:
    """Read the instructions with Tab and Enter. The focus starts at the top of each screen."""
    forth, heading = page.locator("#forth"), page.locator(".mc-screen:not([hidden]) h2")
    while forth.is_visible():
        tab_to(page, "#forth")
        page.keyboard.press("Enter")
        expect(heading).to_be_focused()
    tab_to(page, "#next")
    page.keyboard.press("Enter")


def answer_by_keyboard(page: Page, answers: dict[str, str]) -> None:
    """Choose the quiz answers with Tab, arrow keys and Space, and submit them."""
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
    """Check that the page contains no invalid number."""
    broken = page.evaluate(
        "() => document.querySelector('main').outerHTML.match(/NaN|Infinity|undefined|null/)"
    )
    assert broken is None, broken


def shown(value: float | None, digits: int = 2) -> str:
    """Format a number as pages do."""
    if value is None:
        return "not shown"
    # scripts round 0.625 up, Python to the even digit
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = re.sub(r"\.0+$", "", f"{rounded:f}").replace("-", MINUS)
    return "0" if text == f"{MINUS}0" else text


class Heard:
    """Views that a page has received, unchanged."""

    def __init__(self, page: Page) -> None:
        self.views: list[dict[str, Any]] = []
        self._page = page
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._take)

    def _take(self, frame: str | bytes) -> None:
        payload = json.loads(frame).get("live_method_payload") or {}
        if payload.get("kind") == "view" and "observation" in payload:
            self.views.append(payload)

    @property
    def last(self) -> dict[str, Any]:
        """The latest view, or the view in the page until the socket has answered."""
        if self.views:
            return self.views[-1]
        view: dict[str, Any] = json.loads(self._page.locator("#first-view").text_content() or "")
        return view


class Wire(Promises):
    """Messages that a page sends on its live channels, and their acknowledgements."""

    def __init__(self, page: Page | AsyncPage) -> None:
        super().__init__()
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket | AsyncWebSocket) -> None:
        socket.on("framesent", lambda payload: self.sent(_message(payload)))
        socket.on("framereceived", lambda payload: self.answered(_message(payload)))


def _message(payload: str | bytes) -> dict[str, Any]:
    """Return the protocol message in a frame, or an empty one if there is none."""
    try:
        message = json.loads(payload)
        message = message.get("live_method_payload", message)
    except (ValueError, AttributeError):
        return {}
    return message if isinstance(message, dict) else {}

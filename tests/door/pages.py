"""Pages in a real Chromium, for the tests that look at them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket

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


class Wire:
    """What a page sends on its live channels, and what is acknowledged."""

    def __init__(self, page: Page) -> None:
        self.acts: dict[str, dict[str, Any]] = {}
        self.acknowledged: list[str] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda payload: self._sent(_message(payload)))
        socket.on("framereceived", lambda payload: self._received(_message(payload)))

    def _sent(self, message: dict[str, Any]) -> None:
        if message.get("kind") == "act":
            self.acts.setdefault(message["id"], message)

    def _received(self, message: dict[str, Any]) -> None:
        if message.get("kind") == "ack" and message.get("id") in self.acts:
            self.acknowledged.append(message["id"])

    def saved(self) -> list[dict[str, float]]:
        """The actions that were acknowledged, in this order."""
        return [self.acts[name]["action"] for name in self.acknowledged]

    def differences(self, rows: Iterable[Mapping[str, Any]], field: str) -> Iterator[str]:
        """Where the exported decisions of this person are not what the page sent and was promised.

        The last action acknowledged for a period counts, or one sent after it whose answer was
        lost; nothing counts that was not sent.
        """
        for row in rows:
            sent = [name for name, act in self.acts.items() if act["period"] == row["period"]]
            promised = [name for name in sent if name in self.acknowledged]
            possible = sent[sent.index(promised[-1]) :] if promised else sent
            actions = [self.acts[name]["action"][field] for name in possible]
            person = row["decided_by"] == "person"
            if (promised and not person) or (person and row[f"used_{field}"] not in actions):
                yield f"period {row['period']}: {dict(row)}; sent {actions}, promised {promised}"


def _message(payload: str | bytes) -> dict[str, Any]:
    """The message of the protocol a frame holds; empty if it holds none."""
    try:
        message = json.loads(payload)
        message = message.get("live_method_payload", message)
    except (ValueError, AttributeError):
        return {}
    return message if isinstance(message, dict) else {}

"""Tests of questions in a browser: by keyboard, on a phone, and after a lost connection."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from tests.door.audit import table, wrong_numbers
from tests.door.harness import Server
from tests.door.pages import PHONE, _message, assert_no_sideways_scrolling, read, tab_to, window

pytestmark = [pytest.mark.door]

ITEMS: list[Any] = [
    {"name": "mood", "text": "How are you?", "when": "before", "type": "slider"}
    | {"least": 0, "most": 9},
    {"name": "others", "text": "What will the others take?", "every": 2, "type": "slider"}
    | {"least": 0, "most": 12, "step": 0.5, "about": "others_mean", "action": "harvest"}
    | {"pay": "binarised", "prize": 5},
    {"name": "bots", "text": "How many are programs?", "periods": [0], "type": "number"}
    | {"least": 0, "most": 3, "required": False, "about": "bots"},
    {"name": "content", "text": "Content?", "when": "after", "type": "choice"}
    | {"options": ["no", "yes"]},
    "questions/questionnaire.toml",
]


def begun(server: Server, browser: Browser, **options: Any) -> tuple[dict[str, Any], Page]:
    """Create a session with questions, and read its instructions."""
    asking = {"questions": json.dumps(ITEMS), "quiz": False, "periods": 3}
    session = server.session("commons", 1, **asking, **options.pop("changes", {}))
    page = window(browser, session["session_wide_url"], **options)
    read(page)
    return session, page


def box(page: Page, name: str) -> Any:
    return page.locator(f"[data-question={name}] input[type=text]")


def test_a_person_answers_by_keyboard_and_is_paid(server, browser):
    session, page = begun(server, browser)
    box(page, "mood").wait_for()
    tab_to(page, "[data-question=mood] input[type=range]")
    page.keyboard.press("ArrowRight")
    expect(box(page, "mood")).to_have_value("1")
    tab_to(page, "#next")
    page.keyboard.press("Enter")
    page.locator("#harvest:enabled").wait_for()
    for period in range(3):
        asked_for = page.locator("[data-question=others]")
        page.locator("#harvest:enabled").fill("2")
        if period == 1:
            expect(asked_for).to_be_hidden()
        else:
            expect(asked_for).to_be_visible()
            expect(asked_for).to_contain_text("You can win 5 points.")
            page.locator("#confirm").click()
            expect(page.locator("#problem")).to_have_text("Please answer this question.")
            expect(box(page, "others")).to_be_focused()
            page.keyboard.type("13")
            page.locator("#confirm").click()
            expect(page.locator("#problem")).to_contain_text("from 0 to 12")
            box(page, "others").fill("4.5")
        tab_to(page, "#confirm")
        page.keyboard.press("Enter")
        label = "See the results" if period == 2 else f"Period {period + 2} of 3"
        page.locator("#leave:visible, #period", has_text=label).first.wait_for()
    page.locator("#leave").click()
    page.locator("[data-question=content]").wait_for()
    page.locator("#next").click()
    expect(page.locator("[data-question=content] [role=alert]")).to_be_visible()
    assert page.locator("#next").is_enabled()  # oTree disables it for 5 s on a submission
    page.locator("[data-question=content] input").nth(1).check()
    page.locator("#next").click()
    box(page, "age").fill("33")
    page.locator("[data-question=remarks] textarea").fill("<b>nothing</b>")
    page.locator("#next").click()
    expect(page.locator("main")).to_contain_text("Your answers to the questions earned")
    answers = table(server, "answers", session).set_index(["question", "period"])["value"]
    assert answers["others", 0] == answers["others", 2] == "4.5"
    assert answers["content"].tolist() == ["yes"]
    assert answers["age"].tolist() == ["33"]
    assert answers["remarks"].tolist() == ["<b>nothing</b>"]
    assert answers["bots", 0] != answers["bots", 0]  # left open
    assert wrong_numbers(server, session) == []


@pytest.mark.long
def test_answers_are_restored_and_sent_again_when_the_line_is_back(server, browser):
    """Test on a phone, in German. Nothing may be wider than the screen."""
    _, page = begun(server, browser, changes={"language": "de"}, **PHONE)
    answers = Answers(page)
    box(page, "mood").wait_for()
    assert_no_sideways_scrolling(page)
    box(page, "mood").fill("3")
    page.locator("#next").click()
    page.locator("#harvest:enabled").wait_for()
    assert_no_sideways_scrolling(page)
    box(page, "others").fill("4")
    answers.wait_for(4)
    page.reload()
    expect(box(page, "others")).to_have_value("4")
    box(page, "others").fill("7")
    page.evaluate("() => window.liveSocket.reconnect()")  # before or after the answer is sent
    answers.wait_for(7)
    page.reload()
    expect(box(page, "others")).to_have_value("7")


class Answers:
    """The answers that a page has sent, and those that were acknowledged."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._sent: dict[str, Any] = {}
        self._saved: list[Any] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda payload: self._send(_message(payload)))
        socket.on("framereceived", lambda payload: self._receive(_message(payload)))

    def _send(self, message: dict[str, Any]) -> None:
        if message.get("kind") == "answer":
            self._sent[message["id"]] = message["value"]

    def _receive(self, message: dict[str, Any]) -> None:
        if message.get("kind") == "ack" and message.get("id") in self._sent:
            self._saved.append(self._sent[message["id"]])

    def wait_for(self, value: Any) -> None:
        """Wait until an answer is saved."""
        until = time.monotonic() + 60
        while value not in self._saved:
            assert time.monotonic() < until, f"{value} was not saved: {self._saved}"
            self._page.evaluate("() => new Promise(requestAnimationFrame)")


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_on_a_phone_nothing_is_wider_than_the_screen(server, browser, language):
    _, page = begun(server, browser, changes={"language": language}, **PHONE)
    box(page, "mood").wait_for()
    assert_no_sideways_scrolling(page)
    box(page, "mood").fill("3")
    page.locator("#next").click()
    box(page, "others").wait_for()
    assert_no_sideways_scrolling(page)
    button = page.locator("#confirm").bounding_box()
    assert button is not None
    assert button["y"] + button["height"] <= 740
    labels = page.evaluate(
        "() => [...document.querySelectorAll('#questions input')].map((own) =>"
        " own.labels.length || own.getAttribute('aria-labelledby'))"
    )
    assert all(labels)

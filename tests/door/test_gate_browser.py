"""What pages may run, in a real browser. Of play pages every test that opens one sees to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.door.harness import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

pytestmark = [pytest.mark.door]

INTRUDE = """() => {
  const script = document.createElement('script');
  script.textContent = 'window.ran = "script"';
  document.body.append(script);
  document.body.insertAdjacentHTML('beforeend', '<img src="/static/none" onerror="ran = 1">');
  return new Promise(done => document.images[document.images.length - 1]
    .addEventListener('error', () => done(window.ran || 'nothing')));
}"""


def watched(browser: Browser) -> tuple[Page, list[str]]:
    """A window, and what it was not allowed to do."""
    page, refused = browser.new_page(), list[str]()

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            refused.append(f"{page.url}: {message.text}")

    page.on("console", hear)
    return page, refused


def test_the_pages_of_the_administrator_run_what_is_theirs(
    server: Server, browser: Browser
) -> None:
    session = server.session("commons", 2, quiz=False)
    server.join(session)
    page, refused = watched(browser)
    code = session["code"]
    paths = ["demo", "create_session", "sessions", "rooms", "room_without_session/lab"]
    paths += ["ExportIndex", "room/lab"]
    names = ("StartLinks", "Monitor", "Data", "Payments", "Description", "EditProperties")
    paths += [f"Session{name}/{code}" for name in names]
    for path in paths:
        assert page.goto(f"{server.url}/{path}").status == 200  # type: ignore[union-attr]
        page.evaluate("() => document.readyState")  # what was refused until now has been heard of
    assert refused == []
    page.goto(f"{server.url}/SessionMonitor/{code}")
    with page.expect_response("**/AdvanceSession/*") as answer:
        page.click("[onclick='advanceUsers()']")  # allowed by its text
    assert answer.value.status == 200
    assert refused == []


def test_what_comes_into_a_page_with_a_text_does_not_run(server: Server, browser: Browser) -> None:
    session = server.session("commons", 1, quiz=False)
    page, refused = watched(browser)
    page.goto(session["session_wide_url"])
    assert page.evaluate("() => typeof js_vars") == "object"  # the template's own does
    assert refused == []
    assert page.evaluate(INTRUDE) == "nothing"
    page.evaluate("() => document.readyState")
    assert len(refused) == 2
    page.goto(f"{server.url}/SessionMonitor/{session['code']}")
    assert page.evaluate(INTRUDE) == "nothing"

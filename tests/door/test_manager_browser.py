"""Tests of the manager's pages in a real Chromium: permitted scripts and sockets, the session form,
and the board by keyboard. Tests that open a play page check the scripts of that page.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.door.accessible import found, look_through
from tests.door.harness import seated, synced
from tests.door.pages import window

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
    """Open a window. Return it, with a list of everything that its content security policy
    blocks."""
    page, refused = browser.new_page(), list[str]()

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            refused.append(f"{page.url}: {message.text}")

    page.on("console", hear)
    return page, refused


@pytest.mark.long
def test_the_pages_of_the_administrator_run_their_own_scripts(server, browser):
    session = server.session("commons", 2, quiz=False)
    server.join(session)
    page, refused = watched(browser)
    code = session["code"]
    paths = ["demo", "create_session", "sessions", "rooms", "room_without_session/lab"]
    paths += ["ExportIndex", "room/lab"]
    names = ("StartLinks", "Monitor", "Data", "Payments", "Description", "EditProperties")
    paths += [f"Session{name}/{code}" for name in names]
    for path in paths:
        assert page.goto(f"{server.url}/{path}").status == 200
        page.evaluate("() => document.readyState")  # waits until earlier messages have arrived
    assert refused == []
    page.goto(f"{server.url}/SessionMonitor/{code}")
    with page.expect_response("**/AdvanceSession/*") as answer:
        page.click("[onclick='advanceUsers()']")  # allowed by the hash of its text
    assert answer.value.status == 200
    assert refused == []


def test_markup_in_a_text_on_a_page_does_not_run(server, browser):
    session = server.session("commons", 1, quiz=False)
    page, refused = watched(browser)
    page.goto(session["session_wide_url"])
    assert page.evaluate("() => typeof js_vars") == "object"  # the template's own script runs
    assert refused == []
    assert page.evaluate(INTRUDE) == "nothing"
    page.evaluate("() => document.readyState")
    assert len(refused) == 2
    page.goto(f"{server.url}/SessionMonitor/{session['code']}")
    assert page.evaluate(INTRUDE) == "nothing"


# -- sockets ---------------------------------------------------------------------------------------


SEND = """async ([address, fields]) => {
    const form = document.createElement("form");
    Object.assign(form, {action: address, method: "post"});
    for (const [name, value] of Object.entries(fields)) {
        const field = document.createElement("input");
        Object.assign(field, {name, value});
        form.append(field);
    }
    document.body.append(form);
    form.submit();
}"""

OPEN = """async (address) => await new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.onopen = () => { socket.close(); resolve("open"); };
    socket.onerror = () => resolve("refused");
})"""


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>another server</title>")

    def log_message(self, *_arguments: object) -> None:
        """Print nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """Run another server on the same host; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Page) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{other.server_port}"
        other.shutdown()
        thread.join()


@pytest.mark.long  # tests/server/gate/test_origins.py covers origins
def test_only_pages_of_the_server_open_its_sockets_and_send_its_forms(server, browser, elsewhere):
    session = server.session("commons", 1, quiz=False)
    person = server.join(session)
    person.walk_to("Play")
    own_page, other = browser.new_page(), browser.new_page()
    own_page.goto(f"{server.url}/demo")
    other.goto(elsewhere)
    base = server.url.replace("http", "ws")
    for address in (f"{base}/create_session", f"{base}/delete_sessions", person.live_url()):
        assert own_page.evaluate(OPEN, address) == "open", address
        assert other.evaluate(OPEN, address) == "refused", address
    statuses = []
    for page, start in ((own_page, f"{server.url}/demo"), (other, elsewhere)):
        page.goto(start)
        with page.expect_navigation():
            page.evaluate(
                SEND, [f"{server.url}/SessionBoard/{session['code']}", {"directive": "{}"}]
            )
        statuses.append("is not from this server" in page.content())
    assert statuses == [False, True]


# -- creating a session ----------------------------------------------------------------------------


def choose(page: Page, config: str, key: str) -> None:
    """Choose a session config, and wait for a field that exists only in its game."""
    page.locator("#session_config").select_option(config)
    expect(page.locator(f"[name='{config}.{key}']")).to_be_attached()


@pytest.mark.long  # tests/server/test_settings_browser.py covers the form
def test_a_session_is_created_with_the_fields_of_the_chosen_config(server, browser):
    page = window(browser, f"{server.url}/create_session")
    choose(page, "commons", "capacity")
    page.get_by_label("Find a setting").fill("largest stock")
    page.locator("[name='commons.capacity']").fill("80")
    page.get_by_label("Find a setting").fill("")
    look_through(page, "create_session", axes=False)
    assert [fault for fault in found(page) if "contrast" in fault] == []
    choose(page, "sanctions", "mpcr")
    expect(page.locator("[name='commons.capacity']")).to_have_count(0)
    choose(page, "commons", "capacity")
    expect(page.locator("[name='sanctions.mpcr']")).to_have_count(0)
    expect(page.locator("[name='commons.capacity']")).to_have_value("80")

    page.locator("#num_participants").fill("2")
    page.locator("[name='commons.people_per_group']").fill("4")
    expect(page.locator("#whole-groups")).to_contain_text("Too few people for a group of 4.")
    page.locator("[name='commons.people_per_group']").fill("1")
    page.locator("[name='commons.periods']").fill("3")
    page.locator("summary", has_text="Before the play").click()
    page.locator("[name='commons.practice_periods']").fill("-3")
    page.locator("summary", has_text="Before the play").click()
    page.get_by_role("button", name="Create").click()
    refused = page.locator("[data-key=practice_periods] .mc-refused")
    expect(refused).to_have_text("-3: should be greater than or equal to 0")
    expect(refused).to_be_visible()
    expect(page.locator("[name='commons.practice_periods']")).to_be_focused()
    expect(page.locator("#create-session-error")).to_be_hidden()

    page.locator("[name='commons.practice_periods']").fill("0")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url(re.compile("/SessionStartLinks/"))
    code = page.url.rpartition("/")[2]
    created = requests.get(f"{server.url}/api/sessions/{code}", timeout=60).json()
    assert len(created["participants"]) == 2
    assert created["config"]["capacity"] == 80
    assert created["config"]["periods"] == 3


def test_the_page_demo_shows_one_session_of_each_game_and_folds_the_others(server, browser):
    page = window(browser, f"{server.url}/demo")
    links = page.locator("a.session-config")
    expect(links.and_(page.locator(":visible"))).to_have_count(page.locator("section").count())
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(
        page.get_by_role("link", name="Commons: players see only their neighbours")
    ).to_be_visible()
    look_through(page, "demo", axes=False)


def test_settings_that_cannot_be_loaded_are_reported_and_create_nothing(server, browser):
    page = window(browser, f"{server.url}/create_session")
    choose(page, "commons", "capacity")
    page.route("**/session_form/*", lambda route: route.fulfill(status=500))
    page.locator("#session_config").select_option("sanctions")
    expect(page.locator("#create-session-error")).to_contain_text(
        "The settings of sanctions could not be loaded (the server answered 500)."
    )
    expect(page.get_by_role("button", name="Create")).to_be_disabled()


# -- the board -------------------------------------------------------------------------------------


CALM = {"quiz": False, "bot_delay": "instant", "decision_seconds": 600.0, "grace_seconds": 600.0}


def test_the_board_is_live_and_can_be_used_by_keyboard(server, browser):
    session = server.session("commons_two_people", 2, **CALM)
    address = f"{server.url}/SessionBoard/{session['code']}"
    page = window(browser, address, viewport={"width": 768, "height": 1024})
    expect(page.locator("#groups")).to_contain_text("No groups are playing.")
    people = seated(server, session, 2)
    group = page.locator(".mc-group")
    expect(group).to_contain_text("Group 1")
    expect(group).to_contain_text("100 fish")
    assert page.evaluate("document.documentElement.scrollWidth") <= 768
    (_, first_live), (_, second_live) = people
    for live in (first_live, second_live):
        live.act(0, "a", harvest=1, contribution=0)
    expect(group).to_contain_text("Period 2 of")

    expect(group.locator("[data-waited]")).to_have_text(re.compile("for P1, P2|for P2, P1"))
    assert found(page) == []

    group.locator("header button").focus()
    page.keyboard.press("Enter")
    assert found(page) == []
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_have_accessible_description(
        "The clock of Group 1 stops. Nobody can decide until you choose Resume."
    )
    pause.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#dialog")).to_contain_text("stops")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#news")).to_contain_text("Done: Pause, Group 1.")
    expect(group.locator("[data-clock]")).to_have_text("paused")
    assert synced(first_live)["paused"] is True

    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    act = group.locator("li button").first
    act.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Message").focus()
    page.keyboard.press("Enter")
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.type("Is <all> well?")
    page.locator("#confirm").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#news")).to_contain_text("Done: Message")
    notes = [synced(live).get("note", {}).get("text") for live in (first_live, second_live)]
    assert sorted(notes, key=str) == ["Is <all> well?", None]
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).not_to_be_visible()

"""Tests of fifty simultaneous reloads, and of a device with a wrong date.

`tests/server/test_missteps_live.py` covers individual reloads, tabs and old links.
"""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.door.audit import table
from tests.door.harness import Live, Person, meet_in_lobby, synced
from tests.door.pages import read

pytestmark = [pytest.mark.door, pytest.mark.long]

CALM: dict[str, Any] = {
    "bot_delay": "instant",
    "decision_seconds": 600.0,
    "grace_seconds": 600.0,
    "lobby_seconds": 600.0,
}
STORM = 50
DAY_MS = 86_400_000


def stormed(person: Person) -> set[int]:
    """Reload a page STORM times without waiting, and return the responses' status codes.

    Beyond twenty simultaneous requests, the rest get 429. A browser would drop all but the last.
    """
    address = person.page.url
    with ThreadPoolExecutor(STORM) as reloads:
        answers = reloads.map(lambda _: requests.get(address, timeout=120), range(STORM))
        return {answer.status_code for answer in answers if answer.url == address}


def test_a_storm_of_reloads_in_a_lobby_keeps_the_place_and_the_promise(server):
    session = server.session("commons_two_people", 2, **CALM, quiz=False, disclosure="labels")
    person, other = server.join(session), server.join(session)
    person.walk_to("Lobby")
    begun = time.monotonic()
    left = person.live().ask({"kind": "sync"}, "view")["remaining_ms"]
    assert stormed(person) <= {200, 429}
    person.reload()
    assert person.page.status_code == 200
    after = person.live().ask({"kind": "sync"}, "view")
    gone_by = 1000 * (time.monotonic() - begun)
    assert (after["phase"], after["here"]) == ("waiting", 1)
    assert left - gone_by - 100 <= after["remaining_ms"] <= left
    other.walk_to("Lobby")
    meet_in_lobby([person, other])


def test_a_storm_of_reloads_in_a_play_costs_no_period_and_no_seat(server):
    session = server.session("commons", 1, **CALM, quiz=False, periods=3)
    person = server.join(session)
    person.walk_to("Play")
    assert person.live().act(0, "first", harvest=2, contribution=0)["kind"] == "ack"
    assert stormed(person) <= {200, 429}
    person.reload()
    assert person.page.status_code == 200
    live = person.live()
    view = synced(live)
    assert (view["period"], view["phase"], view["standin"]) == (1, "decide", False)
    assert live.act(1, "second", harvest=2, contribution=0)["kind"] == "ack"
    assert len(table(server, "seats", session)) == 4  # no bot took the seat


LINE_SECONDS = 10.0
"""Maximum wait for a slow connection. It is reached if the clock jumps by a day."""


def shows_what_is_left(page: Page, live: Live) -> bool:
    """Return whether the page's clock matches the server's."""
    before = synced(live)["remaining_ms"]
    minutes, seconds = page.locator("#clock").inner_text().split(":")
    after = synced(live)["remaining_ms"]
    return after / 1000 - 2 <= 60 * int(minutes) + int(seconds) <= before / 1000 + 1


@pytest.mark.parametrize("set_by", [DAY_MS, -DAY_MS], ids=["a day ahead", "a day behind"])
def test_a_wrong_clock_on_a_device_changes_no_countdown_and_no_line_measurement(
    server, browser, set_by
):
    session = server.session("commons", 1, **{**CALM, "quiz": False, "line_seconds": LINE_SECONDS})
    context = browser.new_context()
    context.add_init_script(
        f"const real = Date; const by = {set_by}; Date = class extends real {{"
        "constructor(...given) { given.length ? super(...given) : super(real.now() + by); }"
        "static now() { return real.now() + by; } };"
    )
    page = context.new_page()
    page.goto(session["session_wide_url"])
    assert abs(page.evaluate("Date.now()") - 1000 * time.time() - set_by) < DAY_MS / 24
    read(page)
    expect(page.locator("#harvest")).to_be_enabled()
    person = Person(server, page.url)
    live = person.live()
    assert any(shows_what_is_left(page, live) for _ in range(20))  # a busy page may lag
    page.locator("#harvest").fill("3")
    page.locator("#confirm").click()
    expect(page.locator("#period")).to_contain_text("Period 2 of")
    events = table(server, "events", session)
    lines = events.loc[events["event"] == "slow_line", "detail"]
    waits = [json.loads(detail)["wait_ms"] for detail in lines]  # busy pages answer late
    assert max(waits, default=0) < 1000 * LINE_SECONDS
    rows = table(server, "decisions", session).query("participant == @person.code")
    assert rows[["sent_harvest", "decided_by"]].values.tolist() == [[3, "person"]]
    context.close()

"""Tests of whole plays of the punishment vote in a real Chromium: three people and a bot, keyboard
only, a slow connection. In turns with a clock, the moves that the server acknowledges count."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.harness import Server
from tests.door.pages import Wire, answer_by_keyboard, read, read_by_keyboard, tab_to, window
from tests.door.slow_line import SlowLine
from tests.door.test_vote_browser import ANSWERS, KEYS, wait_for_turn

pytestmark = [pytest.mark.door, pytest.mark.long]


PATIENT = {"lobby_seconds": 3600.0, "grace_seconds": 3600.0}


def turn(page: Page) -> int:
    number = re.search(r"Turn (\d+)", page.locator("#period").inner_text())
    assert number
    return int(number.group(1))


def over(page: Page) -> bool:
    return page.locator("#leave").is_visible()


def code(page: Page) -> str:
    """Return the participant code of a page."""
    return page.url.split("/p/")[1].split("/")[0]


def walked(server: Server, session: dict[str, Any], turns: int, seconds: float) -> None:
    """Check that every turn was settled once, in order and on time, and that the export can be
    replayed.

    If events report a slow connection, the wait for it extends the turn.
    """
    periods = table(server, "periods", session)
    assert periods["period"].tolist() == list(range(turns))
    lasted = (periods["settled_ms"] - periods["shown_ms"]).tolist()
    events = table(server, "events", session)
    waits = waited(events[events["event"] == "slow_line"].to_dict("records"), turns)
    assert lasted == [round(1000 * seconds) + ms for ms in waits]
    assert wrong_numbers(server, session) == []


def waited(events: list[dict[str, Any]], turns: int) -> list[int]:
    """Return the time spent waiting for slow connections in each turn."""
    waits, by_turn = dict[int, int](), []
    for turn in range(turns):
        for event in events:
            if event["period"] == turn:
                waits[event["seat"]] = json.loads(event["detail"])["wait_ms"]
        by_turn.append(max(waits.values(), default=0))
    return by_turn


def kept(server: Server, session: dict[str, Any], wires: dict[str, Wire]) -> None:
    """Check that each person's acknowledged actions count, and no others."""
    decisions = table(server, "decisions", session)
    for participant, wire in wires.items():
        rows = decisions[decisions["participant"] == participant].to_dict("records")
        assert rows
        assert wire.acts
        assert list(wire.differences(rows)) == []


def answered(page: Page, wire: Wire) -> bool:
    """Return whether the last action that the page sent is acknowledged.

    Otherwise a reload could hide an action's acknowledgement from the recorded messages.
    """
    page.evaluate("null")  # everything sent before this answer has been recorded
    return list(wire.acts)[-1:] == wire.acknowledged[-1:] != []


def test_three_people_and_a_bot_play_a_whole_game(server, browser):
    turns = 16
    setting = {"turns": turns, "decision_seconds": 0.5, **PATIENT}
    session = server.session("vote_three_people", 3, quiz=False, **setting)
    pages = [window(browser, session["session_wide_url"]) for _ in range(3)]
    wires = {code(page): Wire(page) for page in pages}
    for page in pages:
        read(page)
    for page in pages:
        expect(page.locator("#period")).to_be_visible()
    keys = random.Random(5)
    reloaded = False
    while not over(pages[0]):
        for page in pages:
            page.keyboard.press(keys.choice(list(KEYS)))
        if not reloaded and answered(pages[1], wires[code(pages[1])]):
            pages[1].reload()
            reloaded = True
    for page in pages:
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
        expect(page.locator("main")).to_contain_text("the punishment level was")
    walked(server, session, turns=turns, seconds=0.5)
    kept(server, session, wires)
    decisions = table(server, "decisions", session)
    people = decisions[decisions["occupant"] == "person"]
    assert people.groupby("participant").size().tolist() == [turns] * 3
    assert set(decisions[decisions["occupant"] == "policy"]["policy_id"]) == {"noisy_person"}
    outcomes = table(server, "outcomes", session)
    assert outcomes["status"].tolist() == ["finished"] * 3
    assert outcomes["bot_share"].tolist() == [0, 0, 0]
    sums = people.groupby("participant")["reward"].sum()
    for participant, points in zip(outcomes["participant"], outcomes["points"], strict=True):
        assert points == pytest.approx(sums[participant])


def test_a_play_by_keyboard_alone(server, browser):
    session = server.session("vote", 1, turns=len(KEYS), **ANSWERS)
    page = window(browser, session["session_wide_url"])
    read_by_keyboard(page)
    expect(page.locator("#check")).to_be_visible()
    answers = {
        "blocked": "You stay where you are and lose nothing",
        "vote": "50%",  # 30% and a step of 20 percentage points
        "harm": "All players except the collector",
        "punished": "4",  # 7 less 30% of 10
        "end": f"After turn {len(KEYS)}",
        "pay": "€2.20",  # 2 points at 0.10, and the fee
        "when": "All at the same time",
    }
    answer_by_keyboard(page, answers)
    for number, key in enumerate(KEYS, start=1):
        wait_for_turn(page, number)
        expect(page.locator("[data-choice=up]")).to_have_attribute("aria-disabled", "false")
        page.keyboard.press(key)
    expect(page.locator("#leave")).to_be_visible()
    tab_to(page, "#leave")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results")
    decisions = table(server, "decisions", session)
    person_rows = decisions[decisions["occupant"] == "person"]
    assert person_rows["used_action"].tolist() == list(KEYS.values())
    assert wrong_numbers(server, session) == []


def vote_until(page: Page, last: int) -> None:
    """Vote up in odd turns and down in even turns, as numbered on the page."""
    while not over(page) and turn(page) < last:
        page.keyboard.press("v" if turn(page) % 2 else "b")


WATCH = """() => {
  const banner = document.getElementById("banner");
  window.lost = false;
  const look = () => { window.lost ||= !banner.hidden; };
  new MutationObserver(look).observe(banner, {attributes: true});
}"""


def test_on_a_slow_line_keys_count_and_every_turn_is_settled_on_time(server, browser):
    setting = {"turns": 10, "decision_seconds": 1.5, "line_seconds": 1.5, **PATIENT}
    session = server.session("vote_three_people", 3, quiz=False, **setting)
    with SlowLine(server.port, seconds=0.2) as line:
        link = session["session_wide_url"]
        slow = window(browser, line.url(link))
        wire = Wire(slow)
        others = [window(browser, link) for _ in range(2)]
        for page in (slow, *others):
            read(page)
        expect(slow.locator("#period")).to_be_visible()
        slow.evaluate(WATCH)
        vote_until(slow, 4)
        line.cut()
        slow.wait_for_function("() => window.lost && document.getElementById('banner').hidden")
        vote_until(slow, 11)
        slow.locator("#leave").click()
        expect(slow.locator("h1")).to_have_text("Results")
        participant = code(slow)
        # a script that failed to load would be a page error, and would fail the test
        slow.wait_for_load_state("networkidle")
    walked(server, session, turns=10, seconds=1.5)
    assert "slow_line" in table(server, "events", session)["event"].tolist()
    kept(server, session, {participant: wire})

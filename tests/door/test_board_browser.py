"""The board in a real Chromium: live, by keyboard, on a wide and a narrow screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.door.harness import Server, seated, synced
from tests.door.pages import (
    read,
    window,
)

pytestmark = [pytest.mark.door]

CALM = {"quiz": False, "bot_delay": "instant", "decision_seconds": 600.0, "grace_seconds": 600.0}


def test_the_board_is_live_and_worked_by_keyboard(server: Server, browser: Browser) -> None:
    session = server.session("commons_two_people", 2, **CALM)
    address = f"{server.url}/SessionBoard/{session['code']}"
    page = window(browser, address, viewport={"width": 768, "height": 1024})
    expect(page.locator("#groups")).to_contain_text("No group plays.")
    people = seated(server, session, 2)
    group = page.locator(".mc-group")
    expect(group).to_contain_text("Group 1")
    expect(group).to_contain_text("100 fish")
    assert page.evaluate("document.documentElement.scrollWidth") <= 768
    (_, one), (_, other) = people
    for live in (one, other):
        live.act(0, "a", harvest=1, contribution=0)
    expect(group).to_contain_text("Period 2 of")

    group.locator("header button").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Pause").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#dialog")).to_contain_text("stands still")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#news")).to_contain_text("Done: Pause, Group 1.")
    expect(group.locator("[data-clock]")).to_have_text("paused")
    assert synced(one)["paused"] is True

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
    notes = [synced(live).get("note", {}).get("text") for live in (one, other)]
    assert sorted(notes, key=str) == ["Is <all> well?", None]
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).not_to_be_visible()


@pytest.mark.long
def test_many_groups_are_small_enough_to_be_seen_together_and_open_by_a_key(
    server: Server, browser: Browser
) -> None:
    session = server.session("commons", 15, **{**CALM, "bot_delay": "fixed:seconds=90"})
    [(_, first)] = seated(server, session)
    page = window(browser, f"{server.url}/SessionBoard/{session['code']}")
    expect(page.locator(".mc-group")).to_have_count(1)
    expect(page.locator(".mc-tile")).to_have_count(0)
    for _ in range(12):
        seated(server, session)
    tiles = page.locator(".mc-tile")
    expect(tiles).to_have_count(13)
    expect(page.locator("#counts")).to_contain_text("13 play · 0 wait · 0 before · 2 not come")
    expect(page.locator("#before")).to_have_text("2 not come yet: P14, P15")
    for width, height in ((1280, 800), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight") <= 2 * height
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    expect(tiles.first).to_contain_text("deciding")
    first.act(0, "a", harvest=1, contribution=0)
    expect(tiles.first).to_contain_text("decided")
    tiles.first.focus()
    page.keyboard.press("Enter")
    expect(tiles).to_have_count(12)
    expect(page.get_by_role("button", name="Act on Group 1", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Pause").click()
    page.locator("#confirm").click()
    expect(page.locator("#news")).to_contain_text("Done: Pause, Group 1.")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Fold Group 1").click()
    expect(page.locator("#commons_game-1[data-wants] .mc-tile")).to_contain_text("paused")


@pytest.mark.long
def test_a_person_is_asked_reads_a_message_and_sees_the_pause(
    server: Server, browser: Browser
) -> None:
    thinking = {"bot_delay": "fixed:seconds=4"}  # else the play is over at once without its person
    session = server.session("commons", 1, **{**CALM, **thinking})
    page = window(browser, session["session_wide_url"])
    read(page)
    expect(page.locator("#harvest")).to_be_enabled()
    board = window(browser, f"{server.url}/SessionBoard/{session['code']}")
    seat = board.locator(".mc-group li:has(button) button")
    for kind in ("Hand the seat", "Message"):
        seat.click()
        board.get_by_role("button", name=kind).click()
        if kind == "Message":
            board.locator("textarea").fill("Please <b>decide</b>.")
        board.locator("#confirm").click()
        expect(board.locator("#news")).to_contain_text("Done")
    expect(page.locator(".mc-told").first).to_contain_text("Are you there?")
    expect(page.locator(".mc-told").last).to_contain_text("Please <b>decide</b>.")
    page.get_by_role("button", name="I have read it").click()
    page.reload()
    expect(page.locator(".mc-told")).to_have_count(1)
    page.get_by_role("button", name="Yes, I decide again").click()
    expect(page.locator(".mc-told")).to_have_count(0)
    expect(page.locator("#harvest")).to_be_enabled()
    board.locator(".mc-group header button").click()
    board.get_by_role("button", name="Pause").click()
    board.locator("#confirm").click()
    expect(page.locator(".mc-manager")).to_contain_text("The game is paused.")
    expect(page.locator("#confirm")).to_be_disabled()

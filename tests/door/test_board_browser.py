"""Tests of the board in a real Chromium: many groups, and the board's effects on a person's
page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.door.harness import seated
from tests.door.pages import read, window
from tests.door.test_manager_browser import CALM

pytestmark = [pytest.mark.door, pytest.mark.long]


def test_many_groups_fit_on_the_board_and_open_by_a_key(server, browser):
    session = server.session("commons", 15, **{**CALM, "bot_delay": "fixed:seconds=90"})
    [(_, first)] = seated(server, session)
    page = window(browser, f"{server.url}/SessionBoard/{session['code']}")
    expect(page.locator(".mc-group")).to_have_count(1)
    expect(page.locator(".mc-tile")).to_have_count(0)
    for _ in range(12):
        seated(server, session)
    tiles = page.locator(".mc-tile")
    expect(tiles).to_have_count(13)
    expect(page.locator("#counts")).to_contain_text(
        "13 playing · 0 waiting · 0 before · 2 not here yet"
    )
    expect(page.locator("#before")).to_have_text("2 not here yet: P14, P15")
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
    page.get_by_role("button", name="Collapse Group 1").click()
    expect(page.locator("#commons_game-1[data-wants] .mc-tile")).to_contain_text("paused")


def test_a_person_is_asked_reads_a_message_and_sees_the_pause(server, browser):
    thinking = {
        "bot_delay": "fixed:seconds=4"
    }  # otherwise the play would end at once without its person
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
    expect(page.locator(".mc-told").first).to_contain_text("Are you still there?")
    expect(page.locator(".mc-told").last).to_contain_text("Please <b>decide</b>.")
    page.get_by_role("button", name="I have read this").click()
    page.reload()
    expect(page.locator(".mc-told")).to_have_count(1)
    page.get_by_role("button", name="Yes, I am here").click()
    expect(page.locator(".mc-told")).to_have_count(0)
    expect(page.locator("#harvest")).to_be_enabled()
    board.locator(".mc-group header button").click()
    board.get_by_role("button", name="Pause").click()
    board.locator("#confirm").click()
    expect(page.locator(".mc-manager")).to_contain_text(
        "The game is paused and will continue automatically."
    )
    expect(page.locator("#confirm")).to_be_disabled()

"""Tests of peer points in a real Chromium: both games, by keyboard only and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.door.accessible import look_through
from tests.door.harness import Server
from tests.door.layout import covered
from tests.door.pages import PHONE, Heard, read, tab_to, window

pytestmark = [pytest.mark.door, pytest.mark.long]

POINTS: dict[str, Any] = {"peer": "punishment", "quiz": False, "bot_delay": "instant"}


def opened(server: Server, browser: Browser, config: str, **changes: Any) -> Page:
    session = server.session(config, 1, **POINTS, **changes)
    page = window(browser, session["session_wide_url"], **PHONE)
    read(page)
    return page


def test_a_period_of_the_commons_with_peer_points_by_keyboard_alone(server, browser):
    bots = "sustainable+punishes_below_average"
    page = opened(server, browser, "commons", periods=2, bots=bots, peer_tells="who")
    heard = Heard(page)
    title = page.locator("#decision-title")
    for number in (1, 2):
        expect(page.locator("#period")).to_contain_text(f"{number} of 2")
        expect(title).to_have_text("Your decision")
        tab_to(page, "#harvest")
        page.keyboard.type("4")
        page.keyboard.press("Enter")
        expect(title).to_have_text("Punishment points for others")
        expect(page.locator("#harvest")).to_be_hidden()
        expect(page.locator("[role=spinbutton]").first).to_be_focused()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        if number == 2:  # a page reloaded in the middle starts this stage over
            page.reload()
            expect(title).to_have_text("Punishment points for others")
            tab_to(page, "[role=spinbutton]")
            page.keyboard.press("ArrowUp")
        expect(page.locator(".peer-sums")).to_contain_text(f"cost you {3 - number} point")
        tab_to(page, "#confirm")
        page.keyboard.press("Enter")
        expect(page.locator(".mc-said").first).to_contain_text(f"You assigned {3 - number} ")
    expect(page.locator("#leave")).to_be_visible()
    sums = [view["last"]["used"]["assign"] for view in heard.views if view["last"]]
    assert {sum(points) for points in sums} == {1, 2}
    tab_to(page, "#leave")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results")


def test_ten_others_fit_on_a_phone(server, browser):
    core = {"archetype": "unsanctioned", "seats": 11, "peer_budget": 12, "peer_targets": 3}
    bots = "conditional_cooperator+punishes_below_average"
    page = opened(server, browser, "sanctions", periods=1, bots=bots, **core)
    page.locator("#contribution").fill("3")
    page.locator("#confirm").tap()
    rows = page.locator(".peer-row")
    expect(rows).to_have_count(10)
    assert covered(page, ["#decision-title", ".peer-list", ".peer-sums", "#confirm"]) == []
    rows.last.scroll_into_view_if_needed()
    rows.last.get_by_role("button", name="more").tap()
    expect(rows.last.get_by_role("spinbutton")).to_have_text("1")
    assert covered(page, [".peer-row:last-child .peer-step:last-child", "#confirm"]) == []
    look_through(page, "peer points")
    page.locator("#confirm").click()
    expect(page.locator(".mc-said").first).to_have_text("You assigned 1 punishment point.")
    look_through(page, "after peer points")


def test_on_a_desk_the_players_stay_below_the_lake_and_tables_of_results_have_gaps(server, browser):
    core = {"seats": 6, "periods": 1, "bots": "sustainable+never_punishes"}
    session = server.session("commons", 1, **POINTS, **core)
    page = window(browser, session["session_wide_url"], viewport={"width": 1280, "height": 800})
    read(page)
    for control in ("#harvest", ".peer-row >> nth=0"):
        expect(page.locator(control)).to_be_visible()
        lake, players = (page.locator(name).bounding_box() for name in (".mc-stage", ".mc-ledger"))
        assert lake is not None
        assert players is not None
        gap = 16  # of the grid; two if the decision is about as tall as the lake
        assert 0 < players["y"] - lake["y"] - lake["height"] <= 2 * gap
        if control == "#harvest":
            page.locator(control).fill("3")
            page.locator("#confirm").click()
    page.locator("#confirm").click()
    page.locator("#leave").click()
    page.locator(".mc-course summary").click()
    gaps = "nodes => nodes.map((node) => parseFloat(getComputedStyle(node).paddingLeft))"
    assert min(page.locator(".mc-course th").evaluate_all(gaps)) >= 8


def test_without_a_decision_in_time_nothing_is_assigned_and_the_page_says_so(server, browser):
    changes = {"periods": 2, "peer_seconds": 1.0, "archetype": "unsanctioned"}
    page = opened(server, browser, "sanctions", bots="free_rider", **changes)
    page.locator("#contribution").fill("3")
    page.locator("#confirm").tap()
    expect(page.locator("#period")).to_contain_text("2 of 2")
    expect(page.locator(".mc-said").first).to_have_text("Time was up, so you assigned no points.")


def test_a_group_talks_on_a_phone_before_it_assigns_points(server, browser):
    talk = {"talk": "free", "talk_when": "stages", "talk_seconds": 600.0, "disclosure": "labels"}
    changes = {"periods": 1, "archetype": "unsanctioned", "bots": "free_rider+retaliates"}
    page = opened(server, browser, "sanctions", **changes, **talk)
    page.locator("#contribution").fill("3")
    page.locator("#confirm").tap()
    expect(page.locator("#talk-field")).to_be_visible()
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator("#talk-field").fill("Why nothing?")
    page.get_by_role("button", name="Send").tap()
    expect(page.locator(".mc-talk-text")).to_have_text("Why nothing?")
    page.get_by_role("button", name="I am ready to continue").tap()
    page.get_by_role("button", name="One more point").first.tap()  # the person's seat is drawn
    page.locator("#confirm").tap()
    expect(page.locator(".mc-said").first).to_have_text("You assigned 1 punishment point.")

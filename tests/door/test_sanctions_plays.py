"""Tests of whole plays of the sanctions game in Chromium: two people, a phone, free riders."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.pages import PHONE, assert_no_sideways_scrolling, read, shown, window
from tests.door.test_sanctions import decide, wait_for_period

pytestmark = [pytest.mark.door, pytest.mark.long]


def code_of(page: Page) -> str:
    return page.url.split("/p/")[1].split("/")[0]


def test_two_people_and_four_bots_play_a_whole_game(server, browser):
    last = 12  # longer than the memory of 10
    quick = {"quiz": False, "bot_delay": "instant"}
    session = server.session("sanctions_two_people", 2, **quick, periods=last)
    pages = [window(browser, session["session_wide_url"]) for _ in range(2)]
    codes = [code_of(page) for page in pages]
    for page in pages:
        read(page)
    contributions: dict[str, list[float]] = {code: [] for code in codes}
    for period in range(last):
        for page in pages:
            wait_for_period(page, period + 1)
        if period == 9:
            expect(pages[1].locator("#state")).to_have_text("Connected")
            before = pages[1].locator("#ledger").inner_text()
            pages[1].reload()
            wait_for_period(pages[1], 10)
            expect(pages[1].locator(".mc-chart rect")).to_have_count(9)
            expect(pages[1].locator("#ledger")).to_have_text(before, use_inner_text=True)
        for key, page in enumerate(pages):
            amount = [(period * 7) % 21, 20 - period][key]
            decide(page, amount)
            contributions[codes[key]].append(amount)
    points = {}
    for code, page in zip(codes, pages, strict=True):
        expect(page.locator("#leave")).to_be_visible()
        points[code] = page.locator(".mc-total strong").inner_text()
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
        expect(page.locator(".mc-huge strong")).to_have_text(points[code])
        expect(page.locator("main")).to_contain_text(f"of {last} periods. In these periods")
    assert wrong_numbers(server, session) == []
    pairs = table(server, "pairs", session)
    assert len(pairs) == last * 6 * 5
    assert not pairs.duplicated(["period", "seat", "partner"]).any()
    outcomes = table(server, "outcomes", session).set_index("participant")
    decisions = table(server, "decisions", session)
    for code in codes:
        own_decisions = decisions[decisions["participant"] == code].sort_values("period")
        assert own_decisions["used_contribution"].tolist() == contributions[code]
        assert set(own_decisions["decided_by"]) == {"person"}
        assert outcomes.loc[code, "points"] == pytest.approx(own_decisions["reward"].sum())
        assert shown(outcomes.loc[code, "points"]) == points[code]
        assert outcomes.loc[code, "status"] == "finished"
        assert outcomes.loc[code, "bot_share"] == 0
    bots = decisions[decisions["occupant"] == "policy"]
    assert set(bots["policy_id"]) == {
        "conditional_cooperator",
        "free_rider",
        "tit_for_tat",
        "noisy_person",
    }
    assert table(server, "periods", session)["ended"].tolist()[-1] == "horizon"


@pytest.mark.parametrize("config", ["sanctions", "sanctions_source", "sanctions_tr4"])
def test_a_play_on_a_phone(server, browser, config):
    session = server.session(config, 1, quiz=False, periods=3, bot_delay="instant")
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    read(page)
    for number in (1, 2, 3):
        wait_for_period(page, number)
        expect(page.locator("#contribution")).to_be_enabled()
        page.evaluate("() => window.scrollTo(0, 0)")
        expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
        assert_no_sideways_scrolling(page)
        can_be_reached(page)
        page.locator("#contribution").fill("3")
        page.locator("#confirm").tap()
    expect(page.locator("#leave")).to_be_visible()
    can_be_reached(page)
    page.locator("#leave").tap()
    expect(page.locator("h1")).to_have_text("Results")
    assert_no_sideways_scrolling(page)
    decisions = table(server, "decisions", session)
    person_rows = decisions[decisions["occupant"] == "person"]
    assert person_rows["used_contribution"].tolist() == [3, 3, 3]
    assert wrong_numbers(server, session) == []


def can_be_reached(page: Page) -> None:
    """Check that every cell of the players' table, and the waterfall, can be scrolled into view."""
    page.locator("#stage details").evaluate("fold => { fold.open = true; }")
    for selector in (
        ".net-players td:last-child",
        ".net-players tbody tr:last-child td",
        "#ledger .mc-total",
    ):
        element = page.locator(selector).last
        element.evaluate("node => node.scrollIntoView({block: 'center'})")
        expect(element).to_be_in_viewport(ratio=0.5)
        box = element.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        uncovered(page, selector)
    assert page.evaluate("() => document.documentElement.scrollLeft + window.scrollX") == 0


def uncovered(page: Page, selector: str) -> None:
    """Wait until nothing (such as a sticky card) covers the middle of the last matching element.
    Meanwhile, the element may be redrawn because another player has decided.
    """
    page.wait_for_function(
        "(selector) => { const node = [...document.querySelectorAll(selector)].at(-1);"
        " const box = node.getBoundingClientRect();"
        " const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
        " return node.contains(top); }",
        arg=selector,
    )


def test_among_free_riders_a_person_sees_what_others_cost_if_the_observer_pays(server, browser):
    """`deviation` never sanctions players who always give 0. Players who stop giving cost the
    others points."""
    session = server.session(
        "sanctions_tr4", 1, quiz=False, periods=3, bot_delay="instant", bots="free_rider"
    )
    page = window(browser, session["session_wide_url"])
    read(page)
    for number, amount in enumerate((40, 40, 0), start=1):
        wait_for_period(page, number)
        decide(page, amount)
    expect(page.locator("#leave")).to_be_visible()
    page.locator("#leave").click()
    expect(page.locator("main")).to_contain_text("Sanctions and rewards made no difference.")
    # at trust 0.5 - 0.5 * 0.3 * 1.175 = 0.32375, from 40 on average to 0: -0.0977394 for each of 5
    decisions = table(server, "decisions", session)
    lost = decisions[(decisions["period"] == 2) & (decisions["occupant"] == "policy")]
    assert lost["reward_sanctions"].tolist() == pytest.approx([-0.0977394] * 5, abs=1e-6)

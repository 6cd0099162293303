"""Tests of gem mining in a real Chromium: four people, one person with bots, keyboard only, a
phone, and edge cases."""

from __future__ import annotations

import random

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from mixed_company.server.pages.texts import number
from tests.door.audit import table, wrong_numbers
from tests.door.gems import (
    AT_ONCE,
    assert_own_village_is_seen,
    begun,
    code_of,
    columns,
    front_is_drawn,
    leave,
    offered,
    purse,
    radio,
    results_tell_the_export,
    send,
    shows_what_is_observed,
    wait_for_period,
)
from tests.door.pages import (
    PHONE,
    Heard,
    answer_by_keyboard,
    assert_no_sideways_scrolling,
    page_has_no_broken_number,
    read,
    read_by_keyboard,
    tab_to,
    window,
)

pytestmark = [pytest.mark.door]


ANSWERS = {
    "whose": "All villages get the same",
    "together": "At most 1",
    "bonus": "20.6%",  # 20% * 1.03
    "chances": "They stay the same",
    "loss": "You keep all of them",
    "end": "Always after period 20",
    "pay": "€2.50",  # 2 points at 0.25, and the fee
    "when": "All at the same time",
}
LIMIT = "At most one gem of each kind can be found in a mine per period."
CROWDED = "Each extra worker in a mine: chances \N{MULTIPLICATION SIGN} 1.03."
PAID = {"gems": "€2.50", "gems_three_kinds": "€2.20", "gems_published": "€3.00"}
"""Payments: 2 points at 0.25, 2 at 0.10 and 20 at 0.05, each plus the fee of 2.00."""


@pytest.mark.long
def test_four_people_play_a_whole_game_and_one_of_them_reloads(server, browser):
    last_period, reload_in = 5, 3
    session = server.session("gems_four_people", 4, **AT_ONCE, periods=last_period)
    pages = [window(browser, session["session_wide_url"]) for _ in range(4)]
    codes = [code_of(page) for page in pages]
    for page in pages:
        read(page)
    drawn = random.Random(4)
    went: dict[str, list[int]] = {code: [] for code in codes}
    for period in range(1, last_period + 1):
        for page in pages:
            wait_for_period(page, period)
        if period == reload_in:
            reloads(pages[2], period)
        for code, page in zip(codes, pages, strict=True):
            mine = drawn.choice(offered(page))
            send(page, mine)
            went[code].append(mine)
    for page in pages:
        expect(page.locator("#leave")).to_be_visible()
    periods = table(server, "periods", session)
    assert len(periods) == last_period
    assert periods["ended"].tolist()[-1] == "horizon"
    last = periods.iloc[-1]
    for page in pages:
        assert purse(page) == columns(last, "after_purse")
        expect(page.locator(".mc-total strong")).to_have_text(number(sum(purse(page)), 2))
        leave(page)
        expect(page.locator(".mc-huge strong")).to_have_text(
            number(sum(columns(last, "after_purse")), 2)
        )
        results_tell_the_export(page, periods)
        front_is_drawn(page, server, session)
    assert wrong_numbers(server, session) == []
    decisions = table(server, "decisions", session)
    assert set(decisions["occupant"]) == {"person"}
    assert set(decisions["decided_by"]) == {"person"}
    for code in codes:
        own_decisions = decisions[decisions["participant"] == code].sort_values("period")
        assert own_decisions["used_mine"].tolist() == went[code]
    outcomes = table(server, "outcomes", session)
    assert outcomes["status"].tolist() == ["finished"] * 4
    assert outcomes["points"].tolist() == [sum(columns(last, "after_purse"))] * 4


def reloads(page: Page, period: int) -> None:
    """Check that the page shows the same things after a reload."""
    expect(page.locator("#state")).to_have_text("Connected")
    shown = ("#ledger", ".gems-purse", "#controls", "#past")
    before = [page.locator(selector).inner_text() for selector in shown]
    label = page.locator(".gems-map").get_attribute("aria-label")
    page.reload()
    wait_for_period(page, period)
    for selector, was in zip(shown, before, strict=True):
        expect(page.locator(selector)).to_have_text(was, use_inner_text=True)
    expect(page.locator(".gems-map")).to_have_attribute("aria-label", label or "")
    expect(page.locator(".gems-map .gems-way")).to_have_count(4)
    expect(page.locator("#past .mc-chart rect")).to_have_count(period - 1)


def test_one_person_and_three_bots_play_to_the_end_by_keyboard_alone(server, browser):
    """Choose a mine with Tab and arrow keys, and confirm with Enter on a radio button or on the
    button.

    No mine is preselected, and Enter without a choice confirms nothing.
    """
    session = server.session("gems", 1, periods=4, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    read_by_keyboard(page)
    expect(page.locator("#check")).to_be_visible()
    answer_by_keyboard(page, ANSWERS)
    went = []
    for period in range(1, 5):
        wait_for_period(page, period)
        shows_what_is_observed(page, heard, period)
        expect(page.locator("[name=mine]:checked")).to_have_count(0)  # the last choice is not kept
        expect(page.locator(".gems-mine[data-chosen=true]")).to_have_count(0)
        expect(page.locator("#effect")).to_have_text(LIMIT)
        expect(page.locator(".mc-choice .mc-worth")).to_contain_text(CROWDED)
        mines = offered(page)
        tab_to(page, "input[name=mine]")
        if period == 1:
            stays_loaded(page)
            page.keyboard.press("Enter")
        expect(page.locator("#confirm")).to_be_disabled()
        steps = period % len(mines)
        for _ in range(steps):  # the first radio has the focus but is not checked
            page.keyboard.press("ArrowDown")
        if steps == 0:
            page.keyboard.press("Space")
        mine = mines[steps]
        expect(radio(page, mine)).to_be_checked()
        expect(page.locator(".gems-mine[data-chosen=true]")).to_have_attribute(
            "data-mine", str(mine)
        )
        if period % 2 == 0:
            tab_to(page, "#confirm")
        page.keyboard.press("Enter")
        went.append(mine)
    expect(page.locator("#leave")).to_be_visible()
    assert_still_loaded(page)
    tab_to(page, "#leave")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results")
    tab_to(page, ".gems-fold > summary")
    page.keyboard.press("Enter")
    tab_to(page, ".gems-end summary")
    page.keyboard.press("Enter")
    expect(page.locator(".gems-end table")).to_be_visible()
    results_tell_the_export(page, table(server, "periods", session))
    decisions = table(server, "decisions", session)
    person_rows = decisions[decisions["occupant"] == "person"].sort_values("period")
    assert person_rows["used_mine"].tolist() == went
    assert person_rows["decided_by"].tolist() == ["person"] * 4
    assert set(decisions[decisions["occupant"] == "policy"]["policy_id"]) == {
        "thompson_sampling",
        "epsilon_greedy",
        "avoid_crowd",
    }
    assert table(server, "outcomes", session)["quiz_attempts"].tolist() == [1]
    assert wrong_numbers(server, session) == []


def stays_loaded(page: Page) -> None:
    """Mark the page. From now on it must not be submitted or reloaded."""
    page.evaluate("() => { window.stillLoaded = true; }")


def assert_still_loaded(page: Page) -> None:
    assert page.evaluate("() => window.stillLoaded === true"), "the page was reloaded"
    expect(page.locator(".otree-form-errors")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("config", ["gems", "gems_three_kinds", "gems_published"])
def test_a_play_on_a_phone(server, browser, config):
    session = server.session(config, 1, periods=3, bot_delay="instant")
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    read(page)
    expect(page.locator("#check")).to_be_visible()
    assert_no_sideways_scrolling(page)
    here = {"end": "Always after period 3", "pay": PAID[config]}
    for name, right in {**ANSWERS, **here}.items():
        page.locator(f"input[name={name}][value='{right}']").tap()
    page.locator("#check").tap()
    went = []
    for period in (1, 2, 3):
        wait_for_period(page, period)
        page.evaluate("() => window.scrollTo(0, 0)")
        assert_no_sideways_scrolling(page)
        assert_own_village_is_seen(page)
        expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
        for choice in page.locator("[name=mine]").all():
            expect(choice).to_be_in_viewport(ratio=1)
        mine = offered(page)[-1]
        radio(page, mine).tap()
        expect(page.locator("#effect")).not_to_have_text("")
        expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
        assert_no_sideways_scrolling(page)
        page.locator("#confirm").tap()
        went.append(mine)
    expect(page.locator("#leave")).to_be_visible()
    page.locator("#leave").tap()
    expect(page.locator("h1")).to_have_text("Results")
    page.locator(".gems-fold > summary").tap()
    page.locator(".gems-end summary").first.tap()
    assert_no_sideways_scrolling(page)
    page_has_no_broken_number(page)
    results_tell_the_export(page, table(server, "periods", session))
    decisions = table(server, "decisions", session)
    person_rows = decisions[decisions["occupant"] == "person"].sort_values("period")
    assert person_rows["used_mine"].tolist() == went
    assert wrong_numbers(server, session) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("config", "villages", "fronts"), [("gems_three_kinds", 2, 2), ("gems_published", 20, 1)]
)
def test_games_with_two_and_twenty_villages_are_played_to_the_end(
    server, browser, config, villages, fronts
):
    session, page = begun(server, browser, config, periods=3)
    assert_no_overlap_of_villages(page)
    for period in (1, 2, 3):
        wait_for_period(page, period)
        expect(page.locator(".gems-village")).to_have_count(villages)
        expect(page.locator(".gems-mine")).to_have_count(villages + 3)
        expect(page.locator(".gems-people tbody tr")).to_have_count(villages)
        send(page, offered(page)[-1])
    leave(page)
    results_tell_the_export(page, table(server, "periods", session))
    front_is_drawn(page, server, session)
    expect(page.locator(".gems-end")).to_have_count(fronts)
    rows = page.locator(".mc-scroll[aria-label='Best joint choice'] tbody tr")
    expect(rows).to_have_count(villages)
    expect(rows.locator("th", has_text="(you)")).to_have_count(1)
    assert wrong_numbers(server, session) == []


def assert_no_overlap_of_villages(page: Page) -> None:
    """Check the distances between the houses, which are 40 wide."""
    left = [(house.bounding_box() or {"x": 0})["x"] for house in page.locator(".gems-house").all()]
    assert min(np.diff(left)) > 40


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [
        {"gem_types": 1},
        {"weights": "[0, 0]"},
        {"truncation": 0},
        {"information": "none"},
        {"max_connectivity": 10, "min_connectivity": 10, "seats": 2},
        {"max_connectivity": 10, "min_connectivity": 10, "seats": 20},
        {"gem_types": 7, "correlated": False},
    ],
    ids=str,
)
def test_unusual_games_end_without_an_invalid_number(server, browser, changes):
    session, page = begun(server, browser, "gems", periods=2, bots="random", **changes)
    for period in (1, 2):
        wait_for_period(page, period)
        page_has_no_broken_number(page)
        send(page, offered(page)[0])
    page_has_no_broken_number(page)
    leave(page)
    far = changes.get("seats", 0) > 2  # too many to search for the best
    if not far and changes.get("gem_types", 2) > 1:
        page.locator(".gems-fold > summary").click()
    expect(page.locator(".gems-end")).to_have_count(0 if far else changes.get("gem_types", 2) - 1)
    expect(page.locator("#past .mc-chart")).to_be_visible()
    page_has_no_broken_number(page)
    assert wrong_numbers(server, session) == []

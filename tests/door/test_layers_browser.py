"""Tests of layers, turns and empty seats in Chromium."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.harness import Server, when
from tests.door.pages import PHONE, Heard, assert_no_sideways_scrolling, read, shown, window
from tests.server.test_layers_live import LATER, LAYERED, QUICK

pytestmark = [pytest.mark.door]


def decide(page: Page, field: str, amount: float) -> None:
    box = page.locator(f"#{field}")
    expect(box).to_be_enabled()
    box.fill(str(amount))
    page.locator("#confirm").click()


def wait_for_period(page: Page, number: int) -> None:
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {number} of"))


def besides(page: Page) -> list[list[str]]:
    rows = page.locator(".mc-besides tbody tr")
    return [row.locator("th, td").all_inner_texts() for row in rows.all()]


def whole(page: Page) -> None:
    """Check that the page has no unfilled placeholders and no invalid numbers."""
    text = page.locator("main").inner_text()
    assert not re.search(r"NaN|undefined|\bnull\b|\{\w+\}", text), text


@pytest.mark.long
def test_two_people_in_turn_see_whose_turn_it_is_and_what_was_decided(server, browser):
    session = server.session(
        "commons_in_turn",
        2,
        quiz=False,
        periods=3,
        bots="fixed:harvest=2",
        bot_delay="fixed:seconds=0.2",
    )
    pages = [window(browser, session["session_wide_url"]) for _ in range(2)]
    for page in pages:
        expect(page.locator("main")).to_contain_text("one after the other")
        read(page)
    seats = []
    for page in pages:
        expect(page.locator("#confirm")).to_be_visible()
        seats.append(int(page.evaluate("() => window.js_vars.seat")))
    (first, early), (second, late) = sorted(
        zip(seats, pages, strict=True), key=lambda pair: pair[0]
    )
    bots_before = [seat for seat in range(4) if seat not in seats]
    for period in range(3):
        for page in (early, late):
            wait_for_period(page, period + 1)
        expect(early.locator("#harvest")).to_be_enabled()
        before = [f"Player {seat + 1}: 2" for seat in bots_before if seat < first]
        if before:
            expect(early.locator("#earlier")).to_have_text(
                f"Decisions before yours: {'; '.join(before)}."
            )
        else:
            expect(early.locator("#earlier")).to_be_hidden()
        expect(late.locator("#waiting")).to_have_text(f"It is Player {first + 1}'s turn.")
        expect(late.locator("#harvest")).to_be_disabled()
        expect(late.locator("#earlier")).to_be_hidden()
        decide(early, "harvest", 3.5 + period)
        expect(early.locator("#waiting")).to_have_text(f"It is Player {second + 1}'s turn.")
        expect(late.locator("#harvest")).to_be_enabled()
        amounts = dict.fromkeys(bots_before, "2") | {first: shown(3.5 + period)}
        parts = [f"Player {seat + 1}: {amounts[seat]}" for seat in range(second)]
        expect(late.locator("#earlier")).to_have_text(
            f"Decisions before yours: {'; '.join(parts)}."
        )
        if period == 1:  # a reloaded page shows the same
            late.reload()
            expect(late.locator("#earlier")).to_have_text(
                f"Decisions before yours: {'; '.join(parts)}."
            )
        decide(late, "harvest", 1)
    for page in (early, late):
        expect(page.locator("#leave")).to_be_visible()
        whole(page)
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
    expect(early.locator(".mc-huge strong")).to_have_text("13.5")  # 3.5 + 4.5 + 5.5
    expect(late.locator(".mc-huge strong")).to_have_text("3")
    assert wrong_numbers(server, session) == []


@pytest.mark.long
def test_role_age_and_group_sums_of_the_unequal_commons_are_shown_as_observed(server, browser):
    session = server.session("commons_unequal", 1, **QUICK, periods=4)
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    rules = page.locator("main")
    expect(rules).to_contain_text("Weak: Player 2, Player 4. Harvest requested: at most 5.")
    expect(rules).to_contain_text("The stock: you see it 1 period late.")
    read(page)
    expect(page.locator("#confirm")).to_be_visible()
    seat = int(page.evaluate("() => window.js_vars.seat"))
    role, limit = [("strong", 10), ("weak", 5)][seat % 2]
    sums = {
        "group_wealth": "group total: points each player has",
        "group_harvest": "group total: taken by each player last period",
        "group_contribution": "group total: paid by each player last period",
        "group_reward": "group total: points from the last period",
    }
    for period in range(4):
        wait_for_period(page, period + 1)
        expect(page.locator("#harvest")).to_be_enabled()
        expect(page.locator("#ledger")).to_contain_text(f"Your role: {role}.")
        seen = heard.last["observation"]
        assert heard.last["period"] == period
        late = {0: "0 periods old", 1: "1 period old"}[min(period, 1)]
        assert besides(page) == [
            ["own group", str(seat % 2 + 1)],
            *([meaning, shown(seen[name])] for name, meaning in sums.items()),
            ["the stock", late],
        ]
        page.locator("#harvest").fill(str(limit + 1))
        expect(page.locator("#problem")).to_have_text(f"Please enter a number from 0 to {limit}.")
        whole(page)
        decide(page, "harvest", 3)
    # 4 periods of 3
    page.locator("#leave").click()
    expect(page.locator(".mc-huge strong")).to_have_text("12")
    assert wrong_numbers(server, session) == []


@pytest.mark.long
def test_reputations_are_shown_and_masked_ones_are_said_to_be_hidden(server, browser):
    session = server.session("sanctions_reputation", 1, **QUICK, periods=4)
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    read(page)
    expect(page.locator("#confirm")).to_be_visible()
    seat = int(page.evaluate("() => window.js_vars.seat"))
    names = ["You" if index == seat else f"Player {index + 1}" for index in range(4)]
    for period in range(4):
        wait_for_period(page, period + 1)
        expect(page.locator("#contribution")).to_be_enabled()
        seen = heard.last["observation"]
        reputations = seen["mean_cooperation"]
        assert (reputations == [None] * 4) == (period == 0)
        assert besides(page) == [
            ["average cooperation of each player", ""],
            *([name, shown(value)] for name, value in zip(names, reputations, strict=True)),
        ]
        for hidden in ("contribution", "memory_averages", "trust"):
            assert not re.search(r"\d", json.dumps(seen[hidden]))
        expect(page.locator(".net-memory strong")).to_have_text("not shown")
        expect(page.locator("#stage")).to_contain_text("You do not see what the others give.")
        for selector in (".net-players", ".net-trust", ".net-why"):
            expect(page.locator(selector)).to_have_count(0)
        if period:
            parts = page.locator("#ledger .mc-waterfall").inner_text()
            assert "Total" in parts
            assert "Delayed payment" not in parts  # the parts reveal what the seat must not see
        whole(page)
        decide(page, "contribution", 12)
    # 12 of 20 were given in every period
    reputation = heard.last["observation"]["mean_cooperation"][seat]
    assert reputation == pytest.approx(0.6)
    page.locator("#leave").click()
    expect(page.locator("h1")).to_have_text("Results")
    assert wrong_numbers(server, session) == []


@pytest.mark.long
def test_a_person_who_left_returns_to_the_results_with_the_right_points(server, browser):
    session = server.session(
        "commons_two_people",
        2,
        **QUICK,
        periods=4,
        bots="fixed:harvest=1",
        dropout="reduced",
        grace_seconds=10.0,
        disclosure="labels",
        layers=LATER,
    )
    link = session["session_wide_url"]
    stays, leaves = window(browser, link), window(browser, link)
    for page in (stays, leaves):
        expect(page.locator("main")).to_contain_text("you are out of the game and cannot come back")
        read(page)
    decide(stays, "harvest", 3)
    decide(leaves, "harvest", 4)
    for page in (stays, leaves):
        wait_for_period(page, 2)
    address = leaves.url
    leaves.close()
    decide(stays, "harvest", 3)
    wait_for_period(stays, 3)
    expect(stays.locator(".mc-tag", has_text="has left")).to_have_count(1)
    whole(stays)
    # back on a phone while the other person is still playing
    back = window(browser, address, **PHONE)
    if "/Play/" in back.url:
        expect(back.locator("#decision-title")).to_have_text("The game is over")
        whole(back)
        assert_no_sideways_scrolling(back)
        back.locator("#leave").tap()
    expect(back.locator("h1")).to_have_text("Results")
    expect(back.locator(".mc-huge strong")).to_have_text("4")
    expect(back.locator("main")).to_contain_text("You left the game before it was over.")
    expect(back.locator(".mc-sum").last).to_contain_text("4")
    assert_no_sideways_scrolling(back)
    whole(back)
    for number in (3, 4):
        wait_for_period(stays, number)
        decide(stays, "harvest", 3)
    stays.locator("#leave").click()
    expect(stays.locator(".mc-huge strong")).to_have_text("12")
    back.reload()
    expect(back.locator(".mc-huge strong")).to_have_text("4")
    whole(back)
    assert wrong_numbers(server, session) == []


@pytest.mark.long
@pytest.mark.parametrize("config", LAYERED)
def test_a_layered_play_fits_on_a_phone(server, browser, config):
    """Choose nothing. The page shows that time is up, and the play goes on to its end."""
    changes = {**QUICK, "decision_seconds": 1.0, "people_per_group": 1}
    changes |= {"turns": 4} if config == "vote_weighted" else {"periods": 3}
    session = server.session(config, 1, **changes)
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    read(page)
    expect(page.locator("#period")).to_have_text(re.compile(r"\b[2-9] of"))
    assert_no_sideways_scrolling(page)
    expect(page.locator("#leave")).to_be_visible()
    assert_no_sideways_scrolling(page)
    whole(page)
    page.locator("#leave").tap()
    expect(page.locator("h1")).to_have_text("Results")
    assert_no_sideways_scrolling(page)
    whole(page)


def over_without_its_person(server: Server, session: dict[str, Any]) -> bool:
    """Return whether the play's only person has left and the play has ended."""
    periods = table(server, "periods", session)
    statuses = table(server, "outcomes", session)["status"].tolist()
    return statuses == ["left"] and bool(periods["ended"].notna().any())


@pytest.mark.long
def test_a_person_who_left_sees_results_without_gaps(server, browser):
    """Let bots play on without people. A person who returns sees the results of a play that he or
    she missed.
    """
    addresses = {}
    for config, changes in LAYERED.items():
        options = {**QUICK, "people_per_group": 1, **changes}
        if config == "vote_weighted":  # with a clock, longer than the grace period
            options |= {"turns": 40, "decision_seconds": 0.5}
        session = server.session(config, 1, **options, dropout="reduced", grace_seconds=10.0)
        page = window(browser, session["session_wide_url"])
        read(page)
        expect(page.locator("#period")).to_have_text(re.compile(r" of \d+"))
        addresses[config] = (session, page.url)
        page.close()
    for session, _ in addresses.values():  # nobody is left, and the plays continue by themselves
        when(partial(over_without_its_person, server, session))
    for session, address in addresses.values():
        page = window(browser, address, **PHONE)
        expect(page.locator("h1")).to_have_text("Results")
        expect(page.locator("main")).to_contain_text("You left the game before it was over.")
        assert_no_sideways_scrolling(page)
        whole(page)
        assert wrong_numbers(server, session) == []

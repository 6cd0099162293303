"""Tests of the pages in a real Chromium: two people and bots, keyboard only, a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.pages import (
    PHONE,
    answer_by_keyboard,
    assert_no_sideways_scrolling,
    read,
    read_by_keyboard,
    tab_to,
    window,
)

pytestmark = [pytest.mark.door]

COLLAPSE = "29.6 \N{RIGHTWARDS ARROW} 8.3, below 10. The game ends."


def decide(page: Page, amount: str) -> None:
    box = page.locator("#harvest")
    expect(box).to_be_enabled()
    box.fill(amount)
    page.locator("#confirm").click()


@pytest.mark.long
def test_two_people_play_with_bots_one_leaves_and_returns_and_the_export_replays(server, browser):
    session = server.session(
        "commons_two_people",
        2,
        quiz=False,
        periods=6,
        grace_seconds=10.0,
        bot_delay="fixed:seconds=0.2",
        disclosure="labels",
    )
    link = session["session_wide_url"]
    first, second = window(browser, link), window(browser, link)
    for page in (first, second):
        read(page)
    for page in (first, second):
        expect(page.locator("#confirm")).to_be_visible()
    for turn in (1, 2):
        decide(first, "2")
        decide(second, "3")
        expect(first.locator("#period")).to_have_text(f"Period {turn + 1} of 6")
        expect(second.locator("#period")).to_have_text(f"Period {turn + 1} of 6")
    address = second.url
    second.close()
    expect(first.locator(".mc-tag", has_text="bot")).to_have_count(3)
    decide(first, "2")
    expect(first.locator("#period")).to_have_text("Period 4 of 6")
    back = window(browser, address)
    expect(back.locator("#waiting")).to_contain_text("stand-in")
    decide(first, "2")
    for _ in range(2):
        decide(back, "3")
        decide(first, "2")
    for page in (first, back):
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
    expect(back.locator("main")).to_contain_text("A stand-in decided for you in 2 of 6 periods")
    assert wrong_numbers(server, session) == []
    outcomes = table(server, "outcomes", session).sort_values("points")
    assert outcomes["points"].tolist() == [12.0, 12.0]  # 6 periods of 2, and 4 of 3
    assert outcomes["bot_share"].round(3).tolist() in ([0.0, 0.333], [0.333, 0.0])
    assert outcomes["status"].tolist() == ["finished", "finished"]
    left = address.split("/p/")[1].split("/")[0]
    timeline = table(server, "seats", session).query("participant == @left")
    columns = ["occupant", "since_period", "until_period", "reason"]
    assert timeline[columns].values.tolist() == [
        ["person", 0, 1, "seated"],
        ["policy", 2, 3, "dropout"],
        ["person", 4, 5, "returned"],
    ]
    events = table(server, "events", session).query("event != 'late'")
    assert events["event"].tolist() == ["takeover", "ending"]
    assert events["period"].tolist()[0] == 2
    disconnections = dict(zip(outcomes["participant"], outcomes["disconnections"], strict=True))
    assert disconnections[left] >= 1


def test_a_play_by_keyboard_alone_with_a_collapse_that_is_predicted_and_shown(server, browser):
    session = server.session("commons", 1, bots="greedy", bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    read_by_keyboard(page)
    answers = {
        "shortage": "5",
        "when": "All at the same time",
        "growth": "50",
        "loss": "You keep all of them",
        "end": "The game ends, and everybody keeps the points they have earned so far",
        "pay": "€2.20",  # 2 points at 0.10, and the fee
    }
    expect(page.locator("#check")).to_be_visible()
    answer_by_keyboard(page, answers)
    expect(page.locator("#confirm")).to_be_visible()
    # harvests are 40, 40 and all of 29.6; a full lake grows by 0, 60 fish by 0.4 * 60 * 0.4,
    # and 29.6 by 0.4 * 29.6 * 0.704
    foretold = ("100 \N{RIGHTWARDS ARROW} 60.", "60 \N{RIGHTWARDS ARROW} 29.6.", COLLAPSE)
    untouched = (
        "100 \N{RIGHTWARDS ARROW} 100",
        "60 \N{RIGHTWARDS ARROW} 69.6",
        "29.6 \N{RIGHTWARDS ARROW} 37.9",
    )
    for turn, (before, grown) in enumerate(zip(foretold, (0, "9.6", None), strict=True), start=1):
        expect(page.locator("#period")).to_have_text(f"Period {turn} of 15")
        expect(page.locator("#harvest")).to_be_enabled()
        expect(page.locator("#harvest-preview")).to_have_text(
            f"If each player asks for 0: {untouched[turn - 1]}."
        )
        if turn == 1:
            tab_to(page, "#harvest")
            refuses_more_than_the_most(page)
        expect(page.locator("#harvest")).to_be_focused()
        page.keyboard.type("10")
        expect(page.locator("#harvest-preview")).to_have_text(
            f"If each player asks for 10: {before}"
        )
        page.keyboard.press("Enter")
        if grown is not None:
            expect(page.locator(".lake-told")).to_have_text(
                f"Previous period: 40 fish taken, {grown} added."
            )
        if turn == 1:
            shows_the_same_after_a_reload(page)
    over = page.get_by_role("alert").filter(has_text="The fish stock has collapsed")
    expect(over).to_contain_text("8.3 fish left, below 10: the game ends")
    expect(page.locator("#leave")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("collapsed after period 3 of 15")
    expect(page.locator("main")).to_contain_text("If every player had asked for")
    ghosts = page.locator("#past polyline[stroke-dasharray]")
    expect(ghosts).to_have_count(2)  # stock and harvest of the best plan
    expect(page.locator(".mc-huge")).to_have_text("27.4 points earned")  # 10, 10 and 29.6 / 4


def refuses_more_than_the_most(page: Page) -> None:
    page.keyboard.type("11")
    expect(page.locator("#confirm")).to_be_disabled()
    expect(page.locator("#problem")).to_have_text("Please enter a number from 0 to 10.")
    page.locator("#harvest").fill("10")
    expect(page.locator("#confirm")).to_be_enabled()
    page.locator("#harvest").fill("")


def shows_the_same_after_a_reload(page: Page) -> None:
    """Check period 2 after a reload: the page shows four harvests, and the decision control has the
    focus."""
    expect(page.locator("#period")).to_have_text("Period 2 of 15")
    expect(page.locator("#state")).to_have_text("Connected")  # "Saved" referred to period 1
    page.reload()
    expect(page.locator("#period")).to_have_text("Period 2 of 15")
    expect(page.locator(".mc-chart rect")).to_have_count(4)
    expect(page.locator(".mc-total strong")).to_have_text("10")
    expect(page.locator("#harvest")).to_be_enabled()
    tab_to(page, "#harvest")


@pytest.mark.long
@pytest.mark.parametrize("config", ["commons", "commons_governed", "commons_local_view"])
def test_a_play_on_a_phone(server, browser, config):
    session = server.session(config, 1, quiz=False, periods=2, bot_delay="instant")
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    read(page)
    for _ in range(2):
        expect(page.locator("#harvest")).to_be_enabled()
        expect(page.locator("#confirm")).to_be_in_viewport()
        assert_no_sideways_scrolling(page)
        page.locator("#harvest").fill("3")
        if page.locator("#contribution").count() and page.locator("#contribution").is_enabled():
            page.locator("#contribution").fill("1")
        page.locator("#confirm").tap()
    page.locator("#leave").tap()
    expect(page.locator("h1")).to_have_text("Results")
    assert_no_sideways_scrolling(page)


@pytest.mark.long
def test_wrong_answers_are_marked_and_every_attempt_is_kept(server, browser):
    session = server.session("commons", 1, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    read(page)
    page.locator("#check").click()
    expect(page.locator(".otree-form-errors")).to_contain_text("answer every question")
    page.locator("input[name=when]").first.check()
    page.locator("input[name=shortage][value='10']").check()
    page.locator("input[name=growth][value='50']").check()
    page.locator("input[name=loss][value='You keep all of them']").check()
    page.locator("input[name=end]").nth(1).check()
    page.locator("input[name=pay][value='€2.20']").check()
    page.locator("#check").click()
    expect(page.locator("[data-question=shortage]")).to_have_class(re.compile("mc-wrong"))
    expect(page.locator("[data-question=growth] .mc-note-right")).to_be_visible()
    page.locator("input[name=shortage][value='2.5']").check()
    page.locator("#check").click()
    expect(page.locator("#confirm")).to_be_visible()
    assert table(server, "outcomes", session)["quiz_attempts"].tolist() == [3]

"""The pages in a real Chromium: two people and bots, keyboard alone, a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.harness import Server
from tests.door.pages import PHONE, answer_by_keyboard, assert_no_sideways_scrolling, tab_to, window

pytestmark = [pytest.mark.door, pytest.mark.xdist_group("browser")]


def decide(page: Page, amount: str) -> None:
    box = page.locator("#harvest")
    expect(box).to_be_enabled(timeout=30_000)
    box.fill(amount)
    page.locator("#confirm").click()


def period(page: Page) -> int:
    found = re.search(r"Period (\d+)", page.locator("#period").inner_text())
    assert found
    return int(found.group(1))


def test_two_people_and_two_bots_one_leaves_and_comes_back_and_the_export_replays(
    server: Server, browser: Browser
) -> None:
    session = server.session(
        "commons_two_people",
        2,
        quiz=False,
        periods=6,
        grace_seconds=10.0,
        decision_seconds=30.0,
        bot_delay="fixed:seconds=0.2",
        disclosure="labels",
    )
    link = session["session_wide_url"]
    first, second = window(browser, link), window(browser, link)
    for page in (first, second):
        page.locator("#next").click()
    for page in (first, second):
        expect(page.locator("#confirm")).to_be_visible()
    for turn in (1, 2):
        decide(first, "2")
        decide(second, "3")
        expect(first.locator("#period")).to_have_text(f"Period {turn + 1} of 6")
        expect(second.locator("#period")).to_have_text(f"Period {turn + 1} of 6")
    address = second.url
    second.close()
    expect(first.locator(".mc-tag", has_text="bot")).to_have_count(3, timeout=30_000)
    decide(first, "2")
    expect(first.locator("#period")).to_have_text("Period 4 of 6", timeout=30_000)
    back = window(browser, address)
    expect(back.locator("#waiting")).to_contain_text("stand-in")
    decide(first, "2")
    for _ in range(2):
        decide(back, "3")
        decide(first, "2")
    for page in (first, back):
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
    expect(back.locator("main")).to_contain_text("A stand-in decided in 2 of 6 periods")
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
    events = table(server, "events", session)
    assert events["event"].tolist() == ["takeover", "ending"]
    assert events["period"].tolist()[0] == 2
    disconnections = dict(zip(outcomes["participant"], outcomes["disconnections"], strict=True))
    assert disconnections[left] >= 1


def test_a_play_by_keyboard_alone(server: Server, browser: Browser) -> None:
    session = server.session("commons", 1, periods=2, bot_delay="instant")
    page = window(browser, session["session_wide_url"])

    tab_to(page, "#next")
    page.keyboard.press("Enter")
    answers = {"shortage": "5", "when": "All at the same time", "growth": "50"}
    expect(page.locator("#check")).to_be_visible()
    answer_by_keyboard(page, answers)
    expect(page.locator("#confirm")).to_be_visible()
    for turn in (1, 2):
        expect(page.locator("#period")).to_have_text(f"Period {turn} of 2")
        expect(page.locator("#harvest")).to_be_enabled()
        tab_to(page, "#harvest")
        page.keyboard.type("4")
        page.keyboard.press("Enter")
    expect(page.locator("#leave")).to_be_visible()
    tab_to(page, "#leave")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results")
    expect(page.locator(".mc-huge")).to_have_text("8 points earned")


@pytest.mark.parametrize("config", ["commons", "commons_governed", "commons_local_view"])
def test_a_play_on_a_phone(server: Server, browser: Browser, config: str) -> None:
    session = server.session(config, 1, quiz=False, periods=2, bot_delay="instant")
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    page.locator("#next").tap()
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


def test_wrong_answers_are_pointed_at_and_every_attempt_is_kept(
    server: Server, browser: Browser
) -> None:
    session = server.session("commons", 1, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    page.locator("#check").click()
    expect(page.locator(".otree-form-errors")).to_contain_text("answer every question")
    page.locator("input[name=when]").first.check()
    page.locator("input[name=shortage][value='10']").check()
    page.locator("input[name=growth][value='50']").check()
    page.locator("#check").click()
    expect(page.locator("[data-question=shortage]")).to_have_class(re.compile("mc-wrong"))
    expect(page.locator("[data-question=growth] .mc-note-right")).to_be_visible()
    page.locator("input[name=shortage][value='5']").check()
    page.locator("#check").click()
    expect(page.locator("#confirm")).to_be_visible()
    assert table(server, "outcomes", session)["quiz_attempts"].tolist() == [3]


def test_a_collapse_is_shown_and_ends_the_game(server: Server, browser: Browser) -> None:
    session = server.session("commons", 1, quiz=False, bots="greedy", bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    for _ in range(3):
        decide(page, "10")
    expect(page.get_by_role("alert").filter(has_text="The stock has collapsed")).to_be_visible()
    page.locator("#leave").click()
    expect(page.locator("main")).to_contain_text("collapsed after period 3 of 15")


def test_the_stage_tells_what_was_taken_and_what_grew(server: Server, browser: Browser) -> None:
    changes = {"bots": "fixed:harvest=12", "max_harvest": 12.0, "quiz": False}
    session = server.session("commons", 1, **changes, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    # 36 and 4 of 100: 60 are left, nothing grows back in a full lake
    decide(page, "4")
    expect(page.locator(".lake-told")).to_have_text(
        "Last period 40 fish were taken and 0 were added."
    )
    # 36 and 4 of 60, and 0.4 * 60 * 0.4 = 9.6 grow back
    decide(page, "4")
    expect(page.locator(".lake-told")).to_have_text(
        "Last period 40 fish were taken and 9.6 were added."
    )


def test_a_number_out_of_range_cannot_be_confirmed(server: Server, browser: Browser) -> None:
    session = server.session("commons", 1, quiz=False, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    expect(page.locator("#harvest")).to_be_enabled()
    page.locator("#harvest").fill("11")
    expect(page.locator("#confirm")).to_be_disabled()
    expect(page.locator("#problem")).to_have_text("Please enter a number from 0 to 10.")
    page.locator("#harvest").fill("10")
    expect(page.locator("#confirm")).to_be_enabled()


def test_the_page_keeps_count_of_periods_after_a_reload(server: Server, browser: Browser) -> None:
    session = server.session("commons", 1, quiz=False, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    decide(page, "4")
    expect(page.locator("#period")).to_have_text("Period 2 of 15")
    expect(page.locator("#state")).to_have_text("Connected")  # "Saved" was about period 1
    page.reload()
    expect(page.locator("#period")).to_have_text("Period 2 of 15")
    expect(page.locator(".mc-chart rect")).to_have_count(1)
    expect(page.locator(".mc-total strong")).to_have_text("4")
    assert period(page) == 2

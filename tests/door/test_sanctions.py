"""Tests of the sanctions game in a real Chromium: by keyboard only, and the page's explanations of
contributions, losses and gains."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.pages import (
    MINUS,
    Heard,
    answer_by_keyboard,
    read,
    read_by_keyboard,
    shown,
    tab_to,
    window,
)

pytestmark = [pytest.mark.door]


DASH = "\N{EN DASH}"


def wait_for_period(page: Page, number: int) -> None:
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {number} of"))


def decide(page: Page, amount: float) -> None:
    box = page.locator("#contribution")
    expect(box).to_be_enabled()
    box.fill(str(amount))
    page.locator("#confirm").click()


def signed(value: float) -> str:
    """Format the points between two players as the network and its table do."""
    text = shown(abs(value))
    return "0" if text == "0" else (MINUS if value < 0 else "+") + text


def test_a_person_who_gives_nothing_by_keyboard_alone_reads_what_was_taken_and_why(server, browser):
    session = server.session("sanctions", 1, periods=4, bot_delay="instant", bots="baseline_keeper")
    page = window(browser, session["session_wide_url"])
    read_by_keyboard(page)
    expect(page.locator("#check")).to_be_visible()
    answers = {
        "good": f"{MINUS}0.6",  # 1 given, 0.4 back
        "whose": "This player",
        "to_whom": "Nobody. They are gone",
        "memory": "10",
        "end": "After period 4, whatever the players contribute",
        "pay": "€2.40",  # 20 points at 0.02, and the fee
        "when": "All at the same time",
    }
    answer_by_keyboard(page, answers)
    expect(page.locator("#confirm")).to_be_visible()
    for number in range(1, 5):
        wait_for_period(page, number)
        expect(page.locator("#contribution")).to_be_enabled()
        tab_to(page, "#contribution")
        if number <= 2:
            foretells(page, number)
        page.keyboard.type("0")
        page.keyboard.press("Enter")
    expect(page.locator("#leave")).to_be_visible()
    tab_to(page, "#leave")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results")
    tells_what_was_taken(page)
    assert table(server, "outcomes", session)["quiz_attempts"].tolist() == [1]
    pairs = table(server, "pairs", session)
    first = pairs[pairs["period"] == 0]
    assert first["after_reciprocity_effects"].sum() == pytest.approx(-9.8, abs=0.05)  # as foretold
    assert pairs["after_reciprocity_effects"].sum() == pytest.approx(-37.943, abs=0.001)
    assert wrong_numbers(server, session) == []


def foretells(page: Page, number: int) -> None:
    """Check the preview for giving 10 in the first period, and again after giving 0 in that
    period."""
    if number == 1:
        expect(page.locator(".net-brings")).to_contain_text(f"rewards: from {MINUS}9.8 to +11.1")
    page.keyboard.type("10")
    if number == 1:  # the others give 10, too: 20 - 10 + 0.4 * 40
        expect(page.locator("#contribution-preview")).to_have_text(
            "keep 10 + pool about 16 + reward 0 (of at most 11.1) = about 26 points"
        )
    expected, last = "make the expected contribution", "contribute the same amount as last period"
    remembered, others = (10, expected) if number == 1 else (5, last)
    expect(page.locator("#effect")).to_have_text(
        f"Your remembered average (10 periods) would then be {remembered}. "
        f"“About” assumes that the others {others}."
    )
    page.locator("#contribution").fill("")


def tells_what_was_taken(page: Page) -> None:
    # Three others give 10: 20 + 0.4 * 30 = 32 a period. At the initial trust they would take
    # 3 * 40 * 0.5 * 1.35 * 0.6 * 0.35^1.5 = 10.0632; trust is 0.9765 times as much each period:
    # 10.0632 * (0.9765 + 0.95355 + 0.93114 + 0.90926) = 37.94. 128 - 37.94 = 90.06. The others
    # have 10 + 12 each, 264 in 4 periods: 354.06. 0.5 * 0.90926 = 0.4546.
    lines = [text.strip() for text in page.locator("main p").all_inner_texts()]
    expected = [
        "You contributed 0 points on average, the others 10. Expected: 10.",
        "You lost 37.94 points through sanctions, in 4 of 4 periods. In these periods, your "
        "remembered average or your contribution was too low.",
        "The others' trust in you was 50% at the start and 45.5% at the end. With more trust, "
        "you could gain or lose more in a period.",
        "All players together earned 354.1 points in these periods.",
    ]
    first = lines.index(expected[0])
    assert lines[first : first + 4] == expected
    expect(page.locator(".net-compare tbody tr")).to_have_count(6)
    compared = page.locator(".net-compare tbody tr td").all_inner_texts()
    # if everyone gives 10, each has 26 per period, and if everyone gives 0, 20, less the sanctions:
    # 80 - 37.94
    assert [cell.strip() for cell in compared][4:] == ["104", "42.1"]
    drawn = page.locator(".net").get_attribute("aria-label") or ""
    assert drawn.count(f" {MINUS}12.65; ") == 3  # 37.94 / 3 through each other seat
    assert drawn.count("because of you: 0") == 3
    expect(page.locator(".net path.net-arrow.net-takes")).to_have_count(3)
    expect(page.locator(".mc-huge strong")).to_have_text("90.06")
    expect(page.locator("#past .mc-chart")).to_be_visible()


def through(view: dict[str, Any], falls_on: str) -> dict[int, float]:
    """Return the points gained or lost because of each other seat."""
    effects = view["observation"]["reciprocity_effects"]
    seat = own_seat(view)
    others = [other for other in range(len(view["seats"])) if other != seat]
    deviator = falls_on == "deviator"  # row observes column
    return {other: effects[other][seat] if deviator else effects[seat][other] for other in others}


def own_seat(view: dict[str, Any]) -> int:
    [seat] = [entry["seat"] for entry in view["seats"] if entry["you"]]
    return int(seat)


@pytest.mark.long
@pytest.mark.parametrize(
    ("config", "falls_on", "amounts"),
    [("sanctions_source", "deviator", (90, 3, 0)), ("sanctions_tr4", "observer", (90, 3, 40))],
)
def test_the_page_shows_each_contribution_and_explains_losses_and_gains(
    server, browser, config, falls_on, amounts
):
    session = server.session(config, 1, quiz=False, periods=4, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    read(page)
    signs = set()
    for number, amount in enumerate(amounts, start=2):
        decide(page, amount)
        wait_for_period(page, number)
        signs |= tells_why(page, heard, falls_on)
    assert signs == {"+", MINUS}  # both occurred
    assert wrong_numbers(server, session) == []


def tells_why(page: Page, heard: Heard, falls_on: str) -> set[str]:
    """Check the explanation of the last period, and return the signs of its losses and gains."""
    expect(page.locator("#contribution")).to_be_enabled()
    view = heard.views[-1]
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {view['period'] + 1} of"))
    waterfall(page, view)
    points = through(view, falls_on)
    loss = view["last"]["components"]["sanctions"]
    assert sum(points.values()) == pytest.approx(loss)
    if loss:
        expect(page.locator(".net-why summary")).to_have_text(f"Why {signed(loss)}?")
    rows = page.locator(".net-why tbody tr").all()[-len(points) :] if loss else []
    for row, (other, to_me) in zip(rows, points.items() if loss else [], strict=True):
        assert f"Player {other + 1}" in row.locator("th").inner_text()
        assert row.locator("td").all_inner_texts()[-1] == signed(to_me)
    players(page, view, falls_on)
    return {signed(value)[0] for value in points.values() if abs(value) >= 5e-3}


def waterfall(page: Page, view: dict[str, Any]) -> None:
    """Check that the page shows the parts of the last period and their sum exactly."""
    parts = {name: value for name, value in view["last"]["components"].items() if value}
    cells = page.locator("#ledger .mc-waterfall tr td:last-child").all_inner_texts()
    kept = view["last"]["components"]["kept"]  # always first, even if it is 0
    values = [kept, *[value for name, value in parts.items() if name != "kept"]]
    assert cells == [signed(value) for value in [*values, view["last"]["reward"]]]


def players(page: Page, view: dict[str, Any], falls_on: str) -> None:
    """Check each player's contribution, average and trust, and the viewer's average in large
    type."""
    seen, own_place = view["observation"], own_seat(view)
    for seat, row in enumerate(page.locator("table.net-players tbody tr").all()):
        trust = seen["trust"][(seat + 1) % len(view["seats"])][seat]
        assert [cell.strip() for cell in row.locator("td").all_text_contents()] == [
            shown(seen["contribution"][seat], 1),
            shown(seen["memory_averages"][seat], 1),
            f"{100 * trust:.0f}%",
        ]
    if view["period"] == 1 and falls_on == "observer":  # the average covers earlier periods only
        expect(page.locator(".net-memory .mc-unit")).to_have_text("no remembered average yet")
        return
    average, contribution = seen["memory_averages"][own_place], seen["contribution"][own_place]
    expect(page.locator(".net-memory strong")).to_have_text(shown(average, 1))
    below = (
        average < seen["baseline"][own_place] if falls_on == "deviator" else contribution < average
    )
    expect(page.locator(".net-memory")).to_have_attribute("data-below", str(below).lower())


@pytest.mark.long
def test_the_page_explains_losses_and_gains_and_what_enters_and_leaves_the_average(server, browser):
    session = server.session("sanctions", 1, quiz=False, periods=4, bot_delay="instant", memory=2)
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    read(page)
    wait_for_period(page, 1)
    nothing_is_shown_as_if_it_had_been(page)
    refuses_what_is_out_of_range(page)
    signs = set()
    for number, amount in enumerate((20, 14, 0.5), start=1):
        if number == 3:
            the_strip_is_moved(page)
        decide(page, amount)
        wait_for_period(page, number + 1)
        signs |= tells_why(page, heard, "deviator")
    assert signs == {"+", MINUS}  # both occurred
    assert wrong_numbers(server, session) == []


def the_strip_is_moved(page: Page) -> None:
    """Check the strip of past contributions after giving 20 and 14, when the first of three numbers
    drops out."""
    strip = page.locator(".net-slot")
    expect(strip).to_have_text(["2020 points, drops out next", "1414 points", "?"])
    expect(page.locator(".net-under")).to_contain_text("drops out next")
    page.locator("#contribution").fill("4")
    expect(strip.last).to_have_text("4")
    expect(page.locator("#effect")).to_contain_text("would then be 9.")  # (14 + 4) / 2
    page.locator("#contribution").fill("4.5")  # between two stops of the slider
    expect(page.locator("#contribution-preview")).to_have_text("You keep 15.5 points.")
    page.locator("#contribution").fill("")
    expect(strip.last).to_have_text("?")


def nothing_is_shown_as_if_it_had_been(page: Page) -> None:
    """Check that, before the end of period 1, the page does not present anything as if it had
    happened."""
    expect(page.locator(".net-lead")).to_have_text(
        "Your average contribution is compared with the expected contribution of 10. Below 10 you "
        "lose points; "
        "above 10 you gain points."
    )
    expect(page.locator("#contribution-worth")).to_have_text(
        "Each point you give earns you and every other player 0.4 points. You keep the rest."
    )
    expect(page.locator("#contribution-preview")).to_have_text(
        "What you give counts towards your remembered average for 2 periods. "
        f"Sanctions and rewards: from {MINUS}9.8 to +11.1 points."
    )
    expect(page.locator(".pot")).to_have_attribute("aria-label", "Nothing has been given yet.")
    expect(page.locator(".net-memory .mc-unit")).to_have_text("no remembered average yet")
    expect(page.locator(".net-expected")).to_have_text("expected: 10")
    cells = page.locator(".net-players tbody td").all_text_contents()
    assert [cell.strip() for cell in cells] == [DASH, DASH, "50%"] * 4
    expect(page.locator(".net-why")).to_have_count(0)
    expect(page.locator(".mc-waterfall")).to_have_count(0)


def refuses_what_is_out_of_range(page: Page) -> None:
    expect(page.locator("#contribution")).to_be_enabled()
    for wrong in ("20.5", "-1"):
        page.locator("#contribution").fill(wrong)
        expect(page.locator("#confirm")).to_be_disabled()
        expect(page.locator("#problem")).to_have_text("Please enter a number from 0 to 20.")
    page.locator("#contribution").fill("7.5")
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator("#contribution-preview")).to_have_text("You keep 12.5 points.")
    expect(page.locator("#effect")).to_contain_text(
        "Your remembered average (2 periods) would then be 7.5."
    )

"""The punishment vote in a real Chromium: three people and a bot, keyboard alone, a phone, a slow
line."""

from __future__ import annotations

import random
import re
import time
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.harness import Server
from tests.door.pages import PHONE, answer_by_keyboard, assert_no_sideways_scrolling, tab_to, window
from tests.door.slow_line import SlowLine

pytestmark = [pytest.mark.door, pytest.mark.xdist_group("browser")]

KEYS = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "w", "a", "s", "d", "v", "b", "x")


def turn(page: Page) -> int:
    found = re.search(r"Turn (\d+)", page.locator("#period").inner_text())
    assert found
    return int(found.group(1))


def wait_for_turn(page: Page, number: int) -> None:
    expect(page.locator("#period")).to_have_text(re.compile(f"Turn {number} of"))


def over(page: Page) -> bool:
    return page.locator("#leave").is_visible()


def walked(server: Server, session: dict[str, Any], turns: int, seconds: float) -> None:
    """Every turn was settled once, in order, at its own time, and the export replays."""
    periods = table(server, "periods", session)
    assert periods["period"].tolist() == list(range(turns))
    assert set(np.diff(periods["settled_ms"])) == {round(1000 * seconds)}
    assert wrong_numbers(server, session) == []


def test_three_people_and_a_bot_play_a_whole_game(server: Server, browser: Browser) -> None:
    session = server.session("vote_three_people", 3, quiz=False, decision_seconds=0.5)
    pages = [window(browser, session["session_wide_url"]) for _ in range(3)]
    for page in pages:
        page.locator("#next").click()
    for page in pages:
        expect(page.locator("[data-choice=up]")).to_be_enabled()
    keys = random.Random(5)
    reloaded = False
    while not over(pages[0]):
        for page in pages:
            page.keyboard.press(keys.choice(KEYS))
        if turn(pages[0]) > 30 and not reloaded:
            pages[1].reload()
            reloaded = True
        time.sleep(0.1)
    for page in pages:
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
        expect(page.locator("main")).to_contain_text("the punishment level was")
    walked(server, session, turns=80, seconds=0.5)
    decisions = table(server, "decisions", session)
    people = decisions[decisions["occupant"] == "person"]
    assert people.groupby("participant").size().tolist() == [80, 80, 80]
    assert (people["decided_by"] == "person").mean() > 0.5
    assert set(decisions[decisions["occupant"] == "policy"]["policy_id"]) == {"noisy_person"}
    assert people["used_action"].nunique() == 7
    outcomes = table(server, "outcomes", session)
    assert outcomes["status"].tolist() == ["finished"] * 3
    assert outcomes["bot_share"].tolist() == [0, 0, 0]
    sums = people.groupby("participant")["reward"].sum()
    for code, points in zip(outcomes["participant"], outcomes["points"], strict=True):
        assert points == pytest.approx(sums[code])


def test_a_play_by_keyboard_alone(server: Server, browser: Browser) -> None:
    session = server.session("vote", 1, turns=4, decision_seconds=2.0)
    page = window(browser, session["session_wide_url"])
    tab_to(page, "#next")
    page.keyboard.press("Enter")
    expect(page.locator("#check")).to_be_visible()
    answers = {
        "blocked": "You stay where you are, and lose nothing",
        "vote": "50 %",  # 30 % and a step of 20 percentage points
        "harm": "All players but the collector",
        "punished": "4",  # 7 less 30 % of 10
    }
    answer_by_keyboard(page, answers)
    for number, key in enumerate(("v", "b", "ArrowUp", "x"), start=1):
        wait_for_turn(page, number)
        page.keyboard.press(key)
        expect(page.locator("#state")).to_have_text("Saved")
    expect(page.locator("#leave")).to_be_visible()
    tab_to(page, "#leave")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results")
    decisions = table(server, "decisions", session)
    assert decisions[decisions["occupant"] == "person"]["used_action"].tolist() == [4, 5, 0, 6]
    walked(server, session, turns=4, seconds=2.0)


@pytest.mark.parametrize("config", ["vote", "vote_composite", "vote_separate_worlds"])
def test_a_play_on_a_phone(server: Server, browser: Browser, config: str) -> None:
    session = server.session(config, 1, quiz=False, turns=3, decision_seconds=2.0)
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    page.locator("#next").tap()
    for number in (1, 2, 3):
        wait_for_turn(page, number)
        for choice in ("up", "left", "noop", "right", "down", "vote_increase", "vote_decrease"):
            expect(page.locator(f"[data-choice={choice}]")).to_be_in_viewport(ratio=1)
        expect(page.locator(".vote-board").first).to_be_in_viewport(ratio=0.9)
        assert_no_sideways_scrolling(page)
        page.locator("[data-choice=left]").tap()
        expect(page.locator("[data-choice=left]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#state")).to_have_text("Saved")
    page.locator("#leave").tap()
    expect(page.locator("h1")).to_have_text("Results")
    assert_no_sideways_scrolling(page)
    decisions = table(server, "decisions", session)
    assert decisions[decisions["occupant"] == "person"]["used_action"].tolist() == [2, 2, 2]
    walked(server, session, turns=3, seconds=2.0)


def test_a_move_and_a_vote_make_one_action_where_both_are_possible(
    server: Server, browser: Browser
) -> None:
    session = server.session("vote_composite", 1, quiz=False, turns=3, decision_seconds=2.5)
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    wait_for_turn(page, 1)
    page.keyboard.press("v")
    expect(page.locator("#chosen")).to_have_text("Your vote counts together with a move.")
    expect(page.locator("#controls")).to_have_attribute("data-part", "true")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#chosen")).to_have_text("Chosen: Right, Vote up")
    wait_for_turn(page, 2)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("b")
    wait_for_turn(page, 3)
    page.keyboard.press("v")
    expect(page.locator("#leave")).to_be_visible()
    decisions = table(server, "decisions", session)
    own = decisions[decisions["occupant"] == "person"]
    # right and increase, up and decrease, nothing: a vote alone is no action
    assert own["used_action"].tolist() == [7, 8, 12]
    assert own["decided_by"].tolist() == ["person", "person", "default"]


def shifted(page: Page) -> bool:
    transform = page.evaluate("() => document.querySelector('.vote-board g').style.transform")
    return transform not in ("", "translate(0px, 0px)")


def test_a_move_is_drawn_at_once_and_corrected_by_what_the_server_shows(
    server: Server, browser: Browser
) -> None:
    size = {"height": 3, "width": 8, "seats": 1, "initial_resources": 0, "spawn_probability": 0.0}
    session = server.session("vote", 1, quiz=False, turns=4, decision_seconds=2.0, **size)
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    wait_for_turn(page, 1)
    said = page.locator("#around").inner_text()
    page.keyboard.press("ArrowUp")  # a wall, as one sees
    assert "wall 1 up" in said
    assert not shifted(page)
    free, blocked = ("ArrowLeft", "ArrowRight")
    if "wall 1 left" in said:
        free, blocked = blocked, free
    page.keyboard.press(free)
    assert shifted(page)
    page.keyboard.press("x")
    assert not shifted(page)
    page.keyboard.press(free)
    wait_for_turn(page, 2)
    assert not shifted(page)  # drawn anew where the server says one is
    expect(page.locator(".vote-told")).to_have_text("You moved.")
    wait_for_turn(page, 3)
    expect(page.locator(".vote-told")).to_have_text("You stayed.")


def vote_each_turn(page: Page, until: int) -> None:
    """Up in odd turns, down in even ones, as soon as the page shows that a turn has begun."""
    here = 0
    while not over(page) and turn(page) < until:
        if turn(page) != here:
            here = turn(page)
            page.keyboard.press("v" if here % 2 else "b")
        page.wait_for_timeout(20)


def test_on_a_slow_line_keys_count_and_every_turn_is_settled_at_its_time(
    server: Server, browser: Browser
) -> None:
    session = server.session("vote_three_people", 3, quiz=False, turns=20, decision_seconds=1.5)
    with SlowLine(server.port, seconds=0.2) as line:
        link = session["session_wide_url"]
        slow = window(browser, line.url(link))
        others = [window(browser, link) for _ in range(2)]
        for page in (slow, *others):
            page.locator("#next").click()
        expect(slow.locator("[data-choice=up]")).to_be_enabled(timeout=20_000)
        vote_each_turn(slow, until=7)
        line.cut()
        expect(slow.locator("#banner")).to_be_visible(timeout=20_000)
        expect(slow.locator("#banner")).to_be_hidden(timeout=20_000)
        vote_each_turn(slow, until=21)
        expect(slow.locator("#leave")).to_be_visible(timeout=20_000)
        slow.locator("#leave").click()
        expect(slow.locator("h1")).to_have_text("Results")
    walked(server, session, turns=20, seconds=1.5)
    decisions = table(server, "decisions", session)
    code = slow.url.split("/p/")[1].split("/")[0]
    own = decisions[decisions["participant"] == code]
    pressed = own[own["decided_by"] == "person"]
    assert len(pressed) >= 8  # of 20; some fall into the cut
    wanted = np.where((pressed["period"] + 1) % 2, 4, 5)
    assert (pressed["used_action"] == wanted).mean() > 0.7  # a late key counts in the next turn


def test_the_page_says_in_words_what_lies_where(server: Server, browser: Browser) -> None:
    size = {"height": 3, "width": 4, "seats": 1, "initial_resources": 1, "spawn_probability": 0.0}
    session = server.session("vote", 1, quiz=False, turns=2, decision_seconds=2.0, **size)
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    wait_for_turn(page, 1)
    # two cells between walls: oneself on one, a resource on the other
    expect(page.locator("#around")).to_have_text(
        re.compile(r"Around you: (?=.*\b[A-E] 1 (left|right)\b)(?=.*wall 1 up)(?=.*wall 1 down)")
    )
    side = (
        "ArrowLeft"
        if re.search(r"\b[A-E] 1 left", page.locator("#around").inner_text())
        else ("ArrowRight")
    )
    page.keyboard.press(side)
    wait_for_turn(page, 2)
    expect(page.locator(".vote-told")).to_have_text(re.compile(r"You collected [A-E] \(.*\)"))
    page.keyboard.press("l")
    expect(page.locator("#spoken")).to_have_text(re.compile("Around you: .*wall 1 up"))
    expect(page.locator("#leave")).to_be_focused()
    expect(page.locator("#news")).to_have_text(re.compile(r"The game is over\. Your points: "))


def test_bots_are_marked_where_the_session_says_that_they_are(
    server: Server, browser: Browser
) -> None:
    for disclosure, marked in (("labels", 3), ("none", 0)):
        session = server.session("vote", 1, quiz=False, turns=2, disclosure=disclosure)
        page = window(browser, session["session_wide_url"])
        page.locator("#next").click()
        wait_for_turn(page, 1)
        expect(page.locator(".vote-players li")).to_have_count(4)
        expect(page.locator(".vote-players .mc-tag", has_text="bot")).to_have_count(marked)
        page.close()


def test_a_key_that_ends_the_turn_it_comes_too_late_for_counts_in_the_next_one(
    server: Server, browser: Browser
) -> None:
    session = server.session("vote", 1, quiz=False, turns=3, decision_seconds=1.0)
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    expect(page.locator("[data-choice=up]")).to_be_enabled()
    page.evaluate(
        "() => { const send = window.liveSend;"
        " window.release = () => { window.liveSend = send; };"
        " window.liveSend = (message) => message.kind === 'tick' || send(message); }"
    )
    here = turn(page)
    page.wait_for_timeout(1200)
    page.keyboard.press("v")
    wait_for_turn(page, here + 1)
    expect(page.locator("#chosen")).to_have_text("Chosen: Vote up")
    expect(page.locator("#problem")).to_be_hidden()
    page.evaluate("() => window.release()")
    expect(page.locator("#leave")).to_be_visible()
    decisions = table(server, "decisions", session)
    own = decisions[decisions["decided_by"] == "person"]
    assert own[["period", "used_action"]].values.tolist() == [[here, 4]]


def test_nothing_moves_by_itself_where_people_want_it_still(
    server: Server, browser: Browser
) -> None:
    session = server.session("vote", 1, quiz=False, turns=2)
    page = window(browser, session["session_wide_url"], reduced_motion="reduce")
    page.locator("#next").click()
    wait_for_turn(page, 1)
    page.keyboard.press("ArrowUp")
    running = page.evaluate(
        "() => document.getAnimations()"
        ".filter((each) => each.effect.getComputedTiming().duration > 0).length"
    )
    assert running == 0
    expect(page.locator("#turn")).to_be_hidden()

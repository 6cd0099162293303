"""Tests of the punishment vote in a real Chromium: the page within a turn, and on a phone.

No test depends on the machine's speed: a turn either never ends (`LONG`) or ends when the person
has decided (`pace` is answers).
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.pages import PHONE, Wire, assert_no_sideways_scrolling, read, window

pytestmark = [pytest.mark.door]


KEYS = {
    "ArrowUp": 0,
    "ArrowDown": 1,
    "ArrowLeft": 2,
    "ArrowRight": 3,
    "w": 0,
    "s": 1,
    "a": 2,
    "d": 3,
    "v": 4,
    "b": 5,
    "x": 6,
}
LONG = {"decision_seconds": 3600.0, "grace_seconds": 3600.0}
ANSWERS = {"pace": "answers", "decision_seconds": 0.0, "grace_seconds": 3600.0}
SIGHT = "In the frame: what you see now. Striped: what you do not see."
MEMORY = "In the frame: what you see now. Paler: as you last saw it. Striped: not seen yet."
LONGER = [
    pytest.param(config, marks=pytest.mark.long)
    for config in ("vote_composite", "vote_separate_worlds")
]


def wait_for_turn(page: Page, number: int) -> None:
    """Wait until a turn has begun and the page accepts keys for it."""
    expect(page.locator("#period")).to_have_text(re.compile(f"Turn {number} of"))
    expect(page.locator("[data-choice=up]")).to_have_attribute("aria-disabled", "false")


def test_the_last_key_of_a_turn_counts_and_is_saved_immediately(server, browser):
    session = server.session("vote", 1, quiz=False, **LONG)
    page = window(browser, session["session_wide_url"])
    wire = Wire(page)
    read(page)
    wait_for_turn(page, 1)
    for count, (key, action) in enumerate(KEYS.items(), start=1):
        page.keyboard.press(key)
        if count in (5, 6, 7, 8):  # w, s, a and d work like the arrows
            continue
        expect(page.locator("#state")).to_have_text("Saved")
        assert wire.saved()[-1] == {"action": action}
    everything_that_decides_is_on_every_screen(page)


@pytest.mark.parametrize("config", ["vote", *LONGER])
def test_a_play_on_a_phone(server, browser, config):
    session = server.session(config, 1, quiz=False, turns=3, **ANSWERS)
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    read(page)
    for number in (1, 2, 3):
        wait_for_turn(page, number)
        for choice in ("up", "left", "noop", "right", "down", "vote_increase", "vote_decrease"):
            expect(page.locator(f"[data-choice={choice}]")).to_be_in_viewport(ratio=1)
        expect(page.locator(".vote-board").first).to_be_in_viewport(ratio=0.9)
        assert_no_sideways_scrolling(page)
        expect(page.locator("[data-choice=left]")).to_have_attribute("aria-disabled", "false")
        page.locator("[data-choice=left]").tap()
    expect(page.locator(".vote-sight")).to_have_text(MEMORY if config == "vote" else SIGHT)
    page.locator("#leave").tap()
    expect(page.locator("h1")).to_have_text("Results")
    assert_no_sideways_scrolling(page)
    decisions = table(server, "decisions", session)
    assert decisions[decisions["occupant"] == "person"]["used_action"].tolist() == [2, 2, 2]
    assert wrong_numbers(server, session) == []


SCREENS = {
    "a phone": (360, 740),
    "a short phone": (360, 640),
    "a phone on its side": (740, 360),
    "1280 x 800 at 200%": (640, 400),
    "a small notebook": (1024, 640),
    "a laptop": (1280, 800),
}
DECIDES = (".vote-points", ".vote-level", ".vote-cast", ".vote-board", ".vote-net", ".mc-pad")
CUT = """selector => [...document.querySelectorAll(selector)].filter((part) => {
  const {left, right, top, bottom} = part.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, bottom - 2];
  const seen = part.contains(document.elementFromPoint(x, y)) || part.closest(".mc-decision");
  return left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5 || !seen;
}).map((part) => part.className)"""

SPILLED = """() => [...document.querySelectorAll(".mc-pad-label")].filter((label) => {
  const words = document.createRange();
  words.selectNodeContents(label);
  const text = words.getBoundingClientRect();
  const button = label.parentElement.getBoundingClientRect();
  return text.left < button.left + 2 || text.right > button.right - 2;
}).map((label) => label.textContent)"""


@pytest.mark.long
def test_everything_needed_to_decide_is_on_the_screen(server, browser):
    session = server.session("vote_source", 1, quiz=False, **LONG)
    page = window(browser, session["session_wide_url"])
    read(page)
    wait_for_turn(page, 1)
    everything_that_decides_is_on_every_screen(page)


def everything_that_decides_is_on_every_screen(page: Page) -> None:
    for name, (width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        for part in DECIDES:
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
            assert page.evaluate(CUT, part) == [], f"{name}: {part}"
        assert page.evaluate(SPILLED) == [], f"{name}: labels wider than their buttons"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(".vote-players li").last).to_be_visible()  # below the fold


@pytest.mark.long
@pytest.mark.parametrize("config", ["vote", *LONGER])
def test_a_choice_on_a_phone_is_lit_until_another_one_is_made(server, browser, config):
    session = server.session(config, 1, quiz=False, **LONG)
    page = window(browser, session["session_wide_url"], **PHONE)
    read(page)
    wait_for_turn(page, 1)
    for choice in ("up", "left", "noop", "right", "down", "vote_increase", "vote_decrease"):
        expect(page.locator(f"[data-choice={choice}]")).to_be_in_viewport(ratio=1)
    expect(page.locator(".vote-board").first).to_be_in_viewport(ratio=0.9)
    assert_no_sideways_scrolling(page)
    left, right = (page.locator(f"[data-choice={choice}]") for choice in ("left", "right"))
    left.tap()
    expect(left).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#state")).to_have_text("Saved")
    right.tap()
    expect(left).to_have_attribute("aria-pressed", "false")
    expect(right).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#state")).to_have_text("Saved")


@pytest.mark.long
def test_a_move_and_a_vote_make_one_action_if_both_are_possible(server, browser):
    session = server.session("vote_composite", 1, quiz=False, **LONG)
    page = window(browser, session["session_wide_url"])
    wire = Wire(page)
    read(page)
    wait_for_turn(page, 1)
    page.keyboard.press("v")
    expect(page.locator("#chosen")).to_have_text("Your vote counts only if you also move.")
    expect(page.locator("#controls")).to_have_attribute("data-part", "true")
    assert wire.acts == {}  # a vote is not a complete action
    page.keyboard.press("ArrowRight")
    expect(page.locator("#chosen")).to_have_text("Chosen: Right, More punishment")
    expect(page.locator("#state")).to_have_text("Saved")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#chosen")).to_have_text("Chosen: Up, More punishment")
    expect(page.locator("#state")).to_have_text("Saved")
    page.keyboard.press("b")
    expect(page.locator("#chosen")).to_have_text("Chosen: Up, Less punishment")
    expect(page.locator("#state")).to_have_text("Saved")
    # right and increase, up and increase, up and decrease
    assert wire.saved() == [{"action": 7}, {"action": 4}, {"action": 8}]


def stands(page: Page) -> tuple[float, float]:
    """Return where the person's piece is drawn, as row and column of the field."""
    transform = page.evaluate("() => document.querySelector('.vote-own').style.transform")
    across, down = (float(number) for number in re.findall(r"(-?[\d.]+)px", transform))
    return down / 40, across / 40


ALONE = {"height": 3, "seats": 1, "spawn_probability": 0.0}


def free_and_blocked(page: Page) -> tuple[str, str]:
    """Return the keys (left or right) that lead to a free cell, and to a wall if there is one on
    the other side."""
    expect(page.locator("#around")).to_have_text(re.compile("wall 1 up"))
    keys = ("ArrowLeft", "ArrowRight")
    return keys[::-1] if "wall 1 left" in page.locator("#around").inner_text() else keys


@pytest.mark.long
def test_the_page_describes_the_surroundings_and_draws_a_possible_move_immediately(server, browser):
    """Place the person in one of two cells between walls, and a resource in the other cell."""
    size = {**ALONE, "width": 4, "initial_resources": 1}
    session = server.session("vote", 1, quiz=False, **LONG, **size)
    page = window(browser, session["session_wide_url"])
    read(page)
    wait_for_turn(page, 1)
    expect(page.locator("#around")).to_have_text(
        re.compile(r"Around you: (?=.*\b[A-E] 1 (left|right)\b)(?=.*wall 1 up)(?=.*wall 1 down)")
    )
    expect(page.locator("#spoken")).not_to_have_text(re.compile("Around you"))
    page.keyboard.press("l")
    expect(page.locator("#spoken")).to_have_text(re.compile("Around you: .*wall 1 up"))
    free, _ = free_and_blocked(page)
    home = stands(page)
    page.keyboard.press("ArrowUp")  # against a visible wall
    assert stands(page) == home
    page.keyboard.press(free)
    assert stands(page)[0] == home[0]
    assert 0 < abs(stands(page)[1] - home[1]) < 1  # the piece leans towards the wall
    page.keyboard.press("x")
    assert stands(page) == home


@pytest.mark.long
def test_the_page_says_in_words_what_happened(server, browser):
    size = {**ALONE, "width": 4, "initial_resources": 1}
    session = server.session("vote", 1, quiz=False, turns=3, **ANSWERS, **size)
    page = window(browser, session["session_wide_url"])
    read(page)
    wait_for_turn(page, 1)
    free, _ = free_and_blocked(page)
    home = stands(page)
    page.keyboard.press(free)
    wait_for_turn(page, 2)
    expect(page.locator(".vote-told")).to_have_text(re.compile(r"You collected [A-E] \(.*\)"))
    step = -1 if free == "ArrowLeft" else 1
    assert stands(page) == (home[0], home[1] + step)  # the server's position
    page.keyboard.press("ArrowUp")
    wait_for_turn(page, 3)
    expect(page.locator(".vote-told")).to_have_text(re.compile("^Blocked: you stayed"))
    page.keyboard.press("x")
    expect(page.locator("#leave")).to_be_focused()
    expect(page.locator("#news")).to_have_text(re.compile(r"The game is over\. Your points: "))


@pytest.mark.long
def test_bots_are_marked_if_the_session_says_so(server, browser):
    for disclosure, marked in (("labels", 3), ("none", 0)):
        session = server.session("vote", 1, quiz=False, disclosure=disclosure, **LONG)
        page = window(browser, session["session_wide_url"])
        read(page)
        wait_for_turn(page, 1)
        expect(page.locator(".vote-players li")).to_have_count(4)
        expect(page.locator(".vote-players .mc-tag", has_text="bot")).to_have_count(marked)
        page.close()


SERVER_IN_THE_PAGE = """() => {
  window.sent = [];
  const receive = window.liveRecv;
  const send = window.liveSend;
  window.liveRecv = (message) => { if (message.history) window.shown = message; receive(message); };
  send({kind: "sync"});
  window.liveSend = (message) => { if (message.kind === "act") window.sent.push(message); };
}"""


TOO_LATE = """() => {
  const [{id, period}] = window.sent;
  window.liveRecv({kind: "refused", id, reason: "The time is up.", period: period + 1});
  window.liveRecv({...window.shown, history: undefined, last: null, period: period + 1});
}"""


@pytest.mark.long
def test_a_key_that_is_too_late_for_its_turn_counts_in_the_next_one(server, browser):
    session = server.session("vote", 1, quiz=False, **LONG)
    page = window(browser, session["session_wide_url"])
    read(page)
    wait_for_turn(page, 1)
    page.evaluate(SERVER_IN_THE_PAGE)
    page.wait_for_function("() => window.shown")
    page.keyboard.press("v")
    page.evaluate(TOO_LATE)
    wait_for_turn(page, 2)
    expect(page.locator("#chosen")).to_have_text("Chosen: More punishment")
    expect(page.locator("#problem")).to_be_hidden()
    acts = page.evaluate("() => window.sent.map(({period, action}) => [period, action.action])")
    assert acts == [[0, 4], [1, 4]]


COUNTED = """
window.counted = [];
new MutationObserver(() => {
  const at = (selector) => document.querySelector(selector);
  const count = at(".mc-countdown:not([hidden]) strong")?.textContent;
  if (count) window.counted.push([
    count, document.querySelectorAll(".vote-cell").length, at(".mc-pad").checkVisibility(),
    at("[data-choice=up]").getAttribute("aria-disabled"),
  ]);
}).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
"""


@pytest.mark.long
def test_the_first_turn_begins_when_the_page_has_counted_down(server, browser):
    """Make the page log its countdown, because the test might look too late."""
    session = server.session("vote", 1, quiz=False, **{**LONG, "countdown_seconds": 6.0})
    page = window(browser, session["session_wide_url"])
    page.add_init_script(COUNTED)
    read(page)
    expect(page.locator("[data-choice=up]")).to_have_attribute("aria-disabled", "false")
    expect(page.locator(".mc-countdown")).to_be_hidden()
    counted = page.evaluate("() => window.counted")
    assert {count for count, *_ in counted} <= set("123456")
    # the field is visible, and the controls are disabled
    assert counted[-1][1:] == [12 * 12, True, "true"]


@pytest.mark.long
def test_nothing_moves_for_people_who_prefer_reduced_motion(server, browser):
    session = server.session("vote", 1, quiz=False, **LONG)
    page = window(browser, session["session_wide_url"], reduced_motion="reduce")
    read(page)
    wait_for_turn(page, 1)
    page.keyboard.press("ArrowUp")
    running = page.evaluate(
        "() => document.getAnimations()"
        ".filter((shown) => shown.effect.getComputedTiming().duration > 0).length"
    )
    assert running == 0
    expect(page.locator("#turn")).to_be_hidden()

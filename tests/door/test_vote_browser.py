"""The punishment vote in a real Chromium: three people and a bot, keyboard alone, a phone, a slow
line.

None of it depends on how fast the machine is. What a page does within a turn is looked at in a turn
that does not end (`LONG`); a play of several turns goes on when the person has decided (`pace`
answers); and where turns follow the clock, what counts is what the server acknowledged.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.harness import Server
from tests.door.pages import (
    PHONE,
    Wire,
    answer_by_keyboard,
    assert_no_sideways_scrolling,
    read,
    read_by_keyboard,
    tab_to,
    window,
)
from tests.door.slow_line import SlowLine

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
PATIENT = {"lobby_seconds": 3600.0, "grace_seconds": 3600.0}


LONGER = [
    pytest.param(config, marks=pytest.mark.long)
    for config in ("vote_composite", "vote_separate_worlds")
]


def turn(page: Page) -> int:
    number = re.search(r"Turn (\d+)", page.locator("#period").inner_text())
    assert number
    return int(number.group(1))


def wait_for_turn(page: Page, number: int) -> None:
    expect(page.locator("#period")).to_have_text(re.compile(f"Turn {number} of"))


def over(page: Page) -> bool:
    return page.locator("#leave").is_visible()


def code(page: Page) -> str:
    """The code of the participant whose page it is."""
    return page.url.split("/p/")[1].split("/")[0]


def walked(server: Server, session: dict[str, Any], turns: int, seconds: float) -> None:
    """Every turn was settled once, in order, at its own time, and the export replays.

    While somebody's line is slow, as events say, a turn is longer by what is waited for.
    """
    periods = table(server, "periods", session)
    assert periods["period"].tolist() == list(range(turns))
    lasted = (periods["settled_ms"] - periods["shown_ms"]).tolist()
    events = table(server, "events", session)
    waits = waited(events[events["event"] == "slow_line"].to_dict("records"), turns)
    assert lasted == [round(1000 * seconds) + ms for ms in waits]
    assert wrong_numbers(server, session) == []


def waited(events: list[dict[str, Any]], turns: int) -> list[int]:
    """For how long slow lines were waited for in each turn."""
    waits, by_turn = dict[int, int](), []
    for turn in range(turns):
        for event in events:
            if event["period"] == turn:
                waits[event["seat"]] = json.loads(event["detail"])["wait_ms"]
        by_turn.append(max(waits.values(), default=0))
    return by_turn


def kept(server: Server, session: dict[str, Any], wires: dict[str, Wire]) -> None:
    """What was acknowledged to each person is what counted, and nothing else counted."""
    decisions = table(server, "decisions", session)
    for participant, wire in wires.items():
        rows = decisions[decisions["participant"] == participant].to_dict("records")
        assert rows
        assert wire.acts
        assert list(wire.differences(rows)) == []


def answered(page: Page, wire: Wire) -> bool:
    """Has the page been promised the last that it sent? Nothing of it is on its way then, of which
    the wire would not hear after a reload."""
    page.evaluate("null")  # all that was sent before this answer is known
    return list(wire.acts)[-1:] == wire.acknowledged[-1:] != []


@pytest.mark.long
def test_three_people_and_a_bot_play_a_whole_game(server: Server, browser: Browser) -> None:
    turns = 16
    setting = {"turns": turns, "decision_seconds": 0.5, **PATIENT}
    session = server.session("vote_three_people", 3, quiz=False, **setting)
    pages = [window(browser, session["session_wide_url"]) for _ in range(3)]
    wires = {code(page): Wire(page) for page in pages}
    for page in pages:
        read(page)
    for page in pages:
        expect(page.locator("#period")).to_be_visible()
    keys = random.Random(5)
    reloaded = False
    while not over(pages[0]):
        for page in pages:
            page.keyboard.press(keys.choice(list(KEYS)))
        if not reloaded and answered(pages[1], wires[code(pages[1])]):
            pages[1].reload()
            reloaded = True
    for page in pages:
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
        expect(page.locator("main")).to_contain_text("the punishment level was")
    walked(server, session, turns=turns, seconds=0.5)
    kept(server, session, wires)
    decisions = table(server, "decisions", session)
    people = decisions[decisions["occupant"] == "person"]
    assert people.groupby("participant").size().tolist() == [turns] * 3
    assert set(decisions[decisions["occupant"] == "policy"]["policy_id"]) == {"noisy_person"}
    outcomes = table(server, "outcomes", session)
    assert outcomes["status"].tolist() == ["finished"] * 3
    assert outcomes["bot_share"].tolist() == [0, 0, 0]
    sums = people.groupby("participant")["reward"].sum()
    for participant, points in zip(outcomes["participant"], outcomes["points"], strict=True):
        assert points == pytest.approx(sums[participant])


@pytest.mark.long
def test_a_play_by_keyboard_alone(server: Server, browser: Browser) -> None:
    session = server.session("vote", 1, turns=len(KEYS), **ANSWERS)
    page = window(browser, session["session_wide_url"])
    read_by_keyboard(page)
    expect(page.locator("#check")).to_be_visible()
    answers = {
        "blocked": "You stay where you are, and lose nothing",
        "vote": "50 %",  # 30 % and a step of 20 percentage points
        "harm": "All players but the collector",
        "punished": "4",  # 7 less 30 % of 10
        "end": f"After turn {len(KEYS)}",
        "pay": "€2.20",  # 2 points at 0.10, and the fee
        "when": "All at the same time",
    }
    answer_by_keyboard(page, answers)
    for number, key in enumerate(KEYS, start=1):
        wait_for_turn(page, number)
        expect(page.locator("[data-choice=up]")).to_have_attribute("aria-disabled", "false")
        page.keyboard.press(key)
    expect(page.locator("#leave")).to_be_visible()
    tab_to(page, "#leave")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results")
    decisions = table(server, "decisions", session)
    own = decisions[decisions["occupant"] == "person"]
    assert own["used_action"].tolist() == list(KEYS.values())
    assert wrong_numbers(server, session) == []


def test_the_last_key_of_a_turn_counts_and_is_saved_at_once(
    server: Server, browser: Browser
) -> None:
    session = server.session("vote", 1, quiz=False, **LONG)
    page = window(browser, session["session_wide_url"])
    wire = Wire(page)
    read(page)
    wait_for_turn(page, 1)
    for count, (key, action) in enumerate(KEYS.items(), start=1):
        page.keyboard.press(key)
        if count in (5, 6, 7, 8):  # w, s, a and d mean what the arrows mean
            continue
        expect(page.locator("#state")).to_have_text("Saved")
        assert wire.saved()[-1] == {"action": action}
    everything_that_decides_is_on_every_screen(page)


@pytest.mark.parametrize("config", ["vote", *LONGER])
def test_a_play_on_a_phone(server: Server, browser: Browser, config: str) -> None:
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
    "1280 x 800 at 200 %": (640, 400),
    "a small notebook": (1024, 640),
}
DECIDES = (".vote-points", ".vote-level", ".vote-cast", ".vote-board", ".vote-net", ".mc-pad")
CUT = """selector => [...document.querySelectorAll(selector)].filter((part) => {
  const {left, right, top, bottom} = part.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, bottom - 2];
  const seen = part.contains(document.elementFromPoint(x, y)) || part.closest(".mc-decision");
  return left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5 || !seen;
}).map((part) => part.className)"""


@pytest.mark.long
def test_all_that_decides_is_on_the_screen(server: Server, browser: Browser) -> None:
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
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(".vote-players li").last).to_be_visible()  # further below


@pytest.mark.parametrize("config", ["vote", *LONGER])
def test_a_choice_on_a_phone_is_lit_until_another_is_made(
    server: Server, browser: Browser, config: str
) -> None:
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


def test_a_move_and_a_vote_make_one_action_where_both_are_possible(
    server: Server, browser: Browser
) -> None:
    session = server.session("vote_composite", 1, quiz=False, **LONG)
    page = window(browser, session["session_wide_url"])
    wire = Wire(page)
    read(page)
    wait_for_turn(page, 1)
    page.keyboard.press("v")
    expect(page.locator("#chosen")).to_have_text("Your vote counts together with a move.")
    expect(page.locator("#controls")).to_have_attribute("data-part", "true")
    assert wire.acts == {}  # a vote alone is no action
    page.keyboard.press("ArrowRight")
    expect(page.locator("#chosen")).to_have_text("Chosen: Right, Vote up")
    expect(page.locator("#state")).to_have_text("Saved")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#chosen")).to_have_text("Chosen: Up, Vote up")
    expect(page.locator("#state")).to_have_text("Saved")
    page.keyboard.press("b")
    expect(page.locator("#chosen")).to_have_text("Chosen: Up, Vote down")
    expect(page.locator("#state")).to_have_text("Saved")
    # right and increase, up and increase, up and decrease
    assert wire.saved() == [{"action": 7}, {"action": 4}, {"action": 8}]


def stands(page: Page) -> tuple[float, float]:
    """Where the own piece is drawn, in cells: row and column of the field."""
    transform = page.evaluate("() => document.querySelector('.vote-own').style.transform")
    across, down = (float(number) for number in re.findall(r"(-?[\d.]+)px", transform))
    return down / 40, across / 40


ALONE = {"height": 3, "seats": 1, "spawn_probability": 0.0}


def free_and_blocked(page: Page) -> tuple[str, str]:
    """The keys of a free cell to the left or right, and of a wall if the other side is one."""
    expect(page.locator("#around")).to_have_text(re.compile("wall 1 up"))
    keys = ("ArrowLeft", "ArrowRight")
    return keys[::-1] if "wall 1 left" in page.locator("#around").inner_text() else keys


def test_the_page_says_what_lies_where_and_a_move_is_drawn_at_once_where_one_can_move(
    server: Server, browser: Browser
) -> None:
    """Two cells between walls: oneself on one, a resource on the other."""
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
    page.keyboard.press("ArrowUp")  # a wall, as one sees
    assert stands(page) == home
    page.keyboard.press(free)
    assert stands(page)[0] == home[0]
    assert 0 < abs(stands(page)[1] - home[1]) < 1  # leans that way
    page.keyboard.press("x")
    assert stands(page) == home


def vote_until(page: Page, last: int) -> None:
    """Up in odd turns, down in even ones, as the page shows them."""
    while not over(page) and turn(page) < last:
        page.keyboard.press("v" if turn(page) % 2 else "b")


WATCH = """() => {
  const banner = document.getElementById("banner");
  window.lost = false;
  const look = () => { window.lost ||= !banner.hidden; };
  new MutationObserver(look).observe(banner, {attributes: true});
}"""


@pytest.mark.long
def test_on_a_slow_line_keys_count_and_every_turn_is_settled_at_its_time(
    server: Server, browser: Browser
) -> None:
    setting = {"turns": 10, "decision_seconds": 1.5, "line_seconds": 1.5, **PATIENT}
    session = server.session("vote_three_people", 3, quiz=False, **setting)
    with SlowLine(server.port, seconds=0.2) as line:
        link = session["session_wide_url"]
        slow = window(browser, line.url(link))
        wire = Wire(slow)
        others = [window(browser, link) for _ in range(2)]
        for page in (slow, *others):
            read(page)
        expect(slow.locator("#period")).to_be_visible()
        slow.evaluate(WATCH)
        vote_until(slow, 4)
        line.cut()
        slow.wait_for_function("() => window.lost && document.getElementById('banner').hidden")
        vote_until(slow, 11)
        slow.locator("#leave").click()
        expect(slow.locator("h1")).to_have_text("Results")
        participant = code(slow)
        # a script that never comes would be an error on the page, on which Playwright gives up
        slow.wait_for_load_state("networkidle")
    walked(server, session, turns=10, seconds=1.5)
    assert "slow_line" in table(server, "events", session)["event"].tolist()
    kept(server, session, {participant: wire})


def test_the_page_says_in_words_what_happened(server: Server, browser: Browser) -> None:
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
    assert stands(page) == (home[0], home[1] + step)  # where the server says one is
    page.keyboard.press("ArrowUp")
    wait_for_turn(page, 3)
    expect(page.locator(".vote-told")).to_have_text(re.compile("^Blocked: you stayed"))
    page.keyboard.press("x")
    expect(page.locator("#leave")).to_be_focused()
    expect(page.locator("#news")).to_have_text(re.compile(r"The game is over\. Your points: "))


@pytest.mark.long
def test_bots_are_marked_where_the_session_says_that_they_are(
    server: Server, browser: Browser
) -> None:
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


def test_a_key_that_comes_too_late_for_its_turn_counts_in_the_next_one(
    server: Server, browser: Browser
) -> None:
    session = server.session("vote", 1, quiz=False, **LONG)
    page = window(browser, session["session_wide_url"])
    read(page)
    wait_for_turn(page, 1)
    page.evaluate(SERVER_IN_THE_PAGE)
    page.wait_for_function("() => window.shown")
    page.keyboard.press("v")
    page.evaluate(TOO_LATE)
    wait_for_turn(page, 2)
    expect(page.locator("#chosen")).to_have_text("Chosen: Vote up")
    expect(page.locator("#problem")).to_be_hidden()
    acts = page.evaluate("() => window.sent.map(({period, action}) => [period, action.action])")
    assert acts == [[0, 4], [1, 4]]


@pytest.mark.long
def test_the_first_turn_comes_when_the_page_has_counted_down(
    server: Server, browser: Browser
) -> None:
    session = server.session("vote", 1, quiz=False, **{**LONG, "countdown_seconds": 6.0})
    page = window(browser, session["session_wide_url"])
    read(page)
    expect(page.locator(".mc-countdown strong")).to_have_text(re.compile("^[1-6]$"))
    expect(page.locator(".vote-cell")).to_have_count(12 * 12)  # what there is can be looked at
    expect(page.locator(".mc-pad")).to_be_visible()
    expect(page.locator("[data-choice=up]")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".mc-countdown")).to_be_hidden()
    expect(page.locator("[data-choice=up]")).to_have_attribute("aria-disabled", "false")


@pytest.mark.long
def test_nothing_moves_by_itself_where_people_want_it_still(
    server: Server, browser: Browser
) -> None:
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

"""The sanctions game in a real Chromium: two people and bots, keyboard alone, a phone, the words
for those who cannot see the picture."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from tests.door.audit import table, wrong_numbers
from tests.door.harness import Server
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

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"


def wait_for_period(page: Page, number: int) -> None:
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {number} of"))


def decide(page: Page, amount: float) -> None:
    box = page.locator("#contribution")
    expect(box).to_be_enabled()
    box.fill(str(amount))
    page.locator("#confirm").click()


def shown(value: float, digits: int = 1) -> str:
    """A number as pages write it."""
    text = re.sub(r"\.0+$", "", f"{value:.{digits}f}").replace("-", MINUS)
    return "0" if text == f"{MINUS}0" else text


def signed(value: float) -> str:
    """Points between two, as the network and its table write them."""
    text = shown(abs(value), 2)
    return "0" if text == "0" else (MINUS if value < 0 else "+") + text


def code_of(page: Page) -> str:
    return page.url.split("/p/")[1].split("/")[0]


@pytest.mark.long
def test_two_people_and_four_bots_play_a_whole_game(server: Server, browser: Browser) -> None:
    last = 12  # longer than the memory of 10
    quick = {"quiz": False, "bot_delay": "instant"}
    session = server.session("sanctions_two_people", 2, **quick, periods=last)
    pages = [window(browser, session["session_wide_url"]) for _ in range(2)]
    codes = [code_of(page) for page in pages]
    for page in pages:
        read(page)
    given: dict[str, list[float]] = {code: [] for code in codes}
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
            given[codes[key]].append(amount)
    points = {}
    for code, page in zip(codes, pages, strict=True):
        expect(page.locator("#leave")).to_be_visible()
        points[code] = page.locator(".mc-total strong").inner_text()
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
        expect(page.locator(".mc-huge strong")).to_have_text(points[code])
        expect(page.locator("main")).to_contain_text(f"of {last} periods: ")
    assert wrong_numbers(server, session) == []
    pairs = table(server, "pairs", session)
    assert len(pairs) == last * 6 * 5
    assert not pairs.duplicated(["period", "seat", "partner"]).any()
    outcomes = table(server, "outcomes", session).set_index("participant")
    decisions = table(server, "decisions", session)
    for code in codes:
        own = decisions[decisions["participant"] == code].sort_values("period")
        assert own["used_contribution"].tolist() == given[code]
        assert set(own["decided_by"]) == {"person"}
        assert outcomes.loc[code, "points"] == pytest.approx(own["reward"].sum())
        assert shown(outcomes.loc[code, "points"], 2) == points[code]
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


def test_a_play_by_keyboard_alone(server: Server, browser: Browser) -> None:
    session = server.session("sanctions", 1, periods=2, bot_delay="instant", bots="baseline_keeper")
    page = window(browser, session["session_wide_url"])
    read_by_keyboard(page)
    expect(page.locator("#check")).to_be_visible()
    answers = {
        "good": f"{MINUS}0.6",  # 1 given, 0.4 back
        "whose": "Those of this player",
        "to_whom": "Nobody: they are gone",
        "memory": "10",
        "end": "After period 2, whatever the players give",
        "pay": "€2.40",  # 20 points at 0.02, and the fee
        "when": "All at the same time",
    }
    answer_by_keyboard(page, answers)
    expect(page.locator("#confirm")).to_be_visible()
    for number in (1, 2):
        wait_for_period(page, number)
        expect(page.locator("#contribution")).to_be_enabled()
        tab_to(page, "#contribution")
        page.keyboard.type("10")
        # the others give 10, too: 20 - 10 + 0.4 * 40
        expect(page.locator("#contribution-preview")).to_have_text(
            "keep 10 + common about 16 + reward 0 = about 26 points"
        )
        others = "what is expected" if number == 1 else "what they gave last"
        expect(page.locator("#effect")).to_have_text(
            f"Then 10 is remembered of you, on average. About: if the others give {others}."
        )
        page.keyboard.press("Enter")
    expect(page.locator("#leave")).to_be_visible()
    tab_to(page, "#leave")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results")
    # all at 10: 20 - 10 + 0.4 * 40 = 26, twice; nothing is taken or given
    expect(page.locator(".mc-huge")).to_have_text("52 points earned")
    assert table(server, "outcomes", session)["quiz_attempts"].tolist() == [1]
    assert wrong_numbers(server, session) == []


@pytest.mark.long
@pytest.mark.parametrize("config", ["sanctions", "sanctions_source", "sanctions_tr4"])
def test_a_play_on_a_phone(server: Server, browser: Browser, config: str) -> None:
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
    own = decisions[decisions["occupant"] == "person"]
    assert own["used_contribution"].tolist() == [3, 3, 3]
    assert wrong_numbers(server, session) == []


def can_be_reached(page: Page) -> None:
    """Every cell of the table of players, and the waterfall, can be scrolled to."""
    for selector in (
        ".net-players td:last-child",
        ".net-players tbody tr:last-child td",
        "#ledger .mc-total",
    ):
        found = page.locator(selector).last
        found.evaluate("node => node.scrollIntoView({block: 'center'})")
        expect(found).to_be_in_viewport(ratio=0.5)
        box = found.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        uncovered(page, selector)
    assert page.evaluate("() => document.documentElement.scrollLeft + window.scrollX") == 0


def uncovered(page: Page, selector: str) -> None:
    """Wait until nothing lies over the middle of the last one, such as a card that sticks.

    What is looked at may be drawn anew meanwhile, when another player decides.
    """
    page.wait_for_function(
        "(selector) => { const node = [...document.querySelectorAll(selector)].at(-1);"
        " const box = node.getBoundingClientRect();"
        " const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
        " return node.contains(top); }",
        arg=selector,
    )


# -- what is between two, in words and numbers ----------------------------------------------------


class Heard:
    """The views that a page received, as it received them."""

    def __init__(self, page: Page) -> None:
        self.views: list[dict[str, Any]] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._take)

    def _take(self, frame: str | bytes) -> None:
        payload = json.loads(frame).get("live_method_payload") or {}
        if payload.get("kind") == "view" and "observation" in payload:
            self.views.append(payload)


def through(view: dict[str, Any], falls_on: str) -> dict[int, float]:
    """Other seat -> points to oneself through it."""
    effects = view["observation"]["reciprocity_effects"]
    own = own_seat(view)
    others = [other for other in range(len(view["seats"])) if other != own]
    deviator = falls_on == "deviator"  # row observes column
    return {other: effects[other][own] if deviator else effects[own][other] for other in others}


def own_seat(view: dict[str, Any]) -> int:
    [own] = [each["seat"] for each in view["seats"] if each["you"]]
    return int(own)


@pytest.mark.parametrize(
    ("config", "falls_on", "given"),
    [
        ("sanctions", "deviator", (20, 3, 0.5)),
        pytest.param("sanctions_source", "deviator", (90, 3, 0), marks=pytest.mark.long),
        pytest.param("sanctions_tr4", "observer", (90, 3, 40), marks=pytest.mark.long),
    ],
)
def test_the_page_says_what_each_gave_and_why_one_lost_or_gained(
    server: Server, browser: Browser, config: str, falls_on: str, given: tuple[float, ...]
) -> None:
    session = server.session(config, 1, quiz=False, periods=4, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    read(page)
    told = set()
    for number, amount in enumerate(given, start=2):
        decide(page, amount)
        wait_for_period(page, number)
        expect(page.locator("#contribution")).to_be_enabled()
        view = heard.views[-1]
        assert view["period"] == number - 1
        waterfall(page, view)
        points = through(view, falls_on)
        got = view["last"]["components"]["sanctions"]
        assert sum(points.values()) == pytest.approx(got)
        if got:
            expect(page.locator(".net-why summary")).to_have_text(f"Why {signed(got)}?")
        rows = page.locator(".net-why tbody tr").all()[-len(points) :] if got else []
        for row, (other, to_me) in zip(rows, points.items() if got else [], strict=True):
            assert f"Player {other + 1}" in row.locator("th").inner_text()
            assert row.locator("td").all_inner_texts()[-1] == signed(to_me)
        told |= {signed(value)[0] for value in points.values() if abs(value) >= 5e-3}
        players(page, view, falls_on)
    assert told == {"+", MINUS}  # both were seen
    assert wrong_numbers(server, session) == []


def waterfall(page: Page, view: dict[str, Any]) -> None:
    """The parts of the last period, and their sum, as they were."""
    parts = {name: value for name, value in view["last"]["components"].items() if value}
    cells = page.locator("#ledger .mc-waterfall tr td:last-child").all_inner_texts()
    kept = view["last"]["components"]["kept"]  # first, even if it is 0
    values = [kept, *[value for name, value in parts.items() if name != "kept"]]
    assert cells == [signed(value) for value in [*values, view["last"]["reward"]]]


def players(page: Page, view: dict[str, Any], falls_on: str) -> None:
    """What each gave, is remembered for and trusted by; what is remembered of oneself, large."""
    seen, own = view["observation"], own_seat(view)
    for seat, row in enumerate(page.locator("table.net-players tbody tr").all()):
        trust = seen["trust"][(seat + 1) % len(view["seats"])][seat]
        assert [cell.strip() for cell in row.locator("td").all_inner_texts()] == [
            shown(seen["contribution"][seat]),
            shown(seen["memory_averages"][seat]),
            f"{100 * trust:.0f} %",
        ]
    if view["period"] == 1 and falls_on == "observer":  # of the periods before, and there is none
        expect(page.locator(".net-memory strong")).to_have_text("nothing yet")
        return
    average, given = seen["memory_averages"][own], seen["contribution"][own]
    expect(page.locator(".net-memory strong")).to_have_text(shown(average))
    below = average < seen["baseline"][own] if falls_on == "deviator" else given < average
    expect(page.locator(".net-memory")).to_have_attribute("data-below", str(below).lower())


def test_the_strip_shows_what_comes_in_and_what_drops_out(server: Server, browser: Browser) -> None:
    session = server.session("sanctions", 1, quiz=False, periods=4, bot_delay="instant", memory=2)
    page = window(browser, session["session_wide_url"])
    read(page)
    wait_for_period(page, 1)
    nothing_is_shown_as_if_it_had_been(page)
    refuses_what_is_out_of_range(page)
    for number, amount in enumerate((20, 14), start=1):
        wait_for_period(page, number)
        decide(page, amount)
    wait_for_period(page, 3)
    strip = page.locator(".net-slot")
    expect(strip).to_have_text(["2020 points, drops out next", "1414 points", "?"])
    expect(page.locator(".net-under")).to_contain_text("drops out next")
    page.locator("#contribution").fill("4")
    expect(strip.last).to_have_text("4")
    expect(page.locator("#effect")).to_contain_text("Then 9 is remembered of you")  # (14 + 4) / 2
    page.locator("#contribution").fill("4.5")  # the slider does not stop there
    expect(page.locator("#contribution-preview")).to_have_text("You keep 15.5 points.")
    page.locator("#contribution").fill("")
    expect(strip.last).to_have_text("?")


def nothing_is_shown_as_if_it_had_been(page: Page) -> None:
    """Before the first period is over."""
    expect(page.locator(".net-lead")).to_have_text(
        "Give more than 10 on average and the others reward you; give less, and you lose points."
    )
    expect(page.locator(".net-memory strong")).to_have_text("nothing yet")
    expect(page.locator(".net-expected")).to_have_text("expected: 10")
    cells = page.locator(".net-players tbody td").all_inner_texts()
    assert [cell.strip() for cell in cells] == [DASH, DASH, "50 %"] * 4
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
    expect(page.locator("#effect")).to_contain_text("Then 7.5 is remembered of you, on average.")


# -- the end --------------------------------------------------------------------------------------


def test_who_gave_nothing_is_told_what_was_taken_and_why(server: Server, browser: Browser) -> None:
    session = server.session(
        "sanctions", 1, quiz=False, periods=4, bot_delay="instant", bots="baseline_keeper"
    )
    page = window(browser, session["session_wide_url"])
    read(page)
    for number in range(1, 5):
        wait_for_period(page, number)
        decide(page, 0)
    expect(page.locator("#leave")).to_be_visible()
    page.locator("#leave").click()
    expect(page.locator("h1")).to_have_text("Results")
    # Three who give 10: 20 + 0.4 * 30 = 32 a period. At the initial trust they would take
    # 3 * 40 * 0.5 * 1.35 * 0.6 * 0.35^1.5 = 10.0632; trust is 0.9765 times as much each period:
    # 10.0632 * (0.9765 + 0.95355 + 0.93114 + 0.90926) = 37.94. 128 - 37.94 = 90.06. The others
    # have 10 + 12 each, 264 in 4 periods: 354.06. 0.5 * 0.90926 = 0.4546.
    said = [each.strip() for each in page.locator("main p").all_inner_texts()]
    expected = [
        "You contributed 0 points on average, the others 10. Expected: 10.",
        "You lost 37.94 points through sanctions, in 4 of 4 periods: too little was remembered of "
        "you, or given.",
        "Trust in you was 50 % at the start and 45.5 % at the end. The more trust, the more a "
        "period could bring or cost you.",
        "All players together earned 354.1 points in these periods.",
    ]
    first = said.index(expected[0])
    assert said[first : first + 4] == expected
    expect(page.locator(".net-compare tbody tr")).to_have_count(6)
    compared = page.locator(".net-compare tbody tr td").all_inner_texts()
    # all at 10 have 26 a period, all at 0 have 20, less what is taken of each: 80 - 37.94
    assert [cell.strip() for cell in compared][4:] == ["104", "42.1"]
    drawn = page.locator(".net").get_attribute("aria-label") or ""
    assert drawn.count(f" {MINUS}12.65, ") == 3  # 37.94 / 3 through each, nothing through oneself
    assert drawn.count("through you 0") == 3
    expect(page.locator(".net path.net-arrow.net-takes")).to_have_count(3)
    expect(page.locator(".mc-huge strong")).to_have_text("90.06")
    expect(page.locator("#past .mc-chart")).to_be_visible()
    pairs = table(server, "pairs", session)
    assert pairs["after_reciprocity_effects"].sum() == pytest.approx(-37.943, abs=0.001)


@pytest.mark.long
def test_who_sits_with_free_riders_sees_what_others_cost_where_the_observer_pays(
    server: Server, browser: Browser
) -> None:
    """By `deviation` who always gives 0 is never sanctioned; who stops giving costs the others."""
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
    expect(page.locator("main")).to_contain_text("Sanctions and rewards changed nothing.")
    # at trust 0.5 - 0.5 * 0.3 * 1.175 = 0.32375, from 40 on average to 0: -0.0977394 for each of 5
    decisions = table(server, "decisions", session)
    lost = decisions[(decisions["period"] == 2) & (decisions["occupant"] == "policy")]
    assert lost["reward_sanctions"].tolist() == pytest.approx([-0.0977394] * 5, abs=1e-6)

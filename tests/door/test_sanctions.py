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
from tests.door.pages import PHONE, answer_by_keyboard, assert_no_sideways_scrolling, tab_to, window

pytestmark = [pytest.mark.door, pytest.mark.xdist_group("browser")]

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"


def wait_for_period(page: Page, number: int) -> None:
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {number} of"), timeout=15_000)


def decide(page: Page, amount: float) -> None:
    box = page.locator("#contribution")
    expect(box).to_be_enabled(timeout=15_000)
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


def test_two_people_and_four_bots_play_a_whole_game(server: Server, browser: Browser) -> None:
    session = server.session("sanctions_two_people", 2, quiz=False, bot_delay="instant")
    pages = [window(browser, session["session_wide_url"]) for _ in range(2)]
    codes = [code_of(page) for page in pages]
    for page in pages:
        page.locator("#next").click()
    given: dict[str, list[float]] = {code: [] for code in codes}
    for period in range(20):
        for page in pages:
            wait_for_period(page, period + 1)
        if period == 9:
            expect(pages[1].locator("#state")).to_have_text("Connected")
            before = pages[1].locator("#ledger").inner_text()
            pages[1].reload()
            wait_for_period(pages[1], 10)
            expect(pages[1].locator(".mc-chart rect")).to_have_count(9)
            assert pages[1].locator("#ledger").inner_text() == before
        for key, page in enumerate(pages):
            amount = [(period * 7) % 21, 20 - period][key]
            decide(page, amount)
            given[codes[key]].append(amount)
    points = {}
    for code, page in zip(codes, pages, strict=True):
        expect(page.locator("#leave")).to_be_visible(timeout=15_000)
        last = page.locator(".mc-total strong").inner_text()
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
        points[code] = page.locator(".mc-huge strong").inner_text()
        assert points[code] == last
        expect(page.locator("main")).to_contain_text("of 20 periods: ")
    assert wrong_numbers(server, session) == []
    pairs = table(server, "pairs", session)
    assert len(pairs) == 20 * 6 * 5
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
    tab_to(page, "#next")
    page.keyboard.press("Enter")
    expect(page.locator("#check")).to_be_visible()
    answers = {
        "good": f"{MINUS}0.6",  # 1 given, 0.4 back
        "whose": "Those of this player",
        "to_whom": "Nobody: they are gone",
        "memory": "10",
        "when": "All at the same time",
    }
    answer_by_keyboard(page, answers)
    expect(page.locator("#confirm")).to_be_visible()
    for number in (1, 2):
        wait_for_period(page, number)
        expect(page.locator("#contribution")).to_be_enabled()
        tab_to(page, "#contribution")
        page.keyboard.type("10")
        expect(page.locator("#effect")).to_have_text(
            "You keep 10 points. Then 10 would be remembered of you on average."
        )
        page.keyboard.press("Enter")
    expect(page.locator("#leave")).to_be_visible()
    tab_to(page, ".net-stage .mc-scroll")  # what it holds can be scrolled by keys
    tab_to(page, "#leave")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results")
    # all at 10: 20 - 10 + 0.4 * 40 = 26, twice; nothing is taken or given
    expect(page.locator(".mc-huge")).to_have_text("52 points earned")
    assert table(server, "outcomes", session)["quiz_attempts"].tolist() == [1]
    assert wrong_numbers(server, session) == []


@pytest.mark.parametrize("config", ["sanctions", "sanctions_source", "sanctions_tr4"])
def test_a_play_on_a_phone(server: Server, browser: Browser, config: str) -> None:
    session = server.session(config, 1, quiz=False, periods=3, bot_delay="instant")
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    page.locator("#next").tap()
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
    """The network is there in whole, every cell of the tables can be scrolled to in its box."""
    for selector in (".net", ".net-trust td:last-child", ".net-trust tbody tr:last-child td"):
        found = page.locator(selector).last
        found.scroll_into_view_if_needed()
        expect(found).to_be_in_viewport(ratio=0.5)
        box = found.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert not covered(page, selector)
    assert page.evaluate("() => document.documentElement.scrollLeft + window.scrollX") == 0


def covered(page: Page, selector: str) -> bool:
    """Does something else lie over the middle of the last one, such as a card that sticks?"""
    return bool(
        page.locator(selector).last.evaluate(
            "(node) => { const box = node.getBoundingClientRect();"
            " const top = document.elementFromPoint("
            "box.x + box.width / 2, box.y + box.height / 2);"
            " return !(node === top || node.contains(top)); }"
        )
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


def between(view: dict[str, Any], falls_on: str) -> dict[int, tuple[float, float]]:
    """Other seat -> points to oneself through it, and to it through oneself."""
    effects = view["observation"]["reciprocity_effects"]
    [own] = [each["seat"] for each in view["seats"] if each["you"]]
    found = {}
    for other in range(len(view["seats"])):
        theirs, mine = effects[other][own], effects[own][other]  # row observes column
        if other != own:
            found[other] = (theirs, mine) if falls_on == "deviator" else (mine, theirs)
    return found


@pytest.mark.parametrize(
    ("config", "falls_on", "given"),
    [
        ("sanctions", "deviator", (20, 3, 0.5)),
        ("sanctions_source", "deviator", (90, 3, 0)),
        ("sanctions_tr4", "observer", (90, 3, 40)),
    ],
)
def test_the_network_says_in_words_and_as_a_table_what_is_observed(
    server: Server, browser: Browser, config: str, falls_on: str, given: tuple[float, ...]
) -> None:
    session = server.session(config, 1, quiz=False, periods=4, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    page.locator("#next").click()
    told = set()
    for number, amount in enumerate(given, start=2):
        decide(page, amount)
        wait_for_period(page, number)
        expect(page.locator("#contribution")).to_be_enabled()
        view = heard.views[-1]
        assert view["period"] == number - 1
        points = between(view, falls_on)
        # what is drawn is what one got
        got = view["last"]["components"]["sanctions"]
        assert sum(to_me for to_me, _ in points.values()) == pytest.approx(got)
        pairs = [
            f"you through Player {other + 1} {signed(to_me)}, "
            f"Player {other + 1} through you {signed(mine)}"
            for other, (to_me, mine) in points.items()
        ]
        expect(page.locator(".net")).to_have_attribute(
            "aria-label", f"Last period: {'; '.join(pairs)}."
        )
        rows = page.locator(".net-stage .mc-seats:not(.net-trust) tbody tr")
        expect(rows).to_have_count(len(points))
        for row, (other, (to_me, mine)) in zip(rows.all(), points.items(), strict=True):
            assert row.locator("th").inner_text().endswith(f"Player {other + 1}")
            assert row.locator("td").all_inner_texts() == [signed(to_me), signed(mine)]
        visible = [value for pair in points.values() for value in pair if abs(value) >= 5e-4]
        strong = [each for each in visible if abs(each) >= 1e-3 * max(map(abs, visible))]
        for kind, sign in (("takes", -1), ("gives", 1)):
            count = sum(1 for value in strong if sign * value > 0)
            expect(page.locator(f".net path.net-arrow.net-{kind}")).to_have_count(count)
            expect(page.locator(f".net circle.net-sign.net-{kind}")).to_have_count(count)
        told |= {signed(value)[0] for value in visible}
        trust(page, view)
        players(page, view, falls_on)
    assert told == {"+", MINUS}  # both were seen
    assert wrong_numbers(server, session) == []


def trust(page: Page, view: dict[str, Any]) -> None:
    """Row trusts column, in percent."""
    rows = page.locator(".net-trust tbody tr")
    expect(rows).to_have_count(len(view["seats"]))
    for i, row in enumerate(rows.all()):
        values = view["observation"]["trust"][i]
        assert row.locator("td").all_inner_texts() == [
            DASH if i == j else f"{100 * value:.0f}" for j, value in enumerate(values)
        ]


def players(page: Page, view: dict[str, Any], falls_on: str) -> None:
    """What each gave and what is remembered of each; and what is remembered of oneself, large."""
    seen = view["observation"]
    for seat, row in enumerate(page.locator("#ledger table.mc-seats tbody tr").all()):
        assert row.locator("td").all_inner_texts() == [
            shown(seen["contribution"][seat]),
            shown(seen["memory_averages"][seat]),
        ]
    [own] = [each["seat"] for each in view["seats"] if each["you"]]
    if view["period"] == 1 and falls_on == "observer":  # of the periods before, and there is none
        expect(page.locator(".net-memory strong")).to_have_text("nothing yet")
        return
    average, given = seen["memory_averages"][own], seen["contribution"][own]
    expect(page.locator(".net-memory strong")).to_have_text(shown(average))
    below = average < seen["baseline"][own] if falls_on == "deviator" else given < average
    expect(page.locator(".net-memory")).to_have_attribute("data-below", str(below).lower())


def test_before_the_first_period_is_over_nothing_is_shown_as_if_it_had_been(
    server: Server, browser: Browser
) -> None:
    session = server.session("sanctions", 1, quiz=False, periods=2, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    wait_for_period(page, 1)
    expect(page.locator(".net-memory strong")).to_have_text("nothing yet")
    expect(page.locator(".net-expected")).to_have_text("expected: 10")
    cells = page.locator(".net-stage .mc-seats:not(.net-trust) td")
    assert cells.all_inner_texts() == [DASH] * 6
    assert page.locator("#ledger table.mc-seats td").all_inner_texts() == [DASH] * 8
    expect(page.locator(".net path.net-arrow")).to_have_count(0)
    values = [each for each in page.locator(".net-trust td").all_inner_texts() if each != DASH]
    assert values == ["50"] * 12


def test_before_the_first_period_is_over_the_network_has_no_numbers_in_words(
    server: Server, browser: Browser
) -> None:
    session = server.session("sanctions", 1, quiz=False, periods=2, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    wait_for_period(page, 1)
    said = page.locator(".net").get_attribute("aria-label")
    assert said is not None
    assert not re.search(r"through Player \d+ 0\b", said)


# -- the end --------------------------------------------------------------------------------------


def test_who_gave_nothing_is_told_what_was_taken_and_why(server: Server, browser: Browser) -> None:
    session = server.session(
        "sanctions", 1, quiz=False, periods=4, bot_delay="instant", bots="baseline_keeper"
    )
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
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
    expect(page.locator(".mc-huge strong")).to_have_text("90.06")
    expect(page.locator("#past .mc-chart")).to_be_visible()
    pairs = table(server, "pairs", session)
    assert pairs["after_reciprocity_effects"].sum() == pytest.approx(-37.943, abs=0.001)


def test_who_sits_with_free_riders_sees_what_others_cost_where_the_observer_pays(
    server: Server, browser: Browser
) -> None:
    """By `deviation` who always gives 0 is never sanctioned; who stops giving costs the others."""
    session = server.session(
        "sanctions_tr4", 1, quiz=False, periods=3, bot_delay="instant", bots="free_rider"
    )
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
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


def test_a_contribution_out_of_range_cannot_be_confirmed(server: Server, browser: Browser) -> None:
    session = server.session("sanctions", 1, quiz=False, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    page.locator("#next").click()
    expect(page.locator("#contribution")).to_be_enabled()
    for wrong in ("20.5", "-1"):
        page.locator("#contribution").fill(wrong)
        expect(page.locator("#confirm")).to_be_disabled()
        expect(page.locator("#problem")).to_have_text("Please enter a number from 0 to 20.")
    page.locator("#contribution").fill("7.5")
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator("#effect")).to_have_text(
        "You keep 12.5 points. Then 7.5 would be remembered of you on average."
    )

"""Gem mining in a real Chromium: four people, one and bots, keyboard alone, a phone, what the map
shows and says, what stands at the end."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocket, expect

import engine
from engine.games.gem_mining import of_state
from engine.solutions.gem_mining import pareto_set
from gem_mining import words
from server.pages.texts import exact, number
from tests.door.audit import table, wrong_numbers
from tests.door.harness import Server
from tests.door.pages import (
    PHONE,
    answer_by_keyboard,
    assert_no_sideways_scrolling,
    page_has_no_broken_number,
    read,
    read_by_keyboard,
    tab_to,
    window,
)

pytestmark = [pytest.mark.door]

NBSP = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"
AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}
ANSWERS = {
    "whose": "Every village, the same",
    "together": "At most 1",
    "bonus": "20.6 %",  # 20 % * 1.03
    "chances": "They stay the same",
    "loss": "They stay as they are",
    "end": "After period 20, whatever is found",
    "pay": "€2.50",  # 2 points at 0.25, and the fee
    "when": "All at the same time",
}
PAID = {"gems": "€2.50", "gems_three_kinds": "€2.20", "gems_published": "€3.00"}
"""2 points at 0.25, 2 at 0.10, 20 at 0.05, and the fee of 2.00."""


def wait_for_period(page: Page, period: int) -> None:
    """Until this period (from 1) can be decided in."""
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {period} of"))
    expect(page.locator("#controls fieldset")).to_be_enabled()


def begun(server: Server, browser: Browser, config: str, **changes: Any) -> tuple[Any, Page]:
    """A session of one person, who is in the first period; a desktop window."""
    session = server.session(config, 1, **{**AT_ONCE, **changes})
    page = window(browser, session["session_wide_url"])
    read(page)
    wait_for_period(page, 1)
    return session, page


def radio(page: Page, mine: int) -> Locator:
    return page.locator(f"input[name=mine][value='{mine}']")


def offered(page: Page) -> list[int]:
    """The mines on the card."""
    return [int(each.get_attribute("value") or "") for each in page.locator("[name=mine]").all()]


def send(page: Page, mine: int) -> None:
    radio(page, mine).check()
    page.locator("#confirm").click()


def leave(page: Page) -> None:
    expect(page.locator("#leave")).to_be_visible()
    page.locator("#leave").click()
    expect(page.locator("h1")).to_have_text("Results")


def purse(page: Page) -> list[int]:
    return [int(each) for each in page.locator(".gems-purse li strong").all_inner_texts()]


def code_of(page: Page) -> str:
    return page.url.split("/p/")[1].split("/")[0]


def weights(kinds: int) -> list[float]:
    """What a gem of each kind is worth in the sessions of three kinds, and in all others."""
    return [1.0, 2.0, 5.0] if kinds == 3 else [1.0] * kinds


LONGER = [
    pytest.param(config, marks=pytest.mark.long)
    for config in ("gems_three_kinds", "gems_published")
]


def columns(row: pd.Series, prefix: str) -> list[Any]:
    """The places of an array of one dimension."""
    return [row[name] for name in row.index if re.fullmatch(rf"{prefix}_\d+", name)]


# -- whole plays ----------------------------------------------------------------------------------


@pytest.mark.long
def test_four_people_play_a_whole_game_and_one_of_them_reloads(
    server: Server, browser: Browser
) -> None:
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
        own = decisions[decisions["participant"] == code].sort_values("period")
        assert own["used_mine"].tolist() == went[code]
    outcomes = table(server, "outcomes", session)
    assert outcomes["status"].tolist() == ["finished"] * 4
    assert outcomes["points"].tolist() == [sum(columns(last, "after_purse"))] * 4


def reloads(page: Page, period: int) -> None:
    """All is shown again as it was."""
    expect(page.locator("#state")).to_have_text("Connected")
    shown = ("#ledger", ".gems-purse", "#controls", "#past")
    before = [page.locator(each).inner_text() for each in shown]
    said = page.locator(".gems-map").get_attribute("aria-label")
    page.reload()
    wait_for_period(page, period)
    for each, was in zip(shown, before, strict=True):
        expect(page.locator(each)).to_have_text(was, use_inner_text=True)
    expect(page.locator(".gems-map")).to_have_attribute("aria-label", said or "")
    expect(page.locator(".gems-map .gems-way")).to_have_count(4)
    expect(page.locator("#past .mc-chart rect")).to_have_count(period - 1)


def test_one_person_and_three_bots_play_to_the_end_by_keyboard_alone(
    server: Server, browser: Browser
) -> None:
    """Radios by Tab and arrows; Enter on a radio confirms, and so does the button.

    Nothing is chosen for a person, and Enter alone confirms nothing.
    """
    session = server.session("gems", 1, periods=4, bot_delay="instant")
    page = window(browser, session["session_wide_url"])
    read_by_keyboard(page)
    expect(page.locator("#check")).to_be_visible()
    answer_by_keyboard(page, ANSWERS)
    went = []
    for period in range(1, 5):
        wait_for_period(page, period)
        expect(page.locator("[name=mine]:checked")).to_have_count(0)  # no choice is kept
        expect(page.locator(".gems-mine[data-chosen=true]")).to_have_count(0)
        expect(page.locator("#effect")).to_have_text("")
        mines = offered(page)
        tab_to(page, "input[name=mine]")
        if period == 1:
            stays_loaded(page)
            page.keyboard.press("Enter")
        expect(page.locator("#confirm")).to_be_disabled()
        steps = period % len(mines)
        for _ in range(steps):  # the first is focused, and not chosen yet
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
    own = decisions[decisions["occupant"] == "person"].sort_values("period")
    assert own["used_mine"].tolist() == went
    assert own["decided_by"].tolist() == ["person"] * 4
    assert set(decisions[decisions["occupant"] == "policy"]["policy_id"]) == {
        "thompson_sampling",
        "epsilon_greedy",
        "avoid_crowd",
    }
    assert table(server, "outcomes", session)["quiz_attempts"].tolist() == [1]
    assert wrong_numbers(server, session) == []


def stays_loaded(page: Page) -> None:
    """From here on the page must not be handed in or loaded anew."""
    page.evaluate("() => { window.stillLoaded = true; }")


def assert_still_loaded(page: Page) -> None:
    assert page.evaluate("() => window.stillLoaded === true"), "the page was loaded anew"
    expect(page.locator(".otree-form-errors")).to_have_count(0)


# -- a phone --------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("config", ["gems", "gems_three_kinds", "gems_published"])
def test_a_play_on_a_phone(server: Server, browser: Browser, config: str) -> None:
    session = server.session(config, 1, periods=3, bot_delay="instant")
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    read(page)
    expect(page.locator("#check")).to_be_visible()
    assert_no_sideways_scrolling(page)
    here = {"end": "After period 3, whatever is found", "pay": PAID[config]}
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
        for each in page.locator("[name=mine]").all():
            expect(each).to_be_in_viewport(ratio=1)
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
    own = decisions[decisions["occupant"] == "person"].sort_values("period")
    assert own["used_mine"].tolist() == went
    assert wrong_numbers(server, session) == []


def assert_own_village_is_seen(page: Page) -> None:
    """The map is scrolled to it, it is on the screen, and nothing lies over it."""
    own, frame = (
        page.locator(each).bounding_box()
        for each in (".gems-village[data-you=true]", ".gems-scroll")
    )
    assert own is not None
    assert frame is not None
    assert frame["x"] - 1 <= own["x"]
    assert own["x"] + own["width"] <= frame["x"] + frame["width"] + 1
    assert page.evaluate(
        "() => { const house = document.querySelector('.gems-village[data-you=true] .gems-house');"
        " const box = house.getBoundingClientRect();"
        " const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
        " return top !== null && house.parentNode.contains(top); }"
    ), "the own village is out of sight or covered"


@pytest.mark.long
def test_on_a_phone_a_mine_of_a_wide_map_can_be_tapped_and_the_map_stays_where_it_is(
    server: Server, browser: Browser
) -> None:
    session = server.session("gems_published", 1, **AT_ONCE, periods=2)
    page = window(browser, session["session_wide_url"], **PHONE)
    read(page)
    wait_for_period(page, 1)
    mines = offered(page)
    place = page.evaluate("() => document.querySelector('.gems-scroll').scrollLeft")
    page.locator(f".gems-mine[data-mine='{mines[0]}'] .gems-letter").tap()
    expect(radio(page, mines[0])).to_be_checked()
    page.locator("#confirm").tap()
    wait_for_period(page, 2)
    assert page.evaluate("() => document.querySelector('.gems-scroll').scrollLeft") == place
    assert_own_village_is_seen(page)


# -- the map --------------------------------------------------------------------------------------


def chosen_on_map(page: Page) -> list[int]:
    found = page.locator(".gems-mine[data-chosen=true]").all()
    return [int(each.get_attribute("data-mine") or "") for each in found]


@pytest.mark.long
@pytest.mark.parametrize("config", ["gems", *LONGER])
def test_a_click_on_a_mine_in_reach_chooses_it_and_one_out_of_reach_does_nothing(
    server: Server, browser: Browser, config: str
) -> None:
    session, page = begun(server, browser, config, periods=1, disclosure="labels")
    bots = len(page.locator(".gems-people tbody tr").all()) - 1
    expect(page.locator(".gems-people .mc-tag", has_text="bot")).to_have_count(bots)
    mines = offered(page)
    letters = page.locator(".gems-letter").all_text_contents()
    assert [f"Mine {each}" for each in letters] == list(map(words.mine, range(len(letters))))
    total = page.locator(".gems-mine").count()
    opened = page.locator(".gems-mine[data-open=true]").all()
    assert [int(each.get_attribute("data-mine") or "") for each in opened] == mines
    others = [mine for mine in range(total) if mine not in mines]
    for mine in others:
        page.locator(f".gems-mine[data-mine='{mine}'] .gems-letter").click()
    assert chosen_on_map(page) == []
    expect(page.locator("[name=mine]:checked")).to_have_count(0)
    expect(page.locator("#confirm")).to_be_disabled()
    for mine in (*mines, mines[0]):
        page.locator(f".gems-mine[data-mine='{mine}'] .gems-letter").click()
        expect(radio(page, mine)).to_be_checked()
        assert chosen_on_map(page) == [mine]
        expect(page.locator(".gems-road-chosen")).to_have_count(1)
        expect(page.locator("#effect")).to_contain_text(words.mine(mine))
        expect(page.locator("#confirm")).to_be_enabled()
    if others:
        page.locator(f".gems-mine[data-mine='{others[0]}'] .gems-letter").click()
    assert chosen_on_map(page) == [mines[0]]
    radio(page, mines[1]).check()  # the card is the same choice
    assert chosen_on_map(page) == [mines[1]]
    page.locator("#confirm").click()
    leave(page)
    decisions = table(server, "decisions", session)
    assert decisions[decisions["occupant"] == "person"]["used_mine"].tolist() == [mines[1]]


@pytest.mark.long
def test_the_map_is_closed_while_one_waits_for_the_others(server: Server, browser: Browser) -> None:
    session = server.session("gems", 2, **AT_ONCE, people_per_group=2, periods=2)
    pages = [window(browser, session["session_wide_url"]) for _ in range(2)]
    for page in pages:
        read(page)
    for page in pages:
        wait_for_period(page, 1)
    first, other = pages
    mines, theirs = offered(first), offered(other)
    radio(other, theirs[1]).check()
    send(first, mines[0])
    expect(first.locator("#waiting")).to_contain_text("one other player")
    first.locator(f".gems-mine[data-mine='{mines[1]}'] .gems-letter").click()
    expect(radio(first, mines[0])).to_be_checked()
    assert chosen_on_map(first) == [mines[0]]
    expect(radio(other, theirs[1])).to_be_checked()  # what others do leaves one's choice alone
    assert chosen_on_map(other) == [theirs[1]]
    other.locator("#confirm").click()
    wait_for_period(first, 2)
    assert chosen_on_map(first) == []
    decisions = table(server, "decisions", session)
    for page, mine in ((first, mines[0]), (other, theirs[1])):
        own = decisions[decisions["participant"] == code_of(page)]
        assert own["used_mine"].tolist() == [mine]


# -- what is observed is what is shown and said ---------------------------------------------------


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


def heard_in(
    server: Server, browser: Browser, config: str, **changes: Any
) -> tuple[dict[str, Any], Page, Heard]:
    """The same as `begun`, and what the page received."""
    session = server.session(config, 1, **{**AT_ONCE, **changes})
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    read(page)
    wait_for_period(page, 1)
    return session, page, heard


def found_in(gems: list[float]) -> str:
    told = [words.gems(kind, int(count)) for kind, count in enumerate(gems) if count]
    return ", ".join(told) or "nothing"


def in_words(seat: int, seen: dict[str, Any]) -> str:
    """What the map should say: the mines in reach, and what was observed of the last period."""
    reach = ", ".join(words.mine(seat + offset) for offset in range(seen["reach"]))
    happened = []
    if "found" in seen:
        for mine, workers in enumerate(seen["workers_at"]):
            if workers:
                found = found_in(seen["found"][mine])
                happened.append(f"{words.mine(mine)}: workers {int(workers)}, found {found}")
    elif seen.get("own_mine", -1) >= 0:
        found = found_in(seen["own_found"])
        happened.append(f"you were at {words.mine(seen['own_mine'])} and found {found}")
    last = f" Last period: {'; '.join(happened)}." if happened else ""
    return f"You reach {reach}.{last}"


@pytest.mark.parametrize(
    ("config", "changes"),
    [
        pytest.param("gems", {}, marks=pytest.mark.long),
        pytest.param("gems", {"information": "own"}, marks=pytest.mark.long),
        pytest.param("gems", {"information": "none"}, marks=pytest.mark.long),
        pytest.param(
            "gems", {"information": "none", "known_probabilities": True}, marks=pytest.mark.long
        ),
        ("gems_three_kinds", {}),
        pytest.param("gems_published", {}, marks=pytest.mark.long),
    ],
)
def test_the_map_shows_and_says_what_is_observed_and_no_more(
    server: Server, browser: Browser, config: str, changes: dict[str, Any]
) -> None:
    session, page, heard = heard_in(server, browser, config, **changes, periods=3)
    seat = page.evaluate("() => window.js_vars.seat")
    for period in range(1, 4):
        wait_for_period(page, period)
        seen = heard.views[-1]["observation"]
        assert heard.views[-1]["period"] == period - 1
        expect(page.locator(".gems-map")).to_have_attribute("aria-label", in_words(seat, seen))
        map_shows(page, seat, seen)
        purse_shows(page, seen)
        ledger_tells(page, seat, seen, first=period == 1)
        page_has_no_broken_number(page)
        send(page, offered(page)[period % len(offered(page))])
    leave(page)
    assert wrong_numbers(server, session) == []


def map_shows(page: Page, seat: int, seen: dict[str, Any]) -> None:
    """Gems and workers in mines, roads, ways and workers of villages."""
    villages, mines = page.locator(".gems-village").count(), page.locator(".gems-mine").count()
    own = seen.get("own_mine", -1)
    for mine in range(mines):
        node = page.locator(f".gems-mine[data-mine='{mine}']")
        if "found" in seen:
            gems = sum(seen["found"][mine])
        else:
            gems = sum(seen["own_found"]) if own == mine else 0
        expect(node.locator(".gems-found")).to_have_count(int(gems))
        crew_shows(node, int(seen["workers_at"][mine]) if "workers_at" in seen else 0)
    ways = [each for each in seen.get("mines", [own]) if each >= 0]
    expect(page.locator(".gems-way-head")).to_have_count(len(ways))
    reached = sum(seen["reaches"]) if "reaches" in seen else seen["reach"]
    expect(page.locator(".gems-map > .gems-road-own")).to_have_count(seen["reach"])
    expect(page.locator(".gems-map > .gems-road")).to_have_count(int(reached - seen["reach"]))
    for village in range(villages):
        node = page.locator(".gems-village").nth(village)
        assert (node.get_attribute("data-you") == "true") == (village == seat)
        if "workforces" in seen:
            workers = seen["workforces"][village]
        else:
            workers = seen.get("workers", 0) if village == seat else 0
        crew_shows(node, int(workers))


def crew_shows(node: Locator, workers: int) -> None:
    """Figures, or one and a number."""
    many = node.locator(".gems-count")
    if workers > 5:
        expect(many).to_have_text(f"\N{MULTIPLICATION SIGN}{workers}")
        expect(node.locator(".gems-figure")).to_have_count(1)
    elif many.count():  # where there is little room
        expect(many).to_have_text(f"\N{MULTIPLICATION SIGN}{workers}")
    else:
        expect(node.locator(".gems-figure")).to_have_count(workers)


def purse_shows(page: Page, seen: dict[str, Any]) -> None:
    shown = page.locator(".gems-purse li strong").all_inner_texts()
    if "purse" not in seen:
        assert set(shown) == {"not shown"}
        expect(page.locator(".gems-worth")).to_have_text("")
        return
    assert shown == [str(int(count)) for count in seen["purse"]]
    names = page.locator(".gems-purse .gems-kind").all_inner_texts()
    assert [f"{count} {name}" for count, name in zip(shown, names, strict=True)] == [
        words.gems(kind, int(count)) for kind, count in enumerate(shown)
    ]
    worth = number(float(np.dot(seen["purse"], weights(len(seen["purse"])))), 2)
    expect(page.locator(".gems-worth")).to_have_text(worth)
    each = [exact(own) for own in weights(len(seen["purse"]))]
    told = ["1 point each" if own == "1" else f"{own} points each" for own in each]
    expect(page.locator(".gems-purse .gems-each")).to_have_text(told if len(set(each)) > 1 else [])


def ledger_tells(page: Page, seat: int, seen: dict[str, Any], first: bool) -> None:
    """Where each village went, and with how many workers if they are shown."""
    rows = page.locator(".gems-people tbody tr")
    for village, row in enumerate(rows.all()):
        *workers, went = row.locator("td").all_inner_texts()
        if "workforces" in seen:
            assert workers == [str(int(seen["workforces"][village]))]
        else:
            assert workers == []
        if first:
            assert went == DASH
        elif "mines" in seen:
            assert went == words.mine(int(seen["mines"][village]))
        elif village == seat and "own_mine" in seen:
            assert went == words.mine(seen["own_mine"])
        else:
            assert went == "not shown"


@pytest.mark.long
@pytest.mark.parametrize("information", ["own", "all"])
def test_the_card_and_the_ledger_count_what_was_seen_of_each_mine_in_reach(
    server: Server, browser: Browser, information: str
) -> None:
    session, page = begun(server, browser, "gems", periods=7, information=information)
    for note in page.locator(".gems-option .mc-quiet").all_inner_texts():
        assert note == "not mined yet"
    for period in range(1, 7):
        wait_for_period(page, period)
        send(page, offered(page)[period % 2])
    wait_for_period(page, 7)
    periods = table(server, "periods", session)
    assert len(periods) == 6
    decisions = table(server, "decisions", session)
    own = decisions[decisions["occupant"] == "person"].sort_values("period")["used_mine"].to_numpy()
    rows = page.locator("#ledger table.mc-seats").first.locator("tbody tr").all()
    notes = page.locator(".gems-option .mc-quiet").all_inner_texts()
    for mine, row, note in zip(offered(page), rows, notes, strict=True):
        known = periods[f"after_workers_at_{mine}"] > 0 if information == "all" else own == mine
        gems = [int(periods.loc[known, f"after_found_{mine}_{kind}"].sum()) for kind in (0, 1)]
        times = int(known.sum())
        expect(row.locator("th")).to_have_text(words.mine(mine))
        cells = row.locator("td").all_inner_texts()
        assert [cell.split()[0] for cell in cells] == [str(each) for each in (times, *gems)]
        many = "1 period" if times == 1 else f"{times} periods"
        assert note == (f"{many}: {found_in(gems)}" if times else "not mined yet")


@pytest.mark.long
def test_where_nothing_is_seen_the_card_names_mines_and_nothing_else(
    server: Server, browser: Browser
) -> None:
    _, page = begun(server, browser, "gems", periods=3, information="none")
    for period in (1, 2, 3):
        wait_for_period(page, period)
        named = [words.mine(mine) for mine in offered(page)]
        assert page.locator(".gems-option").all_inner_texts() == named
        radio(page, offered(page)[0]).check()
        expect(page.locator("#effect")).to_have_text(f"Your workers go to {named[0]}.")
        expect(page.locator("#ledger")).not_to_contain_text("Mines in reach")
        page.locator("#confirm").click()


@pytest.mark.long
def test_where_chances_are_known_the_card_tells_them_of_ones_own_workers(
    server: Server, browser: Browser
) -> None:
    _, page, heard = heard_in(server, browser, "gems_three_kinds", periods=2, truncation=0.25)
    seen = heard.views[-1]["observation"]
    workers = int(seen["workers"])
    bonus = engine.make("gem_mining", archetype="lab_0_7").core.worker_bonus
    options = page.locator(".gems-option .mc-quiet").all_inner_texts()

    def told(mine: int, count: int) -> str:
        chances = [min(0.25, p * bonus ** (count - 1)) for p in seen["base_probabilities"][mine]]
        return ", ".join(f"{number(100 * p)}{NBSP}% {words.kind(k)}" for k, p in enumerate(chances))

    for mine, option in zip(offered(page), options, strict=True):
        assert option == told(mine, workers)
        radio(page, mine).check()
        sent = "Your worker goes" if workers == 1 else f"Your {workers} workers go"
        expect(page.locator("#effect")).to_have_text(
            f"{sent} to {words.mine(mine)}. With your workers alone there: {told(mine, workers)}."
        )


@pytest.mark.long
def test_bots_are_marked_where_the_session_says_that_they_are(
    server: Server, browser: Browser
) -> None:
    for disclosure, marked in (("labels", 3), ("none", 0)):
        _, page = begun(server, browser, "gems", disclosure=disclosure)
        expect(page.locator(".gems-people tbody tr")).to_have_count(4)
        expect(page.locator(".gems-people .mc-tag", has_text="bot")).to_have_count(marked)
        page.close()


# -- the end --------------------------------------------------------------------------------------


def results_tell_the_export(page: Page, periods: pd.DataFrame) -> None:
    """The bar and the efficiency of the team, in all and period by period, as the export has it."""
    expected, best = periods["expected_points"].sum(), periods["best_expected_points"].sum()
    expect(page.locator("main")).to_contain_text(
        f"your team came to {number(100 * expected / best)} % of the best it could have done."
    )
    found = columns(periods.iloc[-1], "after_purse")
    bar = [np.dot(found, weights(len(found))), expected, best]
    expect(page.locator(".gems-bar li strong")).to_have_text([drawn(float(each)) for each in bar])
    gems = words.listed(words.gems(kind, int(count)) for kind, count in enumerate(found))
    worth = round(float(np.dot(found, weights(len(found)))), 2)
    expect(page.locator("main")).to_contain_text(
        f"Your team found {gems}, worth {number(worth, 2)} point{'s' if worth != 1 else ''} to "
        "every village."
    )
    box = page.locator(".mc-scroll[aria-label='Period by period'] tbody tr")
    expect(box).to_have_count(len(periods))
    for row, (_, whole) in zip(box.all(), periods.iterrows(), strict=True):
        expect(row.locator("th")).to_have_text(str(whole["period"] + 1))
        _, *cells = row.locator("td").all_inner_texts()
        assert cells == [
            *map(str, columns(whole, "after_gems")),
            number(whole["expected_points"], 2),
            number(100 * whole["efficiency"]),
        ]


def front_is_drawn(page: Page, server: Server, session: dict[str, Any]) -> None:
    """Of each pair of kinds a picture with its table: the team, the best, what was found, and the
    front as the solution has it."""
    periods = table(server, "periods", session)
    [config] = table(server, "config", session).to_dict("records")
    play = engine.Episode(engine.make(json.loads(config["config"])), int(config["seed"]))
    told = of_state(play.game.core, play.state_record())
    kinds = play.game.core.gem_types
    page.locator(".gems-fold > summary").click()
    figures = page.locator(".gems-end")
    expect(figures).to_have_count(kinds - 1)
    for first, figure in enumerate(figures.all()):
        two = [first, first + 1]
        expected = [periods[f"expected_gems_{kind}"].mean() for kind in two]
        gems = [periods[f"after_gems_{kind}"].mean() for kind in two]
        picture, rows = figure.locator("svg.gems-front"), figure.locator("tbody tr")
        expect(picture.locator(".gems-mark")).to_have_count(3)
        expect(picture.locator(".gems-turn")).to_have_count(len(periods))
        expect(picture).to_have_attribute("role", "img")
        label = picture.get_attribute("aria-label") or ""
        names = [words.kinds()[kind][1] for kind in two]
        team = ", ".join(f"{drawn(x)} {name}" for x, name in zip(expected, names, strict=True))
        assert label.startswith(f"Your team, on average: {team}. The best for your points: ")
        figure.locator("details").evaluate("(node) => { node.open = true; }")
        heads = figure.locator("thead th").all_inner_texts()
        assert heads == names
        cells = [row.locator("td").all_inner_texts() for row in rows.all()]
        assert cells[0] == [drawn(x) for x in expected]
        assert cells[2] == [drawn(x) for x in gems]
        if kinds == 2:
            front = [each.rewards for each in pareto_set(told)]
            expect(picture.locator(".gems-best")).to_have_count(len(front))
            assert cells[3:] == [[drawn(x) for x in each] for each in reversed(front)]
    page_has_no_broken_number(page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("config", "villages", "fronts"), [("gems_three_kinds", 2, 2), ("gems_published", 20, 1)]
)
def test_two_villages_and_twenty_are_played_to_the_end(
    server: Server, browser: Browser, config: str, villages: int, fronts: int
) -> None:
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
    rows = page.locator(".mc-scroll[aria-label='The best joint choice'] tbody tr")
    expect(rows).to_have_count(villages)
    expect(rows.locator("th", has_text="(you)")).to_have_count(1)
    assert wrong_numbers(server, session) == []


def assert_no_overlap_of_villages(page: Page) -> None:
    """A house is 40 wide."""
    left = [(each.bounding_box() or {"x": 0})["x"] for each in page.locator(".gems-house").all()]
    assert min(np.diff(left)) > 40


def drawn(value: float) -> str:
    """A number as a browser has it: a tie goes up, where Python goes to the even digit."""
    return number(value + 1e-9, 2)


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
def test_odd_games_have_an_end_without_a_broken_number(
    server: Server, browser: Browser, changes: dict[str, Any]
) -> None:
    session, page = begun(server, browser, "gems", periods=2, bots="random", **changes)
    for period in (1, 2):
        wait_for_period(page, period)
        page_has_no_broken_number(page)
        send(page, offered(page)[0])
    page_has_no_broken_number(page)
    leave(page)
    far = changes.get("seats", 0) > 2  # too far to search for the best
    if not far and changes.get("gem_types", 2) > 1:
        page.locator(".gems-fold > summary").click()
    expect(page.locator(".gems-end")).to_have_count(0 if far else changes.get("gem_types", 2) - 1)
    expect(page.locator("#past .mc-chart")).to_be_visible()
    page_has_no_broken_number(page)
    assert wrong_numbers(server, session) == []

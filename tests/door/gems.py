"""Helpers for tests of the gem mining pages."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from gem_mining import words
from mixed_company import engine
from mixed_company.engine.games.gem_mining import of_state
from mixed_company.engine.solutions.gem_mining import pareto_set
from mixed_company.server.pages.texts import exact, number
from tests.door.audit import table
from tests.door.harness import Server
from tests.door.pages import Heard, page_has_no_broken_number, read, window

NBSP = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"
AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}
LONGER = [
    pytest.param(config, marks=pytest.mark.long)
    for config in ("gems_three_kinds", "gems_published")
]


def wait_for_period(page: Page, period: int) -> None:
    """Wait until this period (counted from 1) is open for decisions."""
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {period} of"))
    expect(page.locator("#controls fieldset")).to_be_enabled()


def begun(server: Server, browser: Browser, config: str, **changes: Any) -> tuple[Any, Page]:
    """Create a session with one person, and open its first period in a desktop window."""
    session = server.session(config, 1, **{**AT_ONCE, **changes})
    page = window(browser, session["session_wide_url"])
    read(page)
    wait_for_period(page, 1)
    return session, page


def radio(page: Page, mine: int) -> Locator:
    return page.locator(f"input[name=mine][value='{mine}']")


def offered(page: Page) -> list[int]:
    """Return the mines on the card."""
    return [
        int(option.get_attribute("value") or "") for option in page.locator("[name=mine]").all()
    ]


def send(page: Page, mine: int) -> None:
    radio(page, mine).check()
    page.locator("#confirm").click()


def leave(page: Page) -> None:
    expect(page.locator("#leave")).to_be_visible()
    page.locator("#leave").click()
    expect(page.locator("h1")).to_have_text("Results")


def purse(page: Page) -> list[int]:
    return [int(count) for count in page.locator(".gems-purse li strong").all_inner_texts()]


def code_of(page: Page) -> str:
    return page.url.split("/p/")[1].split("/")[0]


def weights(kinds: int) -> list[float]:
    """Return the points per gem of each kind: 1, 2 and 5 if there are three kinds, otherwise 1."""
    return [1.0, 2.0, 5.0] if kinds == 3 else [1.0] * kinds


def columns(row: pd.Series, prefix: str) -> list[Any]:
    """Return the columns of a one-dimensional array."""
    return [row[name] for name in row.index if re.fullmatch(rf"{prefix}_\d+", name)]


def heard_in(
    server: Server, browser: Browser, config: str, **changes: Any
) -> tuple[dict[str, Any], Page, Heard]:
    """Create and open a session as `begun` does, and also return the received views."""
    session = server.session(config, 1, **{**AT_ONCE, **changes})
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    read(page)
    wait_for_period(page, 1)
    return session, page, heard


def found_in(gems: list[float]) -> str:
    parts = [words.gems(kind, int(count)) for kind, count in enumerate(gems) if count]
    return ", ".join(parts) or "nothing"


def in_words(seat: int, seen: dict[str, Any]) -> str:
    """Return the expected label of the map: mines within reach, and observations of the last
    period.
    """
    reach = ", ".join(words.mine(seat + offset) for offset in range(seen["reach"]))
    happened = []
    if "found" in seen:
        for mine, workers in enumerate(seen["workers_at"]):
            if workers:
                finds = found_in(seen["found"][mine])
                happened.append(f"{words.mine(mine)}: workers {int(workers)}, found {finds}")
    elif seen.get("own_mine", -1) >= 0:
        finds = found_in(seen["own_found"])
        happened.append(f"you were at {words.mine(seen['own_mine'])} and found {finds}")
    last = f" Previous period: {'; '.join(happened)}." if happened else ""
    return f"You can reach {reach}.{last}"


def shows_what_is_observed(page: Page, heard: Heard, period: int) -> None:
    """Check that the map, the purse and the ledger show exactly what was observed."""
    seat, seen = page.evaluate("() => window.js_vars.seat"), heard.last["observation"]
    assert heard.last["period"] == period - 1
    expect(page.locator(".gems-map")).to_have_attribute("aria-label", in_words(seat, seen))
    map_shows(page, seat, seen)
    purse_shows(page, seen)
    ledger_tells(page, seat, seen, first=period == 1)
    page_has_no_broken_number(page)


def map_shows(page: Page, seat: int, seen: dict[str, Any]) -> None:
    """Check the gems and workers in the mines, the roads, and the villages' workers."""
    villages, mines = page.locator(".gems-village").count(), page.locator(".gems-mine").count()
    own_mine = seen.get("own_mine", -1)
    for mine in range(mines):
        node = page.locator(f".gems-mine[data-mine='{mine}']")
        if "found" in seen:
            gems = sum(seen["found"][mine])
        else:
            gems = sum(seen["own_found"]) if own_mine == mine else 0
        expect(node.locator(".gems-found")).to_have_count(int(gems))
        crew_shows(node, int(seen["workers_at"][mine]) if "workers_at" in seen else 0)
    ways = [mine_index for mine_index in seen.get("mines", [own_mine]) if mine_index >= 0]
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
    """Check that workers are drawn as figures, or as one figure and a number."""
    many = node.locator(".gems-count")
    if workers > 5:
        expect(many).to_have_text(f"\N{MULTIPLICATION SIGN}{workers}")
        expect(node.locator(".gems-figure")).to_have_count(1)
    elif many.count():  # if space is limited
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
    worths = [exact(weight) for weight in weights(len(seen["purse"]))]
    labels = ["1 point each" if text == "1" else f"{text} points each" for text in worths]
    expected = labels if len(set(worths)) > 1 else []
    expect(page.locator(".gems-purse .gems-each")).to_have_text(expected)


def ledger_tells(page: Page, seat: int, seen: dict[str, Any], first: bool) -> None:
    """Check each village's last mine, and its number of workers if it is shown."""
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


def results_tell_the_export(page: Page, periods: pd.DataFrame) -> None:
    """Check that the bar and the team's efficiency match the export, in total and by period."""
    expected, best = periods["expected_points"].sum(), periods["best_expected_points"].sum()
    expect(page.locator("main")).to_contain_text(
        f"your team could expect {number(100 * expected / best)}% of the best possible result."
    )
    gem_counts = columns(periods.iloc[-1], "after_purse")
    bar = [np.dot(gem_counts, weights(len(gem_counts))), expected, best]
    expect(page.locator(".gems-bar li strong")).to_have_text([drawn(float(value)) for value in bar])
    gems = words.listed(words.gems(kind, int(count)) for kind, count in enumerate(gem_counts))
    worth = round(float(np.dot(gem_counts, weights(len(gem_counts)))), 2)
    expect(page.locator("main")).to_contain_text(
        f"Your team found {gems}, worth {number(worth, 2)} point{'s' if worth != 1 else ''} to "
        "every village."
    )
    box = page.locator(".mc-scroll[aria-label='Period by period'] tbody tr")
    expect(box).to_have_count(len(periods))
    for row, (_, whole) in zip(box.all(), periods.iterrows(), strict=True):
        expect(row.locator("th")).to_have_text(str(whole["period"] + 1))
        _, *cells = row.locator("td").all_text_contents()
        assert cells == [
            *map(str, columns(whole, "after_gems")),
            number(whole["expected_points"], 2),
            number(100 * whole["efficiency"]),
        ]


def front_is_drawn(page: Page, server: Server, session: dict[str, Any]) -> None:
    """Check the picture and table of each pair of kinds: team, best, finds, and the exact front."""
    periods = table(server, "periods", session)
    [config] = table(server, "config", session).to_dict("records")
    play = engine.Episode(engine.make(json.loads(config["config"])), int(config["seed"]))
    instance = of_state(play.game.core, play.state_record())
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
        assert label.startswith(f"Your team, on average: {team}. What earns you the most points: ")
        figure.locator("details").evaluate("(node) => { node.open = true; }")
        heads = figure.locator("thead th").all_inner_texts()
        assert heads == names
        cells = [row.locator("td").all_inner_texts() for row in rows.all()]
        assert cells[0] == [drawn(x) for x in expected]
        assert cells[2] == [drawn(x) for x in gems]
        if kinds == 2:
            front = [point.rewards for point in pareto_set(instance)]
            expect(picture.locator(".gems-best")).to_have_count(len(front))
            assert cells[3:] == [[drawn(x) for x in point] for point in reversed(front)]
    page_has_no_broken_number(page)


def drawn(value: float) -> str:
    """Format a number as a browser does, with ties rounded up; Python rounds them to even."""
    return number(value + 1e-9, 2)


def assert_own_village_is_seen(page: Page) -> None:
    """Check that the map is scrolled to the person's village and that nothing covers it."""
    village, frame = (
        page.locator(selector).bounding_box()
        for selector in (".gems-village[data-you=true]", ".gems-scroll")
    )
    assert village is not None
    assert frame is not None
    assert frame["x"] - 1 <= village["x"]
    assert village["x"] + village["width"] <= frame["x"] + frame["width"] + 1
    assert page.evaluate(
        "() => { const house = document.querySelector('.gems-village[data-you=true] .gems-house');"
        " const box = house.getBoundingClientRect();"
        " const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
        " return top !== null && house.parentNode.contains(top); }"
    ), "the person's village is out of sight or covered"

"""What the pages of gem mining show, for the tests that look at them."""

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
from tests.door.pages import (
    Heard,
    page_has_no_broken_number,
    read,
    window,
)

NBSP = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"
AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}
LONGER = [
    pytest.param(config, marks=pytest.mark.long)
    for config in ("gems_three_kinds", "gems_published")
]


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


def columns(row: pd.Series, prefix: str) -> list[Any]:
    """The places of an array of one dimension."""
    return [row[name] for name in row.index if re.fullmatch(rf"{prefix}_\d+", name)]


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


def shows_what_is_observed(page: Page, heard: Heard, period: int) -> None:
    """Check that map, purse and ledger show and say what was observed, and no more."""
    seat, seen = page.evaluate("() => window.js_vars.seat"), heard.last["observation"]
    assert heard.last["period"] == period - 1
    expect(page.locator(".gems-map")).to_have_attribute("aria-label", in_words(seat, seen))
    map_shows(page, seat, seen)
    purse_shows(page, seen)
    ledger_tells(page, seat, seen, first=period == 1)
    page_has_no_broken_number(page)


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


def drawn(value: float) -> str:
    """A number as a browser has it: a tie goes up, where Python goes to the even digit."""
    return number(value + 1e-9, 2)


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

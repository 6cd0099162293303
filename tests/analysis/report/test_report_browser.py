"""The report in a browser: offline, with its replay, on a phone, and without JavaScript."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from mixed_company import analysis, engine
from mixed_company.analysis import report
from mixed_company.analysis.report import markup
from mixed_company.analysis.report.parts import Shown, Table
from tests.analysis.report.made import of_game, undrawn
from tests.analysis.test_treatments import session

GAMES = [
    pytest.param(game, marks=[] if game == "commons_game" else pytest.mark.long)
    for game in engine.game_ids()
]


SMALL = {"groups": 2, "periods": 2}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return a function that writes the report of a game on first use."""
    folder = tmp_path_factory.mktemp("reports")

    def address(game):
        file = folder / f"{game}.html"
        if not file.exists():
            file.write_text(of_game(game)["report.html"], encoding="utf-8")
        return file.as_uri()

    return address


def opened(browser: Browser, address: str, width: int = 1280, **how) -> tuple[Page, list[str]]:
    """Open the page without network access. Return it with the list of errors and blocked
    requests."""
    window = browser.new_page(viewport={"width": width, "height": 800}, **how)
    wrong: list[str] = []
    window.on("pageerror", lambda error: wrong.append(str(error)))
    window.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    window.on("dialog", lambda dialog: wrong.append(dialog.message))
    window.route("**/*", lambda route: route.continue_() if _own(route) else _refused(route, wrong))
    window.goto(address)
    return window, wrong


def _own(route) -> bool:
    return route.request.is_navigation_request() and route.request.url.startswith("file:")


def _refused(route, wrong) -> None:
    wrong.append(route.request.url)
    route.abort()


@pytest.mark.parametrize("game", GAMES)
def test_the_report_opens_and_plays_a_group_by_keyboard_without_network(browser, pages, game):
    window, wrong = opened(browser, pages(game))
    expect(window.locator("h1")).to_contain_text("Report")
    assert window.locator("iframe").count() == 0
    window.locator("button[data-replay]").first.focus()
    window.keyboard.press("Enter")
    play = window.frame_locator("iframe")
    expect(play.locator("#now")).to_have_text("Start")
    play.locator("#on").click()
    expect(play.locator("#now")).to_contain_text("Period 0")
    window.get_by_text("Close the replay").click()
    assert window.locator("iframe").count() == 0
    assert wrong == []
    window.close()


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_only_tables_and_figures_scroll(browser, pages, game):
    window, wrong = opened(browser, pages(game), width=360)
    assert window.evaluate("document.documentElement.scrollWidth") <= 360
    assert wrong == []
    window.close()


@pytest.mark.long
def test_the_first_screen_shows_the_test_without_scrolling_on_a_phone(browser, tmp_path):
    """Treatments have long names. With `commons_four_people, governance=..., pool_effect=...` a
    column once broke within words, and p was off the screen.
    """
    data = analysis.joined(
        session("one", "commons_four_people", growth_rate=0.3, max_harvest=5.0, **SMALL),
        session("other", "commons_four_people", growth_rate=0.5, max_harvest=6.0, **SMALL),
    )
    data = data.named({"rule=none": [data.treatments[0]], "rule=per_step": [data.treatments[1]]})
    file = tmp_path / "report.html"
    with undrawn():
        file.write_text(report.html(data), encoding="utf-8")
    for width in (1280, 360):
        window, _ = opened(browser, file.as_uri(), width=width)
        head = window.locator("header .beside")
        expect(head).to_contain_text("rule=none: commons_four_people, max_harvest=5.0")
        scrolled = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
        assert head.locator(".scroll").evaluate_all(scrolled) == 0
        if width == 1280:
            cell = head.locator('tr[data-column="p_corrected"]').bounding_box()
            assert cell["y"] + cell["height"] < 800
        window.close()


@pytest.mark.few(2)
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("shape", ["blocks", "upright"])
def test_many_long_values_of_a_hypothesis_need_no_scrolling(browser, width, shape):
    """The table has 20 columns with long names and long strings. The first screen shows it
    transposed."""
    texts = (
        "probability of superiority (governance=per_step over governance=none)",
        "0.8",
        "g" * 60,
    )
    values = {f"a_name_that_is_long_{number}": [texts[number % 3]] * 2 for number in range(20)}
    shown = Shown(Table("a", "A", pd.DataFrame(values), "a.function"), **{shape: True})
    style = Path(report.__file__).with_name("report.css").read_text("utf-8")
    window = browser.new_page(viewport={"width": width, "height": 800})
    window.set_content(f"<style>{style}</style>{markup.table(shown)}")
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    scrolled = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    assert window.locator(".scroll, td").evaluate_all(scrolled) == 0
    window.close()


def test_without_javascript_everything_but_the_groups_works(browser, pages):
    window, wrong = opened(browser, pages("commons_game"), java_script_enabled=False)
    expect(window.locator("svg.drawn").first).to_be_visible()
    expect(window.locator("#groups table").first).to_be_visible()
    expect(window.locator("button[data-replay]").first).to_be_hidden()
    expect(window.locator("noscript p").first).to_be_visible()
    assert wrong == []
    window.close()


def test_a_group_shows_its_tables_when_they_are_opened(browser, pages):
    window, wrong = opened(browser, pages("commons_game"))
    tables = window.locator("#group-0 table")
    assert tables.count() == 0
    summary = window.locator("#group-0 summary").first
    for _ in range(3):  # opened twice
        summary.click()
    expect(tables).to_have_count(3)
    expect(tables.first).to_contain_text("archetype")
    assert wrong == []
    window.close()


@pytest.mark.long
def test_on_paper_no_table_is_cut_off(browser, pages):
    window, wrong = opened(browser, pages("commons_game"), width=690)
    window.emulate_media(media="print")
    assert window.locator("nav").is_hidden()
    cut = "all => all.filter(each => getComputedStyle(each).overflowX !== 'visible').length"
    assert window.locator(".scroll").evaluate_all(cut) == 0
    assert wrong == []
    window.close()


ALONE = """
    () => {
        const column = (of) => Math.floor(of.getBoundingClientRect().left / innerWidth);
        const spacer = document.body.insertBefore(
            document.createElement("div"), document.querySelector("#measures"));
        const alone = new Set();
        for (let height = 0; height < 1000; height += 40) {
            spacer.style.height = `${height}px`;
            for (const heading of document.querySelectorAll("section:not(.group) > h2")) {
                const next = heading.parentElement.querySelector("svg, tr, p, figcaption");
                if (column(next) !== column(heading)) alone.add(heading.textContent);
            }
        }
        return [...alone];
    }
"""
"""Script that returns headings in a different column from the text below them."""


@pytest.mark.long
def test_on_paper_no_heading_stands_alone_at_the_end_of_a_page(browser, pages):
    """Columns break at page breaks. Headings above a grid of figures used to end up alone at the
    bottom of a page."""
    window, _ = opened(browser, pages("commons_game"), width=690)
    window.emulate_media(media="print")
    sheet = "html body { width: 690px; columns: 690px; column-gap: 0; height: 1000px; }"
    window.add_style_tag(content=f"{sheet} html body {{ column-fill: auto; }}")
    window.locator("section.group").evaluate_all("all => all.forEach(one => one.remove())")
    assert window.evaluate("document.documentElement.scrollWidth") > 5 * 690
    assert window.evaluate(ALONE) == []
    window.close()

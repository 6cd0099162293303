"""Replay page in a browser: forwards, backwards, with the keyboard, and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="needs the `dev` extra")

from playwright.sync_api import Browser, Locator, Page, expect

from mixed_company.engine.play import record
from mixed_company.engine.play.replay_page import page
from tests.engine.golden.write import GAMES, SCRIPTS, SEED
from tests.engine.golden.write import game as golden
from tests.engine.plays import acts, commons


def opened(browser: Browser, folder: Path, lines, width: int = 1280, wrong=()) -> Page:
    """Open the page of a log; its clock stops until a test advances it."""
    file = folder / "play.html"
    file.write_text(page(lines, wrong), encoding="utf-8")
    window = browser.new_page(viewport={"width": width, "height": 800})
    window.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    window.clock.install(time=0)
    window.clock.pause_at(1000)
    window.goto(file.as_uri())
    return window


def of_commons(**core):
    """Return a log of the commons; in period 1 seat 1 requests 12, and 10 is the maximum."""
    script = [acts([1, 2, 3, 4]), acts([1, 12, 1, 1]), acts(2)]
    return record.play(commons(**{"periods": 3, **core}), script, seed=7)


def row_of(window: Page, name: str) -> Locator:
    """Return the row of a field in the table of the world."""
    return window.locator("#world tbody > tr", has=window.locator(f"th:text-matches('^{name}')"))


def row(window: Page, name: str) -> list[str]:
    """Return the true and the seen value of a field."""
    return [text.strip() for text in row_of(window, name).locator("td").all_inner_texts()]


def test_keys_step_through_the_play(browser, tmp_path):
    window = opened(browser, tmp_path, of_commons())
    now = window.locator("#now")
    expect(now).to_have_text("Start")
    expect(window.locator("#back")).to_be_disabled()
    window.keyboard.press("ArrowRight")
    expect(now).to_have_text("Period 0 (0 … 2)")
    # 100 - 10, and nothing grows at the capacity
    assert row(window, "stock") == ["90", "90"]
    window.keyboard.press("End")
    expect(now).to_have_text("Period 2 (0 … 2)")
    expect(window.locator("#on")).to_be_disabled()
    window.keyboard.press("ArrowLeft")
    expect(now).to_have_text("Period 1 (0 … 2)")
    window.keyboard.press("Home")
    assert row(window, "stock") == ["100", "100"]


def lasting(periods: int):
    """Return a log whose playback takes 0.7 s per period."""
    return record.play(commons(periods=periods), [acts(2)] * periods, seed=7)


def test_buttons_and_slider_step_through_the_play(browser, tmp_path):
    window = opened(browser, tmp_path, lasting(8))
    now = window.locator("#now")
    window.locator("#on").click()
    expect(now).to_have_text("Period 0 (0 … 7)")
    window.locator("#slider").focus()
    window.keyboard.press("ArrowRight")
    expect(now).to_have_text("Period 1 (0 … 7)")
    window.locator("#first").click()
    window.locator("#play").click()
    expect(window.locator("#play")).to_have_text("Pause")
    window.clock.run_for(2 * 700)
    expect(now).to_have_text("Period 1 (0 … 7)")
    window.clock.run_for(6 * 700)
    expect(now).to_have_text("Period 7 (0 … 7)")
    expect(window.locator("#play")).to_have_text("Play")


def test_space_plays_and_pauses(browser, tmp_path):
    window = opened(browser, tmp_path, lasting(40))
    window.keyboard.press("Space")
    expect(window.locator("#play")).to_have_text("Pause")
    window.clock.run_for(3 * 700)
    window.keyboard.press("Space")
    expect(window.locator("#play")).to_have_text("Play")
    window.clock.run_for(3 * 700)
    expect(window.locator("#now")).to_have_text("Period 2 (0 … 39)")


def test_a_period_shows_what_was_sent_used_earned_and_happened(browser, tmp_path):
    window = opened(browser, tmp_path, of_commons())
    window.keyboard.press("ArrowRight")
    expect(window.locator("#events")).to_have_text("None.")
    window.keyboard.press("ArrowRight")
    cells = window.locator("#deeds tbody tr").nth(1).locator("th, td").all_inner_texts()
    # harvest, contribution; both as components; 10, and 12 with the previous 2
    assert [text.strip() for text in cells] == ["1", "12 → 10", "0", "10", "0", "10", "12"]
    expect(window.locator("#events")).to_have_text(
        "clamped: seat 1, field harvest, sent 12, used 10"
    )


def test_hidden_values_are_labelled_as_hidden(browser, tmp_path):
    lines = of_commons(seats=4, observation="local", neighbours=[[0, 1]])
    window = opened(browser, tmp_path, lines)
    window.keyboard.press("ArrowRight")
    assert row(window, "wealth") == [
        "0: 1\n1: 2\n2: 3\n3: 4",
        "0: 1\n1: 2\n2: not shown\n3: not shown",
    ]
    window.locator("#seat").select_option("2")
    assert row(window, "wealth")[1] == "0: not shown\n1: not shown\n2: 3\n3: not shown"
    assert row(window, "pool") == ["0", "not shown"]


@pytest.mark.long
def test_a_noisy_reading_is_marked(browser, tmp_path):
    window = opened(browser, tmp_path, of_commons(stock_noise=5.0))
    marked = window.locator("#world td.changed")
    expect(marked).to_have_count(1)
    true, seen = row(window, "stock")
    assert true == "100"
    assert marked.inner_text() == seen != true


def test_a_map_is_drawn_with_a_seats_window_marked(browser, tmp_path):
    lines = record.play(golden("punishment_vote"), SCRIPTS["punishment_vote"], SEED)
    window = opened(browser, tmp_path, lines)
    grid = row_of(window, "grid")
    # 6 rows of 7 cells, with the seats on the map
    expect(grid.locator(".map span")).to_have_count(42)
    assert sorted(grid.locator(".map .seat").all_inner_texts()) == ["0", "1", "2"]
    sight = row_of(window, "window")
    expect(sight.locator(".map span")).to_have_count(9)
    expect(sight.locator(".map span").nth(4)).to_have_attribute("title", "seat 0")


@pytest.mark.long
def test_a_click_on_an_event_goes_to_its_period(browser, tmp_path):
    window = opened(browser, tmp_path, of_commons())
    window.get_by_text("All events").click()
    window.get_by_role("button", name="Period 1").click()
    expect(window.locator("#now")).to_have_text("Period 1 (0 … 2)")


def test_a_difference_and_a_script_in_it_are_shown_as_text(browser, tmp_path):
    wrong = ["line 2: </script><script>document.title = 'gone'</script>"]
    window = opened(browser, tmp_path, of_commons(), wrong=wrong)
    expect(window.locator("#wrong li")).to_have_text(wrong)
    assert window.title() == "commons_game (custom), seed 7"


@pytest.mark.few(1)
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_game_fits_and_can_be_stepped_through(browser, tmp_path, game_id):
    window = opened(browser, tmp_path, record.play(golden(game_id), SCRIPTS[game_id], SEED))
    last = len(SCRIPTS[game_id]) - 1
    for width in (1280, 360):
        window.set_viewport_size({"width": width, "height": 800})
        window.keyboard.press("Home")
        for _ in SCRIPTS[game_id]:
            window.keyboard.press("ArrowRight")
        expect(window.locator("#now")).to_have_text(f"Period {last} (0 … {last})")
        assert window.evaluate("document.documentElement.scrollWidth") == width

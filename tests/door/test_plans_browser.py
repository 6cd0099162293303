"""Tests of the shipped plans, shortened: people play them to the end in browsers."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, TimeoutError

from mixed_company import analysis
from mixed_company.__main__ import main
from tests.door.harness import unhurried
from tests.door.pages import PHONE, read, window

pytestmark = [pytest.mark.door, pytest.mark.long]
DESK = {"viewport": {"width": 1280, "height": 900}}
MOST_SECONDS = 600.0

# Shortened options: two people per group, and one period per play.
SHORT = {"quiz": False, "periods": 1, "people_per_group": 2}
PLANS: list[tuple[str, str, int, dict[str, Any]]] = [
    ("commons_talk", "talk", 1, SHORT),
    ("sanctions_in_turn", "", 3, SHORT),
    ("vote_company", "careful_untold", 1, {"quiz": False, "turns": 5, "decision_seconds": 1.0}),
]


def go_on(page: Page) -> bool:
    """Advance the current page by one step; return whether it is the last page."""
    name = page.url.split("/")[-2]
    if name == "Instructions":
        read(page)
    elif name == "Play":
        play(page)
    elif name == "Results" and not page.locator("#next").count():
        return True
    elif name != "Lobby":
        page.locator("#next").click()
    return False


def play(page: Page) -> None:
    """Leave, or continue if the group talks, or confirm the lowest value of a slider."""
    talk = page.locator("button:enabled:visible", has_text="I am ready to continue")
    slider = page.locator("#controls input[type=range]:enabled:visible")
    confirm = page.locator("#confirm:enabled:visible")
    if act_at_once(page.locator("#leave:visible"), "click") or act_at_once(talk, "click"):
        return
    if act_at_once(slider.first, "press", "Home"):
        act_at_once(confirm, "click")


def act_at_once(control: Locator, act: str, *values: str) -> bool:
    """Use the control if it is visible now, and return whether that worked.

    Meanwhile, the play continues and may remove the control.
    """
    if not control.count():
        return False
    try:
        getattr(control, act)(*values, timeout=1000)
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize(("name", "treatment", "plays", "changes"), PLANS)
def test_a_plan_is_played_to_its_end_by_browsers_and_its_export_is_correct(
    server, browser, tmp_path, name, treatment, plays, changes
):
    people = 2 if "people_per_group" in changes else 1
    options = {**unhurried(name, changes), **changes, "treatment_order": treatment}
    answer = server.create(name, people, **options)
    assert answer.status_code == 200, answer.text
    link, code = answer.json()["session_wide_url"], answer.json()["code"]
    pages = [window(browser, link, **size) for size in (DESK, PHONE)[:people]]
    over, until = [False] * people, time.monotonic() + MOST_SECONDS
    while not all(over):
        assert time.monotonic() < until, [page.url for page in pages]
        over = [done or go_on(page) for done, page in zip(over, pages, strict=True)]
        pages[0].wait_for_load_state()
    for page in pages:
        assert "Your payment:" in page.locator("main").inner_text()
        width = page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"]
    (tmp_path / "out.zip").write_bytes(server.archive(code))
    assert main(["check", str(tmp_path / "out.zip")]) == 0
    data = analysis.load(tmp_path / "out.zip")
    assert len(data.outcomes) == people * plays
    assert set(data.outcomes["status"]) == {"finished"}

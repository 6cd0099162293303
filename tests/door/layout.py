"""The layout of a play page: how much it shifts while it loads, and what fits on the screen.

    page = arrived(server, browser, "commons", PHONE)
    shift(page), covered(page, PARTS)

Used by the tests in `tests/door` and by the benchmarks.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page

from tests.door.harness import Server

__all__ = ["CONFIGS", "SCREENS", "arrived", "covered", "opened", "shift"]

CONFIGS = ("commons", "gems", "sanctions", "vote")
"""The first session config of every game."""

SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True},
}
"""Screen sizes. With `is_mobile`, Chromium reports no layout shifts."""
DECIDES = "#controls :is(input:enabled, [aria-disabled=false])"
WATCH = """
  window.layoutShifts = [];
  new PerformanceObserver((list) => window.layoutShifts.push(...list.getEntries()))
    .observe({type: "layout-shift", buffered: true});
"""
SHIFT = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();  // entries of the last frame have arrived
  return window.layoutShifts.filter((entry) => !entry.hadRecentInput)
    .reduce((sum, entry) => sum + entry.value, 0);
}"""
COVERED = """(selectors) => selectors.filter((selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const inside = box.width > 0 && box.top >= 0 && box.left >= 0
    && box.bottom <= innerHeight && box.right <= innerWidth;
  return !inside || !document.elementFromPoint(x, y)?.closest(selector);
})"""


def opened(browser: Browser, link: str, screen: dict[str, Any], confirms: bool = False) -> Page:
    """Open a page in a new window that records layout shifts, and wait for the decision.

    If `confirms`, a person who arrives for the first time confirms being ready.
    """
    context = browser.new_context(**screen)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(link)
    if confirms:
        page.get_by_role("button", name="I am ready").click()
    page.locator(DECIDES).first.wait_for()
    return page


def arrived(
    server: Server, browser: Browser, config: str, screen: dict[str, Any], **changes: Any
) -> Page:
    """Open the play page of a shipped one-person session, but without quiz and practice, at the
    first decision."""
    options = {"quiz": False, "practice_periods": 0, **changes}
    answer = server.create(config, 1, **options)
    answer.raise_for_status()
    person = server.join(answer.json())
    person.walk_to("Play")
    return opened(browser, person.page.url, screen, confirms=True)


def shift(page: Page) -> float:
    """Return the sum of all layout shifts so far that did not follow an input."""
    value: float = page.evaluate(SHIFT)
    return value


def covered(page: Page, selectors: list[str]) -> list[str]:
    """Return the elements that are partly off the screen, or covered by another element."""
    hidden: list[str] = page.evaluate(COVERED, selectors)
    return hidden

"""Layout shift, first paint and size of every game's play page, on a desktop and on a phone.

    python -m benchmarks.pages

A browser with an empty cache loads every page and watches it until the first decision is open.
`shift` is the sum of all layout shifts (Cumulative Layout Shift cannot be larger), `paint` the
time from the start of navigation to the first contentful paint. `page` is the size of the HTML as
sent, and `all` is the size of everything that the browser loads. Figures are medians of ROUNDS
loads, each in a new session.
"""

from __future__ import annotations

import statistics
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.served import served
from tests.browser import ARGUMENTS, executable
from tests.door.harness import Server
from tests.door.layout import CONFIGS, SCREENS, arrived, shift

ROUNDS = 3
TIMES = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const files = performance.getEntriesByType("resource");
  const size = (entry) => entry.transferSize;
  return {
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    page: size(page),
    all: files.reduce((sum, file) => sum + size(file), size(page)),
  };
}"""


def measured(page: Page) -> dict[str, float]:
    """Return a page's figures, and close its window."""
    figures: dict[str, Any] = {"shift": shift(page), **page.evaluate(TIMES)}
    page.context.close()
    return figures


def median_of(server: Server, browser: Browser, config: str, screen: str) -> dict[str, float]:
    """Return the medians of several loads."""
    loads = [
        measured(arrived(server, browser, config, SCREENS[screen], bot_delay="instant"))
        for _ in range(ROUNDS)
    ]
    return {name: statistics.median(load[name] for load in loads) for name in loads[0]}


def main() -> None:
    print(f"{'':20s}{'shift':>7s}{'paint':>8s}{'page':>9s}{'all':>9s}")
    with served("sqlite") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        for config in CONFIGS:
            for screen in SCREENS:
                of = median_of(server, browser, config, screen)
                sizes = f"{of['page'] / 1000:6.1f} kB{of['all'] / 1000:6.0f} kB"
                print(f"{config:10s}{screen:10s}{of['shift']:7.3f}{of['paint']:5.0f} ms{sizes}")
        browser.close()


if __name__ == "__main__":
    main()

"""Generator for the README's pictures and films: `python -m docs.screenshot` (extra `dev`).

A film consists of browser screenshots, each shown until the next one was taken. It therefore plays
in real time, however fast the machine is.
"""

from __future__ import annotations

import io
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from mixed_company import analysis
from mixed_company.analysis import report
from tests.browser import ARGUMENTS, executable
from tests.door.harness import Server
from tests.door.pages import read

REQUESTS = ("4", "3", "4", "3", "4", "3")
WORTH_TAKING = re.compile(r"\bA \d+ (up|down|left|right)")
"""Pattern for the directions to resources of kind A in the text that describes the map, nearest
first."""
SIZE: ViewportSize = {"width": 1280, "height": 880}
FRAME_SECONDS = 0.15
"""Minimum time between two frames of a film."""


class Film:
    """Scaled-down frames of a page, each with the time when it was taken."""

    def __init__(self, page: Page, width: int = 720) -> None:
        self._page, self._width = page, width
        self._frames: list[Image.Image] = []
        self._times: list[float] = []

    def record(self, seconds: float) -> None:
        """Record the page for `seconds`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._times.append(time.monotonic())
            shot = Image.open(io.BytesIO(self._page.screenshot())).convert("RGB")
            height = round(shot.height * self._width / shot.width)
            self._frames.append(shot.resize((self._width, height), Image.Resampling.LANCZOS))
            rest = self._times[-1] + FRAME_SECONDS - time.monotonic()
            self._page.wait_for_timeout(max(rest * 1000, 1))

    def save(self, path: str) -> None:
        """Save the film as a WebP that loops. The last frame is shown for two seconds."""
        pairs = zip(self._times, self._times[1:], strict=False)
        durations = [*(round(1000 * (after - before)) for before, after in pairs), 2000]
        first, *others = self._frames
        first.save(
            path, save_all=True, append_images=others, duration=durations, loop=0, quality=55
        )


def commons(page: Page) -> Iterator[float]:
    """Play the commons game, and yield the number of seconds to record after each step."""
    for request in REQUESTS:
        page.locator("#harvest:enabled").fill(request)
        yield 0.8
        page.locator("#confirm").click()
        yield 2
    page.locator("#harvest:enabled").fill("4")
    yield 0.5


def vote(page: Page) -> Iterator[float]:
    page.locator("#period", has_text="Turn").wait_for()
    for turn in range(9):
        way = WORTH_TAKING.search(page.locator("#around").inner_text())
        page.keyboard.press(f"Arrow{way[1].capitalize()}" if way else "ArrowUp")
        if turn % 5 == 3:
            page.keyboard.press("v")
        yield 2


def sanctions(page: Page) -> Iterator[float]:
    for amount in ("12", "20", "20", "8", "20"):
        page.locator("#contribution:enabled").fill(amount)
        yield 0.8
        page.locator("#confirm").click()
        yield 2
    page.locator("#contribution:enabled").fill("20")
    yield 0.5


def gems(page: Page) -> Iterator[float]:
    for choice in (0, 1, 2, 2, 1, 2):
        page.locator(".mc-choice:enabled input").nth(choice).check()
        yield 0.8
        page.locator("#confirm").click()
        yield 2
    page.locator(".mc-choice:enabled input").nth(2).check()
    yield 0.5


SHOWN: dict[str, Any] = {"archetype": "lab", "seed": "3"}
"""Default values for the sessions that people play."""
UNHURRIED = SHOWN | {"decision_seconds": 45.0}
PICTURES: dict[str, tuple[Callable[[Page], Iterator[float]], dict[str, Any]]] = {
    "commons": (commons, UNHURRIED),
    "vote": (vote, SHOWN),
    "sanctions": (sanctions, UNHURRIED),
    "gems": (gems, UNHURRIED),
}


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "project") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        page = browser.new_page(viewport=SIZE)
        page.set_content(report.html(analysis.load("mixed_company/analysis/sample/sanctions.zip")))
        page.screenshot(path="docs/report.png")
        for name, (walk, changes) in PICTURES.items():
            session = server.session(name, 1, quiz=False, **changes)
            page = browser.new_context(viewport=SIZE).new_page()
            page.goto(session["session_wide_url"])
            read(page)
            film = Film(page)
            for seconds in walk(page):
                film.record(seconds)
            page.screenshot(path=f"docs/{name}.png")
            film.save(f"docs/{name}.webp")
        browser.close()


if __name__ == "__main__":
    main()

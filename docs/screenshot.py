"""Makes the pictures in the README: `python -m docs.screenshot` (needs the extra `dev`)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import analysis
from analysis import report
from tests.browser import ARGUMENTS, executable
from tests.door.harness import Server

REQUESTS = ("8", "6", "4", "3", "2.5", "2.5")
KEYS = ("ArrowUp", "ArrowLeft", "ArrowUp", "v", "ArrowRight", "ArrowDown", "ArrowDown", "v")


def commons(page: Page) -> None:
    for request in REQUESTS:
        page.locator("#harvest:enabled").fill(request)
        page.locator("#confirm").click()
        page.wait_for_timeout(1500)
    page.locator("#harvest:enabled").fill("3")


def vote(page: Page) -> None:
    for turn, key in enumerate(KEYS, start=1):
        page.locator("#period", has_text=f"Turn {turn} of").wait_for()
        page.keyboard.press(key)
    page.wait_for_timeout(600)


def sanctions(page: Page) -> None:
    for given in ("12", "8", "10", "15", "3"):
        page.locator("#contribution:enabled").fill(given)
        page.locator("#confirm").click()
        page.wait_for_timeout(1200)
    page.locator("#contribution:enabled").fill("10")


def gems(page: Page) -> None:
    for choice in (0, 1, 2, 1, 2, 0):
        page.locator(".mc-choice:enabled input").nth(choice).check()
        page.locator("#confirm").click()
        page.wait_for_timeout(1200)
    page.locator(".mc-choice:enabled input").nth(1).check()


PICTURES = {
    "commons": (commons, {"bot_delay": "instant", "seed": "3"}),
    "vote": (vote, {"seed": "3"}),
    "sanctions": (sanctions, {"bot_delay": "instant", "seed": "3"}),
    "gems": (gems, {"bot_delay": "instant", "seed": "3"}),
}


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "project") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 880})
        page.set_content(report.html(analysis.load("analysis/sample/sanctions.zip")))
        shown = page.locator("figure", has_text="Groups by treatment")
        shown.evaluate("figure => window.scrollTo(0, figure.offsetTop - 20)")
        page.screenshot(path="docs/report.png")
        for name, (walk, changes) in PICTURES.items():
            session = server.session(name, 1, quiz=False, **changes)
            page = browser.new_context(viewport={"width": 1280, "height": 880}).new_page()
            page.goto(session["session_wide_url"])
            page.locator("#next").click()
            walk(page)
            page.screenshot(path=f"docs/{name}.png")
        browser.close()


if __name__ == "__main__":
    main()

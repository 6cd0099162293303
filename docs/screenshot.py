"""Makes the picture in the README: `python -m docs.screenshot` (needs requirements-dev.txt)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import ARGUMENTS, executable
from tests.door.harness import Server

REQUESTS = ("8", "6", "4", "3", "2.5", "2.5")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder) / "project") as server:
        session = server.session("commons", 1, quiz=False, bot_delay="instant", seed="3")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
            page = browser.new_page(viewport={"width": 1280, "height": 880})
            page.goto(session["session_wide_url"])
            page.locator("#next").click()
            for request in REQUESTS:
                page.locator("#harvest:enabled").fill(request)
                page.locator("#confirm").click()
                page.wait_for_timeout(1500)
            page.locator("#harvest:enabled").fill("3")
            page.screenshot(path="docs/commons.png")
            browser.close()


if __name__ == "__main__":
    main()

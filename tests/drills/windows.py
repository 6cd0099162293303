"""People in a real Chromium, and a manager who watches the boards there.

A window does what its person would do: agree, read, answer the quiz, wait in the lobby, use the
game's controls, and look at the results.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Error, Page, TimeoutError, async_playwright

from tests.browser import ARGUMENTS, executable
from tests.door.pages import Wire

__all__ = ["WIDTHS", "Watch", "Window", "chromium"]

PATIENCE_MS = 120_000
"""Timeout of most steps, long enough for busy machines."""

HURRY_MS = 2_000
"""Timeout of a click, which fails only if the period has ended in the meantime."""

WIDTHS = {1280: 800, 768: 1024}
"""Height of the screens on which a board is watched, by width."""

WHAT_TO_DO = """() => {
  const shown = (node) => node !== null && node.checkVisibility();
  if (document.getElementById("decision") === null) return "elsewhere";
  if (shown(document.getElementById("leave"))) return "leave";
  const open = "#controls input:enabled, #controls [data-choice][aria-disabled=false]";
  return document.querySelector(open) === null ? false : "choose";
}"""


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run a Chromium."""
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        try:
            yield running
        finally:
            await running.close()


class Window:
    """One person with a browser.

    promises   messages that the page sent, and their acknowledgements
    raised     errors of its scripts
    """

    def __init__(self, game_id: str, page: Page, draw: random.Random) -> None:
        self.game_id, self.page, self.draw = game_id, page, draw
        self.promises = Wire(page)
        self.errors: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    @property
    def raised(self) -> int:
        """Number of errors in the page's scripts."""
        return len(self.errors)

    @property
    def code(self) -> str:
        """oTree's code of the participant."""
        return self.page.url.split("/p/")[1].split("/")[0]

    async def arrive(self, link: str, right: Mapping[str, str]) -> None:
        """Go as far as the lobby, with correct answers to the quiz."""
        await self.page.goto(link)
        await self.page.locator("#agree").click()
        await self.page.wait_for_url("**/Instructions/**")
        while "/Instructions/" in self.page.url:
            await self.page.locator("#forth:visible, #next:visible").click()
        for name, answer in right.items():
            value = json.dumps(answer, ensure_ascii=False)
            await self.page.locator(f"input[name={name}][value={value}]").check()
        await self.page.locator("#check").click()
        await self.page.wait_for_url("**/Lobby/**")

    async def meet(self) -> None:
        """Wait until the lobby page continues by itself."""
        await self.page.wait_for_url("**/Play/**")

    async def play(self, think: tuple[float, float]) -> str:
        """Play to the end, and return the text of the results page."""
        while (to_do := await self._to_do()) != "elsewhere":
            await asyncio.sleep(self.draw.uniform(*think))
            try:
                if to_do == "leave":
                    await self.page.locator("#leave").click(timeout=HURRY_MS)
                else:
                    await self._choose()
            except TimeoutError:  # the period ended before the click
                continue
        await self.page.wait_for_url("**/Results/**")
        return await self.page.locator("main").inner_text()

    async def _to_do(self) -> str:
        while True:
            try:
                handle = await self.page.wait_for_function(WHAT_TO_DO)
                return str(await handle.json_value())
            except Error:  # the page has changed meanwhile
                if "/Play/" not in self.page.url:
                    return "elsewhere"

    async def _choose(self) -> None:
        """Set every enabled control, and confirm."""
        keys = self.page.locator("#controls [data-choice][aria-disabled=false]")
        if (open_now := await keys.count()) > 0:
            await keys.nth(self.draw.randrange(open_now)).click(timeout=HURRY_MS)
            return
        for box in await self.page.locator("#controls input[type=text]:enabled").all():
            await box.fill(str(self.draw.randint(0, 1)), timeout=HURRY_MS)
        options = self.page.locator("#controls input[type=radio]:enabled")
        if await options.count():
            option = self.draw.randrange(await options.count())
            await options.nth(option).check(timeout=HURRY_MS)
        await self.page.locator("#confirm").click(timeout=HURRY_MS)


class Watch:
    """Viewer of session boards on screens of WIDTHS, who takes pictures of them.

    folder   folder for the pictures; None for no pictures
    """

    def __init__(self, pages: Sequence[Page], folder: Path | None) -> None:
        self.pages, self.folder = pages, folder

    @classmethod
    async def begin(cls, browser: Browser, folder: Path | None) -> Watch:
        """Open a window of each width, if pictures are wanted."""
        sizes = [] if folder is None else WIDTHS.items()
        pages = [
            await browser.new_page(viewport={"width": width, "height": height})
            for width, height in sizes
        ]
        return cls(pages, folder)

    async def look(self, address: str, name: str) -> None:
        """Take a picture of the whole board as it is now."""
        for page, width in zip(self.pages, WIDTHS, strict=False):
            await page.goto(address)
            await page.locator("#lobby > *").wait_for()
            path = Path(str(self.folder)) / f"{name}-{width}.png"
            await page.screenshot(path=path, full_page=True)

"""The stage of a game on an empty page, drawn from views of a play in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from mixed_company import engine
from mixed_company.server.pages import wording
from mixed_company.server.pages.guide import guide_of
from tests.server.modules import AT, blank

__all__ = ["open_stage", "page", "viewed", "window"]

SIZE: ViewportSize = {"width": 1280, "height": 720}


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    """Yield one window for all tests in this file; each test reopens the empty page."""
    page = blank(chromium)
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    yield page
    page.close()


@pytest.fixture
def page(window: Page) -> Page:
    window.set_viewport_size(SIZE)
    window.goto(AT)
    return window


STAGE = """async ([game, setting, texts, sheet]) => {
  document.body.innerHTML = "<main id=stage></main><div id=past></div><div id=card></div>";
  for (const name of sheet ? ["mixed/tokens", `${game}/stage`] : []) {
    const link = document.createElement("link");
    Object.assign(link, {rel: "stylesheet", href: `/${name}.css`});
    document.head.append(link);
    await new Promise((done) => { link.onload = done; });
  }
  const at = (id) => document.getElementById(id);
  const {create} = await import(`/${game}/stage.js`);
  const places = {stage: at("stage"), past: at("past")};
  window.stage = create({setting, seat: 0, periods: 20, byClock: false, texts, ...places});
}"""


def open_stage(page: Page, game: Any, words: dict[str, str], sheet: bool = False) -> None:
    sent = guide_of(game.id).setting(game, 0)
    page.evaluate(STAGE, [game.id, sent, {**wording.play(), **words}, sheet])


def viewed(game: Any, *played: dict[str, Any], **observed: Any) -> dict[str, Any]:
    """Return the parts of seat 0's view that a stage reads, after these periods. `observed`
    replaces values of the last observation."""
    play, guide = engine.Episode(game, seed=3), guide_of(game.id)
    seen = [play.observation_json(0)]
    for actions in played:
        play.play_period(actions)
        seen.append(play.observation_json(0))
    seen[-1] |= observed
    parts = [guide.counted(game, 0, observation) for observation in seen]
    counts = list(map(sum, zip(*parts, strict=True)))
    seats = [{"seat": seat, "you": seat == 0, "decided": False} for seat in range(game.seats)]
    last = {"used": {}, "components": {}, "reward": 0.0, "by": "person"} if played else None
    return {
        "observation": seen[-1],
        "shown": guide.derived(game, 0, seen) | guide.tallied(game, counts),
        "period": len(played),
        "seats": seats,
        "last": last,
        "phase": "decide",
        "started": True,
    }

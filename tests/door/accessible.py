"""Accessibility checks of a page: axe-core, and content wider than the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")
DESK, TABLET, TWICE, PHONE = (1280, 800), (768, 1024), (640, 400), (360, 740)


def found(page: Page) -> list[str]:
    """Return axe-core's serious findings on the page, each with its element."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    results = axe.Axe().run(page).response["violations"]
    return [
        f"{result['id']}: {node['target']} {node['failureSummary']}"
        for result in results
        if result["impact"] in SERIOUS
        for node in result["nodes"]
    ]


STILL = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();  // what listens for another size has heard of it
  await frame();
  const ends = (shown) => Number.isFinite(shown.effect.getComputedTiming().endTime);
  const moving = document.getAnimations().filter(ends);
  await Promise.allSettled(moving.map((shown) => shown.finished));
}"""


def look_through(page: Page, name: str, *, axes: bool = True) -> None:
    """Check that nothing overflows any screen and, with `axes`, that axe-core finds nothing.

    The page must be fully drawn and static, because half-faded content has too little contrast.
    """
    for wide, high in (DESK, TABLET, TWICE, PHONE):
        page.set_viewport_size({"width": wide, "height": high})
        page.evaluate(STILL)
        assert page.evaluate("document.documentElement.scrollWidth") <= wide, (name, wide)
        if axes and (wide, high) in (DESK, PHONE):
            assert found(page) == [], (name, wide)
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})

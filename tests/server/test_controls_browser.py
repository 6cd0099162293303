"""A number to enter has a slider between two ends, and a box alone where an end is missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from server import texts
from server.modules import STATIC

pytestmark = pytest.mark.xdist_group("browser")

AT = "http://pages.invalid"
BUILD = """async ([limits, words]) => {
  const {control} = await import("/mixed/controls.js");
  const box = control({name: "amount", label: "How much?", step: 1, onChange() {}, words});
  document.body.append(box.node);
  box.limit(...limits);
  box.disable(false);
  window.box = box;
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    def answer(route: Any) -> None:
        path = STATIC / route.request.url.removeprefix(AT).strip("/")
        if path.suffix == ".js":
            route.fulfill(body=path.read_text(), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>A box</title>", content_type="text/html")

    page = browser.new_page()
    page.route(f"{AT}/**", answer)
    yield page
    page.close()


@pytest.mark.parametrize(
    ("limits", "label", "right", "wrong", "reason"),
    [
        ([0, 8], "How much? (0\N{EN DASH}8)", 8, 9, "Please enter a number from 0 to 8."),
        ([0, None], "How much? (at least 0)", 1e6, -1, "Please enter a number, at least 0."),
        ([None, 5], "How much? (at most 5)", -1e6, 6, "Please enter a number, at most 5."),
        ([None, None], "How much?", -1e6, None, "Please enter a number."),
    ],
)
def test_a_missing_end_is_no_end(
    page: Page, limits: list[Any], label: str, right: float, wrong: float | None, reason: str
) -> None:
    page.goto(AT)
    page.evaluate(BUILD, [limits, texts.play()])
    expect(page.locator("label")).to_have_text(label)
    expect(page.locator("#amount-slider")).to_be_visible(visible=None not in limits)
    page.locator("#amount").fill(f"{right:g}")
    assert page.evaluate("box.value()") == right
    assert page.evaluate("box.problem()") is None
    page.locator("#amount").fill("" if wrong is None else f"{wrong:g}")
    assert page.evaluate("box.value()") is None
    assert page.evaluate("box.problem()") == reason

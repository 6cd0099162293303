"""Controls and picture of a public good in which players take points out, or give all or
nothing."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mixed_company import engine
from mixed_company.server.pages import rules, wording
from sanctions.words import texts as words_of
from tests.server.stages import open_stage, page, viewed, window

__all__ = ["page", "window"]  # fixtures

CARD = """async ([accepts, texts, view]) => {
  const at = (id) => document.getElementById(id);
  at("card").innerHTML = `<section id=decision tabindex=-1><div id=controls></div>
    <button type=button id=confirm>Confirm</button><div id=notes></div></section>`;
  const {form} = await import("/mixed/form.js");
  window.decided = [];
  window.card = form({game: window.stage, accepts, texts, at, complain() {},
    decide: (action) => decided.push(action)});
  card.fresh(view, []);
  card.show(view, true);
}"""


def good(**changes: Any) -> Any:
    return engine.make("sanctions", **{"archetype": "unsanctioned", **changes})


def opened(page: Page, **changes: Any) -> dict[str, Any]:
    """Open the stage and the card in the first period, and return the view."""
    game = good(**changes)
    words = words_of(game.core)
    open_stage(page, game, words)
    view = viewed(game)
    page.evaluate("view => stage.draw(view, [])", view)
    sent = {**view, "limits": {"contribution": [0, 20]}, "phase": "decide"}
    page.evaluate(CARD, [rules.accepted(game), {**wording.play(), **words}, sent])
    return sent


def confirmed(page: Page) -> list[Any]:
    page.locator("#confirm").click()
    sent: list[Any] = page.evaluate("window.decided.splice(0)")
    return sent


def test_who_takes_points_out_sends_the_points_that_are_left(page):
    opened(page, framing="take")
    expect(page.locator("label")).to_have_text("Points you take out (0\N{EN DASH}20)")
    page.locator("#contribution").fill("15")
    assert page.locator("#contribution-slider").input_value() == "15"
    expect(page.locator("#contribution-preview")).to_have_text("You take out 15 points.")
    assert confirmed(page) == [{"contribution": 5}]
    page.locator("#contribution-slider").evaluate("node => { node.value = 0; }")
    page.locator("#contribution-slider").dispatch_event("input")
    assert confirmed(page) == [{"contribution": 20}]


def test_a_decision_from_another_page_is_shown_as_points_taken(page):
    view = opened(page, framing="take")
    page.evaluate("view => card.show(view, false)", {**view, "decision": {"contribution": 5}})
    expect(page.locator("#contribution")).to_have_value("15")


@pytest.mark.parametrize(
    ("framing", "options"), [("give", ["Keep 20", "Give 20"]), ("take", ["Take 20", "Leave 20"])]
)
def test_all_or_nothing_is_a_choice_between_two(page, framing, options):
    opened(page, framing=framing, contributions="all_or_nothing")
    shown = page.locator(".mc-choice label")
    expect(shown).to_have_text(options)
    expect(page.locator("#confirm")).to_be_disabled()
    expect(page.locator("#effect")).to_contain_text("earns you and every other player 0.4 points")
    for place, contribution in ((0, 0), (1, 20)):
        shown.nth(place).click()
        assert confirmed(page) == [{"contribution": contribution}]


def test_the_pool_begins_full_and_shows_what_was_left_and_taken(page):
    # Of 20 each, 15, 10, 20 and 5 are left: 50 of 80. So 5, 10, 0 and 15 were taken.
    opened(page, framing="take")
    expect(page.locator(".pot-sum")).to_have_text("80")
    assert "in the pool now" in page.locator(".pot-vessel").inner_html()
    view = viewed(good(framing="take"), {"contribution": [15.0, 10.0, 20.0, 5.0]})
    page.evaluate("view => stage.draw(view, [])", view)
    expect(page.locator(".pot-sum")).to_have_text("50")
    expect(page.locator(".pot-player .pot-amount")).to_have_text(["5", "10", "0", "15"])
    sentence = page.locator(".pot").get_attribute("aria-label") or ""
    assert sentence.startswith("Left in the pool: 50. You: 5 taken out; ")


def test_earnings_in_view_are_in_an_open_table(page):
    # 0.4 * 30 = 12 for everyone: 12, 22, 32, 32.
    game = good(others_earnings="seen")
    open_stage(page, game, words_of(game.core))
    view = viewed(game, {"contribution": [20.0, 10.0, 0.0, 0.0]})
    page.evaluate("view => stage.draw(view, [])", view)
    table = page.locator(".net-players")
    expect(table).to_be_visible()
    expect(table.locator("thead th")).to_have_text(["Players", "gave", "earned"])
    expect(table.locator("tbody td:last-child")).to_have_text(["12", "22", "32", "32"])
    game = good(others_earnings="hidden")
    open_stage(page, game, words_of(game.core))
    page.evaluate("view => stage.draw(view, [])", viewed(game, {"contribution": [20.0] * 4}))
    expect(page.locator(".net-players")).to_be_hidden()

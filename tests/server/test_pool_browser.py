"""The players around the pool on the sanctions page, drawn from views of plays in memory."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mixed_company import engine
from mixed_company.language import speaking
from sanctions.words import texts as sanction_words
from tests.server.stages import open_stage, page, viewed, window

__all__ = ["page", "window"]  # fixtures

MINUS = "\N{MINUS SIGN}"


def pool(**changes: Any) -> Any:
    return engine.make("sanctions", **{"archetype": "lab_0_7", **changes})


def shows_pool(
    page: Page, game: Any, *played: list[float], language: str = "en", **observed: Any
) -> None:
    """Open the stage, and show the views before and after these contributions."""
    with speaking(language):
        open_stage(page, game, sanction_words(game.core), sheet=True)
    periods = [{"contribution": amounts} for amounts in played]
    page.evaluate("view => stage.draw(view, [])", viewed(game))
    page.evaluate("view => stage.draw(view, [])", viewed(game, *periods, **observed))


UNEVEN = [10.0, 20.0, 0.0, 4.0]


def test_the_pool_shows_coins_and_an_arrow_to_each_player_who_loses(page):
    """Everyone is expected to give 10. Two players gave less."""
    shows_pool(page, pool(), UNEVEN)
    page.clock.run_for(3000)
    expect(page.locator(".pot-player .pot-amount")).to_have_text(["10", "20", "0", "4"])
    stacks = page.locator(".pot-player").all()
    assert [stack.locator(".pot-coin").count() for stack in stacks] == [5, 10, 0, 2]  # 2 a coin
    expect(page.locator(".pot-sum")).to_have_text("34")
    expect(page.locator(".pot-losses .net-head")).to_have_count(2)
    changes = page.locator(".pot-change").all_text_contents()
    assert [text[:1] for text in changes] == ["", "+", MINUS, MINUS]
    words = page.locator(".pot").get_attribute("aria-label") or ""
    assert words.startswith("Total given: 34. You: 10 given; Player 2: 20 given, ")
    assert " gained; Player 3: 0 given, " in words
    assert words.endswith(" lost.")


def test_a_period_of_the_pool_is_animated_once(page):
    game = pool()
    shows_pool(page, game, UNEVEN)
    coins = page.locator(".pot > .pot-coin")  # copies on their way
    expect(coins).to_have_count(17)
    page.evaluate("view => stage.draw(view, [])", viewed(game, {"contribution": UNEVEN}))
    expect(coins).to_have_count(17)
    page.evaluate("document.getAnimations().forEach((shown) => shown.finish())")
    expect(coins).to_have_count(0)
    page.evaluate("view => stage.draw(view, [])", viewed(game, {"contribution": UNEVEN}))
    expect(coins).to_have_count(0)


def test_a_tie_is_as_thick_as_trust(page):
    """Trust in seat 2, which gave nothing, falls, and trust in seat 1 rises."""
    shows_pool(page, pool(), UNEVEN)
    widths = page.locator(".pot .pot-tie").evaluate_all(
        "ties => ties.map((tie) => Number(tie.getAttribute('stroke-width')))"
    )
    assert len(widths) == 12
    assert widths[0] > 5.5 > widths[1]  # of seat 0: towards seat 1, towards seat 2
    fixed = pool(archetype="lab")
    shows_pool(page, fixed, UNEVEN)
    expect(page.locator(".pot .pot-tie")).to_have_count(0)  # trust never changes there


@pytest.mark.parametrize("hidden", ["contribution", "trust", "reciprocity_effects"])
def test_the_pool_draws_nothing_that_is_hidden(page, hidden):
    layers = {"information": {"intensity": 1.0, "hide": [hidden]}}
    shows_pool(page, pool(layers=layers), UNEVEN)
    page.evaluate("document.getAnimations().forEach((shown) => shown.finish())")
    counts = {
        "contribution": page.locator(".pot-player .pot-coin").count(),
        "trust": page.locator(".pot .pot-tie").count(),
        "reciprocity_effects": page.locator(".pot-losses .net-head").count(),
    }
    assert {name for name, count in counts.items() if not count} == {hidden}
    words = page.locator(".pot").get_attribute("aria-label") or ""
    if hidden == "contribution":
        assert words == "You do not see what the others give."
    else:
        assert ("lost" in words) == (hidden == "trust")


@pytest.mark.few(5)
@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8, 9, 12])
def test_every_player_has_room_at_the_pool(page, seats, width):
    """Check that all texts are inside the picture and that none overlap. Spanish names are long."""
    page.set_viewport_size({"width": width, "height": 740})
    shows_pool(
        page,
        pool(seats=seats, mpcr=0.7),
        [12.5, 7.5] * (seats // 2) + [3.5] * (seats % 2),
        language="es",
    )
    page.evaluate("document.getAnimations().forEach((shown) => shown.finish())")
    frame, *boxes = page.evaluate(BOXES)
    assert len(boxes) >= 2 * seats
    for left, top, right, bottom in boxes:
        assert left >= frame[0] - 1
        assert right <= frame[2] + 1
        assert top >= frame[1] - 1
        assert bottom <= frame[3] + 1
    for index, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[index + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


@pytest.mark.few(5)
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
def test_no_loss_is_drawn_over_words_or_numbers(page, seats, width):
    """All players give less than the expected 10, and lose points."""
    page.set_viewport_size({"width": width, "height": 740})
    shows_pool(page, pool(seats=seats, mpcr=0.7), [2.5, 0.0] * (seats // 2) + [3.5] * (seats % 2))
    page.evaluate("document.getAnimations().forEach((shown) => shown.finish())")
    expect(page.locator(".pot-losses .net-head")).to_have_count(seats)
    boxes, points = page.evaluate(BOXES)[1:], page.evaluate(LOSSES)
    assert len(points) > 10 * seats
    crossed = {
        (round(x), round(y))
        for x, y in points
        for left, top, right, bottom in boxes
        if left < x < right and top < y < bottom
    }
    assert crossed == set()


BOXES = """() => [document.querySelector(".pot"), ...document.querySelectorAll(".pot text")]
  .filter((node) => node.textContent.trim() && !node.matches(".mc-seat-letter"))
  .map((node) => node.getBoundingClientRect())
  .map(({left, top, right, bottom}) => [left, top + 3, right, bottom - 3])"""

LOSSES = """() => [...document.querySelectorAll(".pot-losses path")].flatMap((path) => {
  const matrix = path.getScreenCTM();
  return Array.from({length: Math.ceil(path.getTotalLength())}, (_, far) => {
    const {x, y} = path.getPointAtLength(far).matrixTransform(matrix);
    return [x, y];
  });
})"""
"""Points one pixel apart along the arrows, used to find boxes that arrows cross."""

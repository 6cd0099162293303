"""Tests that no text of the default sessions names the amount that pays best, as measured."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docs.stakes.earning import stake_of
from mixed_company.server.pages.guide import guide_of
from sanctions.stage import setting
from sanctions.words import leads
from settings import SESSION_CONFIGS
from tests.project import ROOT
from tests.server.guides import in_all_forms, numbers, text_of

guide = guide_of("sanctions")
STAKES = {
    config["name"]: stake_of(config)
    for config in SESSION_CONFIGS
    if config["name"] in ("sanctions", "sanctions_without")
}
EXTREMES = re.compile(r"\b(all of|best|better|everything|maximum|most|nothing|whole|worse)\b", re.I)


def best_amount(session: str) -> str:
    """Return the fixed amount that earns the most in docs/stakes.md, where the rows are ranked."""
    section = (ROOT / "docs/stakes.md").read_text().split(f"`{session}`\n")[1].split("\n## ")[0]
    return str(re.findall(r"`fixed:contribution=(\d+)`", section)[0])


def test_the_measured_amounts_are_those_that_the_texts_should_not_name() -> None:
    """Six is one more than expected. Without sanctions, giving nothing is best for a player
    alone."""
    assert {name: best_amount(name) for name in STAKES} == {
        "sanctions": "6",
        "sanctions_without": "0",
    }


def test_no_number_on_the_pages_is_the_best_amount() -> None:
    stake = STAKES["sanctions"]
    game, options = stake.game, stake.setup.options
    questions = guide.quiz(game, options)
    shown = [
        text_of(guide.sections(game, options)),
        *in_all_forms(guide.texts(game.core)).values(),
        *(f"{item['text']} {' '.join(item['options'])} {item['why']}" for item in questions),
        *(str(scene) for scene in guide.scenes(game).values()),
        str(guide.setting(game, 0)),
        str(game.declaration.actions[0].default),
    ]
    shown_numbers = {float(number) for number in numbers(" ".join(shown))}
    assert shown_numbers >= {0.4, 2, 4, 5, 20}  # check that the texts were read
    assert float(best_amount("sanctions")) not in shown_numbers


@pytest.mark.parametrize("session", STAKES)
def test_the_headline_says_a_rule_and_recommends_nothing(session: str) -> None:
    game: Any = STAKES[session].game
    [headline] = leads(game)
    assert not EXTREMES.search(headline)


def test_the_headline_says_what_happens_on_both_sides_of_the_expectation() -> None:
    """The order of the two sides recommends neither, the gain has no condition attached, and the
    slider's text mentions the points kept."""
    [headline] = leads(STAKES["sanctions"].game)
    comparison, sides = headline.split(". ")
    assert comparison == "Your average contribution is compared with the expected contribution of 5"
    assert sides == "Below 5 you lose points; above 5 you gain points."
    assert setting(STAKES["sanctions"].game, 0)["brings"].endswith("You keep the rest.")
    assert not re.search(r"\b(if|reward)", headline, re.I)


def test_a_headline_that_recommends_an_amount_would_be_noticed() -> None:
    assert EXTREMES.search("Give all of your 20 every period and nothing is taken from you.")

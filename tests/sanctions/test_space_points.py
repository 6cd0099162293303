"""Instructions and quiz are correct at every point of the shipped space. The expected values come
only from the point's values in the plan."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

import settings
from mixed_company.experiment import reading, treatments
from mixed_company.server.pages import instructions
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.setup import Setup
from tests.sanctions.plays import MINUS

NAME = "public_good_space"
SPACE = reading.find(NAME, Path("plans")).space
assert SPACE is not None
GUIDE = guide_of("sanctions")


@pytest.fixture(scope="module")
def setups() -> dict[str, Setup]:
    (config,) = (config for config in settings.SESSION_CONFIGS if config["name"] == NAME)
    whole = {**settings.SESSION_CONFIG_DEFAULTS, **config}
    return treatments.shipped_series("sanctions", whole)[0]


def right_answers(setup: Setup) -> dict[str, str]:
    """Return the correct answer to every question. It appears once among the question's options."""
    questions = [*GUIDE.quiz(setup.game, setup.options), *instructions.questions(setup)]
    for question in questions:
        assert question["options"].count(question["right"]) == 1
        assert len({*question["options"]}) == len(question["options"]) > 1
    return {question["name"]: question["right"] for question in questions}


@pytest.mark.parametrize("point", SPACE.drawn)
def test_the_right_answers_of_a_point_follow_from_its_values(setups, point):
    """One more point costs 1 and earns mpcr. Three punishment points cost 3 * 1 and take 3 * 3."""
    values = SPACE.drawn[point]
    loss = 1 - Decimal(str(values["mpcr"]))
    expected = {
        "good": f"{MINUS}{loss.normalize()}",
        "end": f"After period {values['periods']}, whatever the players contribute",
        "when": "All at the same time",
    }
    if values["punishment"] == "on":
        expected |= {"peer_cost": "3", "peer_effect": "9"}
    assert right_answers(setups[point]) == expected


@pytest.mark.parametrize("point", SPACE.drawn)
def test_the_instructions_of_a_point_name_its_numbers(setups, point):
    """In an example all players contribute 5 of their 20 points. Each keeps 15, and gets mpcr for
    every point in the pool."""
    values, setup = SPACE.drawn[point], setups[point]
    sections = [*GUIDE.sections(setup.game, setup.options), *instructions.sections(setup, "", "")]
    lines = {line for section in sections for line in section["lines"]}
    text = " ".join(lines)
    size, mpcr = values["group_size"], Decimal(str(values["mpcr"]))
    assert f"You are one of {size} players." in lines
    assert f"The game has {values['periods']} periods, whatever the players contribute." in lines
    assert f"each of the {size} players gets {mpcr.normalize()}." in text
    earned = f"{(15 + mpcr * size * 5).normalize():f}"
    assert f"If each of the {size} players contributes 5, each " in text
    assert re.search(rf"each (earns|ends up with) {re.escape(earned)} points", text)
    assert ("Each punishment point costs you 1 point." in lines) == (values["punishment"] == "on")
    assert ("You can talk for 30 seconds before each period." in lines) == (
        values["talk"] == "free"
    )

"""Texts that people read before a play of the default session. None of them names a mine that pays
best.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from docs.stakes import gem_mining as stakes
from docs.stakes.earning import Stake, stake_of
from mixed_company.server.pages.guide import guide_of
from settings import SESSION_CONFIGS
from tests.server.guides import in_all_forms, told

guide = guide_of("gem_mining")
CONFIGS = {config["name"]: config for config in SESSION_CONFIGS}
NAME = re.compile(r"\b[B-HJ-Z]\b|[Mm]ines? A\b")
"""Letters of mines, without the word "A" at the start of a sentence."""


@pytest.fixture(scope="module", params=stakes.SESSIONS)
def stake(request: pytest.FixtureRequest) -> Stake:
    return stake_of(CONFIGS[request.param])


def paying(stake: Stake) -> set[int]:
    """Return the mines that pay the person best: those in the best joint choices, and the best one
    to stay at."""
    points = {mine: plays.points.sum() for mine, plays in stakes.stays(stake).items()}
    best = stakes.joint_choices(stake).best()
    return {max(points, key=lambda mine: points[mine]), *best[:, 0].tolist()}


def texts(stake: Stake) -> Iterator[str]:
    """Yield the texts of the instructions, the quiz and the page before the first period."""
    yield told(guide, stake.game.core, stake.setup.options)
    yield from (part["title"] for part in guide.sections(stake.game, stake.setup.options))
    for question in guide.quiz(stake.game, stake.setup.options):
        yield from (question["text"], question["why"], *question["options"])
    yield from in_all_forms(guide.texts(stake.game.core)).values()


def test_no_text_names_a_mine(stake: Stake) -> None:
    named = [text for text in texts(stake) if NAME.search(text)]
    assert named == []


def test_the_pattern_finds_the_name_of_a_mine(stake: Stake) -> None:
    assert all(NAME.search(f"The workers go to {chr(65 + mine)}.") for mine in paying(stake))


def test_the_mine_of_a_person_who_does_nothing_is_not_one_that_pays(stake: Stake) -> None:
    default = int(stake.game.allowed(stake.game.reset(0)[0]).default["mine"][0])
    assert default == 0
    assert default not in paying(stake)


def test_the_example_of_chances_fits_every_mine_that_pays_and_more(stake: Stake) -> None:
    """The example uses a probability that several mines share, so it does not point to any of
    them."""
    base = stake.game.core.instance.base_probabilities
    shown = guide.scenes(stake.game)["happens"]["crews"][0]["chance"]
    having = {mine for mine, chances in enumerate(base) if shown in chances}
    assert having > paying(stake)

"""No text of the default session names the harvest that pays best, as docs/stakes.md requires."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from docs.stakes.commons_game import best_reply, named, numbers_in, played
from docs.stakes.conditions import shipped
from docs.stakes.earning import Stake
from mixed_company.server.pages.guide import guide_of

PLAYS = 2


@pytest.fixture(scope="module")
def stake() -> Stake:
    return next(stake for stake in shipped() if stake.name == "commons")


@pytest.fixture(scope="module")
def paying(stake: Stake) -> set[float]:
    """Return the best fixed harvest, the median harvest of the best reply, and the total of four
    best fixed harvests.
    """
    levels = np.arange(stake.game.core.max_harvest + 1.0)
    schedules = np.repeat(levels[:, None], stake.game.horizon, axis=1)
    points, _ = played(stake.game, stake.others, schedules, PLAYS)
    fixed = float(points.sum(axis=2).mean(axis=1).argmax())
    middle = float(np.median(best_reply(stake)))
    return {fixed, middle, stake.game.seats * fixed}


def test_the_best_harvests_are_inside(paying):
    assert paying == {6, 7, 24}  # as docs/stakes.md lists them


def test_no_sentence_has_the_number_of_a_harvest_that_pays_best(stake, paying):
    # The quiz asks for a share of 12 fish among four players, which is not one of these amounts.
    assert paying & named(stake) == set()


def test_a_number_that_pays_would_be_noticed(paying):
    assert paying & numbers_in(["Players ask for 6 fish."])


def catches(value: Any) -> Iterator[float]:
    """Yield the harvests in the pictures of the instructions."""
    for scene in value.values():
        yield from scene.get("harvest", [])


def test_no_picture_shows_a_harvest_that_pays_best(stake, paying):
    shown = {round(catch, 9) for catch in catches(guide_of("commons_game").scenes(stake.game))}
    assert shown == {4.8, 12}
    assert not paying & shown


def test_the_slider_begins_without_a_number_that_pays_best(stake, paying):
    default = stake.game.allowed(stake.game.reset(0)[0]).default["harvest"]
    assert set(default.tolist()) == {0.0}
    assert not paying & set(default.tolist())

"""Tests of the effect and cost of a vote, as stated above the page's buttons."""

from __future__ import annotations

from mixed_company import engine
from punishment_vote.words import voting


def said(archetype: str, **changes: object) -> str:
    return voting(engine.make("punishment_vote", archetype=archetype, **changes))


def test_a_vote_takes_the_place_of_a_move() -> None:
    assert said("lab", vote_step=0.25, vote_cost=1.0) == (
        "A vote moves it by 25 percentage points and costs you 1 point and your move."
    )


def test_a_vote_with_a_move_costs_only_points() -> None:
    assert said("composite", vote_step=0.2, vote_cost=0.1) == (
        "A vote moves the level by 20 percentage points. A vote costs you 0.1 points."
    )


def test_a_vote_of_unequal_weight_names_no_step() -> None:
    assert said("weighted_votes", vote_cost=0.1) == "A vote costs you 0.1 points."

"""Deviators gain among trained policies that never met a deviator, and lose among those that
did."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.learning.exploit.field import Field
from mixed_company.policies import make


def gain(game_id: str, archetype: str, field: str, reply: str) -> float:
    """Return how much more a reply earns on average than the policies it plays among."""
    plays = Field(engine.make(game_id, archetype=archetype), field, seed=7)
    policies = [make(name, plays.game) for name in (field, reply)]
    points, other = plays.earned(policies, np.arange(8)).mean(axis=1)
    return float(other - points)


BREAKS = "promises_and_breaks"
LIBERTARIAN = "libertarian:target=0;zeal=0.8"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("game_id", "archetype", "field", "reply"),
    [
        ("commons_game", "lab", "commons_ppo_lab_group", BREAKS),
        ("punishment_vote", "lab", "vote_ppo_lab_group", LIBERTARIAN),
    ],
)
def test_a_deviator_gains_among_plain_policies(game_id, archetype, field, reply):
    assert gain(game_id, archetype, field, reply) > 30


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("game_id", "archetype", "field", "reply"),
    [
        ("commons_game", "lab", "commons_ppo_lab_deter", BREAKS),
        ("punishment_vote", "lab", "vote_ppo_lab_deter", LIBERTARIAN),
    ],
)
def test_a_deviator_loses_among_deterring_policies(game_id, archetype, field, reply):
    assert gain(game_id, archetype, field, reply) < -10

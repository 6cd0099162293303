"""Deviators gain among trained policies that never met a deviator, and lose among those
that did.
"""

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


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("game_id", "archetype", "short", "reply"),
    [
        ("commons_game", "lab_0_8", "commons", "promises_and_breaks"),
        ("punishment_vote", "lab_0_8", "vote", "libertarian:target=0;zeal=0.8"),
    ],
)
def test_a_deviator_gains_among_plain_and_loses_among_deterring_policies(
    game_id, archetype, short, reply
):
    assert gain(game_id, archetype, f"{short}_ppo_lab_group", reply) > 30
    assert gain(game_id, archetype, f"{short}_ppo_lab_deter", reply) < -10

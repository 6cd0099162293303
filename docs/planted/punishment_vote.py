"""Trial with one model and two parameter sets: a walker who seldom votes, and a frequent voter."""

from __future__ import annotations

from docs.planted.trial import Trial
from mixed_company.policies.populations import Spread, Type

__all__ = ["TRIAL"]

TEXT = """
[[types]]
name = "walker"
policy = "quantal_response_reach"
share = 0.6
source = "ours"
parameters = { precision = { mean = 0.7, sd = 0.2, log = true }, voting = -1.5 }

[[types]]
name = "voter"
policy = "quantal_response_reach"
share = 0.4
source = "ours"
parameters = { precision = { mean = -0.7, sd = 0.2, log = true }, voting = 0.5 }
"""


def called(kind: Type) -> str:
    """Label a type by how often it votes; the threshold is midway between the two."""
    voting = kind.parameters["voting"]
    return "voter" if isinstance(voting, Spread) and voting.ends[0] > -0.5 else "walker"


TRIAL = Trial(
    TEXT,
    {"archetype": "lab_0_8", "turns": 40},
    groups=15,
    repetitions=10,
    called=called,
    truth={
        "walker": {"share": 0.6, "precision": 0.7, "sd of precision": 0.2, "voting": -1.5},
        "voter": {"precision": -0.7, "sd of precision": 0.2, "voting": 0.5},
    },
)

"""Trial with two choice models: a planner who predicts the others, and a learner."""

from __future__ import annotations

from docs.planted.trial import Trial
from mixed_company.policies.populations import Type

__all__ = ["TRIAL"]

TEXT = """
[[types]]
name = "planner"
policy = "quantal_response"
share = 0.6
source = "ours"
parameters = { precision = { mean = 1.8, sd = 0.3, log = true } }

[[types]]
name = "learner"
policy = "reinforcement_learning"
share = 0.4
source = "ours"
parameters.precision = { mean = 0.4, sd = 0.2, log = true }
parameters.learning_rate = 0.3
"""


def called(kind: Type) -> str:
    """Label a type by its model."""
    return {"quantal_response": "planner", "reinforcement_learning": "learner"}[kind.policy]


TRIAL = Trial(
    TEXT,
    {"archetype": "lab"},
    groups=20,
    repetitions=10,
    called=called,
    truth={
        "planner": {"share": 0.6, "precision": 1.8, "sd of precision": 0.3},
        "learner": {"precision": 0.4, "sd of precision": 0.2, "learning_rate": 0.3},
    },
)

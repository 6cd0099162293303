"""Trial with two linear types: free riders and conditional contributors."""

from __future__ import annotations

from docs.planted.trial import Trial
from mixed_company.policies.populations import Type

__all__ = ["TRIAL"]

TEXT = """
[[types]]
name = "none"
policy = "straight_line"
share = 0.3
source = "ours"
first = 0.0

[[types]]
name = "line"
policy = "straight_line"
share = 0.7
source = "ours"
first = { mean = 0.6, sd = 0.15 }
parameters.intercept = { mean = 3.0, sd = 1.0 }
parameters.noise = 1.5
parameters.slope = { mean = 0.7, sd = 0.25 }
"""


def called(kind: Type) -> str:
    """Label a type; the calibration already labels the type that gives nothing."""
    return "none" if kind.name == "always the least" else "line"


LINE = {"first": 0.6, "sd of first": 0.15, "intercept": 3.0, "sd of intercept": 1.0}
LINE |= {"slope": 0.7, "sd of slope": 0.25, "noise": 1.5}
TRIAL = Trial(
    TEXT,
    {"archetype": "unsanctioned", "periods": 10},
    groups=25,
    repetitions=20,
    called=called,
    truth={"none": {"share": 0.3}, "line": LINE},
)

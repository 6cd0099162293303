"""How the policies of the public good read their screen."""

from __future__ import annotations

import numpy as np

from mixed_company.policies.policy import Observation

__all__ = ["mean_of_others", "somebody_to_punish"]


def mean_of_others(observation: Observation) -> float | None:
    """What the others whose numbers are shown gave last period, on average; None without any."""
    given = np.delete(observation["contribution"], int(observation["seat"]))
    shown = given[~np.isnan(given)]
    return float(shown.mean()) if int(observation["period"]) > 0 and shown.size else None


def somebody_to_punish(observation: Observation) -> bool:
    """Is another seat shown among those that gave least?"""
    others = np.delete(observation["lowest"], int(observation["seat"]))
    return bool((others > 0.5).any())

"""Functions that read the screen, shared by the policies of the public good."""

from __future__ import annotations

import numpy as np

from mixed_company.policies.policy import Observation

__all__ = ["mean_of_others", "somebody_to_punish"]


def mean_of_others(observation: Observation) -> float | None:
    """Return the mean of the other seats' visible contributions last period, or None."""
    contributions = np.delete(observation["contribution"], int(observation["seat"]))
    shown = contributions[~np.isnan(contributions)]
    return float(shown.mean()) if int(observation["period"]) > 0 and shown.size else None


def somebody_to_punish(observation: Observation) -> bool:
    """Return whether another seat is shown among those that gave least."""
    others = np.delete(observation["lowest"], int(observation["seat"]))
    return bool((others > 0.5).any())

"""Request for a policy's message."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from mixed_company.policies.policy import Observation, Policy
from mixed_company.policies.talk import Saying, Talk


def ask_to_say(
    policy: Policy,
    talk: Talk,
    seen: Observation,
    rng: np.random.Generator,
    budget: float = math.inf,
    patience: float = math.inf,
) -> Saying | str | None:
    """Return a policy's message, or a string that says why there is none.

    There is no message if the policy fails, or takes more than `budget` seconds of processor time
    or `patience` seconds of wall time. A policy that exceeds `budget` counts as slow.
    """
    began, spent = time.monotonic(), time.thread_time()
    try:
        saying = policy.say(talk, seen, rng)
    except Exception as error:  # noqa: BLE001  any error of a policy; the play goes on
        return f"{type(error).__name__}: {error}"
    if time.thread_time() - spent > budget:
        policy.slow = True
        return f"took more than {budget * 1000:g} ms"
    if time.monotonic() - began > patience:
        return f"took more than {patience:g} s of wall time"
    return saying if _is_saying(saying) else f"{saying!r:.60}: is not a valid message"


def _is_saying(saying: Any) -> bool:
    if saying is None:
        return True
    return isinstance(saying, Saying) and all(
        value is None or (isinstance(value, kind) and not isinstance(value, bool))
        for value, kind in zip(saying, (str, int, int), strict=True)
    )

"""Fields of every kind, bounded and unbounded, and the actions they allow."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine import ActionError
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.space import Field

NAN, INF = float("nan"), float("inf")
PUSH = Field("push", "", low=-1, high=1, default=0.5)
PAY = Field("pay", "", low=0)
FREE = Field("free", "")
COUNT = Field("count", "", kind="whole", low=0, high=10, default=2)
TALLY = Field("tally", "", kind="whole")
DOOR = Field("door", "", kind="choice", low=2, high=5, default=3)
BELL = Field("bell", "", kind="flag", low=0, high=1)
ALL = (PUSH, PAY, FREE, COUNT, TALLY, DOOR, BELL)
SPLIT = Field("split", "", low=0, high=1, shape=(2,))
TRAY = Field("tray", "", kind="whole", low=0, shape=(2, 3))
LEVERS = Field("levers", "", kind="choice", low=0, high=3, shape=(2,))
ARRAYS = (SPLIT, TRAY, LEVERS)
SENT = {"push": 0.25, "pay": 3, "free": -7.5, "count": 4, "tally": -9, "door": 5, "bell": True}
BARRED = np.array([False, True])


def allowed(*fields, shape=(), limits=None, **barred):
    return Allowed(fields, shape, limits or {}, barred)


def of_all(shape):
    """Return SENT, repeated for each of these seats."""
    return {name: np.full(shape, value).tolist() for name, value in SENT.items()}


def refusal(now, **sent):
    with pytest.raises(ActionError) as refused:
        now.used(sent)
    return str(refused.value)

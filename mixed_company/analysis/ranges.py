"""Ranges of measures: their smallest and largest possible values."""

from __future__ import annotations

import math

Range = tuple[float, float]
FREE: Range = (-math.inf, math.inf)
FROM_0: Range = (0.0, math.inf)
UP_TO_1: Range = (-math.inf, 1.0)

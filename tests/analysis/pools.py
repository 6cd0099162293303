"""Pools of simulated groups. Each is played once and reused by several calls to `power`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from mixed_company.analysis.data import Data
from mixed_company.analysis.power import simulation
from mixed_company.analysis.simulated import simulated

__all__ = ["played_once"]


@contextmanager
def played_once() -> Iterator[None]:
    """Keep the plays of `power`: the same treatments, seeds and numbers yield the same groups."""
    kept: dict[str, Data] = {}

    def keep(*treatment: Any, **settings: Any) -> Data:
        key = repr((treatment, sorted(settings.items())))
        if key not in kept:
            kept[key] = simulated(*treatment, **settings)
        return kept[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(simulation, "simulated", keep)
        yield

"""A policy that fails in many plays is reported once, and the default is played in its place."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.policies import bench
from mixed_company.policies.bench import Bench
from mixed_company.policies.policy import Decided, Policy, Seats

GAME = engine.make("commons_game", archetype="lab_0_7", periods=3)
PLACES = np.ones(GAME.seats, bool)


class Misspelt(Policy):
    """Policy that reads a field that does not exist."""

    id, games, source = "misspelt", ("commons_game",), "a test"

    def act_together(self, seats: Seats) -> Decided:
        return {"harvest": seats.seen["stok"] / 9, "contribution": 0.0}, {}


class Unnumbered(Policy):
    """Policy that answers NaN in the last period."""

    id, games, source = "unnumbered", ("commons_game",), "a test"

    def act_together(self, seats: Seats) -> Decided:
        return {"harvest": np.where(seats.period == 2, np.nan, 4.0), "contribution": 0.0}, {}


class Apart(Policy):
    """Policy that decides seat by seat and divides by zero."""

    id, games, source = "apart", ("commons_game",), "a test"

    def act(self, observation: Any, memory: Any, rng: Any) -> Any:
        return {"harvest": 1 / (int(observation["stock"]) // 1000), "contribution": 0.0}, memory


@pytest.mark.parametrize(
    ("kind", "reason", "faults"),
    [
        (Misspelt, "misspelt: KeyError: 'stok'", 24),
        (Unnumbered, "unnumbered: its answer or its memory is invalid: harvest = nan", 8),
        (Apart, "apart: ZeroDivisionError", 24),
    ],
)
def test_a_failing_policy_is_reported_once(caplog, monkeypatch, kind, reason, faults):
    monkeypatch.setattr(bench, "_failing", set(), raising=False)
    seeds = np.arange(2)
    with caplog.at_level(logging.WARNING):
        seated = Bench(GAME, [(kind(GAME.core), PLACES)])
        for _ in seated.play(seeds, *GAME.reset(seeds)):
            pass
    assert seated.faults == faults
    [line] = caplog.messages
    assert line.startswith(reason)
    assert line.endswith("; the default is played whenever it fails")

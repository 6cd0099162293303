"""The `coopetition_gym` archetype reproduces the published game number for number."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from mixed_company import engine

FOLDER = Path(__file__).parent / "reference"
SEATS = range(6)
FIELD = {
    "trust": "trust",
    "reputation": "reputation",
    "reciprocity_effect": "reciprocity_effects",
    "cooperation_signal": "cooperation_signals",
    "memory_average": "memory_averages",
}


def lines(name):
    with (FOLDER / name).open() as file:
        return list(csv.DictReader(file))


STEPS, MATRICES = lines("sanctions_steps.csv"), lines("sanctions_matrices.csv")
SCRIPTS = sorted({line["script"] for line in STEPS})


def numbers(line, name):
    """Return the columns name_0 .. name_5, with NaN for empty cells."""
    return np.array([float(line[f"{name}_{seat}"] or "nan") for seat in SEATS])


def played(script):
    """Yield (script line, state after, outcome) for every period."""
    game = engine.make("sanctions", archetype="coopetition_gym")
    state, _ = game.reset()
    for line in (line for line in STEPS if line["script"] == script):
        state, outcome = game.step(state, {"contribution": numbers(line, "action")}, {})
        yield line, state, outcome


@pytest.mark.parametrize("script", SCRIPTS)
def test_rewards_and_mean_trust_match_the_published_game(script):
    result = list(played(script))
    assert len(result) == 60
    for line, state, outcome in result:
        assert np.abs(outcome.rewards - numbers(line, "reward")).max() < 1e-9
        assert abs(state["mean_trust"] - float(line["mean_trust"])) < 1e-9


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("quantity", sorted(FIELD))
def test_every_pair_matches_the_published_game(script, quantity):
    states = [state for _, state, _ in played(script)]
    wanted = [e for e in MATRICES if (e["script"], e["quantity"]) == (script, quantity)]
    assert len(wanted) == 4 * 6
    for line in wanted:
        value, expected = states[int(line["t"])][FIELD[quantity]], numbers(line, "j")
        row = value[int(line["i"])] if value.ndim == 2 else value
        stated = ~np.isnan(expected)
        assert stated.sum() >= 5
        assert np.abs(row - expected)[stated].max() < 1e-9

"""docs/behaviour.md describes every model and states how well its values are recovered."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.behaviour import GAMES, models, trials
from mixed_company.analysis import behaviour

TOLD = (Path(__file__).resolve().parents[3] / "docs/behaviour.md").read_text()
NAMES = sorted({name for game in GAMES for name in behaviour.models(game)})


def test_the_document_has_the_docstrings_of_the_models():
    assert models() in TOLD


@pytest.mark.parametrize("name", [name for name in NAMES if name != "uniform"])
def test_every_model_has_a_recovery_test(name):
    tried = [trial for _, trial in trials() if trial.model == name]
    assert tried
    for per in TOLD.split("\n### Per ")[1:]:
        rows = [line for line in per.splitlines() if line.startswith(f"| {name} |")]
        assert len(rows) == sum(len(trial.truth) for trial in tried)

"""The statements in docs/analysis.md about the audit and about replaying by hand are true."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

from mixed_company import analysis, engine

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/analysis.md"


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_the_recipe_by_hand_gives_the_rewards_of_every_game(tmp_path, monkeypatch, game):
    short = {"turns": 5} if game == "punishment_vote" else {"periods": 4}
    options = {"people": ["random"], "bots": ["random"], "groups": 2, "seed": 3, **short}
    analysis.save(analysis.simulated(game, archetype="lab", **options), tmp_path / "export.zip")
    with zipfile.ZipFile(tmp_path / "export.zip") as export:
        for table in ("decisions", "config"):
            (tmp_path / f"{table}.csv").write_bytes(export.read(f"{game}/{table}.csv"))
    recipes = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), flags=re.S)
    [recipe] = [recipe for recipe in recipes if "replayed" in recipe]
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(recipe, names)
    rewards = np.concatenate([step.rewards for step in names["steps"]])
    assert rewards.tolist() == names["own"].sort_values(["period", "seat"])["reward"].tolist()

"""Test that the documented example, trained with Stable-Baselines3 and exported, plays like the
learner.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from mixed_company import policies
from mixed_company.policies.policy import ask_at

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "trained.md"

pytestmark = pytest.mark.usefixtures("folders_forgotten")


def test_the_model_acts_like_the_learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("stable_baselines3", reason="needs the `training` extra")
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), flags=re.S)
    [example] = [example for example in examples if "PPO(" in example]
    values: dict[str, Any] = {}
    exec(example.replace("100_000", "256"), values)
    assert policies.look_in("my_policies") == ["my_learner"]
    policy, environment = policies.make("my_learner", values["game"]), values["env"].unwrapped
    seen, _ = environment.reset(seed=3)
    sent, _ = values["learner"].predict(seen, deterministic=True)
    answer = ask_at(environment.play.episode, policy, environment.seat, policy.start())
    expected = {
        name: float(value)
        for name, value in environment.play.action(environment.seat, sent).items()
    }
    assert answer.action == pytest.approx(expected, abs=1e-5)
    assert 0 < expected["harvest"] < 12

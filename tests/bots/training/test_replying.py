"""Networks that learn to reply are judged like other replies (`mixed exploit --ppo`)."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("torch", reason="needs the `training` extra", exc_type=ImportError)
pytest.importorskip("sb3_contrib", reason="needs the `training` extra", exc_type=ImportError)

import numpy as np

from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.learning.exploit.field import Field
from mixed_company.learning.training.learning import learned_reply
from mixed_company.policies.trained.card import read
from tests.bots.trained.models import always, write

pytestmark = pytest.mark.usefixtures("folders_forgotten")

GAME = engine.make("commons_game", archetype="lab_0_7", periods=3)


def test_among_modest_policies_it_learns_to_take_its_limit():
    # three times 10 from a lake of 100, from which the others take nothing; a random policy takes
    # 15
    reply = learned_reply(GAME, "fixed:harvest=0", steps=50_000, seed=1)
    field = Field(GAME, "fixed:harvest=0", seed=0)
    assert field.earned([reply], np.arange(4)).min() > 20.0


def test_a_seed_learns_the_same_reply_and_another_seed_another():
    field = Field(GAME, "tit_for_tat", seed=0)
    replies = [learned_reply(GAME, "tit_for_tat", 1, seed, seats=[2]) for seed in (1, 1, 2)]
    first, again, other = field.earned(replies, np.arange(4)).tolist()
    assert first == again
    assert first != other


def test_the_card_has_the_learned_reply_next_to_the_searched_one(tmp_path):
    path = write(tmp_path, always(-1.0, -1.0), aim="group")  # the judged policy takes nothing
    effort = ["--rounds", "1", "--candidates", "2", "--plays-each", "1", "--plays", "8"]
    chosen = ["exploit", "pupil", "--folder", str(tmp_path), "--ppo", "1", "--write"]
    output = ["--output", str(tmp_path.parent / "gap.json")]
    assert main([*chosen, *effort, *output]) == 0
    learned = [
        reply
        for reply in json.loads((tmp_path.parent / "gap.json").read_text())["replies"]
        if reply["how"] == "learned"
    ]
    assert [reply["name"] for reply in learned] == ["ppo"]
    gap = read(path).gap
    assert gap is not None
    assert gap.searched["ppo"].mean == pytest.approx(learned[0]["gain"]["value"], abs=1e-4)
    assert gap.searched["ppo"].mean > 0.0

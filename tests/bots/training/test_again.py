"""Cards are updated by the commands that they state: training, additional seeds, scores and gap."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="needs the `training` extra", exc_type=ImportError)
pytest.importorskip("sb3_contrib", reason="needs the `training` extra", exc_type=ImportError)

from docs.training import commands
from mixed_company import policies as bots
from mixed_company.__main__ import main
from mixed_company.learning.training import learning
from mixed_company.policies.trained.card import read

TRAINING = (
    "train commons_game --archetype lab periods=4 --aim group --hidden 8 --steps 400 --seed 3"
)
SEARCH = ["--rounds", "1", "--candidates", "2", "--plays-each", "1"]


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    """Use rounds of a few plays."""
    monkeypatch.setattr(learning, "ROUND", 480)
    monkeypatch.setattr(bots, "_folders", {})
    yield
    bots._all.cache_clear()


def mixed(folder, words):
    """Run a command as in a new process, which loads the policies of the folder."""
    bots._folders.clear()
    if folder.is_dir():
        bots.look_in(folder)
    search = SEARCH if words[0] == "exploit" else []
    assert main([*words, *search]) == 0


def test_a_card_is_renewed_with_its_scores_seeds_and_gap(tmp_path):
    mine, others = tmp_path / "mine", tmp_path / "others"
    mixed(mine, [*TRAINING.split(), "--name", "pupil", "--sentence", "-", "--output", str(mine)])
    path = mine / "pupil.json"
    other = [*TRAINING.split(), "--seed", "4", "--name", "fourth", "--sentence", "-"]
    mixed(mine, [*other, "--output", str(others)])
    judging = ["judge", "pupil", "--seeds", "fourth", "--folder", str(others), "--plays", "4"]
    mixed(mine, [*judging, "--write"])
    mixed(mine, ["exploit", "pupil", "--plays", "8", "--write"])
    first = read(path)
    bare = first.model_copy(update={"scores": None, "gap": None, "seeds": None})
    path.write_text(bare.model_dump_json())

    for words in commands(first, str(tmp_path / "again")):
        mixed(mine, words)
    again = read(path)
    assert set(again.seeds.by_aim) == {"3", "4"}
    assert (again.scores.plays, again.gap.plays) == (4, 8)
    gap = again.gap.model_copy(update={"seconds": first.gap.seconds})
    assert again.model_copy(update={"seconds": first.seconds, "gap": gap}) == first

"""Training with RLlib, exported as the same kind of model and card (`mixed train --ray`)."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from mixed_company.__main__ import main
from mixed_company.cli.commands import train
from mixed_company.policies.trained.card import read
from mixed_company.policies.trained.model import Model, Shapes
from tests.mixed.bad import refused

COMMON = ["train", "commons_game", "--archetype", "lab", "--aim", "group", "--seed", "3"]
COMMON += ["--name", "pupil", "--sentence", "Learns a little.", "--ray", "local"]

pytestmark = pytest.mark.usefixtures("folders_forgotten")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--imitate", "greedy"], "--imitate: cannot be used with --ray"),
        (["--against", "greedy"], "--against: cannot be used with --ray"),
        (["--deviators", "greedy"], "--deviators: cannot be used with --ray"),
        (["--credit", "difference"], "--credit: cannot be used with --ray"),
        (["--remember", "stock"], "--remember: cannot be used with --ray"),
        (["--spread", "0.2"], "--spread: cannot be used with --ray"),
        (["--against-replies", "2"], "--against-replies: cannot be used with --ray"),
        (["--resume"], "--resume: cannot be used with --ray"),
    ],
)
def test_options_that_rllib_lacks_are_refused_by_name(capsys, tmp_path, more, words):
    assert words in refused(capsys, *COMMON, "--steps", "9", "--output", str(tmp_path), *more)


def test_games_with_choices_are_refused(capsys, tmp_path):
    arguments = ["train", "gem_mining", *COMMON[2:], "--steps", "9", "--output", str(tmp_path)]
    assert "game = gem_mining: RLlib cannot mask" in refused(capsys, *arguments)


def test_a_missing_library_is_named_with_its_extra(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(train, "find_spec", lambda name: None)
    message = refused(capsys, *COMMON, "--steps", "9", "--output", str(tmp_path))
    assert 'needs RLlib, which is not installed: pip install ".[rllib]"' in message


@pytest.mark.long
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:1", "ray = '127.0.0.1:1': cannot be reached"),
        ("nowhere", "ray = 'nowhere': should be HOST:PORT or local"),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_refused(capsys, tmp_path, address, words):
    pytest.importorskip("ray", reason="needs tests/learning.txt", exc_type=ImportError)
    arguments = [*COMMON[:-1], address, "--steps", "9", "--output", str(tmp_path)]
    assert words in refused(capsys, *arguments)


@pytest.mark.long
def test_two_iterations_give_a_model_that_plays_and_a_card_that_names_the_engine(
    capsys, tmp_path, monkeypatch
):
    ray = pytest.importorskip("ray", reason="needs tests/learning.txt", exc_type=ImportError)
    rllib = importlib.import_module("mixed_company.learning.training.rllib")
    monkeypatch.setattr(rllib, "ROUND", 800)
    folder, learned = tmp_path / "policies", []

    def remembered(module, rules):
        learned.append((module, rules))
        return as_exported(module, rules)

    as_exported = rllib._as_exported
    monkeypatch.setattr(rllib, "_as_exported", remembered)
    more = ["--steps", "1600", "--hidden", "8", "--output", str(folder)]
    more += ["--observe", "period,seat,stock,wealth"]
    assert main([*COMMON, *more]) == 0
    card = read(folder / "pupil.json")
    assert card.algorithm == f"PPO of RLlib {ray.__version__}"
    assert 1600 <= card.steps < 2400
    assert "--ray local" in card.command

    torch = importlib.import_module("torch")
    module, rules = learned[0]
    rng = np.random.default_rng(0)
    seen = rng.uniform(0, 3, (5, len(card.observation))).astype(np.float32)
    box = rllib.spaces.Box(-np.inf, np.inf, seen.shape[1:])
    with torch.no_grad():
        scaled = rllib.Scaled(box, rules)(torch.as_tensor(seen))
        wanted = module.forward_inference({"obs": scaled})["action_dist_inputs"].numpy()
    shapes = Shapes(seen.shape[1], 0, 2, choices=False, drawn=True)
    answer = Model(folder / "pupil.onnx", shapes).ask(seen, np.zeros((5, 0)), np.ones((5, 2)))
    assert answer.action == pytest.approx(wanted[:, :2], abs=1e-5)
    assert np.log(answer.spread) == pytest.approx(wanted[:, 2:], abs=1e-5)
    capsys.readouterr()
    assert main(["judge", "pupil", "--folder", str(folder), "--plays", "2", "--workers", "1"]) == 0
    assert "pupil: mean points of a seat" in capsys.readouterr().out

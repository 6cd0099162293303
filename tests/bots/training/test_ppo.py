"""Training: the same seed gives the same weights, and the served model is the trained one."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the `training` extra", exc_type=ImportError)
pytest.importorskip("sb3_contrib", reason="needs the `training` extra", exc_type=ImportError)

import torch

from mixed_company import engine
from mixed_company import policies as bots
from mixed_company.__main__ import main
from mixed_company.engine import ConfigError
from mixed_company.learning.training import learning
from mixed_company.learning.training.export import exported
from mixed_company.learning.training.plan import Plan
from mixed_company.policies.flat.actions import FlatActions
from mixed_company.policies.flat.observations import FlatObservations
from mixed_company.policies.rollout import rollout
from mixed_company.policies.trained.card import read
from mixed_company.policies.trained.model import Model, Shapes

COMMONS = ["commons_game", "--archetype", "lab", "--observe", "period,seat,stock,wealth"]
GEMS = ["gem_mining", "--archetype", "lab", "--observe", "period,seat,reach,workers_at,found"]


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    """Use rounds of a few plays, with a checkpoint after each."""
    monkeypatch.setattr(learning, "ROUND", 480)
    monkeypatch.setattr(learning, "CHECKPOINTS", 1)
    monkeypatch.setattr(bots, "_folders", {})
    yield
    bots._all.cache_clear()


def _command(folder, game=COMMONS, steps=2000, seed=3):
    """Return the arguments to train a network of 8 units."""
    named = ["--name", "pupil", "--sentence", "Learns a little.", "--output", str(folder)]
    size = ["--aim", "own", "--hidden", "8", "--steps", str(steps), "--seed", str(seed)]
    return ["train", *game, *size, *named]


def train(folder, game, *more, steps=1000, seed=3):
    """Run the command and return its exit code."""
    return main([*_command(folder, game, steps, seed), *more])


def bytes_of(folder):
    return (folder / "pupil.onnx").read_bytes()


@pytest.mark.parametrize("game", [COMMONS, [*GEMS, "--remember", "workers_at,found"]])
def test_a_seed_gives_the_same_weights_and_another_seed_gives_others(tmp_path, game):
    folders = [tmp_path / name for name in ("first", "again", "other")]
    for folder, seed in zip(folders, (3, 3, 4), strict=True):
        assert train(folder, game, seed=seed) == 0
    first, again, other = map(bytes_of, folders)
    assert first == again
    assert first != other


def test_with_fewer_steps_than_a_round_the_learning_rate_stays_positive():
    # after a round of 480 decisions out of 200, -1.4 is left; the rate was once 0.1 - 1.26
    rates = [learning.Falling(1.0)(left) for left in (1.0, 0.5, 0.0, -1.4)]
    assert rates == pytest.approx([1.0, 0.55, 0.1, 0.05])


def test_a_trained_policy_is_found_and_plays(tmp_path):
    assert train(tmp_path, COMMONS) == 0
    assert bots.look_in(tmp_path) == ["pupil"]
    card = read(tmp_path / "pupil.json")
    assert (card.algorithm, card.aim, card.against, card.seed) == ("PPO", "own", "self", 3)
    assert card.steps >= 1000
    assert card.command.startswith("mixed train commons_game --archetype lab ")
    game, faults = engine.make(card.config), []
    policies = [bots.make("pupil", game)] * 4
    assert list(rollout(engine.Episode(game, 1), policies, faults=faults))
    assert faults == []


def test_a_seat_learns_among_named_policies(tmp_path):
    assert train(tmp_path, COMMONS, "--against", "greedy,sustainable", "--seats", "1,2") == 0
    assert read(tmp_path / "pupil.json").against == "greedy,sustainable"


def test_a_deterring_policy_lists_its_deviators(tmp_path):
    assert train(tmp_path, COMMONS, "--deviators", "greedy, fixed:harvest=6") == 0
    card = read(tmp_path / "pupil.json")
    assert (card.against, card.deviators) == ("self", "greedy,fixed:harvest=6")


@pytest.mark.parametrize(
    ("game", "more"),
    [
        (COMMONS, []),
        (COMMONS, ["--against", "noisy_person", "--imitate", "greedy", "--imitate-steps", "500"]),
        ([*GEMS, "--remember", "workers_at,found"], []),
    ],
)
def test_an_interrupted_training_ends_with_the_weights_of_an_uninterrupted_one(
    tmp_path, monkeypatch, game, more
):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert train(whole, game, *more, steps=2000) == 0
    calls = []

    def interrupted(_):
        calls.append(1)
        if len(calls) == 2:
            raise ConfigError("the test interrupts it")

    with monkeypatch.context() as patch:
        patch.setattr(learning._Reporting, "_tell", interrupted)
        assert train(broken, game, *more, steps=2000) == 2
    assert (broken / "pupil.checkpoint.zip").is_file()
    assert not (broken / "pupil.onnx").exists()
    assert train(broken, game, *more, "--resume", steps=2000) == 0
    assert bytes_of(broken) == bytes_of(whole)
    cards = [read(folder / "pupil.json") for folder in (whole, broken)]
    assert cards[0].steps == cards[1].steps
    assert "--resume" not in cards[1].command
    assert [path.name for path in broken.glob("*.zip")] == []


def interrupt(folder, monkeypatch, *more):
    """Interrupt a training run so that it leaves a checkpoint."""

    def interrupted(_):
        raise ConfigError("the test interrupts it")

    with monkeypatch.context() as patch:
        patch.setattr(learning._Reporting, "_tell", interrupted)
        assert train(folder, COMMONS, *more, steps=2000) == 2
    assert (folder / "pupil.checkpoint.zip").is_file()


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (["--rate", "0.5"], "rate = 0.5: training was started with 0.001"),
        (["--seed", "4"], "seed = 4: training was started with 3"),
        (["--steps", "3000"], "steps = 3000: training was started with 2000"),
        (["--aim", "group"], "aim = 'group': training was started with 'own'"),
        (["--against", "greedy"], "against = 'greedy': training was started with ''"),
        (["--observe", "stock"], "observe = ['stock']: training was started with ['period', "),
        (["capacity=50"], "core.capacity = 50.0: training was started with 160.0"),
    ],
)
def test_a_checkpoint_of_another_plan_is_refused_by_its_keys(
    tmp_path, monkeypatch, capsys, more, text
):
    interrupt(tmp_path, monkeypatch)
    assert main([*_command(tmp_path), "--resume", *more]) == 2
    assert f"{tmp_path / 'pupil.checkpoint.zip'}: {text}" in capsys.readouterr().err
    assert not (tmp_path / "pupil.onnx").exists()


def test_folder_and_description_can_change_after_an_interruption(tmp_path, monkeypatch):
    first, moved = tmp_path / "first", tmp_path / "moved"
    interrupt(first, monkeypatch)
    first.rename(moved)
    assert main([*_command(moved), "--resume", "--sentence", "Learned in two parts."]) == 0
    assert read(moved / "pupil.json").sentence == "Learned in two parts."


def test_a_checkpoint_that_does_not_name_its_plan_is_refused(tmp_path, monkeypatch, capsys):
    with monkeypatch.context() as patch:
        patch.setattr(Plan, "record", property(lambda _: None))
        interrupt(tmp_path, monkeypatch)
    assert main([*_command(tmp_path), "--resume"]) == 2
    assert (
        "pupil.checkpoint.zip: this checkpoint does not record its settings"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (["--resume"], "pupil.checkpoint.zip: there is no checkpoint to resume from"),
        (["--seats", "1"], "seats = [1]: without --against, all seats learn"),
        (
            ["--deviators", "greedy", "--against", "greedy"],
            "deviators = greedy: cannot be used with --against",
        ),
        (["--deviators", "nobody"], "policy 'nobody': unknown in commons_game"),
        (["--remember", "harvest"], "remember = harvest: must be among the observed fields"),
        (["--remember", "stok"], "observation field 'stok': unknown; did you mean 'stock'?"),
        (["--against", "nobody"], "policy 'nobody': unknown in commons_game"),
        (["--name", "Pupil 1"], "id = 'Pupil 1': String should match pattern"),
        (["--sentence", ""], "sentence = '': String should have at least 1 character"),
        (["--credit", "difference"], "credit = 'difference': requires aim = 'group'"),
        (["--steps", "0"], "steps = 0: should be at least 1"),
        (["--rate", "nan"], "rate = nan: should be above 0"),
        (["--spread", "0"], "spread = 0.0: should be above 0 and at most 1"),
        (["--discount", "2"], "discount = 2.0: should be above 0 and at most 1"),
        (
            ["--seats", "one", "--against", "greedy"],
            "seats = 'one': should be whole numbers separated by commas",
        ),
        (["--seats", "7", "--against", "greedy"], "seat 7: should be from 0 to 3"),
        (["--imitate", "nobody"], "policy 'nobody': unknown in commons_game"),
        (
            ["--imitate", "greedy", "--imitate-steps", "0"],
            "imitate_steps = 0: should be at least 1",
        ),
        (["--paths", "stock:1"], "paths: stock is not a square of cells with a cell in the middle"),
        (["--paths", "stock:one"], "paths = 'one': should be whole numbers separated by commas"),
        (["--cells", "stock"], "cells = 'stock': should be field:number"),
        (["--cells", "stock:2"], "cells = stock:2: should be field:number, where"),
        (["capacty=3"], "core.capacty = 3: unknown key; did you mean 'capacity'?"),
    ],
)
def test_impossible_trainings_are_refused(tmp_path, capsys, more, text):
    assert train(tmp_path, COMMONS, *more) == 2
    assert re.search(re.escape(text), capsys.readouterr().err)
    assert not (tmp_path / "pupil.onnx").exists()


def plan(folder, game, **changes):
    named = {"name": "pupil", "output": folder, "sentence": "Learns a little.", "aim": "own"}
    return Plan(game=game, **named, steps=0, seed=5, hidden=8, **changes)


@pytest.mark.parametrize(
    ("game_id", "remember", "cells"),
    [
        ("commons_game", (), None),
        ("commons_game", ("stock", "harvest"), None),
        ("sanctions", (), None),
        ("gem_mining", ("workers_at", "found"), None),
        ("punishment_vote", ("level",), None),
        ("punishment_vote", ("level",), ("window", 3)),
        ("punishment_vote", ("level",), ("window", 3, (0, 2, 3, 4, 5, 6))),
    ],
)
def test_the_model_answers_like_the_network_including_its_memory(
    tmp_path, game_id, remember, cells
):
    game = engine.make(game_id, archetype="lab")
    paths = ("window", cells[2]) if cells and len(cells) > 2 else None
    plan_of_training = plan(
        tmp_path, game, remember=remember, cells=cells and cells[:2], paths=paths
    )
    flat = FlatObservations(game.declaration.observations, game.seats)
    observed, remembered = learning._chosen(plan_of_training, flat)
    choices = FlatActions(game.declaration.actions).choices
    kind = learning.MaskablePPO if choices else learning.PPO
    learner = learning._Course(plan_of_training, kind, observed, remembered).learner(())
    written = exported(learner.policy, remembered, learner.env.paths)
    (tmp_path / "model.onnx").write_bytes(written)
    memory = 1 + len(remembered) if remember else 0
    size = learner.policy.action_net.out_features
    shapes = Shapes(len(observed), memory, size, choices, not choices)
    model, numbers = Model(tmp_path / "model.onnx", shapes), np.zeros((1, memory))
    assert model.together
    seen = learner.env.reset()
    for _ in range(4):
        answer = model.ask(seen[:1, : len(observed)], numbers, np.ones((1, size)))
        with torch.no_grad():
            latent = learner.policy.mlp_extractor.forward_actor(
                learner.policy.extract_features(torch.as_tensor(seen[:1]))
            )
            wanted = learner.policy.action_net(latent)[0].numpy()
        assert answer.action[0] == pytest.approx(wanted, abs=1e-5)
        assert choices or answer.spread[0] == pytest.approx(np.exp(-0.7), abs=1e-5)
        numbers = answer.memory if remember else numbers
        actions = [learner.env.action_space.sample() for _ in range(learner.env.num_envs)]
        seen = learner.env.step(np.stack(actions))[0]

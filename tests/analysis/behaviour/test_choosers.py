"""Populations with choices: policies decide as their models do, and fits recover planted values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.populations import gem_mining, punishment_vote
from mixed_company import analysis, engine, policies
from mixed_company.analysis import behaviour
from mixed_company.analysis.behaviour import calibrating
from mixed_company.analysis.behaviour.decisions import decided
from mixed_company.analysis.behaviour.families.quantal_response import logit
from mixed_company.analysis.behaviour.panel import GRID
from mixed_company.analysis.data import Data
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies import populations, sharing
from mixed_company.policies.populations.form import Spread
from tests.analysis import elsewhere

HEAD = 'game = "{}"\nsentence = "What is planted here."\nsource = "made up"\n'
TYPE = """
[[types]]
name = "{}"
policy = "{}"
share = {}
source = "made up"
parameters = {{ {} }}
"""
GEMS = (
    HEAD.format("gem_mining")
    + TYPE.format(
        "planner", "quantal_response", 0.6, "precision = { mean = 1.8, sd = 0.3, log = true }"
    )
    + TYPE.format(
        "learner",
        "reinforcement_learning",
        0.4,
        "precision = { mean = 0.4, sd = 0.2, log = true }, learning_rate = 0.3",
    )
)
VOTE = (
    HEAD.format("punishment_vote")
    + TYPE.format(
        "walker",
        "quantal_response_reach",
        0.6,
        "precision = { mean = 0.7, sd = 0.2, log = true }, voting = -2.0",
    )
    + TYPE.format("voter", "quantal_response_reach", 0.4, "precision = 0.5, voting = 0.5")
)
PLAYS: dict[str, dict[str, Any]] = {
    # at these precisions choices in `lab` are nearly certain, so they say little about precision
    "gem_mining": {"archetype": "lab_0_8", "periods": 20},
    "punishment_vote": {"archetype": "lab_0_8", "turns": 30},
}


def played(folder: Path, text: str, groups: int, **settings: object) -> Data:
    file = folder / "planted.toml"
    file.write_text(text)
    game_id = populations.read(str(file))[0].game
    game = engine.make(game_id, **{**PLAYS[game_id], **settings})
    return analysis.simulated(game, [f"population:{file}"] * game.seats, groups=groups, seed=2)


MODELS = {
    "quantal_response": ("gem_mining", gem_mining, {"precision": 3.0}),
    "reinforcement_learning": ("gem_mining", gem_mining, {"precision": 2.0, "learning_rate": 0.4}),
    "quantal_response_reach": (
        "punishment_vote",
        punishment_vote,
        {"precision": 1.5, "voting": -1.0},
    ),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", MODELS)
def test_a_policy_decides_like_its_model(tmp_path, monkeypatch, name):
    """The model's probabilities equal those from which each explained decision was drawn."""
    game_id, module, values = MODELS[name]
    asked_for: list[Array] = []

    def kept(worth: Array, among: Array, draws: Any) -> Array:
        asked_for.append(logit(np.where(among, worth, np.nan))[0])
        return choose(worth, among, draws)

    choose = module.chosen
    monkeypatch.setattr(module, "chosen", kept)
    parameters = ", ".join(f"{key} = {value}" for key, value in values.items())
    text = HEAD.format(game_id) + TYPE.format("all", name, 1.0, parameters)
    data = played(tmp_path, text, 2, **({"turns": 12} if game_id == "punishment_vote" else {}))
    assert set(data.decisions["decided_by"]) == {"person"}
    model, decisions = behaviour.find(name, game_id), decided(data, None, GRID)
    panel = model.prepared(decisions.panel)
    with np.errstate(invalid="ignore"):  # unexplained decisions have no value
        chances = model.log_probabilities(model.vector(values), panel)
    order = decisions.keys.sort_values(["group", "period", "seat"], kind="stable").index
    explained = (model.silent(panel) == "")[order]
    policy = np.array(asked_for)[explained]
    expected = chances[order][explained]
    assert explained.sum() == len(decisions.keys) - 8  # the first of 8 people
    assert np.allclose(np.exp(policy), np.exp(expected[:, : policy.shape[1]]), atol=1e-12)


@pytest.mark.long
def test_types_of_villages_are_recovered_within_their_uncertainty(tmp_path, monkeypatch):
    """Planted values are within three standard errors, which are small."""
    data = played(tmp_path, GEMS, 15)
    described = behaviour.calibrated(data, types=2)
    kinds = {kind.policy: kind for kind in described.types}
    assert set(kinds) == {"quantal_response", "reinforcement_learning"}
    planner, learner = kinds["quantal_response"], kinds["reinforcement_learning"]
    assert 0 < planner.share_error < 0.1
    assert abs(planner.share - 0.6) < 3 * planner.share_error
    for kind, name, value, limit in (
        (planner, "precision", 1.8, 0.3),
        (learner, "precision", 0.4, 0.3),
        (learner, "learning_rate", 0.3, 0.1),
    ):
        spread = kind.parameters[name]
        assert 0 < spread.mean_error < limit
        assert abs(spread.mean - value) < 3 * spread.mean_error
    assert planner.parameters["precision"].log
    assert described.calibration["model"] == "quantal_response, reinforcement_learning"
    assert described.calibration["decisions"] == 60 * 19
    monkeypatch.setattr(calibrating, "FEW", 0)
    monkeypatch.setattr(sharing, "shared", elsewhere.shared)  # the same for every search
    assert populations.text(behaviour.calibrated(data, types=2, workers=2)) == populations.text(
        described
    )


@pytest.mark.long
def test_types_of_walkers_are_recovered_and_can_play(tmp_path):
    described = behaviour.calibrated(played(tmp_path, VOTE, 12), types=2)
    walker, voter = described.types
    for kind, share, numbers in (
        (walker, 0.6, {"precision": 0.7, "voting": -2.0}),
        (voter, 0.4, {"precision": np.log(0.5), "voting": 0.5}),
    ):
        assert abs(kind.share - share) < 3 * kind.share_error < 0.3
        for name, value in numbers.items():
            spread = kind.parameters[name]
            assert abs(spread.mean - value) < 3 * spread.mean_error < 1.5
    assert 0 < abs(walker.correlation["precision"]["voting"]) < 1
    file = tmp_path / "own.toml"
    file.write_text(populations.text(described))
    assert populations.read(str(file))[0].types[0].parameters["precision"].log
    game = engine.make("punishment_vote", **PLAYS["punishment_vote"])
    people = [f"population:{file}", f"population:{file}@4"] * 2
    again = analysis.simulated(game, people, groups=1, seed=1)
    assert set(again.decisions["decided_by"]) == {"person"}


@pytest.mark.long
def test_one_type_stays_one(tmp_path):
    """All people are alike, so the fit finds one type without spread."""
    text = HEAD.format("gem_mining") + TYPE.format("all", "quantal_response", 1.0, "precision = 4")
    (kind,) = behaviour.calibrated(played(tmp_path, text, 8), types=2).types
    assert (kind.name, kind.share, kind.share_error) == ("quantal_response", 1.0, 0.0)
    spread = kind.parameters["precision"]
    assert isinstance(spread, Spread)
    assert abs(spread.mean - np.log(4)) < 3 * spread.mean_error
    assert spread.sd < 0.2


def test_a_model_that_no_policy_can_follow_is_refused(tmp_path):
    data = analysis.simulated("gem_mining", ["random"], ["random"], groups=2, seed=1)
    hidden = "quantal_response: needs base_probabilities, which gem_mining does not show"
    with pytest.raises(ConfigError, match=hidden):
        behaviour.calibrated(data)
    blind = analysis.simulated(
        "punishment_vote", ["random"] * 4, groups=1, seed=1, archetype="lab", turns=4, vision=0
    )
    with pytest.raises(ConfigError, match="quantal_response_reach: vision = 0"):
        behaviour.calibrated(blind)
    file = tmp_path / "gems.toml"
    file.write_text(GEMS)
    with pytest.raises(ConfigError, match=f"type 'planner': {hidden}"):
        policies.make(f"population:{file}", engine.make("gem_mining"))
    otherwise = GEMS.replace("share = 0.6", "share = 0.6\nlast = { share = 0.5 }")
    file.write_text(otherwise)
    with pytest.raises(
        ConfigError, match="last: possible only in games whose first action is an amount"
    ):
        policies.make(f"population:{file}", engine.make("gem_mining", archetype="lab"))
    file.write_text(GEMS.replace('game = "gem_mining"', 'game = "sanctions"'))
    with pytest.raises(ConfigError, match="type 'planner': policy 'quantal_response': unknown"):
        policies.make(f"population:{file}", engine.make("sanctions"))


def test_a_parameter_without_information_has_no_error(tmp_path):
    """The data give no lower bound, because nobody ever voted."""
    numbers = "precision = 1.5, voting = -50.0"
    text = HEAD.format("punishment_vote") + TYPE.format(
        "all", "quantal_response_reach", 1.0, numbers
    )
    (kind,) = behaviour.calibrated(played(tmp_path, text, 3), types=1).types
    voting = kind.parameters["voting"]
    assert (voting.mean, voting.mean_error) == (-7.0, None)
    assert kind.parameters["precision"].mean_error > 0


def test_random_people_give_a_population_without_errors():
    """All estimates are at their bounds. People ignore what they learned, so the learning rate
    cannot be estimated.
    """
    data = analysis.simulated(
        "gem_mining", ["random"] * 4, groups=3, seed=1, archetype="lab", information="own"
    )
    described = behaviour.calibrated(data, types=1)
    (kind,) = described.types
    assert kind.policy == "reinforcement_learning"
    assert kind.parameters["precision"].mean < -6
    assert {spread.mean_error for spread in kind.parameters.values()} == {None}
    assert "nan" not in populations.text(described)

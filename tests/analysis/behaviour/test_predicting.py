"""Predictions of held-out groups: pure chance matches the hand calculation, and the true model is
best."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mixed_company import analysis, engine
from mixed_company.__main__ import main
from mixed_company.analysis import behaviour, games
from mixed_company.analysis.behaviour import predicting
from mixed_company.analysis.behaviour.fitting import mean_by_groups
from mixed_company.analysis.behaviour.predicting import _dealt, _ranked
from mixed_company.analysis.behaviour.worth import unkept
from mixed_company.analysis.data import Data
from mixed_company.analysis.writing import save
from mixed_company.cli.commands.contest import _sentence
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies import sharing
from tests.analysis import elsewhere

SHORT = {"archetype": "unsanctioned", "periods": 8}


def people(model: str, values: dict[str, float], groups: int = 8) -> Data:
    return behaviour.simulated_people(model, values, "sanctions", groups=groups, seed=3, **SHORT)


LINE = {"intercept": 1.0, "slope": 0.8, "noise": 1.0}


@pytest.fixture(scope="module")
def line() -> pd.DataFrame:
    return behaviour.predicted(people("conditional_cooperation", LINE)).set_index("model")


def test_pure_chance_scores_the_log_of_the_number_of_points(line):
    """Each of 11 points has a probability of 1 / 11, whatever is fitted: log(1 / 11) = -2.398.
    Eight groups of four people have eight decisions each, not counting the first ones.
    """
    chance = line.loc["uniform"]
    assert chance["score"] == pytest.approx(-math.log(11))
    assert chance["score_se"] == pytest.approx(0, abs=1e-12)
    assert (chance["gain"], chance["gain_se"]) == (0, 0)
    assert (chance["decisions"], chance["groups"]) == (8 * 4 * 7, 8)


def test_the_model_that_generated_the_decisions_wins(line):
    """A model with one more parameter, whose true value is 0, comes close and can be better only by
    chance. Wrong models gain far less.
    """
    scores = line["score"]
    best = scores[["conditional_cooperation", "conditional_cooperation_inertia"]]
    assert best.max() == scores.max()
    assert abs(best.diff().iloc[-1]) < 0.05
    assert scores["conditional_cooperation"] > scores["quantal_response"] + 0.3
    assert line["best"].sum() == 1
    assert (line["gain"] > 5 * line["gain_se"]).loc["conditional_cooperation"]


@pytest.mark.long
def test_people_who_prefer_higher_earnings_are_predicted_by_that_model():
    table = behaviour.predicted(people("quantal_response", {"precision": 0.4}), folds=4)
    scores = table.set_index("model")["score"]
    assert scores["quantal_response"] > scores["conditional_cooperation"]
    assert scores["quantal_response"] > scores["uniform"] + 0.1


@pytest.mark.long
def test_the_contest_is_the_same_whichever_process_makes_the_fits(line, monkeypatch):
    monkeypatch.setattr(sharing, "shared", elsewhere.shared)
    monkeypatch.setattr(predicting, "FEW", 0)
    by_others = behaviour.predicted(people("conditional_cooperation", LINE), workers=2)
    pd.testing.assert_frame_equal(by_others.set_index("model"), line, check_exact=True)


def test_the_distance_to_the_best_model_uses_the_same_decisions(line):
    """Models that cover all decisions are scored on the same decisions, so their distance is the
    difference between their scores. For 8 groups, t(7) at .975 is 2.365.
    """
    (best,) = line.index[line["best"]]
    assert line.loc[best, ["to_best", "to_best_low", "to_best_high"]].isna().all()
    chance, ahead = line.loc["uniform"], line.loc[best]
    assert chance["to_best"] == pytest.approx(chance["score"] - ahead["score"])
    # chance scores the same everywhere, so this is the error of the best model's gain
    half = 2.3646 * ahead["gain_se"]
    assert chance["to_best_low"] == pytest.approx(chance["to_best"] - half, rel=1e-4)
    assert chance["to_best_high"] == pytest.approx(chance["to_best"] + half, rel=1e-4)


def test_a_model_that_skips_a_fold_cannot_be_the_best():
    """Otherwise, skipping the hard fold would give a higher score."""
    easy, hard = np.full(4, -1.0), np.full(4, -3.0)
    scores = {
        "uniform": np.full(8, -2.5),
        "silent": np.concatenate([easy, np.full(4, np.nan)]),
        "whole": np.concatenate([easy - 0.1, hard]),
    }
    rows = [
        {"model": name, "score": np.nanmean(score), "decisions": int(np.isfinite(score).sum())}
        for name, score in scores.items()
    ]
    rows = _ranked(rows, scores, np.repeat(np.arange(4), 2))
    assert [row["best"] for row in rows] == [False, False, True]
    # the first four decisions: -1 against -1.1
    assert rows[1]["to_best"] == pytest.approx(0.1)


def test_folds_consist_of_whole_groups_and_have_equal_sizes():
    group = np.repeat(np.arange(7), 3)
    fold = _dealt(group, 3, seed=1)
    assert all(len(set(fold[group == number].tolist())) == 1 for number in range(7))
    assert sorted(np.bincount(fold[::3]).tolist()) == [2, 2, 3]


def test_the_error_of_a_mean_by_groups_by_hand():
    """Two groups with sums of -1 and 1 around the mean: sqrt(2 * 2 / 1) / 4 = 0.5."""
    assert mean_by_groups(np.array([1.0, 2.0, 2.0, 3.0]), np.array([0, 0, 1, 1])) == (2.0, 0.5)


def test_one_group_cannot_be_held_out(tmp_path, capsys):
    data = analysis.simulated("sanctions", ["noisy_person"] * 4, groups=1, seed=1, **SHORT)
    table = behaviour.predicted(data)
    assert table["score"].isna().all()
    assert set(table["reason"]) == {
        "groups = 1: at least 2 groups must have decisions that all models can explain"
    }
    with pytest.raises(ConfigError, match="folds = 1: should be at least 2"):
        behaviour.predicted(data, folds=1)
    save(data, tmp_path / "one.zip")
    assert main(["contest", str(tmp_path / "one.zip")]) == 0
    nothing = capsys.readouterr().out.splitlines()[-1]
    assert nothing.startswith("simulated: nothing could be predicted. Not evaluated: ")
    assert nothing.endswith(
        " (groups = 1: at least 2 groups must have decisions that all models can explain)."
    )


def test_the_command_names_the_best_model_and_its_close_rivals():
    """Because exp(0.69315) is 2, decisions are twice as likely as by pure chance."""
    rows = pd.DataFrame(
        [
            {"model": "line", "best": True, "gain": 0.69315, "to_best_high": math.nan},
            {"model": "near", "best": False, "gain": 0.6, "to_best_high": 0.01},
            {"model": "uniform", "best": False, "gain": 0.0, "to_best_high": -0.5},
        ]
    )
    rows = rows.assign(decisions=8, reason="")
    assert _sentence("pool", rows) == (
        "pool: line predicts best: decisions of people in other groups are 2 times as likely under "
        "it as by pure chance (geometric mean). Models not distinguishable from it: near."
    )
    rows["gain"] = 0.0
    assert _sentence("pool", rows) == "pool: no model predicts better than pure chance."


def test_models_that_could_not_be_fitted_are_not_said_to_be_beaten():
    """If nobody could predict anything, that pure chance is the best model means nothing."""
    few, same = "fold 1: 4 decisions; 9 are needed for 3 parameters", "the person never changed"
    none = {"best": False, "gain": math.nan, "to_best_high": math.nan, "decisions": 0}
    rows = [
        {"model": "uniform", "best": True, "gain": 0.0, "to_best_high": math.nan, "decisions": 8},
        {"model": "line", **none, "reason": few},
        {"model": "near", **none, "reason": same},
        {"model": "fair", **none, "reason": few},
    ]
    frame = pd.DataFrame(rows).fillna({"reason": ""})
    missing = f"Not evaluated: line, fair ({few}); near ({same})."
    assert _sentence("low", frame) == f"low: nothing could be predicted. {missing}"
    some = {"model": "mean", "best": False, "gain": -0.1, "to_best_high": -0.1, "decisions": 4}
    frame = pd.DataFrame([*rows, {**some, "reason": few}]).fillna({"reason": ""})
    assert _sentence("low", frame) == (
        f"low: no model predicts better than pure chance. {missing} "
        f"Evaluated on only some of the decisions: mean ({few})."
    )


def test_a_single_period_gives_no_prediction_and_no_best_model():
    data = analysis.simulated("commons_game", ["noisy_person"] * 4, groups=3, seed=1, periods=1)
    table = behaviour.predicted(data)
    assert not table["decisions"].any()
    assert not table["best"].any()


def test_there_is_no_expectation_if_the_state_does_not_keep_actions():
    for game_id in engine.game_ids():
        walks = (
            games.find(game_id).reach is not None
        )  # another model predicts what people expect there
        assert walks or unkept(engine.make(game_id)) == ""
    declared = engine.make("sanctions").declaration
    forgetful: Any = SimpleNamespace(
        declaration=SimpleNamespace(state=(), actions=declared.actions)
    )
    assert unkept(forgetful) == "contribution: the state does not record the last action"

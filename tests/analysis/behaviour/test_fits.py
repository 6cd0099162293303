"""Fits recover the planted values of people who decide by the models, and reject people who do
not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis import behaviour
from mixed_company.analysis.behaviour.fitting import is_curved

COOPERATOR = {"intercept": 1.0, "slope": 0.8, "noise": 2.0}
LAB = {"archetype": "lab_0_7", "groups": 10, "seed": 3}
FEW = LAB | {"groups": 3}
LASTING = {"periods": 15, "growth_rate": 0.8, "groups": 8, "seed": 3}


def people(model, values, game="sanctions", **changes):
    return behaviour.simulated_people(model, values, game, **(LAB | changes))


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("model", "values", "tolerance"),
    [
        ("conditional_cooperation", COOPERATOR, {"intercept": 0.5, "slope": 0.08, "noise": 0.2}),
        (
            "conditional_cooperation_inertia",
            {"intercept": 1.0, "slope": 0.5, "inertia": 0.3, "noise": 2.0},
            {"intercept": 0.6, "slope": 0.1, "inertia": 0.1, "noise": 0.2},
        ),
        ("quantal_response", {"precision": 0.5}, {"precision": 0.07}),
        (
            "reinforcement_learning",
            {"precision": 0.5, "learning_rate": 0.4},
            {"precision": 0.1, "learning_rate": 0.1},
        ),
    ],
)
def test_planted_values_of_contributions_are_recovered(model, values, tolerance):
    fit = behaviour.fitted(people(model, values), model, per="treatment").iloc[0]
    assert fit["converged"]
    assert (fit["at_bound"], fit["reason"]) == ("", "")
    for name, value in values.items():
        assert fit[name] == pytest.approx(value, abs=tolerance[name]), name
        assert fit[f"{name}_low"] < fit[name] < fit[f"{name}_high"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "game", "values", "tolerance", "changes"),
    [
        (*("conditional_cooperation", "commons_game", COOPERATOR | {"noise": 1.0}, 0.25), LASTING),
        ("quantal_response", "commons_game", {"precision": 0.3}, 0.06, LASTING),
        (
            "quantal_response_future",
            "commons_game",
            {"precision": 0.6, "future": 0.8},
            0.25,
            {"periods": 15},
        ),
        ("quantal_response", "gem_mining", {"precision": 8.0}, 1.5, {}),
        ("reinforcement_learning", "gem_mining", {"precision": 1.5, "learning_rate": 0.3}, 0.2, {}),
    ],
)
def test_planted_values_are_recovered_in_every_game(model, game, values, tolerance, changes):
    data = people(model, values, game, **changes)
    fit = behaviour.fitted(data, model, per="treatment").iloc[0]
    for name, value in values.items():
        assert fit[name] == pytest.approx(value, abs=tolerance), name


def test_contributions_to_a_pool_are_fitted_by_the_wealth_held():
    values = {"intercept": 0.5, "slope": 0.8, "noise": 0.5}
    data = people(
        "conditional_cooperation",
        values,
        "commons_game",
        archetype="governed",
        field="contribution",
        rest="fixed:harvest=2",
    )
    fit = behaviour.fitted(
        data, "conditional_cooperation", per="treatment", field="contribution"
    ).iloc[0]
    assert fit["field"] == "contribution"
    for name, value in values.items():
        assert fit[name] == pytest.approx(value, abs=0.1), name


@pytest.mark.long
def test_intervals_have_their_nominal_coverage():
    """Forty people play 20 periods each, and 95% of 40 is 38. Fewer than 33 would occur by chance
    in one of 500 cases.
    """
    recovery = behaviour.recovery(
        "conditional_cooperation",
        "sanctions",
        [COOPERATOR],
        groups=5,
        seed=1,
        repetitions=2,
        archetype="lab_0_7",
    ).set_index("parameter")
    assert recovery["fits"].tolist() == [40] * 3
    assert (recovery["intervals"] + recovery["without"] >= 38).all()
    assert (recovery["coverage"][["intercept", "slope"]] >= 33 / 40).all()
    assert recovery["bias"]["slope"] == pytest.approx(0, abs=0.1)
    assert recovery["true"].to_dict() == COOPERATOR


@pytest.mark.long
def test_the_same_seed_gives_the_same_people_and_fits():
    first, second, other = (
        people("quantal_response", {"precision": 0.5}, groups=1, seed=seed) for seed in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(first.decisions, second.decisions)
    assert (
        first.decisions["used_contribution"].tolist()
        != other.decisions["used_contribution"].tolist()
    )
    fits = [behaviour.compared(data) for data in (first, second)]
    pd.testing.assert_frame_equal(*fits)


# -- comparing models -----------------------------------------------------------------------------


@pytest.mark.long
def test_a_conditional_cooperator_is_distinguished_from_a_free_rider():
    """Every group has one person who follows the others and one who responds to points. Without
    sanctions, giving nothing earns the most.
    """
    few = {"groups": 4, "lambda_R": 0.0, "others": ["random"], "people": 1}
    follows = people("conditional_cooperation", COOPERATOR, treatment="follows", **few)
    rides = people("quantal_response", {"precision": 0.5}, treatment="rides", **few)
    both = analysis.joined(follows, rides)
    whole = behaviour.compared(both, per="treatment").query("best").set_index("treatment")["model"]
    assert whole.to_dict() == {"follows": "conditional_cooperation", "rides": "quantal_response"}
    best = behaviour.compared(both).query("best").groupby("treatment")["model"]
    assert best.get_group("follows").str.startswith("conditional_cooperation").all()
    assert (best.get_group("rides") == "quantal_response").mean() > 0.5


def test_all_models_are_scored_on_the_same_decisions_and_grid():
    """`uniform` gives each of 19 decisions a probability of 1/5, because the grid has 5 points."""
    data = people("conditional_cooperation", COOPERATOR, groups=1)
    comparison = behaviour.compared(data, grid=5)
    assert comparison["decisions"].unique().tolist() == [19]
    even = comparison[comparison["model"] == "uniform"]
    assert even["log_likelihood"].tolist() == pytest.approx([-19 * 1.6094379] * 4)
    assert even["aic"].tolist() == pytest.approx([38 * 1.6094379] * 4)
    chances = comparison["log_likelihood"] / comparison["decisions"]
    assert (chances <= 0).all()
    assert comparison.groupby("seat")["best"].sum().tolist() == [1] * 4
    assert (comparison["delta_aic"] >= 0).all()


def test_grids_have_a_likelihood_of_chances_and_amounts_one_of_densities():
    """A probability is roughly the density times the width of a grid cell. The width is 1 of 20 on
    a grid of 21 points, and 2 on a grid of 11, which adds about log 2 per decision."""
    data = people("conditional_cooperation", COOPERATOR, groups=3)
    exact, fine, coarse = (
        behaviour.fitted(data, "conditional_cooperation", per="treatment", grid=points).iloc[0]
        for points in (None, 21, 11)
    )
    assert exact["decisions"] == 228
    assert exact["log_likelihood"] == pytest.approx(fine["log_likelihood"], abs=10)
    assert coarse["log_likelihood"] > fine["log_likelihood"] + 60
    assert exact["slope"] == pytest.approx(fine["slope"], abs=0.05)


# -- parameters that cannot be estimated ----------------------------------------------------------


def test_a_person_who_always_does_the_same_has_no_estimates():
    data = analysis.simulated("sanctions", ["fixed:contribution=0"], ["random"], **FEW)
    comparison = behaviour.compared(data)
    fitted = comparison[comparison["model"] != "uniform"]
    assert fitted["reason"].unique().tolist() == ["the person always chose the same action"]
    assert fitted[["log_likelihood", "aic", "bic"]].isna().all().all()


def test_few_decisions_are_not_fitted():
    data = people("conditional_cooperation", COOPERATOR, groups=1, periods=9)
    fit = behaviour.fitted(data, "conditional_cooperation")
    assert fit["reason"].tolist() == ["8 decisions; 9 are needed for 3 parameters"] * 4
    assert fit[["slope", "slope_se", "slope_low", "log_likelihood"]].isna().all().all()


def test_constant_others_give_no_slope():
    data = analysis.simulated("sanctions", ["random"], ["fixed:contribution=10"], **FEW)
    fit = behaviour.fitted(data, "conditional_cooperation")
    assert fit["reason"].unique().tolist() == ["the others always did the same"]


def test_following_without_error_puts_noise_at_its_bound():
    data = analysis.simulated("sanctions", ["conditional_cooperator:bias=0.5"], ["random"], **FEW)
    fit = behaviour.fitted(data, "conditional_cooperation", per="treatment").iloc[0]
    assert fit["at_bound"] == "noise"
    assert fit["slope"] == pytest.approx(0.5, abs=1e-3)
    assert pd.isna(fit["noise_se"])


@pytest.mark.long
def test_random_decisions_give_precision_at_its_bound_or_an_interval_around_0():
    data = analysis.simulated("sanctions", ["random"] * 4, **LAB)
    fit = behaviour.fitted(data, "quantal_response")
    holds = (fit["at_bound"] == "precision") | (fit["precision_low"] <= 0)
    assert holds.mean() >= 0.9


def test_errors_by_group_need_two_groups():
    data = people("conditional_cooperation", COOPERATOR, groups=1)
    fit = behaviour.fitted(data, "conditional_cooperation", per="treatment").iloc[0]
    assert fit["reason"] == "no standard errors: there is only one group"
    assert pd.isna(fit["slope_se"])
    plain = behaviour.fitted(data, "conditional_cooperation", per="treatment", errors="hessian")
    assert plain["slope_se"].notna().all()


def test_errors_from_the_hessian_match_a_known_case():
    """Without censoring and with the others' decisions known, the noise s has the standard error s
    / sqrt(2 n)."""
    data = people(
        "conditional_cooperation", {"intercept": 10.0, "slope": 0.0, "noise": 1.0}, groups=10
    )
    fit = behaviour.fitted(data, "conditional_cooperation", per="treatment", errors="hessian").iloc[
        0
    ]
    assert fit["decisions"] == 760
    assert fit["noise_se"] == pytest.approx(fit["noise"] / (2 * 760) ** 0.5, rel=0.01)


def test_a_curvature_that_is_only_rounding_is_flat():
    """The second row is three times the first, so one curvature is 0, but is computed as
    1.1e-16."""
    assert not is_curved(np.array([[1.0, 3.0], [3.0, 9.0]]))
    assert is_curved(np.array([[1.0, 3.0], [3.0, 9.1]]))
    assert not is_curved(np.array([[1.0, np.nan], [np.nan, 9.0]]))

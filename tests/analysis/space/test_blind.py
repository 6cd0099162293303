"""Blind reports on a space: the groups' variables are permuted, so no effect is real."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.analysis import report
from mixed_company.analysis.blinding import MOST_LEFT, blinded
from mixed_company.analysis.data import Data
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import planned
from mixed_company.analysis.report.contents import contents
from mixed_company.analysis.space.columns import by_point
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.plan import Plan
from tests.analysis.report.made import undrawn
from tests.analysis.space.made import plan, played
from tests.analysis.space.test_report import TEXT, content, table


@pytest.fixture(scope="module")
def study() -> Plan:
    return plan(**TEXT)


@pytest.fixture(scope="module")
def data(study: Plan) -> Data:
    return of_plan(played(study, seed=1), "space", study)


def permuted(data: Data, study: Plan, seed: int) -> Data:
    assert study.space is not None
    return blinded(data, tuple(study.treatments), seed, by_point(study.space))


def values(data: Data, study: Plan) -> np.ndarray:
    """Return the columns of the regression, by group, in key order."""
    assert study.space is not None
    rows = data.groups.sort_values(["session", "group"])["treatment"].astype(str)
    return np.array([by_point(study.space)[label] for label in rows])


@pytest.mark.parametrize("seed", [1, 2])
def test_the_variables_of_permuted_points_hardly_correlate_with_the_true_ones(data, study, seed):
    """In one of 100 permutations of 24 groups, the largest of 16 correlations is far below 0.5."""
    labelled = permuted(data, study, seed)
    assert sorted(labelled.config["treatment"]) == sorted(data.config["treatment"])
    true, drawn = values(data, study), values(labelled, study)
    correlations = np.corrcoef(true.T, drawn.T)[:4, 4:]
    assert np.abs(correlations).max() < 0.35 < MOST_LEFT
    assert np.array_equal(values(permuted(data, study, seed), study), drawn)
    assert not np.array_equal(values(permuted(data, study, seed + 2), study), drawn)


def test_groups_that_cannot_be_exchanged_cannot_be_blinded(data, study):
    with pytest.raises(ConfigError, match="groups = 1: in every permutation, a variable of the"):
        permuted(data.of_group("p001", 1), study, 1)


def test_the_blind_report_of_a_space_has_effects_but_no_single_points(data, study):
    part = planned.of_plan(data, study, content(study), None, blind=[permuted(data, study, 1)])
    with undrawn():
        files = report.rendered(contents(data, report.of_plan(data, part), plan=part))
    names = [name for name in files if "space" in name]
    assert "tables/blind_space_effects.csv" in names
    assert "tables/blind_space_held_out.csv" in names
    assert not any("predicted" in name or "design" in name for name in names)
    page = str(files["blind_report.html"])
    assert "Blind: treatment labels are permuted among groups." in page
    assert "p001" not in page
    assert "in the direction of the hypothesis" not in page
    effect = table("space_effects").at[0, "effect"]
    blind = {of.name: of.frame for of in part.tables}["space_effects"]
    assert abs(blind.at[0, "effect"]) < abs(effect) / 2

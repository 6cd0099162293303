"""Classic patterns appear in every game, and only with their cause."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mixed_company.__main__ import main
from mixed_company.analysis import measures, patterns
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.policies import sharing
from tests.analysis import elsewhere

GROUPS, SEED = 5, 3


GAMES = [
    pytest.param(game, marks=pytest.mark.long if game in ("gem_mining", "punishment_vote") else ())
    for game in patterns.with_pattern()
]


@pytest.fixture(scope="module", params=GAMES)
def data(request):
    return patterns.played(request.param, GROUPS, SEED)


@pytest.mark.few(1)
def test_the_order_of_the_means_matches_the_literature(data):
    assert all(patterns.as_expected(data).values())


def test_the_main_measure_separates_the_treatments(data):
    """Five groups are all higher than the other five: 2 of 252 arrangements, p = 0.0079."""
    first = patterns.compared(data).iloc[0]
    assert first["p"] < 0.01
    assert first["p_corrected"] >= first["p"]


def test_every_treatment_has_its_groups_and_the_time_course_is_a_period_measure(data):
    pattern = patterns.pattern(data.game_id)
    assert data.groups["treatment"].value_counts().to_dict() == dict.fromkeys(
        pattern.treatments, GROUPS
    )
    assert pattern.course in measures.periods(data)


def test_open_access_ends_in_a_collapse_and_a_quota_of_the_sustainable_yield_does_not():
    """Four players who each take 2.5 take the maximum sustainable yield, 0.4 * 100 / 4 = 10."""
    ended = patterns.played("commons_game", 3, SEED).groups.groupby("treatment")["ended"].unique()
    assert ended["open access"].tolist() == ["collapse"]
    assert ended["quota"].tolist() == ["horizon"]


def test_without_a_difference_the_order_is_not_found(monkeypatch):
    """Greedy policies use no random numbers, so all groups are alike under the same rules, and
    equal means have no order.
    """
    pattern = patterns.pattern("commons_game")
    same = {name: {} for name in pattern.treatments}
    alike = replace(pattern, people=("greedy",) * 4, treatments=same)
    monkeypatch.setattr(patterns, "pattern", lambda game: alike)
    data = patterns.played("commons_game", 4, SEED)
    assert list(patterns.as_expected(data).values()) == [False, False, False]
    table = patterns.compared(data)
    assert table["p"].isna().all()  # values that are equal in all groups are not tested
    assert all(
        "not tested" in line for line in patterns.described(data, SEED) if line.startswith("| p")
    )


def test_every_treatment_has_its_own_seeds_so_groups_are_independent(data):
    assert data.config["seed"].is_unique


def test_the_output_says_that_it_is_simulated_and_by_which_policies(capsys, monkeypatch):
    monkeypatch.setattr(sharing, "shared", elsewhere.shared)
    assert main(["patterns", "sanctions", "--groups", "3", "--workers", "2"]) == 0
    text = capsys.readouterr().out
    assert "Simulated: 3 groups per treatment, with the policies sanction_averse" in text
    assert "| last_contribution |" in text
    assert "commons_game" not in text


def test_a_path_in_place_of_a_game_is_refused(capsys):
    assert main(["patterns", "export.zip"]) == 2
    assert "game = 'export.zip': no pattern for this game" in capsys.readouterr().err


def test_a_game_without_a_pattern_and_a_single_group_are_refused():
    with pytest.raises(
        UnknownName, match="game = 'comons_game': no pattern for this game; did you mean"
    ):
        patterns.pattern("comons_game")
    with pytest.raises(ConfigError, match="groups = 1: should be at least 2 per treatment"):
        patterns.played("sanctions", 1, 0)

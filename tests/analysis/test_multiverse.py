"""Multiverse of analyses: each one matches scipy, and the curve is compared with chance."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis import measures
from mixed_company.analysis import multiverse as module
from mixed_company.analysis import statistics as st
from mixed_company.analysis.multiverse import multiverse
from mixed_company.analysis.statistics import NoTest
from mixed_company.analysis.statistics.permuting import p_of_rank_sums
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.policies import sharing
from tests.analysis.test_blind_blocks import BOTH, exchanging, simulate_units
from tests.analysis.test_treatments import session
from tests.project import ROOT


def played(treatment, seed, groups=4, **changes):
    options = {"archetype": "lab", "periods": 6, "people": ["noisy_person", *["steward"] * 3]}
    return analysis.simulated(
        "commons_game", groups=groups, treatment=treatment, seed=seed, **(options | changes)
    )


@pytest.fixture(scope="module")
def data():
    return analysis.joined(played("open", 1), played("rich", 2, growth_rate=0.9))


def test_a_test_of_every_permutation_matches_scipy():
    rng = np.random.default_rng(1)
    values = np.round(rng.normal(size=11), 1)
    second = np.array([rng.permutation([True] * 5 + [False] * 6) for _ in range(20)])
    for label, effect, p in zip(second, *module._of_means(values, second), strict=True):
        expected = stats.ttest_ind(values[label], values[~label], equal_var=False)
        assert effect == pytest.approx(values[label].mean() - values[~label].mean())
        assert p == pytest.approx(expected.pvalue)
    for label, p in zip(second, module._of_ranks(values, second)[1], strict=True):
        expected = stats.permutation_test(
            (stats.rankdata(values)[label], stats.rankdata(values)[~label]),
            lambda values, _, axis: values.sum(axis=axis),
            vectorized=True,
            n_resamples=np.inf,
        )
        assert p == pytest.approx(expected.pvalue)


def test_ranks_of_few_groups_are_tested_exactly():
    """There are four groups against four, and all of one treatment are above the other. That is 2
    of 70 arrangements, so p = 1 / 35. The normal distribution would give .030. If two values are
    equal across treatments, it is at least 4 of 70.
    """
    second = np.array([[True] * 4 + [False] * 4])
    apart = np.array([5.0, 6, 7, 8, 1, 2, 3, 4])
    assert module._of_ranks(apart, second)[1] == pytest.approx([1 / 35])
    for values in (apart, np.array([4.0, 6, 7, 8, 1, 2, 3, 4])):
        frame = pd.DataFrame({"session": "s", "group": range(8), "value": values})
        frame = frame.assign(treatment=["b"] * 4 + ["a"] * 4)
        result = st.compare(st.units(frame, "value"), "mann_whitney")
        assert module._of_ranks(values, second)[1] == pytest.approx([result.p])


def test_ranks_of_very_many_groups_are_tested_by_the_normal_distribution():
    rng = np.random.default_rng(2)
    values, second = rng.normal(size=101), np.array([rng.permutation([True] * 50 + [False] * 51)])
    first, other = values[second[0]], values[~second[0]]
    expected = stats.mannwhitneyu(first, other, method="asymptotic").pvalue
    assert module._of_ranks(values, second)[1] == pytest.approx([expected])
    # close to the exact p
    exact = stats.mannwhitneyu(first, other, method="exact").pvalue
    place = stats.rankdata(values)
    p = p_of_rank_sums(place, second @ place, second.sum(axis=1))
    assert p == pytest.approx([exact])
    assert exact == pytest.approx(expected, abs=0.005)


def test_the_analysis_of_all_periods_and_groups_is_the_plain_comparison(data):
    result = multiverse(data, "harvest", permutations=99)
    frame = measures.periods(data, ["harvest"])
    means = frame.groupby(["treatment", "group"], observed=True)["harvest"].mean()
    expected = means["rich"].mean() - means["open"].mean()
    whole = result.table[(result.table["periods"] == "all") & (result.table["unit"] == "group")]
    assert whole["effect"].tolist() == pytest.approx([expected] * 2)
    assert whole["units"].tolist() == [8, 8]
    assert result.table["effect"].is_monotonic_increasing


def test_a_choice_that_changes_nothing_adds_no_analysis(data):
    """No group is excluded, so there are four choices of periods and two tests. Listing a group as
    excluded doubles that.
    """
    assert len(multiverse(data, "harvest", permutations=9).table) == 8
    result = multiverse(data, "harvest", listed=[("rich", 1)], permutations=9).table
    assert len(result) == 16
    without = result[result["exclusions"] == "listed groups"]
    assert set(without["units"]) == {7}
    few = multiverse(
        data, "harvest", listed=[("open", number) for number in (1, 2, 3)], permutations=9
    )
    assert (len(few.table), few.untested) == (8, 8)
    assert str(few).endswith("Analyses that could not be run: 8.")


def test_only_the_listed_group_of_a_unit_is_left_out(data):
    """Groups 3 and 4 are the second play of a repeated block, with the people of groups 1 and 2."""
    number = data.config["group"]
    config = data.config.assign(
        block="all", play=(number > 2).astype(int), matching_group=2 - number % 2
    )
    repeated = replace(data, config=config)
    result = multiverse(repeated, "harvest", listed=[("rich", 3)], permutations=9).table
    without = result[(result["exclusions"] == "listed groups") & (result["periods"] == "all")]
    assert without["units"].tolist() == [4, 4]
    frame = measures.periods(data, ["harvest"])
    means = frame.groupby(["session", "group"])["harvest"].mean()
    rich = (means["rich", 1] + (means["rich", 2] + means["rich", 4]) / 2) / 2
    assert without["effect"].tolist() == pytest.approx([rich - means["open"].mean()] * 2)


def test_the_test_against_chance_keeps_its_level():
    """In 200 experiments without an effect, p is at most .2 in about 40, with a standard error of
    5.7.
    """
    below = 0
    values = np.random.default_rng(5).normal(size=(200, 10))
    label = np.array([True] * 5 + [False] * 5)
    rng = np.random.default_rng(6)
    for row in values:
        second = np.array([label, *(rng.permutation(label) for _ in range(99))])
        effects = np.array([module._of_means(row, second)[0]])
        below += module._at_least(np.abs(np.median(effects, axis=0))) <= 0.2
    assert 23 <= below <= 57


def test_treatments_that_differ_in_every_analysis_are_significant(data):
    """With four groups against four, 2 of 70 arrangements are as far apart, so p is about .03."""
    apart = analysis.joined(
        played("low", 1, people=["fixed:harvest=1", "noisy_person", *["fixed:harvest=1"] * 2]),
        played("high", 2, people=["fixed:harvest=4", "noisy_person", *["fixed:harvest=4"] * 2]),
    )
    result = multiverse(apart, "harvest", permutations=999)
    assert (result.table["effect"] > 0).all()
    assert result.p_median < 0.06
    assert "8 analyses" in str(result)
    assert result.compared == ("low", "high")


def test_many_permutations_are_shared_between_processes_with_the_same_result(data, monkeypatch):
    """Tasks can be pickled, and their results come back in any order."""
    shared = []

    def here(function, work, workers, scheduler, **_):
        shared.append((workers, scheduler))
        function, work = pickle.loads(pickle.dumps((function, work)))
        yield from ((number, function(work[number])) for number in reversed(range(len(work))))

    alone = multiverse(data, "harvest", permutations=30, workers=2)
    monkeypatch.setattr(sharing, "shared", here)
    multiverse(data, "harvest", permutations=9, workers=2)
    monkeypatch.setattr(module, "FEW", 20)
    result = multiverse(data, "harvest", permutations=30, workers=2)
    assert shared == [(1, None), (2, None)]
    assert str(result) == str(alone)
    assert result.table.equals(alone.table)


@pytest.mark.parametrize(("key", "value"), [("permutations", 0), ("alpha", 1.5), ("alpha", 0.0)])
def test_impossible_numbers_are_refused_by_their_names(data, key, value):
    with pytest.raises(ConfigError, match=f"^{key} = {value:g}: "):
        multiverse(data, "harvest", **{key: value})


def test_impossible_requests_are_named(data):
    with pytest.raises(
        UnknownName, match="measure 'harvst': commons_game has no such period measure; did"
    ):
        multiverse(data, "harvst")
    with pytest.raises(ConfigError, match="name the two treatments to compare"):
        multiverse(data, "harvest", treatments=["open"])
    with pytest.raises(UnknownName, match="treatment 'opn': no group has it; did you mean 'open'"):
        multiverse(data, "harvest", treatments=["opn", "rich"])
    alike = "no analysis has two units in each treatment and different values"
    with pytest.raises(NoTest, match=alike):
        multiverse(analysis.joined(played("one", 1, 1), played("other", 2, 1)), "harvest")
    with pytest.raises(NoTest, match="sessions: a treatment has fewer than two"):
        multiverse(data, "harvest", sessions=True)


def test_sessions_are_units_and_labels_are_permuted_between_them():
    """With two sessions of each treatment, two of six arrangements are as far apart, so p
    is 1 / 3.
    """
    parts = [
        session(code, config, growth_rate=rate, seed=seed, max_harvest=limit)
        for code, config, rate, seed, limit in (
            ("a", "slow", 0.3, 1, 1.0),
            ("b", "slow", 0.3, 2, 1.0),
            ("c", "fast", 0.5, 3, 9.0),
            ("d", "fast", 0.5, 4, 9.0),
        )
    ]
    result = multiverse(analysis.joined(*parts), "harvest", sessions=True, permutations=999)
    assert result.compared == ("slow", "fast")
    by_session = result.table[result.table["unit"] == "session"]
    assert set(by_session["units"]) == {4}
    assert len(by_session) == len(result.table) / 2
    assert result.p_median == pytest.approx(1 / 3, abs=0.05)
    assert "permuted 999 times between sessions" in str(result)


@pytest.mark.long
def test_the_command_compares_sessions_of_one_treatment_and_refuses_those_of_both(tmp_path, capsys):
    parts = [
        session(code, growth_rate=rate, seed=seed)
        for seed, (code, rate) in enumerate({"a": 0.3, "b": 0.3, "c": 0.5, "d": 0.5}.items())
    ]
    analysis.save(analysis.joined(*parts), tmp_path / "export.zip")
    options = ["--measure", "harvest", "--sessions", "--output", str(tmp_path / "analyses")]
    assert main(["multiverse", str(tmp_path / "export.zip"), *options]) == 0
    assert "permuted 999 times between sessions" in capsys.readouterr().out.replace("\n", " ")
    table = pd.read_csv(tmp_path / "analyses/multiverse.csv")
    assert table["unit"].value_counts().to_dict() == dict.fromkeys(
        ("group", "session"), len(table) / 2
    )
    sample = str(ROOT / "mixed_company/analysis/sample/commons_game.zip")
    assert main(["multiverse", sample, *options]) == 2
    assert "sessions: some have groups of both treatments" in capsys.readouterr().err


def test_the_command_names_missing_treatments_and_measures(data, tmp_path, capsys):
    export, where = str(tmp_path / "export.zip"), ["--output", str(tmp_path / "analyses")]
    analysis.save(data, export)
    assert main(["multiverse", export, "--measure", "harvst", *where]) == 2
    refusal = "measure 'harvst': commons_game has no such period measure"
    assert refusal in capsys.readouterr().err
    named = ["--treatments", '"lab, quota=2",lab']
    assert main(["multiverse", export, "--measure", "harvest", *named, *where]) == 2
    assert "treatment 'lab, quota=2': no group has it" in capsys.readouterr().err


def test_blocks_of_the_same_people_are_not_compared_and_only_named_groups_are_left_out():
    """Four groups of two units: groups with dropouts and listed groups keep their own numbers."""
    data = exchanging(simulate_units(4, BOTH))
    before, after = (name for name in data.treatments if "open" in name and "pooled" not in name)
    with pytest.raises(ConfigError, match="from different blocks, which the same people played"):
        multiverse(data, "harvest", treatments=(before, after))
    session = str(data.config["session"].iloc[0])
    seats = data.seats.assign(reason=data.seats["reason"].mask(data.seats["group"] == 2, "dropout"))
    (_, nobody), (_, dropouts), (_, listed) = module._exclusions(
        replace(data, seats=seats), [(session, 4)]
    )
    assert (nobody, dropouts, listed) == (set(), {(session, 2)}, {(session, 4)})

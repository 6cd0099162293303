"""Required numbers of groups, compared with textbooks, hand calculations and simulated data."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis.power import Design, needed, piloted
from mixed_company.analysis.power.needed import _spread
from mixed_company.analysis.reading import load
from mixed_company.analysis.statistics import NoTest
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from tests.analysis.test_blind_blocks import exchanging, simulate_units
from tests.project import ROOT

SAMPLE = ROOT / "mixed_company/analysis/sample/commons_game.zip"


@pytest.mark.parametrize(("size", "number"), [(0.2, 394), (0.5, 64), (0.8, 26)])
def test_independent_values_need_the_numbers_in_cohens_table(size, number):
    """Cohen (1988), Statistical Power Analysis, table 2.4.1: two-sided .05, power .80. The table
    has 393 for a small effect, rounded; the exact number is 394.
    """
    assert needed(Design(effect=size, sd=1, people=1)).tested == (number, number)


def test_power_follows_from_the_noncentral_t():
    """With 64 in each group, df = 126 and the noncentrality is 0.5 sqrt(32)."""
    limit, shift = stats.t.ppf(0.975, 126), 0.5 * sqrt(32)
    above = stats.nct.sf(limit, 126, shift) + stats.nct.cdf(-limit, 126, shift)
    assert needed(Design(effect=-0.5, sd=1, people=1)).power == pytest.approx(above)
    limit, shift = stats.t.ppf(0.975, 124), 0.5 * sqrt(31.5)
    assert stats.nct.sf(limit, 124, shift) < 0.8 < above  # 63 are not enough


def test_correlated_people_in_a_group_count_less():
    """With icc .1 and 4 people, a group's mean has a variance of 100 (.1 + .9 / 4) = 32.5 = 100 *
    1.3 / 4, so a difference of 5 points is 5 / sqrt(32.5) = 0.877 standard deviations. With icc 1 a
    group counts as one person.
    """
    design = Design(effect=5, sd=10, icc=0.1, people=4)
    assert design.variance == pytest.approx(32.5)
    alone = Design(effect=5 / sqrt(32.5), sd=1, people=1)
    assert needed(design).tested == needed(alone).tested == (22, 22)
    assert needed(Design(effect=5, sd=10, icc=1, people=4)).tested == (64, 64)


def test_unequal_arms_and_several_tests():
    """1:2 with d = .5 needs 48 and 96 (G*Power 3.1). Three treatments mean two comparisons with the
    first at .025 each, so 1:1:1 needs what two treatments need at .025.
    """
    assert needed(Design(effect=0.5, sd=1, people=1, ratio=(2, 4))).tested == (48, 96)
    three = needed(Design(effect=0.5, sd=1, people=1, ratio=(1, 1, 1)))
    count = needed(Design(effect=0.5, sd=1, people=1, alpha=0.025))
    assert three.tested == (*count.tested, count.tested[0])
    assert needed(Design(effect=0.5, sd=1, people=1, hypotheses=2)).tested == count.tested


def test_expected_losses_increase_the_number_of_groups():
    """64 / .9 = 71.1, and 64 / .8 = 80 exactly."""
    assert needed(Design(effect=0.5, sd=1, people=1, attrition=0.1)).begun == (72, 72)
    assert needed(Design(effect=0.5, sd=1, people=1, attrition=0.2)).begun == (80, 80)


def test_too_few_groups_for_a_significant_exact_test_are_not_enough():
    """Three groups against three have 20 arrangements, so p = 2 / 20; four against four have p = 2
    / 70.
    """
    assert needed(Design(effect=100, sd=1, people=1)).tested == (4, 4)
    assert needed(Design(effect=100, sd=1, people=1, alpha=0.01)).tested == (5, 5)


def test_sessions_of_one_treatment_are_units_and_sessions_with_both_cancel_out():
    """With shares of .05 for the session, .10 for the group and .85 for the rest, a session of 3
    groups of 4 has a variance of .05 + (.10 + .85 / 4) / 3 = 0.15417, and a group within its
    session .10 + .85 / 4 = 0.3125.
    """
    whole = Design(effect=0.5, sd=1, icc=0.1, session_icc=0.05, per_session=3)
    assert whole.variance == pytest.approx(0.05 + 0.3125 / 3)
    answer, alone = (
        needed(whole),
        needed(Design(effect=0.5 / sqrt(0.05 + 0.3125 / 3), sd=1, people=1)),
    )
    assert answer.unit == "session"
    assert answer.tested == tuple(3 * count for count in alone.tested)
    lost = needed(Design(effect=0.5, sd=1, icc=0.1, session_icc=0.05, per_session=3, attrition=0.1))
    assert all(count % 3 == 0 for count in lost.begun)
    within = Design(effect=0.5, sd=1, icc=0.1, session_icc=0.05, per_session=2, within=True)
    assert within.variance == pytest.approx(0.3125)
    count = needed(within).tested[0]  # as many sessions as groups per treatment: df = n - 1
    limit, shift = stats.t.ppf(0.975, count - 1), 0.5 / sqrt(0.3125) * sqrt(count / 2)
    assert needed(within).power == pytest.approx(stats.nct.sf(limit, count - 1, shift), abs=1e-6)


def test_simulated_effects_are_found_with_the_stated_power():
    """People in a group share part of their variance, and Welch's t compares group means. Over 2000
    draws a share of .8 has a standard error of .009.
    """
    design = Design(effect=5, sd=10, icc=0.3, people=4)
    answer, rng = needed(design), np.random.default_rng(1)
    count = answer.tested[0]
    of_group = rng.normal(0, 10 * sqrt(0.3), (2000, 2, count, 1))
    means = (of_group + rng.normal(0, 10 * sqrt(0.7), (2000, 2, count, 4))).mean(axis=-1)
    p = stats.ttest_ind(means[:, 0], means[:, 1] + 5, axis=-1, equal_var=False).pvalue
    assert np.mean(p <= 0.05) == pytest.approx(answer.power, abs=0.03)


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"sd": 0}, NoTest, "sd = 0: if nothing varies, power is 0 or 1"),
        ({"effect": 0}, ConfigError, "effect = 0: should be the smallest relevant difference"),
        (
            {"effect": 0.001},
            NoTest,
            "effect = 0.001: would need more than 10000 groups per treatment",
        ),
        ({"icc": 1.5}, ConfigError, "icc = 1.5: should be from 0 to 1"),
        ({"icc": 0.6, "session_icc": 0.6}, ConfigError, "icc and session_icc: should add up"),
        ({"attrition": 1}, ConfigError, "attrition = 1: should be at least 0 and below 1"),
        ({"target": 0.04}, ConfigError, "target = 0.04: should exceed the level, 0.05"),
        ({"people": 0}, ConfigError, "people = 0: should be 1 or more"),
        ({"ratio": (1,)}, ConfigError, "ratio = (1,): should be a whole number for each"),
        ({"sd": float("nan")}, ConfigError, "sd = nan: should be a number"),
    ],
)
def test_impossible_questions_are_named(changes, error, text):
    with pytest.raises(error) as raised:
        needed(Design(**({"effect": 1, "sd": 1} | changes)))
    assert str(raised.value).startswith(text)


# -- a pilot --------------------------------------------------------------------------------------


def frame(rows):
    keys = ["treatment", "group", "seat", "points"]
    return pd.DataFrame(rows, columns=keys).assign(session="s", person=True)


def test_the_spread_of_a_pilot_by_hand():
    """One treatment has groups (1, 3) and (5, 7): mean 4, squares 9 + 1 + 1 + 9, sd = sqrt(20 / 3).
    Between groups 2 * (2 - 4)^2 * 2 = 16 with one degree of freedom; within groups 4 / 2 = 2; icc =
    14 / 18. Chi-squared with one degree of freedom is below 0.0642 once in five.
    """
    spread = _spread(
        frame([("a", 0, 0, 1.0), ("a", 0, 1, 3.0), ("a", 1, 0, 5.0), ("a", 1, 1, 7.0)]), "points"
    )
    assert (spread.mean, spread.people, spread.groups) == (4, 2, 2)
    assert spread.sd == pytest.approx(sqrt(20 / 3))
    assert spread.icc == pytest.approx(14 / 18)
    assert spread.high == pytest.approx(sqrt(20 / 3) / sqrt(0.0642), rel=1e-3)


def test_groups_of_a_pilot_that_exchanged_people_count_as_one():
    """Two units of two groups each: their four groups of two people have one degree of freedom in
    the interval of the sd, not three."""
    data = simulate_units(4).of_block("before")
    apart = piloted(data, "points")
    units = piloted(exchanging(data), "points")
    assert (apart.groups, apart.people) == (4, 2)
    assert (units.groups, units.people) == (2, 4)
    assert units.sd == pytest.approx(apart.sd)
    assert units.high == pytest.approx(apart.sd / sqrt(stats.chi2.ppf(0.2, 1)))
    assert str(units).startswith("Pilot of 2 groups (groups that exchanged people count as one): ")


def test_a_pilot_of_several_blocks_needs_a_block(tmp_path, capsys):
    data = simulate_units(3)
    with pytest.raises(ConfigError, match="choose one of after, before, pooled"):
        piloted(data, "points")
    analysis.save(data, tmp_path / "pilot.zip")
    words = ["power", "--effect", "15%", "--measure", "points"]
    assert main([*words, "--block", "after"]) == 2
    assert "--block: needs --pilot" in capsys.readouterr().err
    main([*words, "--pilot", str(tmp_path / "pilot.zip"), "--block", "after"])
    assert "Pilot of 3 groups: points" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([("a", 0, 0, 1.0), ("b", 1, 0, 2.0)], "points: no treatment of the pilot has two groups"),
        ([("a", 0, 0, 1.0), ("a", 1, 0, 1.0), ("b", 2, 0, 2.0)], "points: constant within each"),
    ],
)
def test_a_pilot_without_information_on_the_spread_is_refused(rows, text):
    with pytest.raises(NoTest) as raised:
        _spread(frame(rows), "points")
    assert str(raised.value).startswith(text)


def test_a_pilot_is_an_export_with_a_measure_of_people_or_groups():
    data = load(SAMPLE)
    people, groups = piloted(data, "points"), piloted(data, "efficiency")
    assert (people.groups, people.people, groups.people) == (30, 4, 1)
    assert 0 < people.icc < 1
    assert groups.icc == 0
    with pytest.raises(UnknownName, match="measure 'point': unknown in commons_game; did you mean"):
        piloted(data, "point")
    with pytest.raises(ConfigError, match="measure 'type': its values are words"):
        piloted(data, "type")


# -- the command ----------------------------------------------------------------------------------


def test_a_relative_effect_without_a_mean_gets_several_answers(capsys):
    assert main(["power", "--effect", "15%", "--sd", "3", "--icc", "0.1", "--target", "0.8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "15% of what mean? Set it with --mean. For some means:"
    assert [line.split(":")[0] for line in lines[1:]] == ["mean 6", "mean 12", "mean 24", "mean 48"]
    assert main(["power", *["--effect", "15%", "--mean", "12", "--sd", "3", "--icc", "0.1"]]) == 0
    assert f"mean 12: {capsys.readouterr().out}".strip() == lines[2]


def test_shares_can_be_in_per_cent(capsys):
    command = ["power", "--effect", "3", "--sd", "6", "--per-session", "4"]
    shares = {"--icc": 0.1, "--target": 0.9, "--session-icc": 0.05, "--attrition": 0.2}
    for shown in ("{:g}", "{:.0%}"):
        arguments = [text for key, share in shares.items() for text in (key, shown.format(share))]
        assert main([*command, *arguments]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert main([*command, "--icc", "120%"]) == 2
    assert "icc" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            "--sd 3",
            "--effect: is missing; set the smallest difference that matters, such as 3 or 15%",
        ),
        ("--effect 3", "--sd: is missing; set the standard deviation of people, or use --pilot"),
        ("--effect x --sd 3", "effect = 'x': should be a number"),
        ("--effect 15% --sd 0", "sd = 0: if nothing varies, power is 0 or 1 for any number"),
        ("--effect 3 --sd 3 --groups 4", "--groups: needs a game"),
        (
            "--effect 3 --pilot x.zip",
            "--measure: is missing; a pilot needs a measure of people or groups",
        ),
        ("commons_game --sd 3", "--sd: applies only with --effect, when the answer is computed"),
        ("commons_game --measure points", "--treatment: is missing; a simulation needs it"),
    ],
)
def test_the_command_says_what_it_needs(capsys, arguments, text):
    assert main(["power", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert captured.err.splitlines()[-1].startswith(text)
    assert captured.out == ""

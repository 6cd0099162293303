"""Tests that the tutorial's plan, figure and numbers match the shipped plan and sample."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis import measures
from mixed_company.analysis.data import Data
from mixed_company.analysis.planned import tested as planned
from mixed_company.experiment import reading
from tests.project import ROOT

TEXT = (ROOT / "docs/tutorial.md").read_text("utf-8")
PLAN, SAMPLE = "commons_quota", ROOT / "mixed_company/analysis/sample/commons_game.zip"
ORDER = ("quota", "open")


@cache
def sample() -> Data:
    return analysis.load(SAMPLE)


@cache
def hypotheses() -> pd.DataFrame:
    """Return the plan's tests as a report on the sample shows them."""
    plan = reading.find(PLAN, ROOT / "plans")
    table = planned.tested([planned.of_plan(sample(), PLAN, plan)], plan, None)
    table.insert(1, "status", "rehearsal")
    return table


@cache
def groups_of_sample() -> pd.DataFrame:
    return measures.groups(sample(), ["stock_share", "periods_survived", "mean_points"])


def results(groups: pd.DataFrame, payments: pd.DataFrame, test: pd.Series) -> list[str]:
    """Return the phrases with numbers in the Results paragraph. They are computed from groups (with
    `treatment` and measures), payments and the hypothesis test.
    """
    by_group = groups.groupby("treatment", observed=True)
    counts, means = by_group.size(), by_group[["stock_share", "mean_points"]].mean()
    full = (groups["periods_survived"] == 20).groupby(groups["treatment"], observed=True).sum()
    lasted = by_group["periods_survived"].mean()["open"]
    paid = payments.groupby("treatment", observed=True)["payment"].agg(["mean", "min", "max"])
    quota, free = (paid.loc[name] for name in ORDER)
    share, points = means["stock_share"], means["mean_points"]
    kept, bare = (f"{share[name]:.0%}" for name in ORDER)
    return [
        f"left: {kept} of the capacity on average over periods, compared with {bare} without",
        f"{counts['quota']} against {counts['open']} groups: U = {test['statistic']:g}, p < 0.001",
        f"shift {100 * test['effect']:.0f} percentage points",
        f"95% interval {100 * test['low']:.0f} to {100 * test['high']:.0f}",
        f"All {full['quota']} groups with a quota, but only {full['open']} of {counts['open']}",
        f"without a quota the stock lasted {lasted:.2f} periods on average",
        f"earned {points['quota']:.2f} points per participant, and groups without "
        f"{points['open']:.2f}",
        f"{quota['mean']:.2f} on average with a quota ({quota['min']:.2f} to {quota['max']:.2f})",
        f"{free['mean']:.2f} without ({free['min']:.2f} to {free['max']:.2f})",
    ]


def absent(phrases: list[str], text: str) -> list[str]:
    """Return the phrases that are missing from the text, ignoring line breaks."""
    words = " ".join(text.split())
    return [phrase for phrase in phrases if phrase not in words]


def paragraph() -> str:
    return TEXT.split("**Results.**")[1].split("\n\n")[0]


def test_the_numbers_in_the_results_match_the_sample() -> None:
    groups, test = groups_of_sample(), hypotheses().iloc[0]
    phrases = results(groups, sample().outcomes, test)
    assert absent(phrases, paragraph()) == []
    numbers = re.findall(r"\d+(?:\.\d+)?", paragraph())
    of_phrases = set(re.findall(r"\d+(?:\.\d+)?", " ".join(phrases)))
    assert set(numbers) - of_phrases == {"20"}  # the periods of the game
    assert test["p"] < 0.001


@pytest.mark.parametrize(
    "changed", ["stock_share", "periods_survived", "mean_points", "payment", "low"]
)
def test_a_changed_number_is_noticed(changed: str) -> None:
    groups, test = groups_of_sample().copy(), hypotheses().iloc[0].copy()
    payments = sample().outcomes.copy()
    for table in (groups, payments, test):
        if changed in table:
            table[changed] = table[changed] * 1.05
    assert absent(results(groups, payments, test), paragraph())


def test_the_tutorial_quotes_the_sentence_of_the_report() -> None:
    (sentence,) = planned.in_words(hypotheses())
    assert f"\n{sentence}\n" in TEXT


def test_the_plan_is_the_file_of_the_project() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.S)
    assert block == Path(ROOT / f"plans/{PLAN}.toml").read_text("utf-8")


def test_the_tutorial_is_short_and_says_its_data_are_simulated() -> None:
    assert len(TEXT.splitlines()) <= 350
    assert set(sample().manifest["rehearsed"]["people"]) == {
        "conditional_cooperator",
        "noisy_person",
    }
    assert "**nothing about how people behave**" in TEXT
    assert "all participants were simulated" in TEXT

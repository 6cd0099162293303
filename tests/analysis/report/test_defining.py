"""The definition of the measure on the first screen."""

from __future__ import annotations

from mixed_company import analysis
from mixed_company.analysis.report.page import defined
from tests.analysis.report.made import played


def test_an_efficiency_is_said_to_be_high_without_any_contribution() -> None:
    """The groups contribute nothing, so their efficiency is the value in the text."""
    rules = {"people": ["fixed:contribution=0"] * 4, "bots": [], "groups": 1, "periods": 2}
    data = played("sanctions", **rules)
    words = defined(data, "efficiency")
    assert words.startswith("Efficiency: The group's private payoffs, before losses from ")
    assert "as a share of the payoffs at the social optimum" in words
    [efficiency] = analysis.measures.groups(data, ["efficiency"])["efficiency"]
    assert 0 < efficiency < 1
    assert words.endswith(f"If nobody contributes, it is already {efficiency:.3f}.")


def test_other_measures_have_only_their_meaning() -> None:
    data = played(periods=2)
    assert defined(data, "harvest") == "Harvest: Mean harvest per seat and period."
    assert defined(data, "unknown") == ""
    assert "nobody contributes" not in defined(data, "efficiency")

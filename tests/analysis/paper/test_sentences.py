"""Sentences of a paper, with numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from mixed_company.analysis.audit import Audit
from mixed_company.analysis.paper import methods, notation, results
from mixed_company.experiment.sealing import Seal
from tests.analysis.planned.made import TEXT, content, plan, sealed

ROW: dict[str, Any] = {
    "hypothesis": "harvest",
    "status": "confirmatory",
    "groups": "open 4, pool 4",
    "test": "Mann-Whitney U test, exact",
    "symbol": "U",
    "df": float("nan"),
    "statistic": 0.0,
    "effect_name": "Hodges-Lehmann shift (pool - open)",
    "effect": -12.5,
    "low": -20.0,
    "high": -5.25,
    "confidence": 0.95,
    "standardised": -1.0,
    "p": 2 / 70,  # 2 of the 70 ways to choose 4 of 8 groups
    "p_corrected": 4 / 70,
    "correction": "Holm, 2 tests",
    "notes": "",
}
MEANS = pd.DataFrame(
    [
        ("group", "harvest", "points", "open", 4, 20.0, 18.0, 22.0),
        ("group", "harvest", "points", "pool", 4, 7.5, float("nan"), float("nan")),
        ("person", "harvest", "points", "open", 4, 99.0, 98.0, 100.0),
        ("group", "gini", "", "open", 4, 0.25, 0.2, 0.3),
    ],
    columns=["level", "measure", "unit", "treatment", "groups", "mean", "low", "high"],
)


def hypothesis(**changes: Any) -> str:
    planned = plan(TEXT).hypotheses["harvest"]
    return results.hypothesis({**ROW, **changes}, planned, MEANS)


def test_a_test_is_in_the_notation_of_journals():
    assert notation.test(ROW) == (
        "*U* = 0, *p* = .029, corrected for 2 tests (Holm) *p* = .057, Hodges-Lehmann shift "
        "(pool \N{MINUS SIGN} open) = \N{MINUS SIGN}12.50, 95% CI [\N{MINUS SIGN}20, "
        "\N{MINUS SIGN}5.25], Cliff's delta = \N{MINUS SIGN}1"
    )


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"symbol": "t", "df": 5.438}, "*t*(5.44) = 0, "),
        ({"symbol": "mean change"}, "mean change = 0, "),
        ({"correction": "Holm, 1 test"}, "*p* = .029, Hodges-Lehmann"),
        ({"low": float("nan")}, "= \N{MINUS SIGN}12.50, Cliff's"),
        ({"groups": "a 4, b 4, c 4"}, "epsilon squared = \N{MINUS SIGN}1"),
        (
            {"groups": "a 4, b 4, c 4", "test": "Jonckheere-Terpstra trend test"},
            "Somers' d = \N{MINUS SIGN}1",
        ),
        ({"p": 0.00049}, "*p* < .001, corrected"),
    ],
)
def test_parts_of_a_test_follow_from_its_kind(changes, part):
    assert part in notation.test({**ROW, **changes})


def test_a_result_has_means_the_test_and_the_verdict():
    """The corrected p of .057 is above the level, although p is below it."""
    words = hypothesis()
    assert words.startswith("**harvest** (confirmatory). more is harvested with a pool. Harvest")
    assert "on average 20 in open (4 groups, 95% CI [18, 22]) and 7.50 in pool (4 groups)" in words
    assert "99" not in words  # the level of people
    assert "Mann-Whitney U test, exact (open 4, pool 4): *U* = 0" in words
    assert words.endswith("The result is not significant at the level 0.05.")


def test_a_result_at_the_level_is_significant_and_notes_follow():
    words = hypothesis(p_corrected=0.05, notes="With ties")
    assert words.endswith("The result is significant at the level 0.05. With ties.")


def test_at_a_look_the_level_replaces_the_correction():
    words = hypothesis(level=0.03, confidence=0.97)
    assert words.endswith("The result is significant at the level 0.03.")


def test_a_missing_test_gives_its_reason():
    words = hypothesis(p=float("nan"), notes="not tested: no group of pool has a value")
    assert words.endswith("Not tested: no group of pool has a value.")


def test_participants_are_counted_over_treatments_and_paid_by_treatment():
    rows = [("open", 9, 8, 7, 2, 5.0, 3.5, 8.25), ("pool", 8, 8, 8, 0, None, None, None)]
    names = ("treatment", "arrived", "grouped", "finished", "dropped_out")
    who = pd.DataFrame(rows, columns=[*names, "payment_mean", "payment_min", "payment_max"])
    assert results.participants(who) == (
        "Of 17 participants who arrived, 16 joined a group and 15 played to the end (open: 7; "
        "pool: 8). 2 dropped out of the game at least once. The mean payment in open was 5.00, "
        "from 3.50 to 8.25."
    )


def test_exclusions_are_named_with_their_reasons():
    assert results.excluded(None) == "No group that played was excluded."
    row = {"treatment": "open", "session": "s1", "group": 3, "why": "power cut", "when": "before"}
    assert results.excluded(pd.DataFrame([row])) == (
        "- Group 3 of session s1 (open) was excluded: power cut (decided: before)"
    )


def test_the_audit_is_reported():
    assert results.audited(Audit("commons_game", 2, 30, 500, ())).endswith(
        "in 30 periods. Of 500 numbers compared with the data, no difference was found."
    )


def written(seal: Seal | None, confirmatory: bool = True) -> str:
    manifest = {"software": {"python": "3.11"}, "code": "ab12"}
    planned = content(plan(TEXT)) if seal is None else seal.content
    return "\n\n".join(methods.paragraphs(planned, seal, confirmatory, manifest))


def test_methods_say_what_was_planned():
    words = written(None)
    assert "- pool: " in words
    assert '- core.governance: open "none", pool "per_step"' in words
    assert "Test: `welch`, between pool and open. Independent unit: group" in words
    assert "The plan was not sealed, so no result is confirmatory." in words
    assert "Sessions ran with python 3.11." in words


def test_methods_name_the_seal():
    seal = sealed(plan(TEXT))
    assert f"before the first participant arrived. The sha256 of its content is {seal.digest}" in (
        written(seal)
    )
    assert "after the first participant arrived" in written(seal, confirmatory=False)

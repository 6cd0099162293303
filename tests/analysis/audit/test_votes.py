"""Policies' votes are recomputed, even for exports that were made by other code."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mixed_company.analysis.audit import audited
from mixed_company.analysis.audit.again import rebuilt
from mixed_company.analysis.audit.asked import NOT_INSTALLED
from mixed_company.analysis.audit.rows import Findings
from mixed_company.table.leanings import leaning
from tests.analysis.audit.tables import exported
from tests.table.chosen import choose, entries, open_table, setup, voting

OTHER = {"open": "pool", "pool": "open"}


def checked(vote: str, policy: str = "steward") -> Findings:
    """Return what an audit with other code finds in a group whose two bots cast this vote.
    `policy` is the name that the journal gives them."""
    settings = setup(rules_bots="policy").changed(leanings={"steward": vote})
    table = open_table([0, 2], settings)
    for seat in (0, 2):
        table.hear(seat, 0)
    for seat in (0, 2):
        choose(table, seat, "open", 1000)
    journal = json.loads(json.dumps(entries(table)).replace("steward", policy))
    config = {
        "config": json.dumps(settings.config),
        "rules": json.dumps(settings.rules),
        "options": settings.options.model_dump_json().replace("steward", policy),
    }
    findings = Findings("commons_game", other_code=True)
    assert rebuilt(config, journal, {}, {}, findings) is not None
    return findings


@pytest.fixture(scope="module")
def right() -> str:
    """Return the rule that the bots vote for."""
    return leaning(setup().rules, "steward")


def test_a_vote_that_differs_from_the_policys_vote_is_counted(right: str) -> None:
    findings = checked(right)
    assert (findings.recomputed, findings.numbers, dict(findings.otherwise)) == (2, 2, {})
    [(policy, count)] = checked(OTHER[right]).otherwise.items()
    assert policy.startswith("steward, version ")
    assert count == 2


def test_votes_of_policies_that_are_not_installed_are_counted(right: str) -> None:
    assert dict(checked(right, "lost").unasked) == {NOT_INSTALLED: 2}


@pytest.mark.parametrize(
    ("rule", "config", "sentence"),
    [
        ("open", "open", ""),
        ("pool", "pool", "pool should be open, as in events"),
        ("open", "pool", "should be the configuration of rule open"),
    ],
)
def test_the_rule_of_a_group_without_a_journal_is_the_chosen_one(rule, config, sentence):
    settings = setup()
    table = voting([0, 2])
    for seat in (0, 2):
        choose(table, seat, "open", 1000)
    data = exported(settings, [table], journal=False)
    values = {"rule": rule, "rules": json.dumps(settings.rules)}
    configs = data.config.assign(**values, config=json.dumps(settings.rules[config]))
    lines = map(str, audited(replace(data, config=configs)).problems)
    faults = [line for line in lines if "rule" in line and line.startswith("commons_game/config")]
    assert [sentence in line for line in faults] == [True] * bool(sentence)

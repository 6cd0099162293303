"""Thinking times of bots follow from the seed, so the audit can recompute them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mixed_company.analysis.audit import audited
from tests.analysis.audit.tables import exported, play, setup


@pytest.mark.parametrize("agents", [{}, {"timing": "sequential"}])
@pytest.mark.parametrize("delay", ["lognormal:median=2;sigma=0.5", "people", "people:surprise=1"])
def test_a_wrong_thinking_time_is_named(delay: str, agents: dict[str, str]) -> None:
    settings = setup(periods=6, bot_delay=delay, decision_seconds=0.0, agents=agents)
    data = exported(settings, [play(settings, 2, 1, 0.0)])
    assert audited(data).problems == ()
    decisions = data.decisions.copy()
    row = decisions.index[decisions["occupant"] == "policy"][-1]
    for column in ("delay_ms", "received_ms"):  # both columns change, so they still agree
        decisions.loc[row, column] -= 1
    problems = audited(replace(data, decisions=decisions)).problems
    assert any("delay_ms" in str(problem) for problem in problems)

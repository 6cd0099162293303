"""Setup that a page's examples need before they run, and checks of the results that they leave
behind."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis, engine, policies
from mixed_company.analysis.report import excluded
from mixed_company.experiment import reading
from mixed_company.learning.training.judge import points
from mixed_company.policies.policy import Policy, ask_at
from mixed_company.policies.trained.card import read
from mixed_company.table.options import Options

__all__ = ["AFTER", "BEFORE", "Names", "save_export"]

Names = dict[str, Any]
"""Names defined by a page's Python blocks."""

VIEW = {"place": "commons_game/12/2", "observation": {"stock": 84.0}}


def save_export(path: Path) -> None:
    """Save plays of the commons with and without a pool, as if people had played them."""
    people = {"people": ["noisy_person"] * 4, "groups": 4, "archetype": "lab", "periods": 6}
    data = [
        analysis.simulated("commons_game", treatment=how, seed=7, governance=how, **people)
        for how in ("none", "per_step")
    ]
    analysis.save(analysis.joined(*data), path)


def _client(names: Names, patch: pytest.MonkeyPatch) -> None:
    """Set up a client that asks for three decisions without a server."""

    async def play(url: str, name: str, key: str, decide: Callable[..., Any]) -> None:
        views = [{**VIEW, "observation": {"stock": stock}} for stock in (84.0, 80.0, 80.0)]
        names["decided"] = [await decide({}, view) for view in views]

    client = ModuleType("client")
    client.play = play  # type: ignore[attr-defined]
    patch.setitem(sys.modules, "client", client)
    patch.setenv("AGENT_KEY", "a-key-of-16-characters-or-more")


def _outcomes(names: Names, patch: pytest.MonkeyPatch) -> None:
    """Save the outcomes of two people from a panel, and of one person without a link."""
    worker = json.dumps({"workerId": "w1", "assignmentId": "a1", "hitId": "h1"})
    other = json.dumps({"workerId": "w2", "assignmentId": "a2", "hitId": "h2"})
    rows = [(worker, 3.504, 2.0), (other, 2.0, 2.0), (None, 4.0, 2.0)]
    columns = ["parameters", "payment", "pay_fee"]
    pd.DataFrame(rows, columns=columns).to_csv("outcomes.csv", index=False)


def _decision(policy: Policy) -> Any:
    """Return a policy's action in the first period of the commons, with the lake half full."""
    assert isinstance(policy, Policy)
    answer = ask_at(engine.Episode(LAB, seed=1), policy, 0, policy.start())
    assert answer.fault is None
    return answer.action


LAB = engine.make("commons_game", archetype="lab_0_8")


def _readme(names: Names) -> None:
    plan = reading.find("first", Path(reading.FOLDER))
    assert list(plan.treatments) == ["open", "quota"]
    assert plan.hypotheses["stock"].measure == "stock_share"
    shipped = reading.find("commons_quota", Path(reading.FOLDER))
    assert shipped.sources
    assert shipped.model_copy(update={"authors": plan.authors, "sources": plan.sources}) == plan
    # the lake is half full: 50 of 100
    assert _decision(names["Tenth"](LAB.core)) == {"harvest": 5.0, "contribution": 0.0}


def _contributing(names: Names) -> None:
    # a quarter of the maximum sustainable yield of 16 is 4, half of that 2; the lake is half full
    assert _decision(names["Cautious"](LAB.core)) == {"harvest": 1.0, "contribution": 0.0}
    play, policy = engine.Episode(LAB, seed=1), names["Patient"](LAB.core)
    memory, harvests = policy.start(), []
    # 4 and 3 * 10 are taken from 50 in the second period, so the stock falls once
    for others in (0, 10, 4, 0, 0):
        answer = ask_at(play, policy, 0, memory)
        assert answer.fault is None
        memory = answer.memory
        harvests.append(answer.action["harvest"])
        play.step({"harvest": [harvests[-1], *[others] * 3], "contribution": [0] * 4})
    assert harvests == [4.0, 4.0, 2.0, 2.0, 2.0]


def _agents(names: Names) -> None:
    assert [action["harvest"] for action in names["decided"]] == [4, 2, 4]


def _analysis(names: Names) -> None:
    assert names["data"].treatments == ["open", "pool"]


def _excluded(names: Names) -> None:
    assert excluded.read(Path("excluded.csv"))


def _prolific(names: Names) -> None:
    options = Options.model_validate({"completion_links": names["json_block"]})
    assert len(options.completion_links) == 3
    assert names["due"]["bonus"].tolist() == [1.5, 0.0]


def _statistics(names: Names) -> None:
    printed = re.findall(r": (\d+) analyses", Path("docs/statistics.md").read_text("utf-8"))
    assert printed == [str(len(pd.read_csv("analyses/multiverse.csv")))]
    svg = Path("analyses/multiverse.svg").read_text("utf-8")
    assert "difference in contribution" in svg
    assert "periods: first half" in svg
    assert Path("analyses/multiverse.pdf").read_bytes().startswith(b"%PDF")


def _trained(names: Names) -> None:
    if "card" not in names:
        return  # only the long test trains
    assert policies.look_in("my_policies") == ["my_fisher"]
    card = read(Path("my_policies") / "my_fisher.json")
    # training started from a quarter of the maximum sustainable yield of 10, in 15 periods
    assert points(card, "my_fisher", plays=4).mean() > points(card, "sustainable", plays=4).mean()


BEFORE: dict[str, Callable[[Names, pytest.MonkeyPatch], None]] = {
    "docs/agents.md": _client,
    "docs/prolific.md": _outcomes,
}
"""Function for each document that prepares the folder or the names of its blocks."""

AFTER: dict[str, Callable[[Names], None]] = {
    "CONTRIBUTING.md": _contributing,
    "README.md": _readme,
    "docs/agents.md": _agents,
    "docs/analysis.md": _analysis,
    "docs/plans.md": _excluded,
    "docs/prolific.md": _prolific,
    "docs/report.md": _excluded,
    "docs/statistics.md": _statistics,
    "docs/trained.md": _trained,
}
"""Function for each document that checks the values its blocks leave behind."""

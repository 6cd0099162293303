"""The audit checks fees and drifts in an export. Exports without these events still pass."""

from __future__ import annotations

import json
from dataclasses import replace

from mixed_company import analysis
from mixed_company.analysis.audit import audited

LAYERS = {
    "incentives": {"intensity": 1, "quota": {"harvest": 3}, "fee": {"harvest": 0.5}},
    "uncertainty": {"intensity": 1, "drift": {"growth_rate": 0.1}},
}
LATER = ("fee", "drift")


def data():
    players = {"people": ["greedy"], "bots": ["steward"], "groups": 1, "seed": 3}
    return analysis.simulated("commons_game", archetype="lab", periods=4, layers=LAYERS, **players)


def problems(played):
    return [str(problem) for problem in audited(played).problems]


def without_section(text):
    """Return the configuration as JSON, without the keys that earlier releases lacked."""
    config = json.loads(text)
    for key in ("metrics", "artifacts", "events"):
        del config["instrumentation"][key]
    return json.dumps(config)


def test_fees_and_drifts_in_the_export_are_valid():
    played = data()
    assert set(LATER) <= set(played.events["event"])
    assert problems(played) == []


def test_a_removed_fee_is_noticed():
    played = data()
    fee = played.events.index[played.events["event"] == "fee"][0]
    (problem,) = problems(replace(played, events=played.events.drop(fee)))
    assert "missing: period 0, seat 0: fee" in problem


def test_an_export_from_before_these_events_existed_is_valid():
    played = data()
    old = replace(
        played,
        events=played.events[~played.events["event"].isin(LATER)],
        config=played.config.assign(config=played.config["config"].map(without_section)),
    )
    assert problems(old) == []
    assert problems(replace(old, config=played.config)) != []

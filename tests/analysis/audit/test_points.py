"""Exports of plays with peer points: they are rebuilt from their journal, and faults are found."""

from __future__ import annotations

import json

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES
from tests.analysis.audit import points
from tests.analysis.audit.faults import contents_of
from tests.analysis.audit.planting import KEY, tables_of
from tests.analysis.audit.tables import exported, play, setup
from tests.analysis.audit.verdicts import tried

BOTS = {"commons_game": "greedy", "sanctions": "conditional_cooperator"}
SEQUENTIAL = {"agents": {"timing": "sequential"}, "bot_delay": "people"}
REDUCED = {"agents": {"may_leave": True}, "dropout": "reduced"}


def problems(path):
    return [str(problem) for problem in analysis.check(path) if problem.kind not in NOTES]


def test_planted_faults_in_peer_points_are_found_or_admitted_and_all_with_the_key(tmp_path):
    good = points.export(tmp_path)
    assert [str(p) for p in analysis.check(good, key=KEY) if p.kind not in NOTES] == []
    files = contents_of(good)
    planted = list(points.faults(tables_of(files, json.loads(files["manifest.json"]))))
    outcomes = list(tried(good, tmp_path / "bad.zip", planted))
    assert len({outcome.fault.name for outcome in outcomes}) == len(planted) >= 25
    missed = [o.fault.name for o in outcomes if o.verdict == "missed" or not o.by_key]
    assert missed == []
    admitted = {o.fault.name for o in outcomes if o.verdict == "admitted"}
    assert admitted <= {"decisions.peer_wall_ms"}


@pytest.mark.parametrize("game", BOTS)
@pytest.mark.parametrize(
    "changes",
    [{}, {"peer": "both", "peer_names": "shuffled"}, SEQUENTIAL, REDUCED],
    ids=["plain", "shuffled", "in turn", "reduced"],
)
def test_exports_with_peer_points_follow_from_their_journals(game, changes, tmp_path):
    """People are slow, leave and return; bots take over between the stages too."""
    settings = setup(
        game,
        archetype={"sanctions": "unsanctioned", "commons_game": "lab"}[game],
        **{"peer": "punishment", "periods": 5, **changes},
        decision_seconds=6.0,
        peer_seconds=5.0,
        grace_seconds=10.0,
        bots=f"random+antisocial,{BOTS[game]}+punishes_below_average",
    )
    path = tmp_path / "export.zip"
    data = exported(settings, [play(settings, [0, 2], number, 0.1) for number in (1, 2)])
    analysis.save(data, path)
    assert problems(path) == []
    assert {"person", "policy", "default"} <= set(data.decisions["peer_by"])
    without = exported(settings, [play(settings, [0, 2], 1, 0.1)], journal=False)
    analysis.save(without, path)
    assert problems(path) == []


def test_simulated_plays_with_peer_points_are_checked_by_playing_them_again(tmp_path):
    data = analysis.simulated(
        "sanctions",
        ["random+antisocial", "conditional_cooperator+punishes_below_average"],
        ["random"],
        groups=2,
        seed=3,
        archetype="unsanctioned",
        peer="punishment",
        periods=3,
    )
    path = tmp_path / "export.zip"
    analysis.save(data, path)
    assert problems(path) == []
    row = data.decisions.index[data.decisions["sent_assign_0"] > 0][0]
    data.decisions.loc[row, "peer_by"] = "policy"
    analysis.save(data, path)
    [problem] = problems(path)
    assert "policy should be person" in problem

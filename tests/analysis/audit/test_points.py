"""Exports of plays with peer points are rebuilt from their journals, and a changed value is found
in every column. `test_catalogue.py` plants other faults in them.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, UNKNOWN, group
from mixed_company.analysis.data import Data
from mixed_company.analysis.files import ExportError
from mixed_company.analysis.reading import KEYS
from tests.analysis.audit import points
from tests.analysis.audit.faults import contents_of
from tests.analysis.audit.planting import about_of, change_value, packed, tables_of
from tests.analysis.audit.tables import exported, play, setup

BOTS = {"commons_game": "greedy", "sanctions": "conditional_cooperator"}
CHANGES = {
    "plain": {},
    "shuffled": {"peer": "both", "peer_names": "shuffled"},
    "in turn": {"agents": {"timing": "sequential"}, "bot_delay": "people"},
    "reduced": {"agents": {"may_leave": True}, "dropout": "reduced"},
}


def problems(path):
    return [str(problem) for problem in analysis.check(path) if problem.kind not in NOTES]


def claimed(data: Data, seats: int, periods: int, period: int) -> Data:
    """Return the data with these numbers in the first group's configuration, and with this period
    in its first decision."""
    first, *rest = (json.loads(text) for text in data.config["config"])
    first["core"] |= {"seats": seats, "periods": periods}
    decisions = data.decisions.copy()
    decisions.loc[0, "period"] = period
    config = data.config.assign(config=[json.dumps(held) for held in (first, *rest)])
    return replace(data, config=config, decisions=decisions)


@pytest.mark.parametrize(
    ("seats", "periods", "size"),
    [
        (1000, 10_000, "decisions: {}10000000"),
        (30, 10_000, "decisions: {}300000"),
        (30, 2_000, "pairs: {}1740000"),
    ],
)
def test_a_small_file_cannot_claim_any_number_of_rows(tmp_path, seats, periods, size):
    options = {"people": ["greedy"] * 4, "groups": 2, "seed": 1, "periods": 3}
    data = analysis.simulated("commons_game", **options, peer="punishment")
    path = tmp_path / "large.zip"
    analysis.save(claimed(data, seats, periods, periods - 1), path)
    place = f"group 1 of session {data.config['session'][0]}: {seats} seats and {periods} periods "
    rule = f"{size.format(place + 'require ')} rows, but there are [0-9]+; at most 100000 can be"
    with pytest.raises(ExportError, match=rule):
        analysis.check(path)


def test_a_large_group_is_read_if_its_rows_are_there(tmp_path, monkeypatch):
    monkeypatch.setattr(group, "MOST_MISSING", 3)
    options = {"people": ["greedy"] * 4, "groups": 1, "seed": 1, "periods": 3}
    data = analysis.simulated("commons_game", **options, peer="punishment")
    analysis.save(data, tmp_path / "whole.zip")
    assert problems(tmp_path / "whole.zip") == []
    for rows, refused in ((3, False), (4, True)):
        path = tmp_path / f"{rows}.zip"
        analysis.save(replace(data, pairs=data.pairs.iloc[:-rows]), path)
        with pytest.raises(ExportError) if refused else nullcontext():
            assert any("missing: period 2" in line for line in problems(path))


def test_a_changed_value_in_any_column_is_found(tmp_path):
    """One export contains all the changes at once. Only the journal shows the correct values, and
    the audit names each changed column."""
    files = contents_of(points.export(tmp_path))
    manifest = json.loads(files["manifest.json"])
    tables = tables_of(files, manifest)
    columns = [
        (table, column)
        for table in ("decisions", "periods", "pairs", "seats", "events")
        for column in tables[table][0]
        if column not in KEYS[table] and about_of(table, column) not in UNKNOWN
    ]
    assert len(columns) >= 90
    for table, column in columns:
        change_value(table, column, 1 + len(tables[table]) // 2)(tables, manifest)
    sentences = problems(packed(tmp_path / "bad.zip", files, tables, manifest))
    assert columns == [
        (table, column)
        for table, column in columns
        if any(f"/{table}.csv" in problem and f", {column}:" in problem for problem in sentences)
    ]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("changes", "game"),
    [
        # ordered so that every other set has a different change, and games alternate
        pytest.param(changes, game, id=f"{name} {game}")
        for number, (name, changes) in enumerate(CHANGES.items())
        for game in list(BOTS)[:: 1 - 2 * (number % 2)]
    ],
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
    data = exported(settings, [play(settings, 2, number, 0.1) for number in (1, 2, 3)])
    analysis.save(data, path)
    assert problems(path) == []
    assert {"person", "policy", "default"} <= set(data.decisions["peer_by"])
    without = exported(settings, [play(settings, 2, 1, 0.1)], journal=False)
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

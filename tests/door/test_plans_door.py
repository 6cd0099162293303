"""Tests of the shipped plans: short rehearsals on a real server, with audit and report."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.experiment import reading

pytestmark = [pytest.mark.door, pytest.mark.long]


NAMES = [
    name
    for name in reading.names(Path("plans"))
    if reading.find(name, Path("plans")).space is None  # a space can be rehearsed in minutes
]


@pytest.mark.parametrize("name", NAMES)
def test_a_plan_is_sealed_rehearsed_exported_audited_reported_and_written_up(
    tmp_path, monkeypatch, capsys, name
):
    shutil.copytree(Path("plans"), tmp_path / "plans", ignore=shutil.ignore_patterns("*.seal.*"))
    (tmp_path / "settings.py").touch()
    import settings  # noqa: F401  those of this project

    monkeypatch.chdir(tmp_path)
    assert main(["plan", "seal", name]) == 0
    plan = reading.find(name, Path("plans"))
    length = "turns" if plan.session.startswith("vote") else "periods"
    groups = max(2, plan.matching_groups)  # groups that mix people start together
    rehearsal = ["rehearse", name, "--groups", str(groups), "--seed", "5", f"{length}=3"]
    assert main([*rehearsal, "--output", "out.zip"]) == 0
    capsys.readouterr()
    assert main(["check", "out.zip"]) == 0
    lines = capsys.readouterr().out.splitlines()
    *tables, seals = [line for line in lines if not line.startswith("note: ")]
    assert all(line.endswith("everything matches") for line in tables)
    assert seals.startswith("seals: sealed without a key")
    data = analysis.load("out.zip")
    names = [
        f"{treatment}, {block}" if block else treatment
        for treatment in plan.treatments
        for block in plan.block_names
    ]
    assert data.treatments == names
    plays = len(plan.plays) // len(plan.block_names)  # of every block
    assert data.groups["treatment"].value_counts().tolist() == [groups * plays] * len(names)
    assert data.groups["group_id"].is_unique
    first = data.outcomes[data.outcomes["block"] == plan.block_names[0]]
    first = first.drop_duplicates("participant")  # a block can have several plays
    assert sorted(first["slot"]) == list(range(len(first)))
    with zipfile.ZipFile("out.zip") as archive:
        tables = [path for path in archive.namelist() if path.endswith(".csv") and "/" in path]
        for table in tables:
            assert {"treatment", "group_id", "block"} <= set(
                pd.read_csv(archive.open(table)).columns
            ), table
        manifest = json.loads(archive.read("manifest.json"))
    (session,) = manifest["sessions"].values()
    assert manifest["rehearsed"]["seed"] == 5
    assert session["plan"]["name"] == name
    assert main(["plan", "report", name, "out.zip", "--output", "report"]) == 0
    tested = pd.read_csv("report/tables/hypotheses.csv")
    assert tested["hypothesis"].tolist() == list(plan.hypotheses)
    assert set(tested["status"]) == {"rehearsal"}
    deviations = pd.read_csv("report/tables/deviations.csv")["what"]
    assert deviations.str.contains(f"core.{length}: planned").any()
    assert deviations.str.contains(
        f"{groups} groups played to the end, fewer than the {plan.groups}"
    ).any()
    assert main(["paper", name, "out.zip", "--output", "paper"]) == 0
    text = Path("paper/paper.md").read_text("utf-8")
    assert all(hypothesis.meaning in text for hypothesis in plan.hypotheses.values())

"""A small space, from the seal to the paper: played on a real server, checked and reported."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest

from tests.project import ROOT

pytestmark = [pytest.mark.door, pytest.mark.long]

PLAN = """
title = "A small space"
session = "sanctions_peer_points"
groups = 1
people = "noisy_person+retaliates,conditional_cooperator+never_punishes"

[changes]
seats = 3
people_per_group = 3
bots = "conditional_cooperator"
lobby_outcome = "release"
practice_periods = 0

[space]
points = 6
seed = 3

[space.variables]
mpcr = { low = 0.4, high = 0.9, step = 0.05 }

[space.variables.punishment.choices]
off = { periods = 2, peer = "none", peer_floor = "none" }
on = { periods = 3, peer = "punishment" }

[hypotheses.return]
meaning = "The higher the marginal return, the more is earned."
measure = "mean_points"
variable = "mpcr"
direction = "higher"
"""
_LEFT_OUT = shutil.ignore_patterns(".*", "tests", "docs", "benchmarks", "*.pyc", "*.seal.*")


def test_a_space_is_sealed_rehearsed_checked_reported_and_written_up(tmp_path):
    project = tmp_path / "project"
    shutil.copytree(ROOT, project, ignore=_LEFT_OUT)
    (project / "plans" / "small_space.toml").write_text(PLAN, "utf-8")

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(project)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def mixed(*command: str) -> str:
        return run("-m", "mixed_company", *command)

    assert mixed("plan", "check", "small_space").splitlines()[-1] == "go"
    mixed("plan", "seal", "small_space")
    assert re.search(
        r"lowest [\d.]+ \(p00\d\), highest [\d.]+ \(p00", mixed("plan", "show", "small_space")
    )
    mixed("plan", "rehearse", "small_space", "--seed", "5", "--output", "out.zip")
    *tables, seals, note = mixed("check", "out.zip").splitlines()
    assert note.startswith("note: plan small_space: sealed ")
    assert all(line.endswith("everything matches") for line in tables)
    assert seals.startswith("seals: sealed without a key")

    mixed("plan", "report", "small_space", "out.zip", "--output", "report")
    effects = pd.read_csv(project / "report/tables/space_effects.csv").set_index("variable")
    design = pd.read_csv(project / "report/tables/space_design.csv")
    assert design["groups mean_points of all seats"].tolist() == [1] * 6
    assert effects.index.tolist() == ["mpcr", "punishment", "intercept"]
    assert pd.read_csv(project / "report/tables/deviations.csv").empty
    (hypothesis,) = pd.read_csv(project / "report/tables/hypotheses.csv").to_dict("records")
    assert hypothesis["status"] == "rehearsal"
    assert hypothesis["effect"] == pytest.approx(effects.loc["mpcr", "effect"])

    digest = mixed("paper", "small_space", "out.zip", "--output", "paper").splitlines()[-2]
    text = (project / "paper/paper.md").read_text("utf-8")
    seal = json.loads((project / "paper/seal.json").read_text("utf-8"))
    assert f"Its digest (sha256) is {seal['digest']}" in text
    assert "which are points of a space of designs with 2 variables" in text
    assert "(only at points with punishment on)" in text
    assert f"- mpcr (0.4 to 0.9): *b* = {effects.loc['mpcr', 'effect']:.2f}" in text
    printed = run("paper/again.py", str(tmp_path / "second")).splitlines()
    assert re.fullmatch(r"(\d+) of \1 files are the same\.", printed[-2])
    assert printed[-1] == digest

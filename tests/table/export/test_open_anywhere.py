"""R runs an export's R script, which reads its tables."""

from __future__ import annotations

import datetime
import json
import shutil
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from mixed_company import analysis

SAMPLES = Path(__file__).resolve().parents[3] / "mixed_company/analysis/sample"


HAS_R = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")


@HAS_R
def test_r_reads_every_row_and_number(tmp_path: Path) -> None:
    data = analysis.load(SAMPLES / "sanctions.zip")
    analysis.save(data, tmp_path / "export.zip")
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        archive.extractall(tmp_path)
    script = (
        'source("read.R"); d <- read_export()$sanctions; '
        "cat(sapply(d, nrow), format(sum(d$decisions$reward), digits = 15), "
        "class(d$decisions$shown_time)[1], class(d$decisions$occupant), "
        'format(d$periods$shown_time[1], "%Y-%m-%dT%H:%M:%S"))'
    )
    done = subprocess.run(
        ["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    rows = [str(table["rows"]) for table in manifest["tables"].values()]
    *counts, total, time, who, first = done.stdout.split()
    assert counts == rows
    assert float(total) == pytest.approx(data.decisions["reward"].sum(), rel=1e-14)
    assert (time, who) == ("POSIXct", "character")
    shown = datetime.datetime.fromtimestamp(data.periods["shown_ms"].iloc[0] / 1000, datetime.UTC)
    assert first == shown.strftime("%Y-%m-%dT%H:%M:%S")


@HAS_R
@pytest.mark.parametrize("planned", [True, False])
def test_r_distinguishes_settings_that_share_a_treatment(tmp_path: Path, planned: bool) -> None:
    """Without a plan, both treatments have the name of their session config."""
    data = analysis.load(SAMPLES / "sanctions.zip")
    arms = data.config["treatment"].astype(str).tolist()
    assert len(set(arms)) == 2
    if not planned:
        data = replace(data, config=data.config.assign(treatment="sanctions"))
    analysis.save(data, tmp_path / "export.zip")
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        archive.extractall(tmp_path)
    script = 'source("read.R"); cat(read_export()$sanctions$config$settings)'
    done = subprocess.run(
        ["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    warned = "treatment sanctions was played with 2 different settings: see config$settings"
    numbers = {arm: str(number) for number, arm in enumerate(dict.fromkeys(arms), 1)}
    assert (warned in done.stderr) is not planned
    assert done.stdout.split() == (["1"] * len(arms) if planned else [numbers[arm] for arm in arms])

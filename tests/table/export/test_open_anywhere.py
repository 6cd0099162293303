"""The package and the scripts in an export: types, ranges, levels and keys; R, for real."""

from __future__ import annotations

import datetime
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from table.export.column import Column, spread
from table.export.package import described
from table.export.scripts import read_do

SAMPLES = Path(__file__).resolve().parents[3] / "analysis/sample"
OCCUPANT = Column("occupant", "text", "who", levels=("person", "policy"))
STOCK = Column("stock", "real", "the stock", "fish", low=0.0, high=100.0)
FLAG = Column("moved", "flag", "has it moved")
KEYED = [Column(name, "whole", name, low=0) for name in ("session", "group", "period", "seat")]


def package(**about: str) -> dict:
    own = {column.name: column for column in [*KEYED, OCCUPANT, STOCK, FLAG]}
    tables = {"g": {"decisions": own, "config": {column.name: column for column in KEYED[:2]}}}
    listed = {f"g/{name}.csv": {"rows": 1, "sha256": "0" * 64} for name in tables["g"]}
    return described(about, tables, listed)


def test_a_column_has_its_type_range_and_levels() -> None:
    [decisions, _] = package()["resources"]
    fields = {field["name"]: field for field in decisions["schema"]["fields"]}
    assert fields["occupant"]["constraints"] == {"enum": ["person", "policy"]}
    assert fields["stock"]["constraints"] == {"minimum": 0.0, "maximum": 100.0}
    assert (fields["stock"]["type"], fields["stock"]["unit"]) == ("number", "fish")
    assert (fields["moved"]["trueValues"], fields["moved"]["falseValues"]) == (["1"], ["0"])
    assert fields["period"]["constraints"] == {"minimum": 0}


def test_a_table_has_its_key_and_says_of_which_group_a_row_is() -> None:
    [decisions, config] = package()["resources"]
    schema = decisions["schema"]
    assert schema["primaryKey"] == ["session", "group", "period", "seat"]
    assert config["schema"]["primaryKey"] == ["session", "group"]
    [reference] = schema["foreignKeys"]
    assert reference["reference"] == {"resource": "g.config", "fields": ["session", "group"]}
    assert schema["missingValues"] == [""]


def test_license_and_citation_are_told_where_they_are_given() -> None:
    told = package(license="CC-BY-4.0", citation="Somebody (2026)")
    assert told["licenses"] == [{"name": "CC-BY-4.0"}]
    assert told["sources"] == [{"title": "Somebody (2026)"}]
    assert {"licenses", "sources"}.isdisjoint(package())


def test_the_range_of_a_column_of_several_games_is_that_of_all() -> None:
    wide = Column("stock", "real", "the stock", low=-5.0, high=50.0)
    both = spread([STOCK, wide])["stock"]
    assert (both.low, both.high) == (-5.0, 100.0)


def test_names_of_stata_are_short_and_of_one_column_alone() -> None:
    long = [Column(f"{'a' * 31}{end}", "real", "much") for end in ("xx", "xy")]
    text = read_do({"g": {"decisions": {column.name: column for column in long}}})
    names = [line.split()[2] for line in text.splitlines() if line.startswith("rename ")]
    assert len(set(names)) == 2
    assert all(len(name) <= 32 for name in names)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r_reads_every_row_and_number(tmp_path: Path) -> None:
    analysis = pytest.importorskip("analysis")
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

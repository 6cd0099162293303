"""datapackage.json is what the Frictionless library takes for one, and the tables are as it says.

The library wants a newer click than oTree takes: an environment without oTree (make library).
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

import analysis
import engine

frictionless = pytest.importorskip("frictionless")
SAMPLES = Path(analysis.__file__).parent / "sample"


def unpacked(folder: Path, game: str) -> Path:
    analysis.save(analysis.load(SAMPLES / f"{game}.zip"), folder / "export.zip")
    with zipfile.ZipFile(folder / "export.zip") as archive:
        archive.extractall(folder)
    return folder / "datapackage.json"


@pytest.mark.parametrize("game", engine.game_ids())
def test_the_tables_of_a_sample_are_as_the_package_says(tmp_path: Path, game: str) -> None:
    report = frictionless.validate(str(unpacked(tmp_path, game)))
    assert report.valid, report.flatten(["title", "rowNumber", "fieldName", "message"])[:5]


@pytest.mark.parametrize(
    ("column", "value"), [("occupant", "dog"), ("period", "-1"), ("reward", "much")]
)
def test_a_value_that_cannot_be_is_found_by_it(tmp_path: Path, column: str, value: str) -> None:
    package = unpacked(tmp_path, "commons_game")
    table = tmp_path / "commons_game/decisions.csv"
    header, first, *rest = table.read_text(encoding="utf-8").splitlines()
    values = first.split(",")
    values[header.split(",").index(column)] = value
    table.write_text("\n".join([header, ",".join(values), *rest]) + "\n", encoding="utf-8")
    said = json.loads(package.read_text(encoding="utf-8"))
    for resource in said["resources"]:
        resource.pop("hash")
    package.write_text(json.dumps(said), encoding="utf-8")
    report = frictionless.validate(str(package))
    assert not report.valid
    assert any(column in row for row in report.flatten(["fieldName"]))

"""The Frictionless library accepts datapackage.json, and the tables conform to it.

The library needs a newer version of click than oTree allows, so it runs in an environment without
oTree (`make library`). The environment with a server writes the exports that need one.
"""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from mixed_company import analysis, engine
from tests.project import ROOT

frictionless = pytest.importorskip("frictionless")
SAMPLES = Path(analysis.__file__).parent / "sample"
WITH_SERVER = ROOT / ".venv/bin/python"


def unpacked(folder: Path, export: Path) -> Path:
    with zipfile.ZipFile(export) as archive:
        archive.extractall(folder)
    return folder / "datapackage.json"


@pytest.mark.parametrize("game", engine.game_ids())
def test_the_tables_of_a_sample_match_the_package(tmp_path, game):
    report = frictionless.validate(str(unpacked(tmp_path, SAMPLES / f"{game}.zip")))
    assert report.valid, report.flatten(["title", "rowNumber", "fieldName", "message"])[:5]
    assert {task.name for task in report.tasks} >= {
        *(f"{game}.decisions", f"{game}.journal", f"{game}.outcomes", "participants")
    }


@pytest.mark.parametrize("game", engine.game_ids())
def test_the_tables_of_a_sample_that_was_read_and_saved_again_match_too(tmp_path, game):
    analysis.save(analysis.load(SAMPLES / f"{game}.zip"), tmp_path / "export.zip")
    report = frictionless.validate(str(unpacked(tmp_path, tmp_path / "export.zip")))
    assert report.valid, report.flatten(["title", "rowNumber", "fieldName", "message"])[:5]


@pytest.mark.parametrize(
    ("column", "value"), [("occupant", "dog"), ("period", "-1"), ("reward", "much")]
)
def test_an_impossible_value_is_found(tmp_path, column, value):
    package = unpacked(tmp_path, SAMPLES / "commons_game.zip")
    table = tmp_path / "commons_game/decisions.csv"
    header, first, *rest = table.read_text(encoding="utf-8").splitlines()
    values = first.split(",")
    values[header.split(",").index(column)] = value
    table.write_text("\n".join([header, ",".join(values), *rest]) + "\n", encoding="utf-8")
    description = json.loads(package.read_text(encoding="utf-8"))
    for resource in description["resources"]:
        resource.pop("hash")
    package.write_text(json.dumps(description), encoding="utf-8")
    report = frictionless.validate(str(package))
    assert not report.valid
    assert any(column in row for row in report.flatten(["fieldName"]))


@pytest.fixture(scope="module")
def of_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with whole.zip and anonymous.zip, whose blocks have talk and questions."""
    if not WITH_SERVER.exists():
        pytest.skip("no environment with a server: make .venv/.test")
    folder = tmp_path_factory.mktemp("server")
    command = [WITH_SERVER, "-m", "tests.server.packaged", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


@pytest.mark.parametrize("name", ["whole", "anonymous"])
def test_an_export_of_blocks_with_talk_and_questions_matches_too(of_server, name):
    folder = of_server / name
    with zipfile.ZipFile(of_server / f"{name}.zip") as archive:
        archive.extractall(folder)
    for table in ("answers", "messages"):  # by both people, with characters that may break a table
        text = (folder / f"sanctions/{table}.csv").read_text(encoding="utf-8")
        assert text.count("[left out]" if name == "anonymous" else '""they""') == 2
    report = frictionless.validate(str(folder / "datapackage.json"))
    assert report.valid, report.flatten(["title", "rowNumber", "fieldName", "message"])[:5]
    assert {task.name for task in report.tasks} >= {
        *("sanctions.answers", "sanctions.messages", "sanctions.outcomes", "participants")
    }

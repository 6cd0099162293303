"""The codebook gives the type, unit, range and meaning of each parameter of a game."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from mixed_company import engine
from mixed_company.table.export import codebook, columns
from mixed_company.table.export.archive import Writer
from tests.engine.toys import toy


def rows_of(codebook: str) -> dict[str, list[str]]:
    """Return the cells after each parameter's name in a codebook."""
    part = codebook.split("\n## core\n")[1].split("\n#")[0]
    lines = [line for line in part.splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {name.strip("` "): rest for name, *rest in cells}


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_parameter_is_in_the_codebook_with_its_unit_and_meaning(game_id: str) -> None:
    game = engine.make(game_id)
    rows = rows_of(codebook(game))
    fields = game.Core.model_fields
    assert [name for name in rows if "." not in name] == list(fields)
    for name, field in fields.items():
        about = field.json_schema_extra
        assert isinstance(about, dict)
        symbol, kind, unit, _, meaning = rows[name]
        assert (symbol, unit) == (about.get("symbol", ""), about.get("unit", ""))
        assert meaning == field.description
        assert kind


@pytest.mark.parametrize(
    ("game_id", "name", "cells"),
    [
        ("commons_game", "seats", ["n", "whole", "", "at least 1, at most 1000"]),
        ("commons_game", "capacity", ["K", "real", "fish", "more than 0"]),
        ("commons_game", "initial_stock", ["R_0", "real or empty", "fish", "at least 0"]),
        ("commons_game", "terminate_on_collapse", ["", "flag", "", ""]),
        ("commons_game", "growth", ["", "text", "", "`logistic`, `linear`, `exponential`"]),
        (
            "commons_game",
            "neighbours",
            ["", "text or list of list of whole", "", "`ring`, `complete`"],
        ),
        ("gem_mining", "weights", ["v", "list of real or empty", "points", "at least 0"]),
        ("gem_mining", "instance", ["", "section or empty", "", ""]),
        ("gem_mining", "instance.reach", ["", "list of whole", "", "at least 1, at most 10"]),
        ("punishment_vote", "resources", ["", "section by name", "", ""]),
        ("punishment_vote", "resources.*.harm", ["", "real", "points", "at least 0"]),
        (
            "sanctions",
            "dependence",
            ["D", "real or list of list of real", "", "at least 0, at most 1"],
        ),
    ],
)
def test_a_parameter_is_described_in_words(game_id: str, name: str, cells: list[str]) -> None:
    assert rows_of(codebook(engine.make(game_id)))[name][:4] == cells


def test_the_codebook_of_an_archive_has_the_parameters_of_its_games(tmp_path: Path) -> None:
    game = engine.make("sanctions")
    with Writer(tmp_path / "e.zip", {}) as archive:
        archive.table(game.id, "config", columns("config", game), [])
    text = zipfile.ZipFile(tmp_path / "e.zip").read("codebook.md").decode()
    assert rows_of(text) == rows_of(codebook(game))


def test_a_game_that_is_not_installed_has_only_its_columns(tmp_path: Path) -> None:
    with Writer(tmp_path / "e.zip", {}) as archive:
        archive.table("old_game", "config", columns("config", toy()), [])
    codebook = zipfile.ZipFile(tmp_path / "e.zip").read("codebook.md").decode()
    assert "`session_config`" in codebook
    assert "## core" not in codebook

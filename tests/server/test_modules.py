"""Every module that a play page loads is listed in advance."""

from __future__ import annotations

from pathlib import Path

import pytest

from mixed_company import engine
from mixed_company.server.pages.guide import STATIC, modules

GAMES = [name for name in engine.game_ids() if (STATIC / name / "stage.js").exists()]


@pytest.mark.parametrize("game_id", GAMES)
def test_the_modules_of_a_game_are_all_files_of_its_folder(game_id):
    files = {f"{game_id}/{path.name}" for path in (STATIC / game_id).glob("*.js")}
    assert files == {name for name in modules(game_id) if name.startswith(game_id)}


@pytest.mark.parametrize("game_id", GAMES)
def test_every_module_is_named_once_and_exists(game_id):
    listed = modules(game_id)
    assert len(set(listed)) == len(listed)
    assert {"mixed/play.js", "mixed/table.js", "mixed/controls.js"} <= set(listed)
    assert all((STATIC / Path(name)).is_file() for name in listed)


@pytest.mark.parametrize("game_id", GAMES)
def test_no_import_is_overlooked(game_id):
    for name in modules(game_id):
        text = (STATIC / name).read_text()
        static = [line for line in text.splitlines() if line.startswith("import ")]
        for line in static:
            assert any(line.endswith(f'/{path.split("/")[-1]}";') for path in modules(game_id))

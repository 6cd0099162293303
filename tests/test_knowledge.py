"""Tests that knowledge about a game is only in files named after it.

Other files may not name a game. A benchmark or a generator of documents may name one, the game it
measures or shows. Two would be a list to which every new game must be added.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from mixed_company import engine
from mixed_company.analysis import games
from tests.project import ROOT

GAMES = engine.game_ids()
SHOWN = {"benchmarks": 1, "docs": 1}
"""Number of games that a file may name, by room."""


def files() -> Iterator[Path]:
    """Yield all Python files of the rooms that are named neither after a game nor a test."""
    for room in ROOT.iterdir():
        if (room / "__init__.py").exists() and room.name != "tests":
            for file in room.rglob("*.py"):
                path = file.relative_to(ROOT)
                if not set(path.with_suffix("").parts) & set(GAMES):
                    yield path


def named(source: str) -> set[str]:
    """Return the games that code names in a string, a key or a comparison."""
    tree = ast.parse(source)
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    keys = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    return {game for game in GAMES if game in texts | keys}


PATHS = sorted(files())


def test_a_file_not_named_after_a_game_names_none():
    games = {path: named((ROOT / path).read_text(encoding="utf-8")) for path in PATHS}
    assert {
        str(path): sorted(named_games)
        for path, named_games in games.items()
        if len(named_games) > SHOWN.get(path.parts[0], 0)
    } == {}


def test_files_of_every_room_are_checked():
    rooms = {name for path in PATHS for name in path.parts[:2]}
    assert {"bots", "docs"} <= rooms
    assert {"engine", "policies", "adapters", "table", "server", "analysis"} <= rooms


@pytest.mark.parametrize(
    "fault",
    [
        'MAIN = {{"{game}": ("efficiency",)}}',
        'def of(game):\n    return game.id == "{game}"',
        'GAMES = ("{game}",)',
        "PLAYS = dict({game}=120)",
        'match game_id:\n    case "{game}":\n        pass',
    ],
)
def test_a_file_with_a_planted_name_is_seen(fault):
    for game in GAMES:
        assert named(fault.format(game=game)) == {game}


def test_an_example_in_a_docstring_does_not_count():
    assert named('"""games.find("sanctions")"""\n\n# commons_game\nsanctions = 1\n') == set()


def test_analysis_code_about_a_game_is_named_after_the_game():
    """Reject other files, because nothing would load them."""
    (folder,) = map(Path, games.__path__)
    names = {path.stem for path in folder.iterdir() if not path.name.startswith("_")}
    assert names <= set(GAMES)

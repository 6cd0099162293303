"""Tests that knowledge about a game is only in files named after it.

`tests/test_sources.py` reads the files.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

from mixed_company import engine
from mixed_company.analysis import games
from tests.sources import nodes

GAMES = engine.game_ids()


def named_games(tree: Iterable[ast.AST]) -> set[str]:
    """Return the games that are named in the code's strings, keys or comparisons."""
    named = {
        node.value if isinstance(node, ast.Constant) else node.arg
        for node in tree
        if isinstance(node, ast.Constant | ast.keyword)
    }
    return named & set(GAMES)


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
        assert named_games(nodes(fault.format(game=game))) == {game}


def test_an_example_in_a_docstring_does_not_count():
    source = '"""games.find("sanctions")"""\n\n# commons_game\nsanctions = 1\n'
    assert named_games(nodes(source)) == set()


def test_analysis_code_about_a_game_is_named_after_the_game():
    """Reject other files, because nothing would load them."""
    (folder,) = map(Path, games.__path__)
    names = {path.stem for path in folder.iterdir() if not path.name.startswith("_")}
    assert names <= set(GAMES)

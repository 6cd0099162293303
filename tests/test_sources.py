"""Tests of every Python source in the project: its imports, names and docstrings, and the games
that it names.

All rules are checked in one pass, because parsing the project takes seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from mixed_company import engine
from tests.house import CHECKS, ROOMS, Module, Tree, imported
from tests.project import ROOT
from tests.sources import nodes, sources
from tests.test_english import faults
from tests.test_knowledge import named_games
from tests.test_names import named, refused

KEPT = {
    ("mixed_company/analysis/data.py", "what"): "Finding.what is printed and documented",
    ("mixed_company/experiment/planned.py", "known"): "stored with sessions",
    ("mixed_company/policies/trained/card.py", "own"): "a key of cards",
    ("mixed_company/table/items.py", "most"): "a key of questions",
    ("mixed_company/table/replies.py", "given"): "a key of snapshots",
    ("mixed_company/table/replying.py", "given"): "a key of snapshots",
}
"""Reason for keeping a name, by (file, name): files and people outside the code use it."""

SHOWN = {"benchmarks": 1, "docs": 1}
"""Number of games that a file may name, by room: a benchmark or a document generator may name the
game that it measures or shows. If it named two, every new game would have to be added to the
list."""


@dataclass
class Project:
    """Modules of the project, rejected names, faults in docstrings, and games that files name."""

    modules: list[Module] = field(default_factory=list)
    names: set[tuple[str, str]] = field(default_factory=set)
    docstrings: list[str] = field(default_factory=list)
    games: dict[str, set[str]] = field(default_factory=dict)


@pytest.fixture(scope="module")
def project() -> Project:
    whole = Project()
    for path in sources():
        tree = nodes((ROOT / path).read_text("utf-8"))
        whole.modules.append(Module(path, frozenset(imported(tree, path))))
        whole.names |= {(path, name) for name in refused() & set(named(tree))}
        whole.docstrings += [f"{path}: {fault}" for fault in faults(tree)]
        if of_no_game(path):
            whole.games[path] = named_games(tree)
    return whole


def of_no_game(path: str) -> bool:
    """Return whether a room's file is named neither after a game nor after a test."""
    room, *inside = path.removesuffix(".py").split("/")
    return bool(inside) and room != "tests" and not {room, *inside} & set(engine.game_ids())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_import_rules_are_kept(project, check):
    assert check(Tree(project.modules)) == []


def test_rooms_games_and_apps_are_read_from_the_folders(project):
    tree = Tree(project.modules)
    modules = (ROOT / "mixed_company/engine/games").iterdir()  # a game is a file or a folder
    assert tree.games == {path.stem for path in modules if not path.name.startswith("_")}
    assert all((ROOT / game).is_dir() for game in tree.games)
    assert set(ROOMS) - {"apps", "cli"} <= tree.tops


def test_no_value_has_a_rejected_name(project):
    assert len(project.modules) > 1000
    assert project.names == set(KEPT)
    assert len(KEPT) <= 20


def test_docstrings_begin_as_readers_expect(project):
    assert not project.docstrings, "\n".join(project.docstrings)


def test_a_file_not_named_after_a_game_names_none(project):
    assert {
        path: sorted(games)
        for path, games in project.games.items()
        if len(games) > SHOWN.get(path.partition("/")[0], 0)
    } == {}


def test_files_of_every_room_are_checked(project):
    rooms = {name for path in project.games for name in path.split("/")[:2]}
    assert {"bots", "docs"} <= rooms
    assert {"engine", "policies", "adapters", "table", "server", "analysis"} <= rooms

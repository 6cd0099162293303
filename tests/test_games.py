"""Tests that every game, layer and policy has all its required parts.

Games, layers and policies are read from the folders. Each missing part of a game is reported.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from importlib.util import find_spec

import pytest

import settings
from mixed_company import engine
from mixed_company.engine import layers
from mixed_company.engine.kit.layers import settings as possible
from mixed_company.engine.layers.base import Layer
from mixed_company.policies import ids
from mixed_company.policies.policy import Policy
from tests.engine.golden.openings import without_record
from tests.engine.shelf import shelved
from tests.house import imported
from tests.project import ROOT
from tests.sources import nodes


def text(path: str) -> str:
    place = ROOT / path
    return place.read_text("utf-8") if place.is_file() else ""


def is_tested(folder: str, module: str) -> bool:
    """Return whether a test in a folder imports a module, or has its name in the file name or in
    quotes."""
    name = module.rpartition(".")[2]
    return any(
        name in path.stem
        or f'"{name}"' in source
        or module in _parents(imported(nodes(source), ""))
        for path in (ROOT / "tests" / folder).rglob("test_*.py")
        for source in [path.read_text("utf-8")]
    )


def _parents(names: set[str]) -> set[str]:
    """Return the names and their parent packages."""
    parts = [name.split(".") for name in names]
    return {".".join(part[:length]) for part in parts for length in range(1, len(part) + 1)}


def has_manual(game_id: str) -> bool:
    return (
        len(
            (importlib.import_module(f"mixed_company.engine.games.{game_id}").__doc__ or "").split()
        )
        >= 50
    )


def has_tested_solution(game_id: str) -> bool:
    """Return whether the solution of a game, if there is one, is tested."""
    module = f"mixed_company.engine.solutions.{game_id}"
    return find_spec(module) is None or is_tested("engine/solutions", module)


NEEDS: dict[str, Callable[[str], bool]] = {
    "a manual page (the docstring of mixed_company.engine.games.<id>)": has_manual,
    "a golden record of every archetype": lambda game_id: not without_record([game_id]),
    "tests of its rules": lambda game_id: is_tested(
        "engine/games", f"mixed_company.engine.games.{game_id}"
    ),
    "tests of its solution": has_tested_solution,
    "an archetype lab": lambda game_id: "lab" in engine.find(game_id).archetypes,
    "a policy random": lambda game_id: "random" in ids(game_id),
    "tests of its policies": lambda game_id: (ROOT / f"tests/bots/scripted/{game_id}").is_dir(),
    "an app": lambda game_id: (ROOT / f"{game_id}/__init__.py").is_file(),
    "a session config": lambda game_id: any(
        game_id in config["app_sequence"] for config in settings.SESSION_CONFIGS
    ),
    "a stage": lambda game_id: (ROOT / f"_static/{game_id}/stage.js").is_file(),
    "a table of its policies": lambda game_id: (
        f"# Policies of {game_id}\n" in text("docs/policies.md")
    ),
    "a codebook": lambda game_id: f"# Codebook: {game_id}\n" in text("docs/codebook.md"),
    "a tournament": lambda game_id: f"## {game_id}\n" in text("docs/tournaments.md"),
    "a sample": lambda game_id: (ROOT / f"mixed_company/analysis/sample/{game_id}.zip").is_file(),
}


def missing(game_id: str) -> list[str]:
    """Return the required parts that are missing from a game."""
    return [need for need, has in NEEDS.items() if not has(game_id)]


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_a_game_has_every_required_part(game_id):
    assert missing(game_id) == []


BARE = '"""A toy."""\nfrom tests.engine.toys import Toy as GAME\n'


def test_a_game_without_parts_is_reported_for_each_missing_part(tmp_path):
    with shelved(tmp_path, "bare", BARE):
        assert set(missing("bare")) == set(NEEDS) - {"tests of its solution"}


def test_a_solution_without_a_test_is_named(monkeypatch):
    monkeypatch.setattr("tests.test_games.is_tested", lambda folder, module: False)
    assert "tests of its solution" in missing("commons_game")


# -- layers ---------------------------------------------------------------------------------------


def in_folder() -> dict[str, type]:
    """Return the classes of layers in the folder, by name."""
    modules = [
        importlib.import_module(f"mixed_company.engine.layers.{module.name}")
        for module in pkgutil.iter_modules(layers.__path__)
    ]
    return {
        kind.name: kind
        for module in modules
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, Layer) and kind.__module__ == module.__name__
        if kind is not Layer
    }


def unused(kinds: dict[str, type]) -> list[str]:
    """Return layers that no play calls, that no configuration has, or that the kit never tries."""
    called = {kind.name for kind in layers.ORDER}
    sections = set(type(engine.make("commons_game").config.layers).model_fields)
    tried = {name for game_id in engine.game_ids() for name in possible(engine.make(game_id))}
    return sorted(name for name in kinds if name not in called & sections & tried)


def test_every_layer_is_called_configured_tried_by_the_kit_and_tested():
    kinds = in_folder()
    assert kinds
    assert unused(kinds) == []
    assert [
        name
        for name in kinds
        if not is_tested("engine/layers", f"mixed_company.engine.layers.{name}")
    ] == []


def test_a_layer_that_nothing_calls_is_named():
    assert unused({**in_folder(), "gossip": Layer}) == ["gossip"]


# -- policies -------------------------------------------------------------------------------------


def written(game_id: str) -> list[str]:
    """Return the ids of the policies in a game's files."""
    package = importlib.import_module(f"bots.{game_id}")
    modules = [
        importlib.import_module(f"{package.__name__}.{module.name}")
        for module in pkgutil.iter_modules(package.__path__)
    ]
    return [
        kind.id
        for module in modules
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, Policy)
        if kind.__module__ == module.__name__ and "id" in vars(kind)
    ]


def untested(game_id: str, policies: list[str]) -> list[str]:
    """Return policies whose behaviour no test covers, neither for the game nor for all games."""
    folder = ROOT / "tests/bots/scripted"
    files = [*(folder / game_id).rglob("*.py"), *folder.glob("test_*.py")]
    sources = [path.read_text("utf-8") for path in files]
    return [name for name in policies if not any(f'"{name}' in source for source in sources)]


def said_twice(source: str) -> list[str]:
    """Return sentences that begin both a file and a class in it. A policy's sentence belongs to the
    class."""
    tree = ast.parse(source)
    head = (ast.get_docstring(tree) or "").split("\n")[0]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return [head for node in classes if head and (ast.get_docstring(node) or "").startswith(head)]


def test_no_policy_repeats_its_first_sentence():
    files = sorted((ROOT / "bots").rglob("*.py"))
    twice = {path.name: said_twice(path.read_text("utf-8")) for path in files}
    assert {name: sentences for name, sentences in twice.items() if sentences} == {}


def test_a_repeated_first_sentence_is_named():
    source = '"""Takes all."""\n\nclass Greedy:\n    """Takes all."""\n'
    assert said_twice(source) == ["Takes all."]
    assert said_twice(source.replace("Takes all", "Reads", 1)) == []


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_policy_in_the_files_of_a_game_is_available_and_tested(game_id):
    policies = written(game_id)
    assert policies
    assert set(policies) <= set(ids(game_id))
    assert untested(game_id, policies) == []


def test_a_policy_without_a_test_is_named():
    assert untested("commons_game", ["greedy", "sleeper"]) == ["sleeper"]


def test_every_trained_policy_on_file_is_available():
    models = {path.stem for path in (ROOT / "bots/trained").glob("*.onnx")}
    every = {policy for game_id in engine.game_ids() for policy in ids(game_id)}
    assert models
    assert models <= every

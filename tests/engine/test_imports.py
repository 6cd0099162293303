"""Imports run one way: app, server, table, bots, engine. Read from the sources of the tree."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STDLIB = sys.stdlib_module_names
APPS = ("commons_game", "punishment_vote", "sanctions", "gem_mining")
BELOW = ("engine", "bots", "table", "adapters", "analysis")


def there(*folders: str) -> list[str]:
    return [folder for folder in folders if (ROOT / folder).is_dir()]


MAY_IMPORT = {
    "files": {"files"},
    "engine": {"engine", "numpy", "scipy", "pydantic"},
    "bots": {"bots", "engine", "files", "numpy"},
    "table": {"table", "bots", "engine", "files", "pydantic"},
    "adapters": {"adapters", "bots", "engine", "numpy"},
    "analysis": {"analysis", "table", "bots", "engine", "files", "numpy", "pandas", "scipy"},
    "server": {"server", "table", "bots", "engine", "files", "otree", "pydantic", "sqlalchemy"},
    "mixed": {"mixed", "server", "analysis", "table", "bots", "engine", "files"},
}
# In these folders and files more is allowed than in what is around them.
MAY_ALSO_IMPORT = {
    "adapters/gymnasium.py": {"gymnasium"},
    "adapters/momaland.py": {"gymnasium", "momaland", "pettingzoo"},
    "adapters/pettingzoo.py": {"gymnasium", "pettingzoo"},
    "adapters/spaces.py": {"gymnasium"},
    "adapters/vector.py": {"stable_baselines3"},
    "analysis/behaviour": {"statsmodels"},
    "analysis/power.py": {"statsmodels", "tqdm"},
    "analysis/report": {"matplotlib"},
    "analysis/statistics": {"patsy", "statsmodels"},
    "bots/tournament": {"scipy", "tqdm", "distributed"},
    "bots/trained": {"onnxruntime", "pydantic"},
    "bots/training": {
        "adapters",
        "gymnasium",
        "onnx",
        "pydantic",
        "sb3_contrib",
        "stable_baselines3",
        "torch",
    },
    "server/archive/download.py": {"starlette"},
    "server/rehearse": {"requests", "settings", "tqdm", "websocket"},
}


def imported(source: str, package: str) -> set[str]:
    """The full names of all modules a source imports; `package` is where it stands."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = [*parents] if node.level else []
            base += [node.module] if node.module else []
            found |= {".".join([*base, name.name]) for name in node.names}
        elif isinstance(node, ast.Call) and _called(node.func) in ("import_module", "__import__"):
            found |= {arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)}
    return found


def _called(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imports_of(path: Path) -> set[str]:
    return imported(path.read_text(), ".".join(path.relative_to(ROOT).parent.parts))


def top(name: str) -> str:
    return name.partition(".")[0]


def foreign(path: Path, allowed: set[str]) -> set[str]:
    """What a file imports that is neither allowed nor of the standard library."""
    place = path.relative_to(ROOT).as_posix()
    for inside, more in MAY_ALSO_IMPORT.items():
        if place == inside or place.startswith(inside + "/"):
            allowed = allowed | more
    return {name for name in imports_of(path) if top(name) not in STDLIB | allowed}


@pytest.mark.parametrize("folder", sorted(MAY_IMPORT))
def test_a_folder_imports_only_what_it_may(folder):
    wrong = {
        path.relative_to(ROOT).as_posix(): names
        for path in sources(folder)
        if (names := foreign(path, MAY_IMPORT[folder]))
    }
    assert sources(folder)
    assert wrong == {}


@pytest.mark.parametrize("app", there(*APPS))
def test_no_app_imports_another_app(app):
    others = set(APPS) - {app}
    wrong = [path for path in sources(app) if others & set(map(top, imports_of(path)))]
    assert wrong == []


@pytest.mark.parametrize("folder", there(*BELOW))
def test_nothing_below_the_table_imports_the_server_or_an_app(folder):
    above = {"otree", "server", "settings", "mixed", *APPS}
    wrong = [path for path in sources(folder) if above & set(map(top, imports_of(path)))]
    assert wrong == []


def others(names: set[str], package: str, own: str) -> set[str]:
    """The modules of a package that are named and are not one's own."""
    start = package + "."
    found = {name.removeprefix(start).partition(".")[0] for name in names if name.startswith(start)}
    return found - {own}


@pytest.mark.parametrize("package", ["engine.games", "engine.solutions"])
def test_no_game_imports_another_game(package):
    games = {path.stem for path in sources("engine/games")} - {"__init__"}
    for path in sources(package.replace(".", "/")):
        for place in ("engine.games", "engine.solutions"):
            assert not others(imports_of(path), place, path.stem) & games, path


def test_the_policies_of_a_game_do_not_import_those_of_another():
    for path in sources("bots/scripted"):
        own = path.relative_to(ROOT / "bots/scripted").parts[0].removesuffix(".py")
        assert not others(imports_of(path), "bots.scripted", own), path


def test_only_training_imports_torch():
    wrong = [
        path
        for folder in there("server", *APPS, *BELOW)
        for path in sources(folder)
        if "torch" in map(top, imports_of(path))
        and not path.relative_to(ROOT).as_posix().startswith("bots/training/")
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import otree.api", {"otree.api"}),
        ("def f():\n    from otree import api", {"otree.api"}),
        ("from . import table", {"server.pages.table"}),
        ("from ..live import move", {"server.live.move"}),
        ("if True:\n    import a, b as c", {"a", "b"}),
        ("importlib.import_module('otree')", {"otree"}),
        ("__import__('otree')", {"otree"}),
        ("x = 'import otree'", set()),
    ],
)
def test_an_import_is_seen_wherever_it_stands(source, names):
    assert imported(source, "server.pages") == names


WITHOUT_OTREE = """
import sys

BLOCKED = {"otree", "starlette", "sqlalchemy", "server", "torch"}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ImportError("not to be imported: " + name)

sys.meta_path.insert(0, Blocked())
import bots, engine, engine.kit, engine.play.record
from engine.solutions import commons_game

game = engine.make("commons_game", archetype="lab")
play = engine.Episode(game, seed=7)
while not play.done:
    step = play.step({"harvest": [10, 10, 10, 10], "contribution": [0, 0, 0, 0]})
policies = [bots.make(name, game).id for name in bots.ids("commons_game")]
print(play.period, play.reason, len(policies) >= 12)
"""


def test_the_engine_and_the_policies_work_where_the_server_cannot_be_imported():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_OTREE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    # Greed in the lab: collapse in the third period.
    assert done.stdout == "3 collapse True\n"


def test_the_block_would_notice_the_server():
    code = WITHOUT_OTREE.replace("import bots, ", "import otree, bots, ")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "ImportError: not to be imported: otree" in done.stderr

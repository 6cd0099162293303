"""The walls of the house, read from its sources: who may import whom.

Each check is a function of a tree of sources that returns sentences, one per fault, and none if all
is well. Rooms, games and apps are what the folders hold; written here are only the rules. The
checks are themselves tried on small trees that break one rule each (`tests/test_house.py`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

SKIPPED = ("build", "dist", "node_modules")
PACKAGE = "mixed_company"
"""The package that holds the rooms."""

# What a room of the package may import besides itself, and the folders beside the package. `apps`
# stands for every folder that is named after a game.
LIBRARY = {
    *("files", "language", "engine", "policies", "learning", "table", "experiment", "adapters"),
    *("analysis", "bots"),
}
ROOMS: dict[str, set[str]] = {
    "files": set(),
    "language": set(),
    "engine": {"files", "language"},
    "policies": {"files", "language", "engine"},
    "bots": {"language", "engine", "policies"},  # the policies themselves, found by their folder
    "learning": {"files", "engine", "policies", "adapters"},
    "table": {"files", "language", "engine", "policies"},
    "experiment": {"files", "engine", "policies", "table"},
    "adapters": {"files", "engine", "policies"},
    "analysis": {"files", "engine", "policies", "table", "experiment"},
    "agents": {"files", "engine", "policies", "table"},  # they know a server by its socket alone
    "server": {"files", "language", "engine", "policies", "table", "experiment"},
    "apps": {"files", "language", "engine", "policies", "table", "server"},
    "settings": {"table", "server", "apps"},
    "project": {"server"},  # what oTree loads first
    "cli": LIBRARY | {"agents", "server", "apps", "settings"},
    "mixed_company": {
        "engine",
        "policies",
        "analysis",
    },  # what `import mixed_company` is enough for
    "__main__": {"cli"},
}
# Folders beside the house: they may import all of it and each other, and nothing in it them.
BESIDE = ("benchmarks", "docs", "tests")
# Folders inside a room that may import more than the room.
MORE_ROOMS = {"server/rehearse": {"settings"}}

# What a part of the engine may import besides itself; `engine` is the door (engine/__init__.py).
ENGINE: dict[str, set[str]] = {
    "contract": set(),
    "layers": {"contract"},
    "config": {"contract", "layers"},
    "game": {"contract", "layers", "config"},
    "games": {"contract", "game"},
    "play": {"contract", "game", "engine"},
    "solutions": {"contract", "game", "games", "play"},
    "kit": {"contract", "layers", "config", "game", "games", "play", "solutions", "engine"},
    "engine": {"contract", "game", "games", "play"},
    "__main__": {"contract", "game", "games", "play", "engine"},
}

# Libraries from outside, by room, folder or file.
LIBRARIES: dict[str, set[str]] = {
    "engine": {"numpy", "scipy", "pydantic"},
    "engine/solutions/commons_game/programme.py": {"clarabel"},
    "agents/client.py": {"websockets"},
    "agents/llm/model.py": {"openai"},
    "bots": {"numpy"},
    "bots/gem_mining/thompson_sampling.py": {"scipy"},
    "policies": {"numpy"},
    "learning": {"numpy"},
    "learning/exploit": {"tqdm"},
    "learning/metagame": {"scipy", "tqdm"},
    "policies/populations": {"pydantic"},
    "learning/tournament": {"pandas", "scipy"},
    "policies/sharing.py": {"distributed", "tqdm"},
    "policies/trained": {"onnxruntime", "pydantic"},
    "learning/training": {
        *("gymnasium", "onnx", "pydantic"),
        *("sb3_contrib", "stable_baselines3", "torch"),
    },
    "table": {"pydantic"},
    "table/export/column.py": {"numpy"},  # times as texts: a clock is not read at the table
    "experiment": {"pydantic"},
    "adapters": {"numpy"},
    "adapters/gymnasium.py": {"gymnasium"},
    "adapters/momaland.py": {"gymnasium", "momaland", "pettingzoo"},
    "adapters/pettingzoo.py": {"gymnasium", "pettingzoo"},
    "adapters/registered.py": {"gymnasium"},
    "adapters/spaces.py": {"gymnasium"},
    "adapters/vector.py": {"stable_baselines3"},
    "analysis": {"numpy", "pandas", "scipy"},
    "analysis/behaviour": {"statsmodels"},
    "analysis/power": {"statsmodels"},
    "analysis/report": {"fontTools", "jinja2", "markupsafe", "matplotlib"},
    "analysis/statistics": {"patsy", "statsmodels"},
    "language/translating.py": {"babel"},
    "server": {"orjson", "otree", "sqlalchemy"},
    "server/archive/download.py": {"starlette"},
    "server/board/addresses.py": {"starlette"},
    "server/gate/wire.py": {"uvicorn"},
    "server/form_page.py": {"starlette"},
    "server/keeping/saving.py": {"psycopg2"},
    "server/live_state.py": {"starlette"},
    "server/mends/database.py": {"psycopg2"},
    "server/mends/answers.py": {"starlette"},
    "server/mends/gate.py": {"starlette", "uvicorn"},
    "server/mends/logins.py": {"starlette"},
    "server/mends/joining.py": {"starlette"},
    "server/mends/live.py": {"starlette", "uvicorn"},
    "server/open/arrivals.py": {"starlette"},
    "server/open/door.py": {"starlette"},
    "server/open/places.py": {"starlette"},
    "server/open/returning.py": {"starlette"},
    "server/outside/door.py": {"starlette"},
    "server/pages/notice.py": {"starlette"},
    "server/payroll.py": {"starlette"},
    "server/rest_key.py": {"starlette"},
    "server/rehearse": {"requests", "tqdm", "websocket"},
    "apps": {"otree", "numpy"},
}


@dataclass(frozen=True)
class Module:
    """A source: its path inside the tree, and the full names of all that it imports."""

    path: str
    names: frozenset[str]

    @property
    def place(self) -> tuple[str, ...]:
        """Folders and file below the package; the package itself is its name."""
        return within(self.name)

    @property
    def name(self) -> str:
        """The full name, that of an import; a package is its folder."""
        parts = self.path.removesuffix(".py").split("/")
        return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imported(source: str, package: str) -> set[str]:
    """The full names of all that a source in this package imports, wherever the import stands.

    An import by a text counts too; of a text with gaps, the packages before the first gap.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = [*parents] if node.level else []
            base += [node.module] if node.module else []
            names |= {".".join([*base, alias.name]) for alias in node.names}
        elif isinstance(node, ast.Call) and _called(node.func) in ("import_module", "__import__"):
            names |= set(map(_text, node.args[:1]))
    return names - {""}


def _called(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def _text(argument: ast.expr) -> str:
    """The name a text has: whole, or up to its last dot before the first gap; else none."""
    if isinstance(argument, ast.JoinedStr):
        start = argument.values[0] if argument.values else argument
        return _text(start).rpartition(".")[0]
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return "" if argument.value.startswith(".") else argument.value
    return ""


class Tree:
    """All Python sources below a folder, or those that are listed, hidden folders left out."""

    def __init__(self, root: Path, paths: Iterable[str] | None = None) -> None:
        listed = root.rglob("*.py") if paths is None else (root / path for path in paths)
        self.modules = {module.name: module for module in self._read(root, sorted(listed))}

    @staticmethod
    def _read(root: Path, paths: Iterable[Path]) -> Iterator[Module]:
        for path in paths:
            place = path.relative_to(root)
            if any(part.startswith(".") or part in SKIPPED for part in place.parts):
                continue
            package = ".".join(place.parent.parts)
            names = imported(path.read_text(encoding="utf-8"), package)
            yield Module(place.as_posix(), frozenset(names))

    @cached_property
    def tops(self) -> set[str]:
        """Folders and files at the top of the tree."""
        return {module.place[0] for module in self.modules.values()}

    @cached_property
    def games(self) -> set[str]:
        return {
            module.place[2]
            for module in self.modules.values()
            if module.place[:2] == ("engine", "games") and len(module.place) > 2
        }

    def house(self) -> Iterator[Module]:
        """The sources of the house itself."""
        return (module for module in self.modules.values() if module.place[0] not in BESIDE)

    def room(self, top: str) -> str:
        return "apps" if top in self.games else top

    def address(self, module: Module) -> str:
        """The path of a module below the package, an app's with `apps` in place of its name."""
        path = module.path.removeprefix(f"{PACKAGE}/")
        return "/".join([self.room(module.place[0]), *path.split("/")[1:]])

    def targets(self, module: Module) -> set[str]:
        """The modules of the tree that a module imports, itself left out."""
        near = {self.nearest(name) for name in module.names}
        return near - {None, module.name}  # type: ignore[return-value]

    def nearest(self, name: str) -> str | None:
        """The module that holds a name: the longest one it starts with."""
        while name and name not in self.modules:
            name = name.rpartition(".")[0]
        return name or None


def within(name: str) -> tuple[str, ...]:
    """The parts of a full name, without the package that holds the rooms."""
    return tuple(name.removeprefix(f"{PACKAGE}.").split("."))


def top(name: str) -> str:
    """The room of a full name, or the library."""
    return within(name)[0]


def inside(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")


# -- the checks -----------------------------------------------------------------------------------


def between_rooms(tree: Tree) -> list[str]:
    """Imports run one way from room to room, and every room has its place in the order."""
    homeless = {tree.room(name) for name in tree.tops - set(BESIDE)} - set(ROOMS)
    faults = [f"{room}: a room without a place in the order" for room in sorted(homeless)]
    for module in tree.house():
        own = module.place[0]
        allowed = set(ROOMS.get(tree.room(own), ()))
        for place, more in MORE_ROOMS.items():
            allowed |= more if inside(tree.address(module), place) else set()
        others = {top(name) for name in module.names} & tree.tops - {own}
        barred = sorted(other for other in others if tree.room(other) not in allowed)
        faults += [f"{module.path} imports {other}" for other in barred]
    return faults


def inside_the_engine(tree: Tree) -> list[str]:
    """Imports run one way inside the engine."""
    faults = []
    for module in tree.house():
        if module.place[0] != "engine":
            continue
        part = part_of_engine(module.place)
        if part not in ENGINE:
            faults.append(f"{PACKAGE}/engine/{part}: a part without a place in the order")
            continue
        targets = {name for name in tree.targets(module) if top(name) == "engine"}
        parts = {part_of_engine(within(name)) for name in targets}
        barred = sorted(parts - ENGINE[part] - {part})
        paths = [f"{PACKAGE}.engine" + f".{other}" * (other != "engine") for other in barred]
        faults += [f"{module.path} imports {path}" for path in paths]
    return faults


def part_of_engine(place: tuple[str, ...]) -> str:
    return place[1] if len(place) > 1 else "engine"


def libraries(tree: Tree) -> list[str]:
    """Each library from outside is imported only where the rules say, oTree among them."""
    faults = []
    for module in tree.house():
        own = tree.address(module)
        allowed = set().union(*(LIBRARIES[place] for place in LIBRARIES if inside(own, place)))
        outside = {top(name) for name in module.names} - tree.tops - sys.stdlib_module_names
        faults += [f"{module.path} imports {name}" for name in sorted(outside - allowed)]
    return faults


def unused_libraries(tree: Tree) -> list[str]:
    """A rule about libraries that allows what nobody does is out of date."""
    faults = []
    for place, names in LIBRARIES.items():
        used: set[str] = set()
        for module in tree.house():
            if inside(tree.address(module), place):
                used |= set(map(top, module.names))
        faults += [f"{place} imports no {name}" for name in sorted(names - used)]
    return faults


def between_games(tree: Tree) -> list[str]:
    """What is a game's own (rules, solution, policies, app, measures) imports no other game's."""
    faults = []
    for module in tree.house():
        owners = set(module.place) & tree.games
        for name in sorted(module.names if owners else ()):
            others = sorted(set(name.split(".")) & tree.games - owners)
            faults += [f"{module.path} imports {name}, of {other}" for other in others]
    return faults


def of_no_game(tree: Tree) -> list[str]:
    """What serves all games imports none of them by its name."""
    faults = []
    for module in tree.house():
        if not set(module.place) & tree.games:
            names = sorted(name for name in module.names if set(name.split(".")) & tree.games)
            faults += [f"{module.path} imports {name}" for name in names if top(name) in tree.tops]
    return faults


def circles(tree: Tree) -> list[str]:
    """No module imports itself by way of others, also not inside a function or for types only."""
    arrows = {module.name: tree.targets(module) for module in tree.modules.values()}
    return sorted("circle: " + ", ".join(sorted(circle)) for circle in _knots(arrows))


def _knots(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of more than one module (Tarjan 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []
    knots = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        open_.append(name)
        for other in sorted(arrows[name]):
            if other not in number:
                visit(other)
            if other in open_:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            knot = open_[open_.index(name) :]
            del open_[open_.index(name) :]
            if len(knot) > 1:
                knots.append(knot)

    for name in arrows:
        if name not in number:
            visit(name)
    return knots


CHECKS = (
    between_rooms,
    inside_the_engine,
    libraries,
    unused_libraries,
    between_games,
    of_no_game,
    circles,
)

"""Rules for imports between the rooms (top-level packages), checked against the sources.

Each check is a function of a source tree that returns one sentence per fault. Rooms, games and apps
are read from the folders, and only the rules are written here. Each check is tested on a small tree
that breaks one rule (`tests/test_house.py`), and on the project (`tests/test_sources.py`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

PACKAGE = "mixed_company"
"""Package that contains the rooms."""

# Rooms that each room may import, besides itself; the folders beside the package are included.
# `apps` stands for every folder named after a game.
LIBRARY = {
    *("files", "language", "engine", "policies", "learning", "table", "experiment", "adapters"),
    *("analysis", "bots"),
}
ROOMS: dict[str, set[str]] = {
    "files": set(),
    "language": set(),
    "engine": {"files", "language"},
    "policies": {"files", "language", "engine"},
    "bots": {"language", "engine", "policies"},  # the policies, which are loaded from their folder
    "learning": {"files", "engine", "policies", "adapters"},
    "table": {"files", "language", "engine", "policies"},
    "experiment": {"files", "engine", "policies", "table"},
    "adapters": {"files", "engine", "policies"},
    "analysis": {"files", "engine", "policies", "table", "experiment"},
    "agents": {"files", "engine", "policies", "table"},  # connected to servers only by sockets
    "server": {"files", "language", "engine", "policies", "table", "experiment"},
    "apps": {"files", "language", "engine", "policies", "table", "server"},
    "settings": {"table", "server", "apps"},
    "project": {"server"},  # loaded first by oTree
    "cli": LIBRARY | {"agents", "server", "apps", "settings"},
    "mixed_company": {
        "engine",
        "policies",
        "analysis",
    },  # available after `import mixed_company`
    "__main__": {"cli"},
}
# Folders outside the rooms: they may import all rooms and each other, but no room may import them.
BESIDE = ("benchmarks", "docs", "tests")
# Folders inside a room that may import more than the room.
MORE_ROOMS = {"server/rehearse": {"settings"}}

# Parts that each part of the engine may import; `engine` is its interface (engine/__init__.py).
ENGINE: dict[str, set[str]] = {
    "contract": set(),
    "layers": {"contract"},
    "config": {"contract", "layers"},
    "assembly": {"contract", "layers", "config"},
    "game": {"contract", "layers", "assembly"},
    "games": {"contract", "game"},
    "play": {"contract", "game", "engine"},
    "solutions": {"contract", "game", "games", "play"},
    "kit": {"contract", "layers", "config", "game", "games", "play", "solutions", "engine"},
    "engine": {"contract", "game", "games", "play"},
    "__main__": {"contract", "game", "games", "play", "engine"},
}

# Third-party libraries by room, folder or file.
LIBRARIES: dict[str, set[str]] = {
    "engine": {"numpy", "scipy", "pydantic"},
    "engine/solutions/commons_game/programme.py": {"clarabel"},
    "agents/client.py": {"websockets"},
    "agents/llm/model.py": {"openai"},
    "bots": {"numpy"},
    "bots/gem_mining/thompson_sampling.py": {"scipy"},
    "policies": {"numpy"},
    "learning": {"numpy"},
    "learning/metagame": {"scipy"},
    "learning/portions.py": {"tqdm"},
    "policies/populations": {"pydantic"},
    "learning/tournament": {"pandas", "scipy"},
    "policies/sharing.py": {"dask", "distributed", "tqdm"},
    "policies/trained": {"onnxruntime", "pydantic"},
    "learning/training": {
        *("gymnasium", "onnx", "pydantic"),
        *("sb3_contrib", "stable_baselines3", "torch"),
    },
    "learning/training/rllib.py": {"ray"},
    "table": {"pydantic"},
    "table/export/column.py": {"numpy"},  # for times as strings; the table reads no clock
    "experiment": {"pydantic"},
    "experiment/space.py": {"numpy", "scipy"},
    "adapters": {"numpy"},
    "adapters/gymnasium.py": {"gymnasium"},
    "adapters/gymnasium_vector.py": {"gymnasium"},
    "adapters/momaland.py": {"gymnasium", "momaland", "pettingzoo"},
    "adapters/pettingzoo.py": {"gymnasium", "pettingzoo"},
    "adapters/registered.py": {"gymnasium"},
    "adapters/rendering.py": {"gymnasium", "matplotlib"},
    "adapters/spaces.py": {"gymnasium"},
    "adapters/vector.py": {"stable_baselines3"},
    "analysis": {"numpy", "pandas", "scipy"},
    "analysis/behaviour": {"statsmodels"},
    "analysis/importing": {"pydantic"},
    "analysis/power": {"statsmodels"},
    "analysis/report": {"fontTools", "jinja2", "markupsafe", "matplotlib"},
    "analysis/space": {"statsmodels"},
    "analysis/statistics": {"patsy", "statsmodels"},
    "language/translating.py": {"babel"},
    "server": {"orjson", "otree", "sqlalchemy"},
    "server/archive/download.py": {"starlette"},
    "server/board/addresses.py": {"starlette"},
    "server/gate/wire.py": {"uvicorn"},
    "server/session_form.py": {"starlette"},
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
    """Source file: its path in the tree, and the full names of its imports."""

    path: str
    names: frozenset[str]

    @property
    def place(self) -> tuple[str, ...]:
        """Folders and file below the package, or the package's name for the package itself."""
        return within(self.name)

    @property
    def name(self) -> str:
        """Full name, as in an import. A package has the name of its folder."""
        parts = self.path.removesuffix(".py").split("/")
        return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imported(tree: Iterable[ast.AST], path: str) -> set[str]:
    """Return the full names of everything that the source at this path imports.

    Imports of a module named by a string also count. For an f-string, the packages before its first
    placeholder count.
    """
    names: set[str] = set()
    folders = path.split("/")[:-1]
    for node in tree:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = folders[: len(folders) - node.level + 1] if node.level else []
            base += [node.module] if node.module else []
            names |= {".".join([*base, alias.name]) for alias in node.names}
        elif isinstance(node, ast.Call) and _called(node.func) in ("import_module", "__import__"):
            names |= set(map(_text, node.args[:1]))
    return names - {""}


def _called(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def _text(argument: ast.expr) -> str:
    """Return a string's module name, or an f-string's packages before its first placeholder."""
    if isinstance(argument, ast.JoinedStr):
        start = argument.values[0] if argument.values else argument
        return _text(start).rpartition(".")[0]
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return "" if argument.value.startswith(".") else argument.value
    return ""


class Tree:
    """Python sources with their imports."""

    def __init__(self, modules: Iterable[Module]) -> None:
        self.modules = {module.name: module for module in modules}

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
        """Yield the sources of the rooms."""
        return (module for module in self.modules.values() if module.place[0] not in BESIDE)

    def room(self, top: str) -> str:
        return "apps" if top in self.games else top

    def address(self, module: Module) -> str:
        """Return the path of a module below the package, with `apps` in place of a game's name."""
        path = module.path.removeprefix(f"{PACKAGE}/")
        return "/".join([self.room(module.place[0]), *path.split("/")[1:]])

    def targets(self, module: Module) -> set[str]:
        """Return the modules of the tree that a module imports, except the module itself."""
        near = {self.nearest(name) for name in module.names}
        return near - {None, module.name}  # type: ignore[return-value]

    def nearest(self, name: str) -> str | None:
        """Return the module that contains a name, found by its longest prefix."""
        while name and name not in self.modules:
            name = name.rpartition(".")[0]
        return name or None


def within(name: str) -> tuple[str, ...]:
    """Return the parts of a full name, without the package that contains the rooms."""
    return tuple(name.removeprefix(f"{PACKAGE}.").split("."))


def top(name: str) -> str:
    """Return the room or library of a full name."""
    return within(name)[0]


def inside(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")


# -- the checks -----------------------------------------------------------------------------------


def between_rooms(tree: Tree) -> list[str]:
    """Check that imports between rooms go only one way, and that the rules list every room."""
    homeless = {tree.room(name) for name in tree.tops - set(BESIDE)} - set(ROOMS)
    faults = [f"{room}: a room that the rules do not list" for room in sorted(homeless)]
    for module in tree.house():
        folder = module.place[0]
        allowed = set(ROOMS.get(tree.room(folder), ()))
        for place, more in MORE_ROOMS.items():
            allowed |= more if inside(tree.address(module), place) else set()
        others = {top(name) for name in module.names} & tree.tops - {folder}
        barred = sorted(other for other in others if tree.room(other) not in allowed)
        faults += [f"{module.path} imports {other}" for other in barred]
    return faults


def inside_the_engine(tree: Tree) -> list[str]:
    """Check that imports inside the engine go only one way."""
    faults = []
    for module in tree.house():
        if module.place[0] != "engine":
            continue
        part = part_of_engine(module.place)
        if part not in ENGINE:
            faults.append(f"{PACKAGE}/engine/{part}: a part that the rules do not list")
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
    """Check that third-party libraries, including oTree, are imported only where the rules allow
    it."""
    faults = []
    for module in tree.house():
        address = tree.address(module)
        allowed = set().union(*(LIBRARIES[place] for place in LIBRARIES if inside(address, place)))
        outside = {top(name) for name in module.names} - tree.tops - sys.stdlib_module_names
        faults += [f"{module.path} imports {name}" for name in sorted(outside - allowed)]
    return faults


def unused_libraries(tree: Tree) -> list[str]:
    """Check that every library is imported wherever a rule allows it."""
    faults = []
    for place, names in LIBRARIES.items():
        used: set[str] = set()
        for module in tree.house():
            if inside(tree.address(module), place):
                used |= set(map(top, module.names))
        faults += [f"{place} imports no {name}" for name in sorted(names - used)]
    return faults


def between_games(tree: Tree) -> list[str]:
    """Check that a game's rules, solution, policies, app and measures import no other game."""
    faults = []
    for module in tree.house():
        owners = set(module.place) & tree.games
        for name in sorted(module.names if owners else ()):
            others = sorted(set(name.split(".")) & tree.games - owners)
            faults += [f"{module.path} imports {name}, of {other}" for other in others]
    return faults


def of_no_game(tree: Tree) -> list[str]:
    """Check that files shared by all games import no particular game."""
    faults = []
    for module in tree.house():
        if not set(module.place) & tree.games:
            names = sorted(name for name in module.names if set(name.split(".")) & tree.games)
            faults += [f"{module.path} imports {name}" for name in names if top(name) in tree.tops]
    return faults


def circles(tree: Tree) -> list[str]:
    """Check that there are no import cycles, including imports inside functions and those for
    types.
    """
    arrows = {module.name: tree.targets(module) for module in tree.modules.values()}
    return sorted("circle: " + ", ".join(sorted(circle)) for circle in _knots(arrows))


def _knots(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components with more than one module (Tarjan 1972)."""
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

"""The walls of the house hold: imports run one way, in no circle, and no game knows another."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests import house
from tests.house import CHECKS, ROOMS, Tree, imported
from tests.project import ROOT, shipped

# Faults of today, each to be mended; whoever mends one has to take it out of here.
KNOWN: dict[str, list[str]] = {}


@pytest.fixture(scope="module")
def tree():
    return Tree(ROOT, (path for path in shipped() if path.endswith(".py")))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_house_keeps_its_walls(tree, check):
    assert check(tree) == KNOWN.get(check.__name__, [])


def test_every_known_fault_is_of_a_check_that_exists():
    assert set(KNOWN) <= {check.__name__ for check in CHECKS}
    assert all(KNOWN.values())


def test_rooms_games_and_apps_are_read_from_the_folders(tree):
    modules = (ROOT / "engine/games").iterdir()  # a game is a file or a folder
    assert tree.games == {path.stem for path in modules if not path.name.startswith("_")}
    assert all((ROOT / game).is_dir() for game in tree.games)
    assert set(house.ROOMS) - {"apps", "mixed"} <= tree.tops


# -- each check is seen to catch its fault on a small tree ----------------------------------------

GOOD = {
    "files/__init__.py": "",
    "engine/__init__.py": "import engine.games\nfrom engine.play.episode import Episode\n",
    "engine/contract/__init__.py": "",
    "engine/contract/space.py": "import numpy as np\n",
    "engine/contract/config.py": "from engine.contract import space\n",
    "engine/layers/__init__.py": "from engine.contract.config import Layers\n",
    "engine/game.py": "from engine.contract import space\nfrom engine.layers import Layers\n",
    "engine/games/__init__.py": "",
    "engine/games/apples/__init__.py": "from engine.games.apples.rules import Apples\n",
    "engine/games/apples/rules.py": "from engine.game import Game\n",
    "engine/games/pears/__init__.py": "from engine.game import Game\n",
    "engine/play/__init__.py": "",
    "engine/play/episode.py": "from engine.game import Game\n",
    "engine/solutions/__init__.py": "",
    "engine/solutions/apples.py": "from engine.games.apples import Apples\n",
    "engine/kit/__init__.py": "import engine\nfrom engine.play.episode import Episode\n",
    "bots/__init__.py": "import engine\n",
    "bots/scripted/apples/picker.py": "from engine.solutions import apples\n",
    "table/__init__.py": "",
    "table/table.py": "import bots\nimport engine\n",
    "adapters/__init__.py": "import bots\nimport engine\n",
    "analysis/__init__.py": "import table.table\nimport pandas\n",
    "analysis/games/apples.py": "from engine.solutions.apples import best\n",
    "server/__init__.py": "import otree.api\nfrom table import table\n",
    "apples/__init__.py": "import otree.api\nimport server\nfrom apples import words\n",
    "apples/words.py": "import json\n",
    "pears/__init__.py": "import otree.api\nimport server\n",
    "settings.py": "from table import table\n",
    "mixed/__init__.py": "import bots, analysis, server\n",
    "tests/test_apples.py": "import engine.games.apples, engine.games.pears, pytest\n",
}
# (check, changed file, its source, what is to be named)
FAULTS = [
    ("between_rooms", "engine/game.py", "import bots", "engine/game.py imports bots"),
    ("between_rooms", "files/__init__.py", "import engine", "files/__init__.py imports engine"),
    (
        "between_rooms",
        "bots/__init__.py",
        "from table import table",
        "bots/__init__.py imports table",
    ),
    ("between_rooms", "table/table.py", "from server import live", "table/table.py imports server"),
    ("between_rooms", "table/table.py", "import mixed", "table/table.py imports mixed"),
    ("between_rooms", "server/__init__.py", "import apples", "server/__init__.py imports apples"),
    ("between_rooms", "adapters/__init__.py", "import table", "adapters/__init__.py imports table"),
    (
        "between_rooms",
        "analysis/__init__.py",
        "import server",
        "analysis/__init__.py imports server",
    ),
    ("between_rooms", "bots/__init__.py", "import tests", "bots/__init__.py imports tests"),
    ("between_rooms", "apples/words.py", "import pears", "apples/words.py imports pears"),
    ("between_rooms", "cellar/__init__.py", "", "cellar: a room without a place in the order"),
    (
        "inside_the_engine",
        "engine/contract/space.py",
        "from engine import layers",
        "engine/contract/space.py imports engine.layers",
    ),
    (
        "inside_the_engine",
        "engine/layers/power.py",
        "def f():\n    from engine.game import Game",
        "engine/layers/power.py imports engine.game",
    ),
    (
        "inside_the_engine",
        "engine/game.py",
        "if TYPE_CHECKING:\n    from engine.play.episode import Episode",
        "engine/game.py imports engine.play",
    ),
    (
        "inside_the_engine",
        "engine/games/pears/__init__.py",
        "import engine",
        "engine/games/pears/__init__.py imports engine",
    ),
    (
        "inside_the_engine",
        "engine/games/pears/__init__.py",
        "from engine.solutions import pears",
        "engine/games/pears/__init__.py imports engine.solutions",
    ),
    (
        "inside_the_engine",
        "engine/attic.py",
        "",
        "engine/attic: a part without a place in the order",
    ),
    ("libraries", "table/table.py", "import otree.api", "table/table.py imports otree"),
    ("libraries", "engine/game.py", "import_module('pandas')", "engine/game.py imports pandas"),
    ("libraries", "bots/__init__.py", "import torch", "bots/__init__.py imports torch"),
    ("libraries", "apples/words.py", "import requests", "apples/words.py imports requests"),
    ("unused_libraries", "table/table.py", "import json", "table imports no pydantic"),
    (
        "between_games",
        "engine/games/pears/__init__.py",
        "from engine.games.apples import Apples",
        "engine/games/pears/__init__.py imports engine.games.apples.Apples, of apples",
    ),
    (
        "between_games",
        "engine/games/apples/rules.py",
        "from engine.games import pears",
        "engine/games/apples/rules.py imports engine.games.pears, of pears",
    ),
    (
        "between_games",
        "engine/solutions/pears.py",
        "from engine.solutions.apples import best",
        "engine/solutions/pears.py imports engine.solutions.apples.best, of apples",
    ),
    (
        "between_games",
        "bots/scripted/pears/picker.py",
        "from bots.scripted.apples import picker",
        "bots/scripted/pears/picker.py imports bots.scripted.apples.picker, of apples",
    ),
    (
        "between_games",
        "analysis/games/pears.py",
        "from engine.games import apples",
        "analysis/games/pears.py imports engine.games.apples, of apples",
    ),
    (
        "between_games",
        "pears/__init__.py",
        "from apples import words",
        "pears/__init__.py imports apples.words, of apples",
    ),
    (
        "of_no_game",
        "table/table.py",
        "from engine.games.apples import Apples",
        "table/table.py imports engine.games.apples.Apples",
    ),
    (
        "circles",
        "apples/words.py",
        "def f():\n    import apples",
        "circle: apples, apples.words",
    ),
    (
        "circles",
        "engine/contract/space.py",
        "if TYPE_CHECKING:\n    from engine.play import episode",
        "circle: engine.contract.config, engine.contract.space, engine.game, engine.layers, "
        "engine.play.episode",
    ),
]


def small(folder, **changed):
    """A small tree of sources in a folder, in good order but for what is changed."""
    for path, source in {**GOOD, **changed}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(source, encoding="utf-8")
    return Tree(folder)


def test_a_small_tree_in_good_order_has_no_fault(tmp_path):
    tree = small(tmp_path)
    faults = {check.__name__: check(tree) for check in CHECKS if check(tree)}
    assert set(faults) == {"unused_libraries"}  # it is small


@pytest.mark.parametrize(("check", "path", "source", "sentence"), FAULTS)
def test_a_planted_fault_is_named(tmp_path, check, path, source, sentence):
    tree = small(tmp_path, **{path: source})
    assert sentence in getattr(house, check)(tree)


def test_every_check_has_a_planted_fault():
    assert {check for check, *_ in FAULTS} == {check.__name__ for check in CHECKS}


def test_the_rules_are_kept_in_a_folder_that_lies_deeper(tmp_path):
    tree = small(tmp_path, **{"bots/training/ppo.py": "import torch, adapters"})
    assert house.between_rooms(tree) == []
    assert house.libraries(tree) == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import otree.api", {"otree.api"}),
        ("def f():\n    from otree import api", {"otree.api"}),
        ("if TYPE_CHECKING:\n    from otree import api", {"otree.api"}),
        ("from . import table", {"server.pages.table"}),
        ("from ..live import move", {"server.live.move"}),
        ("if True:\n    import a, b as c", {"a", "b"}),
        ("importlib.import_module('otree')", {"otree"}),
        ("import_module(f'engine.games.{game_id}')", {"engine.games"}),
        ("import_module(f'{game_id}.words')", set()),
        ("import_module('.words', __package__)", set()),
        ("__import__('otree')", {"otree"}),
        ("x = 'import otree'", set()),
    ],
)
def test_an_import_is_seen_wherever_it_stands(source, names):
    assert imported(source, "server.pages") == names


# -- and in fact ----------------------------------------------------------------------------------

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


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("room", sorted(set(ROOMS) - {"apps", "settings", "project"}))
def test_every_room_stands_in_the_table_of_the_readme(room):
    assert f"| `{room}/`" in (ROOT / "README.md").read_text()


def test_the_engine_and_the_policies_work_where_the_server_cannot_be_imported():
    done = run(WITHOUT_OTREE)
    assert done.stderr == ""
    # Greed in the lab: collapse in the third period.
    assert done.stdout == "1 collapse True\n"


def test_the_block_would_notice_the_server():
    done = run(WITHOUT_OTREE.replace("import bots, ", "import otree, bots, "))
    assert "ImportError: not to be imported: otree" in done.stderr

"""Tests of the import rules: imports go one way, there are no cycles, and no game imports another.

`tests/test_sources.py` checks the project; these tests check the rules themselves.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests import house
from tests.house import CHECKS, ROOMS, Module, Tree, imported
from tests.project import ROOT
from tests.sources import nodes

# -- every check finds its fault in a small tree --------------------------------------------------

GOOD = {
    "mixed_company/files/__init__.py": "",
    "mixed_company/engine/__init__.py": "import mixed_company.engine.games\n"
    "from mixed_company.engine.play.episode import "
    "Episode\n",
    "mixed_company/engine/contract/__init__.py": "",
    "mixed_company/engine/contract/space.py": "import numpy as np\n",
    "mixed_company/engine/contract/config.py": "from mixed_company.engine.contract import space\n",
    "mixed_company/engine/layers/__init__.py": "from mixed_company.engine.contract.config "
    "import Layers\n",
    "mixed_company/engine/game.py": "from mixed_company.engine.contract import space\n"
    "from mixed_company.engine.layers import Layers\n",
    "mixed_company/engine/games/__init__.py": "",
    "mixed_company/engine/games/apples/__init__.py": "from "
    "mixed_company.engine.games.apples.rules import "
    "Apples\n",
    "mixed_company/engine/games/apples/rules.py": "from mixed_company.engine.game import Game\n",
    "mixed_company/engine/games/pears/__init__.py": "from mixed_company.engine.game import Game\n",
    "mixed_company/engine/play/__init__.py": "",
    "mixed_company/engine/play/episode.py": "from mixed_company.engine.game import Game\n",
    "mixed_company/engine/solutions/__init__.py": "",
    "mixed_company/engine/solutions/apples.py": "from mixed_company.engine.games.apples "
    "import Apples\n",
    "mixed_company/engine/kit/__init__.py": "from mixed_company import engine\n"
    "from mixed_company.engine.play.episode import "
    "Episode\n",
    "mixed_company/policies/__init__.py": "from mixed_company import engine\n",
    "bots/apples/picker.py": "from mixed_company.engine.solutions import apples\n",
    "mixed_company/table/__init__.py": "",
    "mixed_company/table/table.py": "from mixed_company import policies\n"
    "from mixed_company import engine\n",
    "mixed_company/adapters/__init__.py": "from mixed_company import policies\n"
    "from mixed_company import engine\n",
    "mixed_company/analysis/__init__.py": "import mixed_company.table.table\nimport pandas\n",
    "mixed_company/analysis/games/apples.py": "from mixed_company.engine.solutions.apples "
    "import best\n",
    "mixed_company/server/__init__.py": "import otree.api\nfrom mixed_company.table import table\n",
    "apples/__init__.py": "import otree.api\nfrom mixed_company import server\n"
    "from apples import words\n",
    "apples/words.py": "import json\n",
    "pears/__init__.py": "import otree.api\nfrom mixed_company import server\n",
    "settings.py": "from mixed_company.table import table\n",
    "mixed_company/cli/__init__.py": "from mixed_company import analysis, policies, server\n",
    "tests/test_apples.py": "import mixed_company.engine.games.apples, "
    "mixed_company.engine.games.pears, pytest\n",
}
# (check, changed file, its source, expected sentence)
FAULTS = [
    (
        "between_rooms",
        "mixed_company/engine/game.py",
        "from mixed_company import policies",
        "mixed_company/engine/game.py imports policies",
    ),
    (
        "between_rooms",
        "mixed_company/files/__init__.py",
        "from mixed_company import engine",
        "mixed_company/files/__init__.py imports engine",
    ),
    (
        "between_rooms",
        "mixed_company/policies/__init__.py",
        "from mixed_company.table import table",
        "mixed_company/policies/__init__.py imports table",
    ),
    (
        "between_rooms",
        "mixed_company/table/table.py",
        "from mixed_company.server import live",
        "mixed_company/table/table.py imports server",
    ),
    (
        "between_rooms",
        "mixed_company/table/table.py",
        "from mixed_company import cli",
        "mixed_company/table/table.py imports cli",
    ),
    (
        "between_rooms",
        "mixed_company/server/__init__.py",
        "import apples",
        "mixed_company/server/__init__.py imports apples",
    ),
    (
        "between_rooms",
        "mixed_company/adapters/__init__.py",
        "from mixed_company import table",
        "mixed_company/adapters/__init__.py imports table",
    ),
    (
        "between_rooms",
        "mixed_company/analysis/__init__.py",
        "from mixed_company import server",
        "mixed_company/analysis/__init__.py imports server",
    ),
    (
        "between_rooms",
        "mixed_company/policies/__init__.py",
        "import tests",
        "mixed_company/policies/__init__.py imports tests",
    ),
    ("between_rooms", "apples/words.py", "import pears", "apples/words.py imports pears"),
    ("between_rooms", "cellar/__init__.py", "", "cellar: a room that the rules do not list"),
    (
        "inside_the_engine",
        "mixed_company/engine/contract/space.py",
        "from mixed_company.engine import layers",
        "mixed_company/engine/contract/space.py imports mixed_company.engine.layers",
    ),
    (
        "inside_the_engine",
        "mixed_company/engine/layers/power.py",
        "def f():\n    from mixed_company.engine.game import Game",
        "mixed_company/engine/layers/power.py imports mixed_company.engine.game",
    ),
    (
        "inside_the_engine",
        "mixed_company/engine/game.py",
        "if TYPE_CHECKING:\n    from mixed_company.engine.play.episode import Episode",
        "mixed_company/engine/game.py imports mixed_company.engine.play",
    ),
    (
        "inside_the_engine",
        "mixed_company/engine/games/pears/__init__.py",
        "from mixed_company import engine",
        "mixed_company/engine/games/pears/__init__.py imports mixed_company.engine",
    ),
    (
        "inside_the_engine",
        "mixed_company/engine/games/pears/__init__.py",
        "from mixed_company.engine.solutions import pears",
        "mixed_company/engine/games/pears/__init__.py imports mixed_company.engine.solutions",
    ),
    (
        "inside_the_engine",
        "mixed_company/engine/attic.py",
        "",
        "mixed_company/engine/attic: a part that the rules do not list",
    ),
    (
        "libraries",
        "mixed_company/table/table.py",
        "import otree.api",
        "mixed_company/table/table.py imports otree",
    ),
    (
        "libraries",
        "mixed_company/engine/game.py",
        "import_module('pandas')",
        "mixed_company/engine/game.py imports pandas",
    ),
    (
        "libraries",
        "mixed_company/policies/__init__.py",
        "import torch",
        "mixed_company/policies/__init__.py imports torch",
    ),
    ("libraries", "apples/words.py", "import requests", "apples/words.py imports requests"),
    (
        "unused_libraries",
        "mixed_company/table/table.py",
        "import json",
        "table imports no pydantic",
    ),
    (
        "between_games",
        "mixed_company/engine/games/pears/__init__.py",
        "from mixed_company.engine.games.apples import Apples",
        "mixed_company/engine/games/pears/__init__.py imports "
        "mixed_company.engine.games.apples.Apples, of apples",
    ),
    (
        "between_games",
        "mixed_company/engine/games/apples/rules.py",
        "from mixed_company.engine.games import pears",
        "mixed_company/engine/games/apples/rules.py imports "
        "mixed_company.engine.games.pears, of pears",
    ),
    (
        "between_games",
        "mixed_company/engine/solutions/pears.py",
        "from mixed_company.engine.solutions.apples import best",
        "mixed_company/engine/solutions/pears.py imports "
        "mixed_company.engine.solutions.apples.best, of apples",
    ),
    (
        "between_games",
        "bots/pears/picker.py",
        "from bots.apples import picker",
        "bots/pears/picker.py imports bots.apples.picker, of apples",
    ),
    (
        "between_games",
        "mixed_company/analysis/games/pears.py",
        "from mixed_company.engine.games import apples",
        "mixed_company/analysis/games/pears.py imports mixed_company.engine.games.apples, of "
        "apples",
    ),
    (
        "between_games",
        "pears/__init__.py",
        "from apples import words",
        "pears/__init__.py imports apples.words, of apples",
    ),
    (
        "of_no_game",
        "mixed_company/table/table.py",
        "from mixed_company.engine.games.apples import Apples",
        "mixed_company/table/table.py imports mixed_company.engine.games.apples.Apples",
    ),
    (
        "circles",
        "apples/words.py",
        "def f():\n    import apples",
        "circle: apples, apples.words",
    ),
    (
        "circles",
        "mixed_company/engine/contract/space.py",
        "if TYPE_CHECKING:\n    from mixed_company.engine.play import episode",
        "circle: mixed_company.engine.contract.config, mixed_company.engine.contract.space, "
        "mixed_company.engine.game, mixed_company.engine.layers, "
        "mixed_company.engine.play.episode",
    ),
]


def small(**changed):
    """Return a small tree of sources without faults, with these files changed."""
    return Tree(
        Module(path, frozenset(imported(nodes(source), path)))
        for path, source in {**GOOD, **changed}.items()
    )


def test_a_small_tree_in_good_order_has_no_fault():
    tree = small()
    faults = {check.__name__: check(tree) for check in CHECKS if check(tree)}
    assert set(faults) == {"unused_libraries"}  # the small tree uses few libraries


@pytest.mark.parametrize(("check", "path", "source", "sentence"), FAULTS)
def test_a_planted_fault_is_named(check, path, source, sentence):
    tree = small(**{path: source})
    assert sentence in getattr(house, check)(tree)


def test_every_check_has_a_planted_fault():
    assert {check for check, *_ in FAULTS} == {check.__name__ for check in CHECKS}


def test_the_rules_hold_in_a_deeper_folder():
    tree = small(**{"mixed_company/server/rehearse/whole.py": "import requests, settings"})
    assert house.between_rooms(tree) == []
    assert house.libraries(tree) == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import otree.api", {"otree.api"}),
        ("def f():\n    from otree import api", {"otree.api"}),
        ("if TYPE_CHECKING:\n    from otree import api", {"otree.api"}),
        ("from . import table", {"mixed_company.server.pages.table"}),
        ("from ..live import move", {"mixed_company.server.live.move"}),
        ("if True:\n    import a, b as c", {"a", "b"}),
        ("importlib.import_module('otree')", {"otree"}),
        ("import_module(f'mixed_company.engine.games.{game_id}')", {"mixed_company.engine.games"}),
        ("import_module(f'{game_id}.words')", set()),
        ("import_module('.words', __package__)", set()),
        ("__import__('otree')", {"otree"}),
        ("x = 'import otree'", set()),
    ],
)
def test_an_import_is_found_wherever_it_is(source, names):
    assert imported(nodes(source), "mixed_company/server/pages/page.py") == names


# -- checks at run time ---------------------------------------------------------------------------

WITHOUT_OTREE = """
import sys

BLOCKED = {"otree", "starlette", "sqlalchemy", "mixed_company.server", "torch"}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in BLOCKED or name.partition(".")[0] in BLOCKED:
            raise ImportError("not to be imported: " + name)

sys.meta_path.insert(0, Blocked())
import mixed_company.engine.kit, mixed_company.engine.play.record
from mixed_company import engine, policies
from mixed_company.engine.solutions import commons_game

game = engine.make("commons_game", archetype="lab")
play = engine.Episode(game, seed=7)
while not play.done:
    step = play.step({"harvest": [10, 10, 10, 10], "contribution": [0, 0, 0, 0]})
two_stages = engine.make("commons_game", archetype="lab", peer="punishment")
made = [policies.make(name, two_stages).id for name in policies.ids("commons_game")]
print(play.period, play.reason, len(made) >= 12)
"""


BESIDE_THE_ROOMS = {"apps", "settings", "project", "mixed_company", "__main__"}


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("room", sorted(set(ROOMS) - BESIDE_THE_ROOMS))
def test_every_room_is_in_the_table_of_the_contributing_guide(room):
    folder = room if room == "bots" else f"mixed_company/{room}"
    place = f"{folder}.py" if (ROOT / f"{folder}.py").is_file() else f"{folder}/"
    assert f"| `{place}`" in (ROOT / "CONTRIBUTING.md").read_text()


def test_the_engine_and_the_policies_work_where_the_server_cannot_be_imported():
    done = run(WITHOUT_OTREE)
    assert done.stderr == ""
    # Harvests of 10 each in the lab make the stock collapse after 12 periods.
    assert done.stdout == "12 collapse True\n"


def test_the_block_would_notice_the_server():
    done = run(WITHOUT_OTREE.replace("import mixed_company", "import otree, mixed_company"))
    assert "ImportError: not to be imported: otree" in done.stderr

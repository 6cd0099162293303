"""Tests that a game made only of its own files gets every feature of the other games.

`house/` follows the recipe in CONTRIBUTING.md. It is copied over a copy of the tree, in which no
other file is changed by hand. The parts of the documents about this game are generated there, as by
`make docs`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mixed_company.server.app_files import FILES
from tests.fifth_game.copied import HOUSE, ID, Copy, files
from tests.project import ROOT

DOCUMENTS = f"""
from pathlib import Path
from mixed_company import engine
from docs import policies, sessions, tournaments
policies.PLAYS = 2
for name, part in {{
    "policies": policies.section("{ID}"),
    "tournaments": tournaments.of_game("{ID}", [engine.find("{ID}").reference])[0],
}}.items():
    path = Path("docs", name + ".md")
    path.write_text(path.read_text("utf-8") + part, encoding="utf-8")
sessions.main()
"""


def test_the_game_touches_no_file_of_the_tree():
    assert [path for path in files() if (ROOT / path).exists()] == []


def test_every_file_or_its_folder_is_named_after_the_game():
    assert [path for path in files() if ID not in path] == []


def test_the_app_has_exactly_the_files_listed_in_the_guide():
    app = {path.stem for path in (HOUSE / ID).glob("*.py")}
    assert set(FILES) < app
    assert app == {path.stem for path in (ROOT / "commons_game").glob("*.py")}


@pytest.fixture(scope="module")
def documents(copy: Copy) -> str:
    """Generate the documents with the game in them, and return the table of session keys."""
    names = ("codebook", "measures")
    for name, text in zip(names, copy.mixed(*([name] for name in names)), strict=True):
        (copy.folder / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    return copy.python("-c", DOCUMENTS)


@pytest.mark.long
def test_the_documents_include_the_game(copy: Copy, documents: str):
    assert "`marginal_return`" in documents.split(f"\n## {ID}\n")[1]
    documents_by_name = {
        path.stem: path.read_text("utf-8") for path in (copy.folder / "docs").glob("*.md")
    }
    assert f"# Codebook: {ID}\n" in documents_by_name["codebook"]
    assert "`received`" in documents_by_name["codebook"].split(f"# Codebook: {ID}\n")[1]
    assert f"mixed_company.analysis.games.{ID}.efficiency" in documents_by_name["measures"]
    assert "| `free_rider` | Never gives any points to the pot" in documents_by_name["policies"]
    assert "Best: the social optimum." in documents_by_name["tournaments"].split(f"\n## {ID}\n")[1]


@pytest.mark.long
@pytest.mark.usefixtures("documents")
def test_the_guards_of_the_tree_pass(copy: Copy):
    """Run only the guard tests that read the whole tree and can be affected by this game."""
    guards = ("names_none", "named_like", "walls", "rooms_games", "refused_names")
    copy.test(
        *(f"tests/test_{name}.py" for name in ("games", "knowledge", "house", "names")),
        *("-k", " or ".join([ID, *guards])),
    )


@pytest.mark.long
def test_its_own_tests_and_the_tests_of_every_game_pass(copy: Copy):
    """Run all of them in one pytest process, because each start takes seconds."""
    paths = [path for path in files() if Path(path).name.startswith("test_")]
    copy.test(
        *(path for path in paths if not path.startswith("tests/door/")),
        "tests/engine/test_check.py",
        "tests/engine/golden",
        "tests/engine/solutions/test_contract.py",
        "tests/bots/test_contract.py",
        "tests/server/test_guide.py",
        "tests/server/test_static.py",
        "tests/adapters/test_registered.py",
        *("-k", f"{ID} or PublicGood"),
    )


@pytest.mark.long
def test_the_commands_know_the_game(copy: Copy, tmp_path: Path):
    log, page = tmp_path / "play.jsonl", tmp_path / "play.html"
    punisher = "conditional_cooperator:bias=0+punishes_below_average"
    policies = ",".join(("free_rider", *[punisher] * 3))
    some = ["--policies", f"free_rider,{punisher}", "--plays", "4", "--workers", "1"]
    games, shown, manual, policy_list, played, tournament = copy.mixed(
        ["games"],
        ["show", ID, "--archetype", "lab"],
        ["manual", ID],
        ["policies", ID],
        ["play", ID, "--archetype", "lab", "--policies", policies, "--verbose"],
        ["tournament", ID, "--archetype", "lab", *some],
    )
    assert ID in games
    assert "what each seat gets for a point in the pot" in shown
    assert "cost of a point for the seat that assigns it" in shown
    assert "If all give 20, each earns 0 + 0.4 * 80 = 32." in manual
    assert "conditional_cooperator" in policy_list
    assert "+punishes_below_average" in policy_list
    # The others give 10, 6, 4, 2, 1 and then 0, and spend 2, 1, 1 and then no points each. The free
    # rider earns 32 - 18, 27.2 - 9, 24.8 - 9, 22.4, 21.2 and five times 20.
    returns = json.loads(played.splitlines()[-1])["returns"]
    assert returns == pytest.approx([191.6, 200.6, 200.6, 200.6])
    assert punisher in tournament
    log.write_text(played, encoding="utf-8")
    copy.mixed(["replay", str(log), "--html", str(page)])
    assert ID in page.read_text("utf-8")


@pytest.mark.long
def test_its_sample_is_small_and_right(copy: Copy):
    sample = f"mixed_company/analysis/sample/{ID}.zip"
    assert (copy.folder / sample).stat().st_size < 60_000
    copy.mixed(["check", sample])


@pytest.mark.long
@pytest.mark.door
def test_people_play_the_game_on_a_real_server(copy: Copy):
    copy.test(f"tests/door/test_{ID}.py")


@pytest.mark.long
@pytest.mark.door
def test_a_bot_takes_over_and_policies_rehearse_the_game(copy: Copy):
    copy.test(f"tests/door/test_{ID}.py", "-m", "long")

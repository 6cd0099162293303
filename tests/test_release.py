"""Tests of a release: a wheel and a source archive that work in an empty environment.

They need the package index, for the tools that check both and for a user's libraries.
"""

from __future__ import annotations

import keyword
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePath

import pytest

from docs.requirements import declared
from tests.project import ROOT

FOLDERS = ("mixed_company", "bots")
SAMPLE = ROOT / "mixed_company/analysis/sample/commons_game.zip"
ROOMS = {
    "engine": "mixed_company.make('commons_game', archetype='lab').seats == 4",
    "policies": "'greedy' in mixed_company.ids('commons_game')",
    "learning": "mixed_company.learning.__doc__",
    "table": "mixed_company.table.setup.session_config('x', 'commons_game', 'lab')['seats'] == 4",
    "experiment": "mixed_company.experiment.reading.FOLDER == 'plans'",
    "analysis": f"len(mixed_company.load({str(SAMPLE)!r}).periods) > 0",
    "language": "{'de', 'es', 'fr'} <= set(mixed_company.language.codes())",
    "agents": "mixed_company.agents.__doc__",
}
"""Rooms that do not need a server, each with an expression that is true after its modules are
imported.
"""


PLAYS = """
import sys; from mixed_company import engine, policies
from mixed_company.engine.play import record, replay_page
from mixed_company.table.export import archive

assert "otree" not in sys.modules and "gymnasium" not in sys.modules
game = engine.make("commons_game", archetype="lab")
policies.make("commons_ppo_own", game)  # a model and its card
lines = record.play(game, [{"harvest": [1] * 4, "contribution": [0] * 4}], seed=1)
assert "<html" in replay_page.page(lines, ())
print(engine.__file__, archive.software()["mixed_company"])
"""


def packaged() -> set[str]:
    """Return the files of the library that git tracks."""
    git = ["git", "ls-files", *FOLDERS]
    done = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def uv(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "uv", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run(installed: Path, folder: Path, code: str) -> str:
    """Run code with the installed library in an empty folder and return what it prints."""
    command: list[str | Path] = [installed / "python", "-I", "-c", code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Build a wheel and a source archive of the files that git tracks."""
    place = tmp_path_factory.mktemp("release")
    source = place / "source"
    git = ["git", "checkout-index", "--all", f"--prefix={source}/"]
    subprocess.run(git, cwd=ROOT, check=True)
    uv("build", "--quiet", "--out-dir", place / "dist", source)
    return next((place / "dist").glob("*.whl")), next((place / "dist").glob("*.tar.gz"))


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program folder of an environment with the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("user") / "venv"
    uv("venv", "--quiet", "--python", sys.executable, folder)
    uv("pip", "install", "--quiet", "--python", folder / "bin/python", built[0])
    return folder / "bin"


def test_an_import_statement_can_name_every_module() -> None:
    names = [PurePath(path).stem for path in packaged() if path.endswith(".py")]
    assert [name for name in names if not name.isidentifier() or keyword.iskeyword(name)] == []


@pytest.mark.long
def test_both_can_be_released(built: tuple[Path, Path]) -> None:
    uv("tool", "run", "twine", "check", "--strict", *built)
    uv("tool", "run", "check-wheel-contents", "--toplevel", "bots,mixed_company", built[0])


@pytest.mark.long
def test_both_have_every_file_of_the_library_and_the_wheel_no_other(
    built: tuple[Path, Path],
) -> None:
    wheel, archive = built
    with zipfile.ZipFile(wheel) as file:
        packed = {name for name in file.namelist() if ".dist-info/" not in name}
    assert packed == packaged()
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert packed <= names


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
def test_every_room_that_needs_no_server_works_in_an_empty_environment(
    room: str, installed: Path, tmp_path: Path
) -> None:
    modules = (
        "mixed_company.table.setup",
        "mixed_company.experiment.reading",
        f"mixed_company.{room}",
    )
    run(installed, tmp_path, f"import mixed_company, {', '.join(modules)}\nassert {ROOMS[room]}")


@pytest.mark.long
def test_the_installed_library_plays_without_otree(installed: Path, tmp_path: Path) -> None:
    place, version = run(installed, tmp_path, PLAYS).split()
    assert Path(place).is_relative_to(installed.parent)
    assert version == declared()["version"]


@pytest.mark.long
def test_the_installed_command_checks_an_export(installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [installed / "mixed", "check", SAMPLE],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "everything matches" in done.stdout

"""Tests of a release: a wheel and a source archive that work in an empty environment.

They need the package index, for the tools that check both and for a user's libraries.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.project import ROOT

pytestmark = pytest.mark.long
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


def uv(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "uv", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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


def test_both_can_be_released(built: tuple[Path, Path]) -> None:
    uv("tool", "run", "twine", "check", "--strict", *built)
    uv("tool", "run", "check-wheel-contents", "--toplevel", "bots,mixed_company", built[0])


def test_the_wheel_has_two_packages_and_the_archive_the_same_files(
    built: tuple[Path, Path],
) -> None:
    wheel, archive = built
    with zipfile.ZipFile(wheel) as file:
        packed = {name for name in file.namelist() if ".dist-info/" not in name}
    assert {name.partition("/")[0] for name in packed} == {"mixed_company", "bots"}
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert packed <= names


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_that_needs_no_server_works_in_an_empty_environment(
    room: str, installed: Path, tmp_path: Path
) -> None:
    modules = (
        "mixed_company.table.setup",
        "mixed_company.experiment.reading",
        f"mixed_company.{room}",
    )
    code = f"import mixed_company, {', '.join(modules)}\nassert {ROOMS[room]}"
    done = subprocess.run(
        [installed / "python", "-I", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


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

"""Tests that `pip install .` installs every file of the library, and nothing that needs oTree."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from docs.requirements import declared
from tests.project import ROOT

FOLDERS = ("mixed_company", "bots")
KNOWN = """
import sys; from mixed_company import adapters, analysis, engine, files, policies, table
from mixed_company.engine.play import record, replay_page
from mixed_company.table.export import archive

assert "otree" not in sys.modules and "gymnasium" not in sys.modules
game = engine.make("commons_game", archetype="lab")
policies.make("commons_ppo_own", game)  # a model and its card
lines = record.play(game, [{"harvest": [1] * 4, "contribution": [0] * 4}], seed=1)
assert "<html" in replay_page.page(lines, ())
assert analysis.load(sys.argv[1]).periods.shape[0] > 0
print(engine.__file__, archive.software()["mixed_company"])
"""


def of_the_tree() -> set[str]:
    """Return the files of the library, with the paths of a wheel."""
    files = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel from a copy, so that no files are left in the tree."""
    place = tmp_path_factory.mktemp("package")
    source = place / "source"
    for folder in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, source / folder, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    shutil.copytree(ROOT / "tests" / "docs", source / "tests" / "docs")  # must not be packaged
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", place, source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(place.glob("*.whl"))


@pytest.mark.long
def test_a_wheel_has_every_file_of_the_library_and_no_other(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == of_the_tree()
    assert any(name.endswith(".onnx") for name in names)


@pytest.mark.long
def test_an_installed_library_plays_without_otree(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    sample = ROOT / "mixed_company/analysis/sample/commons_game.zip"
    path = f"import sys; sys.path.insert(0, {str(tmp_path / 'installed')!r})\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", path + KNOWN, sample],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    place, version = done.stdout.split()
    assert Path(place).is_relative_to(tmp_path)
    assert version == declared()["version"]

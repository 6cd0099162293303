"""Tests of the site that `make site` builds: there are no warnings, all pages are present, and
nothing is loaded from the internet.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs import pages
from tests.project import ROOT, shipped

pytest.importorskip("material", reason="needs the `docs` extra")

pytestmark = pytest.mark.long


def build(project: Path, output: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(output)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("built") / "site"
    done = build(ROOT, output)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return output


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Copy the files that the site is built from."""
    names = [*shipped("docs"), *pages.OUTSIDE, "mkdocs.yml", "pyproject.toml"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_every_page_is_built_and_searchable(site):
    index = json.loads((site / "search/search_index.json").read_text("utf-8"))
    searched = {entry["location"].partition("#")[0] for entry in index["docs"]}
    for path in pages.paths():
        name = path.lower() if path in pages.OUTSIDE else path.removeprefix("docs/")
        page = f"{name.removesuffix('.md')}.html"
        assert (site / page).is_file()
        assert page in searched


def test_nothing_is_loaded_from_the_internet(site):
    sources = r'<(?:script|img|iframe)[^>]*\ssrc="?(?:https?:)?//'
    loaded = re.compile(rf'{sources}|<link[^>]*href="?(?:https?:)?//')
    assert loaded.search('<script src="https://unpkg.com/x">')
    assert loaded.search("<link rel=stylesheet href=//fonts.googleapis.com/css>")
    for page in site.rglob("*.html"):
        assert not loaded.search(page.read_text("utf-8")), page.name


def test_the_site_contains_no_python_source(site):
    assert not list(site.rglob("*.py"))
    assert not (site / "theme").exists()


@pytest.mark.parametrize(
    ("page", "text", "reason"),
    [
        ("docs/talk.md", "[a](no_such.md)", "no_such.md"),
        ("docs/talk.md", "[a](board.md#no-such)", "no-such"),
        ("README.md", "[a](docs/no_such.md)", "docs/no_such.md"),
        ("docs/unlisted.md", "# Unlisted", "unlisted.md"),
    ],
)
def test_a_fault_in_a_page_stops_the_build(page, text, reason, project, tmp_path):
    with (project / page).open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")
    done = build(project, tmp_path / "site")
    assert done.returncode != 0
    assert reason in done.stderr

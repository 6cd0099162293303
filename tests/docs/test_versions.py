"""Tests that version ranges appear only in pyproject.toml, and exact versions in two files, once
each.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from docs import requirements
from mixed_company.table.export import archive
from tests.project import ROOT

EXTRAS = sorted(requirements.declared()["optional-dependencies"])
NO_OTREE = ("docs", "tournament", "training")


def test_requirements_are_those_of_a_server() -> None:
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines == requirements.pins("server")
    assert {"otree", "numpy", "psycopg2-binary"} <= set(requirements.ranges("server"))


def test_the_archive_that_otree_builds_for_a_host_keeps_the_requirements(tmp_path: Path) -> None:
    from otree.cli.zip import fix_reqs_files, validate_reqs_files

    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    (tmp_path / "requirements.txt").write_text(text, encoding="utf-8")
    assert fix_reqs_files(tmp_path) == {}  # would ask for permission, and list only oTree
    validate_reqs_files(tmp_path)  # raises an error if a library of a host is missing


@pytest.mark.parametrize("extra", EXTRAS)
def test_exact_versions_keep_within_the_ranges(extra: str) -> None:
    for name, wanted in requirements.ranges(extra).items():
        assert wanted, f"{name} has no range"
        assert requirements.exact()[name] in SpecifierSet(wanted), name


def test_every_exact_version_is_for_a_requested_library() -> None:
    assert set(requirements.exact()) == set(requirements.ranges(*EXTRAS))
    assert len(requirements.exact()) == len(requirements.pins(*EXTRAS))


@pytest.mark.parametrize("extra", NO_OTREE)
def test_parts_that_need_newer_libraries_than_otree_work_without_otree(extra: str) -> None:
    assert "otree" not in requirements.ranges(extra)


def test_every_library_has_one_line_in_the_document() -> None:
    document = (ROOT / "docs/developers/dependencies.md").read_text(encoding="utf-8")
    lines = [line.split("|")[1] for line in document.splitlines() if line.startswith("| ")]
    stated = [cell.split() for cell in lines]
    for name, wanted in requirements.ranges(*EXTRAS).items():
        assert stated.count([name, wanted]) == 1, name


def test_documents_install_with_extras_that_exist() -> None:
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in documents)
    matches = re.findall(r"pip install (?:-c \S+ )*(?:-e )?\"\.\[([\w,]+)\]\"", text)
    assert {name for extras in matches for name in extras.split(",")} <= set(EXTRAS)
    assert len(matches) > len(EXTRAS)
    assert set(re.findall(r"requirements-\w+", text)) == {"requirements-hashed"}


def test_the_citation_names_the_version() -> None:
    version = requirements.declared()["version"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in citation
    assert archive.software()["mixed_company"] == version

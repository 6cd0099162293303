"""Every version stands in pyproject.toml, and what repeats it says the same."""

from __future__ import annotations

import re

import pytest

from docs import requirements
from mixed_company.table.export import archive
from tests.project import ROOT

EXTRAS = sorted(requirements.declared()["optional-dependencies"])
NO_OTREE = ("tournament", "training")


def named(extra: str) -> dict[str, str]:
    """Library -> version, in this extra and those it takes in."""
    return dict(line.split("==") for line in requirements.pins(extra))


def test_requirements_are_those_of_a_server() -> None:
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert text == requirements.requirements()
    assert {"otree", "numpy", "psycopg2-binary"} <= set(named("server"))


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_library_is_asked_for_with_one_exact_version(extra: str) -> None:
    for line in requirements.pins(extra):
        assert re.fullmatch(r"[\w.-]+==[\w.]+", line), line
    everywhere = dict(line.split("==") for line in requirements.pins(*EXTRAS))
    assert len(requirements.pins(*EXTRAS)) == len(everywhere)


@pytest.mark.parametrize("extra", NO_OTREE)
def test_what_needs_newer_libraries_than_otree_takes_does_without_it(extra: str) -> None:
    assert "otree" not in named(extra)


def test_every_library_has_one_line_in_the_document() -> None:
    document = (ROOT / "docs/developers/dependencies.md").read_text(encoding="utf-8")
    lines = [line.split("|")[1] for line in document.splitlines() if line.startswith("| ")]
    stated = [cell.split() for cell in lines]
    for line in requirements.pins(*EXTRAS):
        assert stated.count(line.split("==")) == 1, line


def test_documents_install_with_extras_that_exist() -> None:
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in documents)
    asked = re.findall(r"pip install (?:-e )?\"\.\[([\w,]+)\]\"", text)
    assert {name for extras in asked for name in extras.split(",")} <= set(EXTRAS)
    assert len(asked) > len(EXTRAS)
    assert set(re.findall(r"requirements-\w+", text)) == {"requirements-hashed"}


def test_the_citation_names_the_version() -> None:
    version = requirements.declared()["version"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in citation
    assert archive.software()["mixed_company"] == version

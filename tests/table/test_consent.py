"""Consent: a text, or the name of a file in the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.given import consent_text
from mixed_company.table.setup import resolve, session_config


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the project's folder. There is also a file beside it, which does not belong to the
    project."""
    project = tmp_path / "project"
    (project / "texts.txt").mkdir(parents=True)
    (project / "consent.txt").write_text(" We ask.\n", encoding="utf-8")
    (project / "bytes.txt").write_bytes(b"\xff\xfe")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    monkeypatch.chdir(project)
    return project


@pytest.mark.parametrize("text", ["", "We ask.", "See consent.txt", "a consent.txt", "consent.md"])
def test_a_text_is_itself(folder: Path, text: str) -> None:
    assert consent_text(text) == text


def test_the_name_of_a_file_stands_for_its_text(folder: Path) -> None:
    assert consent_text("consent.txt") == "We ask."
    assert consent_text(" consent.txt ") == "We ask."


def test_a_session_keeps_the_text_and_not_the_name(folder: Path) -> None:
    shipped = session_config("commons", "commons_game", "lab", consent="consent.txt")
    setup, written = resolve("commons_game", shipped, shipped)
    assert setup.options.consent == written["consent"] == "We ask."
    with pytest.raises(ConfigError, match=r"^consent = 'nothere\.txt': there is no such file"):
        resolve("commons_game", {**shipped, "consent": "nothere.txt"}, shipped)


@pytest.mark.parametrize("name", ["nothere.txt", "../secret.txt", "texts.txt"])
def test_a_file_outside_the_project_is_refused_by_name(folder: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        consent_text(name)


def test_a_file_that_is_not_text_is_refused_by_name(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"bytes\.txt.*not UTF-8 text"):
        consent_text("bytes.txt")

"""What is written by hand, and bad on purpose: a sentence, soon, wherever it is read."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

import files
from agents.llm import treatment
from analysis.report import excluded
from engine.contract.errors import ConfigError
from experiment import reading
from table.questions import _read
from tests.mixed.bad import DEEP, NESTED, soon

BAD = {
    "many digits": "groups = 1" + "0" * 5000,
    "deep": f"a = {NESTED}",
    "many parts": ".".join(["a"] * DEEP) + " = 1",
    "long": "title = '" + "x" * 10**6 + "'",
    "half of a character": 'title = "\\ud800"',
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize(
    "read",
    [
        lambda file: reading.from_text(file.read_text(), str(file)),
        _read,
        excluded.read,
        lambda file: treatment.read(str(file)),
    ],
    ids=["plan", "questions", "exclusions", "prompt"],
)
def test_a_text_that_is_no_toml(tmp_path: Path, what: str, read) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "bad.toml"
    file.write_text(BAD[what])
    with soon(), pytest.raises(ConfigError) as refused:
        read(file)
    assert "bad.toml" in str(refused.value)
    assert len(str(refused.value)) < 500


def test_a_text_as_long_as_may_be_is_read_soon() -> None:
    parts = ".".join(["a"] * 24_000)
    with soon():
        assert list(files.toml(f"{parts} = 1")) == ["a"]


@pytest.fixture
def usual_limit() -> Iterator[None]:
    """That of a process that has read no export: there a text can be longer."""
    before = csv.field_size_limit(131_072)
    yield
    csv.field_size_limit(before)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("s," + "1" * 5000 + ",,w,d", "should name a participant, or a session and a group"),
        ("s,1,," + "x" * 200_000 + ",d", "is no CSV"),
    ],
)
def test_exclusions_that_are_none(tmp_path: Path, usual_limit: None, rows: str, words: str) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(f"session,group,participant,why,when\n{rows}\n")
    with pytest.raises(ConfigError, match=words):
        excluded.read(file)

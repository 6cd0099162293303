"""Tests of invalid handwritten files: each reader rejects them with one sentence."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from mixed_company import files
from mixed_company.agents.llm import treatment
from mixed_company.analysis.report import excluded
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import reading
from mixed_company.table.questions import _read
from tests.mixed.bad import DEEP, NESTED
from tests.work import assert_linear, bounded

BAD = {
    "many digits": "groups = 1" + "0" * 5000,
    "deep": f"a = {NESTED}",
    "many parts": ".".join(["a"] * DEEP) + " = 1",
    "long": "title = '" + "x" * 10**6 + "'",
    "half of a character": 'title = "\\ud800"',
}


@pytest.mark.parametrize("fault", BAD)
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
def test_a_file_that_is_not_toml(tmp_path: Path, fault: str, read) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "bad.toml"
    file.write_text(BAD[fault])
    with bounded(), pytest.raises(ConfigError) as refused:
        read(file)
    assert "bad.toml" in str(refused.value)
    assert len(str(refused.value)) < 500


def key(parts: int) -> str:
    """Return a line whose key has this many parts."""
    return ".".join(["a"] * parts) + " = 1"


def test_a_key_with_too_many_parts_is_refused_before_it_is_read() -> None:
    with pytest.raises(ValueError, match="line 2 has 1001 dots; at most 1000 are allowed"):
        files.toml(f"b = 1\n{key(1002)}")
    with pytest.raises(ValueError, match="line 1 has 19999 dots"):
        files.toml(key(20_000))


def test_a_key_and_a_string_of_the_maximum_length_are_read() -> None:
    assert list(files.toml(key(1001))) == ["a"]
    lines = [f"a{number} = {number}" for number in range(3000)]
    text = "\n".join(lines)
    comment = "#" * (50_000 - len(text) - 1)
    assert len(files.toml(f"{text}\n{comment}")) == 3000
    with pytest.raises(ValueError, match="it has 50001 characters; at most 50000 are allowed"):
        files.toml(f"{text}\n{comment}#")


def test_twice_as_many_lines_take_twice_the_work() -> None:
    def read(lines: int) -> None:
        files.toml("\n".join(f"a.b{number} = {number}" for number in range(lines)))

    assert_linear(read, 200)


@pytest.fixture
def usual_limit() -> Iterator[None]:
    """Set the field limit of a process that has not read an export, because reading would raise the
    limit.
    """
    before = csv.field_size_limit(131_072)
    yield
    csv.field_size_limit(before)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("s," + "1" * 5000 + ",,w,d", "should be a number in digits 0 to 9"),
        ("s,1,," + "x" * 200_000 + ",d", "not valid CSV"),
    ],
)
def test_invalid_exclusions(tmp_path: Path, usual_limit: None, rows: str, words: str) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(f"session,group,participant,why,when\n{rows}\n")
    with pytest.raises(ConfigError, match=words):
        excluded.read(file)

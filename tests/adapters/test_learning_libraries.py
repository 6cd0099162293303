"""Tests that run the training examples of docs/own_loop.md, docs/torchrl.md and docs/rllib.md.

`make test-long` runs them in full, in an environment of its own (tests/learning.txt).
"""

from __future__ import annotations

import re

import pytest

from tests.docs.blocks import Block, blocks

PAGES = ("docs/own_loop.md", "docs/torchrl.md", "docs/rllib.md")
EXAMPLES = [
    block for page in PAGES for block in blocks(page) if block.mark == "run by" and block.value
]
LIBRARIES = ("supersuit", "benchmarl", "torchrl", "ray", "torch")
_LAST = re.compile(r"points of a seat: (?:first ([\d.]+), )?last ([\d.]+)")


def library(block: Block) -> str:
    """Return the library of an example."""
    imported = re.findall(r"^(?:from|import) (\w+)", block.text, flags=re.M)
    return next((name for name in LIBRARIES if name in imported), "gymnasium")


def test_every_library_has_an_example() -> None:
    assert {*map(library, EXAMPLES)} == {*LIBRARIES, "gymnasium"}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("block", EXAMPLES, ids=library)
def test_an_example_trains_on_the_commons(
    block: Block, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    pytest.importorskip(library(block), reason="needs tests/learning.txt", exc_type=ImportError)
    monkeypatch.chdir(tmp_path)
    values: dict[str, object] = {"__name__": "example"}
    exec(compile(block.text, block.place, "exec"), values)
    if "decisions" not in values:
        return
    first, last = _LAST.search(capsys.readouterr().out).groups()
    assert 0 < float(last) < 150
    if 'reward="group"' in block.text:  # seats that learn for their group earn more
        assert float(last) > float(first) + 20

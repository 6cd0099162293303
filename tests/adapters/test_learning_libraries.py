"""Tests that run the training examples of docs/own_loop.md, docs/torchrl.md and docs/rllib.md.

`make test-long` runs them in full, in a separate environment (tests/learning.txt).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import Block, blocks

PAGES = ("docs/own_loop.md", "docs/torchrl.md", "docs/rllib.md")
EXAMPLES = [
    block for page in PAGES for block in blocks(page) if block.mark == "run by" and block.value
]
LIBRARIES = ("supersuit", "benchmarl", "torchrl", "ray", "torch")
_LAST = re.compile(r"points per seat: (?:first ([\d.]+), )?last ([\d.]+)")


def library(block: Block) -> str:
    """Return the library that an example uses."""
    imported = re.findall(r"^(?:from|import) (\w+)", block.text, flags=re.M)
    return next((name for name in LIBRARIES if name in imported), "gymnasium")


def test_every_library_has_an_example() -> None:
    assert {*map(library, EXAMPLES)} == {*LIBRARIES, "gymnasium"}


@pytest.mark.long
@pytest.mark.parametrize("block", EXAMPLES, ids=library)
def test_an_example_trains_on_the_commons(block: Block, tmp_path: Path) -> None:
    pytest.importorskip(library(block), reason="needs tests/learning.txt", exc_type=ImportError)
    example = tmp_path / "example.py"
    example.write_text(block.text)
    command = [sys.executable, "-W", "ignore", example.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    if "decisions" not in block.text:
        return
    first, last = _LAST.search(done.stdout).groups()
    assert 0 < float(last) < 150
    if 'reward="group"' in block.text:  # seats that learn for their group earn more
        assert float(last) > float(first) + 20

"""Examples in docstrings produce the results shown there."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.project import ROOT
from tests.sources import sources

PACKAGES = ("mixed_company/", "bots/")
MODULES = [
    path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    for path in sources()
    if path.startswith(PACKAGES) and ">>> " in (ROOT / path).read_text("utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted
    assert not results.failed

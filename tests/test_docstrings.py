"""Examples in docstrings produce the results shown there, and lists of modules are up to date."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
from collections.abc import Iterable, Iterator

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


# -- lists of modules ------------------------------------------------------------------------------


OTHER_NAMES = {"mixed_company/analysis/audit/__init__.py": ("form", "files", "lists")}
"""Names in lists of modules that are not modules: checks that other rooms make."""


def missing(text: str, modules: Iterable[str]) -> Iterator[str]:
    """Yield the names in a docstring's lists of modules that are not among `modules`.

    A list has lines `name    meaning`. It is a list of modules if most of its names are modules.
    """
    for part in text.split("\n\n"):
        names = re.findall(r"^ *(\w+)  +\S", part, re.MULTILINE)
        wrong = [name for name in names if name not in set(modules)]
        if len(names) > 2 * len(wrong):
            yield from wrong


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Solve.\n\n    plan    the plan\n    grid    the grid\n    bound    prices", ["bound"]),
        ("Solve.\n\nplan    the plan\ngrid    the grid\nplan, grid  both", []),
        ("Solve.\n\n    plan    the plan\n    error    its error", []),
    ],
)
def test_a_list_that_names_a_missing_module_is_found(text: str, names: list[str]) -> None:
    assert list(missing(text, ["plan", "grid"])) == names


@pytest.mark.parametrize("path", [path for path in sources() if path.endswith("/__init__.py")])
def test_packages_list_only_modules_that_exist(path: str) -> None:
    folder = (ROOT / path).parent
    text = ast.get_docstring(ast.parse((ROOT / path).read_text("utf-8"))) or ""
    modules = [place.stem for place in folder.iterdir()]
    assert list(missing(text, [*modules, *OTHER_NAMES.get(path, ())])) == []

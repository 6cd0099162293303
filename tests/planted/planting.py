"""Planting of faults in running code. Existing functions get the changed code, and modules that are
imported later are created from it."""

from __future__ import annotations

import ast
import gc
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType

from tests.planted.faults import Fault, faults

Where = tuple[str, str, int]
"""Path, qualified name and first line of a function."""


class Room:
    """Sources of a part of the code, with their possible faults and their functions."""

    def __init__(self, root: Path, paths: list[str]) -> None:
        self.root = root
        self.trees = {path: ast.parse((root / path).read_text("utf-8")) for path in paths}
        self.faults = [fault for path in paths for fault in faults(path, self.trees[path])]

    def state(self, path: str, tests: list[str]) -> str:
        """Return a hash of a test file, its tests and all sources; it changes if any of them
        does."""
        texts = [(self.root / name).read_bytes() for name in (path, *self.trees)]
        return hashlib.sha256(b"\0".join([*texts, *map(str.encode, tests)])).hexdigest()

    def functions(self) -> dict[Where, list[FunctionType]]:
        """Return all existing functions of the sources, including those made by decorators."""
        gc.unfreeze()  # frozen objects are not listed, and `tests/conftest.py` freezes them
        files = {str(self.root / path): path for path in self.trees}
        living: dict[Where, list[FunctionType]] = defaultdict(list)
        for function in gc.get_objects():
            if isinstance(function, FunctionType) and function.__code__.co_filename in files:
                living[_where(files[function.__code__.co_filename], function.__code__)].append(
                    function
                )
        return living

    def plant(self, fault: Fault, living: dict[Where, list[FunctionType]]) -> None:
        """Change the tree and all functions affected by the change. This cannot be undone."""
        before = {_where(fault.path, code): code for code in _inner(self._module(fault.path))}
        fault.place.put(fault.node)
        changed = self._module(fault.path)
        for code in _inner(changed):
            where = _where(fault.path, code)
            if before.get(where) != code:
                for function in living.get(where, ()):
                    function.__code__ = code
        _import_as(changed)

    def _module(self, path: str) -> CodeType:
        return compile(self.trees[path], str(self.root / path), "exec", dont_inherit=True)


def _import_as(changed: CodeType) -> None:
    """Make future imports of this module use this code."""
    original = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return changed if loader.path == changed.co_filename else original(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def _inner(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inner(constant)


def _where(path: str, code: CodeType) -> Where:
    return path, code.co_qualname, code.co_firstlineno

"""Modules are compiled once, and pytest's workers import them as saved."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location

import pytest
from _pytest.assertion import rewrite

from tests.compiled import compile_all, rewritten


def test_pytest_imports_the_saved_module_with_its_rewritten_assertions(
    tmp_path, monkeypatch, pytestconfig
):
    path = tmp_path / "test_saved.py"
    path.write_text("def check():\n    one = 1\n    assert one == 2\n", "utf-8")
    compile_all([path])
    saved = rewritten(path).stat().st_mtime_ns
    monkeypatch.delattr(rewrite, "_rewrite_test")
    hook = pytestconfig.pluginmanager.rewrite_hook
    spec = spec_from_file_location("test_saved", path, loader=hook)
    module = module_from_spec(spec)
    hook.exec_module(module)
    with pytest.raises(AssertionError, match="assert 1 == 2"):
        module.check()
    compile_all([path])  # it is not rewritten, because nothing has changed
    assert rewritten(path).stat().st_mtime_ns == saved

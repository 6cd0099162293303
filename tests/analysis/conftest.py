"""Fixtures shared by the tests of the analysis."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from mixed_company.analysis import audit, writing
from mixed_company.table.export.archive import code_hash


@pytest.fixture(autouse=True, scope="package")
def _code_is_hashed_once() -> Iterator[None]:
    """Hash the code once, because it does not change while tests write and check a thousand
    exports.
    """
    once = cache(code_hash)
    with pytest.MonkeyPatch.context() as patched:
        for module in (audit, writing):
            patched.setattr(module, "code_hash", once)
        yield

"""Fixtures shared by the tests of tables."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from mixed_company.table import answers
from mixed_company.table.talk import talking


@pytest.fixture(autouse=True)
def _no_policy_is_too_slow() -> Iterator[None]:
    """Lift the time budget, because the machine may pause; tests of slow policies set their own."""
    with pytest.MonkeyPatch.context() as patched:
        for module in (answers, talking):
            patched.setattr(module, "BUDGET_SECONDS", math.inf)
            patched.setattr(module, "PATIENCE_SECONDS", math.inf)
        yield

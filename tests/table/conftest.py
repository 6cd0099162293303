"""What tests of tables share."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from mixed_company.table import answers
from mixed_company.table.talk import talking


@pytest.fixture(autouse=True)
def _no_policy_is_too_slow() -> Iterator[None]:
    """A pause of the machine is nobody's fault; tests of slow policies set a budget themselves."""
    with pytest.MonkeyPatch.context() as patched:
        for module in (answers, talking):
            patched.setattr(module, "BUDGET_SECONDS", math.inf)
            patched.setattr(module, "PATIENCE_SECONDS", math.inf)
        yield

"""What tests of tables share."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from table import answers


@pytest.fixture(autouse=True)
def _no_policy_is_too_slow() -> Iterator[None]:
    """A pause of the machine is nobody's fault; tests of slow policies set a budget themselves."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(answers, "BUDGET_SECONDS", math.inf)
        yield

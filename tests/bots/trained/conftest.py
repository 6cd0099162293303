"""What is found in a folder of a test is forgotten after it."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _forgotten(folders_forgotten):
    """In all tests of this folder."""

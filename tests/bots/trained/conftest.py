"""Fixture that forgets policies found in a test's folder after the test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _forgotten(folders_forgotten):
    """Forget found policies after each test of this folder."""

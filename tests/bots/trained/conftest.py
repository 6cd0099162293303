"""Fixture that unregisters policies in a test's folder after the test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _forgotten(folders_forgotten):
    """Forget the registered policies after each test in this folder."""

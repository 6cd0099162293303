"""What tests of policies share."""

from __future__ import annotations

import pytest

import bots


@pytest.fixture
def folders_forgotten(monkeypatch):
    """Folders of policies that a test names are forgotten afterwards."""
    monkeypatch.setattr(bots, "_folders", {})
    bots._all.cache_clear()
    yield
    bots._all.cache_clear()

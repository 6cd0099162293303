"""What is found in a folder of a test is forgotten after it."""

from __future__ import annotations

import pytest

import bots


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch):
    monkeypatch.setattr(bots, "_folders", {})
    bots._all.cache_clear()
    yield
    bots._all.cache_clear()

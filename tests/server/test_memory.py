"""Free memory is returned to the operating system."""

from __future__ import annotations

import ctypes
import sys
import threading
from types import SimpleNamespace

import psutil
import pytest

from mixed_company.server import memory

PIECE, PIECES = 40_000, 1_000
"""Allocation of whole pages that contain nothing that earlier tests left in memory."""


def held() -> int:
    """Return the bytes that this process uses."""
    return int(psutil.Process().memory_info().rss)


@pytest.mark.skipif(sys.platform != "linux", reason="GNU's C library")
def test_memory_of_small_pieces_is_returned():
    """Allocate 40 MB in pieces. While one of the last pieces is in use, the C library keeps all
    earlier pieces."""
    trim = memory.trimmer()
    assert trim is not None
    pieces = [b"x" * PIECE for _ in range(PIECES)]
    last = b"x" * PIECE
    pieces.clear()
    kept = held()
    trim()
    assert held() < kept - PIECE * PIECES // 2
    assert len(last) == PIECE


def test_memory_is_returned_repeatedly_in_a_separate_thread(monkeypatch):
    trims, thrice = [], threading.Event()

    def trim() -> None:
        thread = threading.current_thread()
        trims.append((thread.name, thread.daemon))  # a server that shuts down does not wait for it
        if len(trims) == 3:
            thrice.set()
            threading.Event().wait()  # forever

    monkeypatch.setattr(memory, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(memory, "trimmer", lambda: trim)
    memory.begin()
    assert thrice.wait(60)
    assert trims == [("memory", True)] * 3


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_without_support_in_the_library_nothing_is_started(error, monkeypatch):
    def refuse(name: None) -> SimpleNamespace:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    before = threading.active_count()
    memory.begin()
    assert memory.trimmer() is None
    assert threading.active_count() == before

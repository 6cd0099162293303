"""Memory that many connections took, and that is free again, is given back to the system.

Python frees what it needs no more, and the C library keeps that for later. GNU's can be told to
give it back, in a thread beside the loop; of others nothing is asked.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable

__all__ = ["PAUSE_SECONDS", "begin", "trimmer"]

PAUSE_SECONDS = 4.0


def trimmer() -> Callable[[], object] | None:
    """What gives back memory that is free; None: this system's C library has no such function."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return lambda: trim(0)


def begin() -> None:
    """Give back what is free every PAUSE_SECONDS, as long as this process lives."""
    trim = trimmer()
    if trim is not None:
        threading.Thread(target=_go_on, args=(trim,), name="memory", daemon=True).start()


def _go_on(trim: Callable[[], object]) -> None:
    while True:
        time.sleep(PAUSE_SECONDS)
        trim()

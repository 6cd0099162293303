"""Returns free memory, such as the memory of many closed connections, to the operating system.

Python frees unused objects, but the C library keeps their memory for later use. A separate thread
tells the GNU C library to return this memory; with other libraries, nothing happens.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable

PAUSE_SECONDS = 4.0


def trimmer() -> Callable[[], object] | None:
    """Return the C library's function that returns free memory, or None if it has none."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return lambda: trim(0)


def begin() -> None:
    """Return free memory to the system every PAUSE_SECONDS, for the lifetime of this process."""
    trim = trimmer()
    if trim is not None:
        threading.Thread(target=_go_on, args=(trim,), name="memory", daemon=True).start()


def _go_on(trim: Callable[[], object]) -> None:
    while True:
        time.sleep(PAUSE_SECONDS)
        trim()

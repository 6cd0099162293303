"""Coroutines in tests: Playwright keeps a loop of its own running in the thread of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["complete"]

T = TypeVar("T")


def complete(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives, run to its end in a thread and a loop of its own."""
    with ThreadPoolExecutor(1) as one:
        return one.submit(asyncio.run, coroutine).result()

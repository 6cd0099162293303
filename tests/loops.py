"""Coroutines in tests. Playwright keeps an event loop running in the tests' thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

__all__ = ["aside", "complete"]

P = ParamSpec("P")
T = TypeVar("T")


def aside(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that starts an event loop, in a separate thread, and return its result."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(function, *args, **kwargs).result()


def complete(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to completion in a separate thread and loop, and return its result."""
    return aside(asyncio.run, coroutine)

"""Coroutines in tests: Playwright keeps a loop of its own running in the thread of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

__all__ = ["aside", "complete"]

P = ParamSpec("P")
T = TypeVar("T")


def aside(function: Callable[P, T], *given: P.args, **more: P.kwargs) -> T:
    """What a function gives that runs a loop of its own, called in a thread of its own."""
    with ThreadPoolExecutor(1) as one:
        return one.submit(function, *given, **more).result()


def complete(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives, run to its end in a thread and a loop of its own."""
    return aside(asyncio.run, coroutine)

"""Callbacks that wait for a commit, so that nothing is announced before it is committed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable


def nothing() -> None:
    """Ignore a commit that no caller is waiting for."""


class Unsaved:
    """Uncommitted batches of one table or lobby, and the callbacks that wait for them.

    They are committed in the order in which they were written (`server.keeping.writer`).
    """

    def __init__(self) -> None:
        self._later: deque[tuple[int, Callable[[], None], Callable[[], None]]] = deque()
        self._written = self._saved = 0

    def __len__(self) -> int:
        return self._written - self._saved

    def write(self) -> None:
        """Count a batch that was queued for writing."""
        self._written += 1

    def then(self, function: Callable[[], None], otherwise: Callable[[], None] = nothing) -> None:
        """Call `function` once everything written so far is committed; on failure, `otherwise`."""
        if len(self) or self._later:
            self._later.append((self._written, function, otherwise))
        else:
            function()

    def save(self, exists: bool) -> None:
        """Count a committed batch and run its callbacks.

        The callbacks report a failure if the batch's table or session no longer `exists`.
        """
        self._saved += 1
        while self._later and self._later[0][0] <= self._saved:
            _, function, otherwise = self._later.popleft()
            (function if exists else otherwise)()

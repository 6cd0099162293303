"""What waits until it is saved: nobody is told of anything before it is committed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

__all__ = ["Unsaved", "nothing"]


def nothing() -> None:
    """What is done of what nobody waits for any more."""


class Unsaved:
    """The batches of one table or lobby that are not committed yet, and what is to follow them.

    They are committed in the order in which they were written (`server.keeping.writer`).
    """

    def __init__(self) -> None:
        self._later: deque[tuple[int, Callable[[], None], Callable[[], None]]] = deque()
        self._written = self._saved = 0

    def __len__(self) -> int:
        return self._written - self._saved

    def write(self) -> None:
        """One more batch was handed to the writer."""
        self._written += 1

    def then(self, function: Callable[[], None], otherwise: Callable[[], None] = nothing) -> None:
        """Call it once all is committed that has been written so far, or else the other."""
        if len(self) or self._later:
            self._later.append((self._written, function, otherwise))
        else:
            function()

    def save(self, there: bool) -> None:
        """One more batch was committed, and what waited for it follows; or else what it is about
        is not `there` any more."""
        self._saved += 1
        while self._later and self._later[0][0] <= self._saved:
            _, function, otherwise = self._later.popleft()
            (function if there else otherwise)()

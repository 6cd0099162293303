"""Event loop whose time does not depend on the machine. Time passes only while all tasks are
waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["LONGEST_SECONDS", "Loop", "entered"]

LONGEST_SECONDS = 100_000.0
"""Time after which nothing more is expected."""

NEVER = 1e9


class Loop(asyncio.SelectorEventLoop):
    """Event loop with simulated time, which jumps to the next event when all tasks are waiting."""

    latest = 1000.0  # starts no earlier than the previous loop in this process

    def __init__(self) -> None:
        super().__init__()
        self._working = 0

    def time(self) -> float:
        """Return the seconds that have passed, in all loops of this process."""
        return Loop.latest

    def run_in_executor(self, executor: Any, func: Any, *arguments: Any) -> Any:
        """Count the working thread, because no time may pass until it is done."""
        work = super().run_in_executor(executor, func, *arguments)
        self._working += 1
        work.add_done_callback(self._worked)
        return work

    def _worked(self, _work: Any) -> None:
        self._working -= 1

    def _run_once(self) -> None:
        if not self._ready and not self._working:
            Loop.latest = min(max(Loop.latest, self.next_at()), NEVER)
        super()._run_once()

    def next_at(self) -> float:
        """Return the time of the next scheduled call."""
        return min(
            (handle.when() for handle in self._scheduled if not handle.cancelled()), default=NEVER
        )

    def complete(self, coroutine: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine to its end. Raise TimeoutError if it takes too long."""
        try:
            with entered(self):
                self.run_until_complete(asyncio.wait_for(coroutine, LONGEST_SECONDS))
                for left in asyncio.all_tasks(self):
                    left.cancel()
                self.run_until_complete(asyncio.sleep(0))
        finally:
            self.close()

    def settle(self) -> None:
        """Run until all tasks are waiting, without time passing."""
        with entered(self):
            self.run_until_complete(self._settled())

    async def _settled(self) -> None:
        while self._ready or self._working:
            await asyncio.sleep(0)

    def turn(self, seconds: float) -> None:
        """Let `seconds` pass, and run everything that becomes due at its time."""
        self.settle()
        with entered(self):
            self.run_until_complete(asyncio.sleep(seconds))
        self.settle()

    def step(self) -> None:
        """Move on to the next scheduled call."""
        self.turn(max(self.next_at() - Loop.latest, 0.0))


@contextmanager
def entered(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Run this loop here, even if another test's browser has a loop running in this thread."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    asyncio.set_event_loop(loop)
    try:
        yield
    finally:
        asyncio.set_event_loop(running)
        asyncio._set_running_loop(running)

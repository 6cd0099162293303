"""An event loop whose time does not depend on the machine: it passes where everybody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["LONGEST_SECONDS", "Loop", "entered"]

LONGEST_SECONDS = 100_000.0
"""What has not come by then never comes."""

NEVER = 1e9


class Loop(asyncio.SelectorEventLoop):
    """An event loop without time of its own: where everybody waits, it goes on to what is next."""

    latest = 1000.0  # no loop of this process is earlier than the one before

    def __init__(self) -> None:
        super().__init__()
        self._working = 0

    def time(self) -> float:
        """The seconds that have passed, in all loops of this process."""
        return Loop.latest

    def run_in_executor(self, executor: Any, func: Any, *given: Any) -> Any:
        """Note that a thread works: no time passes until it is done."""
        work = super().run_in_executor(executor, func, *given)
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
        """When to look again whether something is due."""
        return min((one.when() for one in self._scheduled if not one.cancelled()), default=NEVER)

    def complete(self, coroutine: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine to its end. Raises TimeoutError if it waits for what never comes."""
        try:
            with entered(self):
                self.run_until_complete(asyncio.wait_for(coroutine, LONGEST_SECONDS))
                for left in asyncio.all_tasks(self):
                    left.cancel()
                self.run_until_complete(asyncio.sleep(0))
        finally:
            self.close()

    def settle(self) -> None:
        """Let everybody go on until everybody waits, in no time."""
        with entered(self):
            self.run_until_complete(self._settled())

    async def _settled(self) -> None:
        while self._ready or self._working:
            await asyncio.sleep(0)

    def turn(self, seconds: float) -> None:
        """Let so much time pass, and whatever is due in it happen when it is."""
        self.settle()
        with entered(self):
            self.run_until_complete(asyncio.sleep(seconds))
        self.settle()

    def step(self) -> None:
        """Go on to what is due next."""
        self.turn(max(self.next_at() - Loop.latest, 0.0))


@contextmanager
def entered(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Run this loop here. Another test's browser may have a loop running in this thread."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    asyncio.set_event_loop(loop)
    try:
        yield
    finally:
        asyncio.set_event_loop(running)
        asyncio._set_running_loop(running)

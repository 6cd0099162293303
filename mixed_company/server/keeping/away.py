"""State of a database that is not answering, and a thread that keeps trying to reach it.

A statement that waits for the database blocks everybody who is playing. After the first failure,
requests are therefore answered without the database until a separate thread has reached it again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from otree import database
from sqlalchemy.exc import SQLAlchemyError

from mixed_company.server.keeping.writer import Trouble

ASK_SECONDS = 1.0
LOCKED_SECONDS = 0.5

_log = logging.getLogger(__name__)


class Away:
    """Record of whether the database is responding.

    ask    queries the database, and raises SQLAlchemyError if it does not answer
    rest   waits between queries
    """

    def __init__(self, ask: Callable[[], object], rest: Callable[[float], object]) -> None:
        self._ask, self._rest = ask, rest
        self._lock = threading.Lock()
        self.trouble: Trouble | None = None

    def failed(self, error: BaseException) -> None:
        """Record that the database is not responding, and start the thread that tries to reach
        it."""
        with self._lock:
            if self.trouble is not None:
                return
            reason = str(getattr(error, "orig", error)).strip().split("\n")[0]
            self.trouble = Trouble(time.monotonic(), reason)
        _log.error("the database is not responding: %s", self.trouble.reason)
        threading.Thread(target=self._wait, name="database away", daemon=True).start()

    def _wait(self) -> None:
        while True:
            try:
                self._ask()
            except SQLAlchemyError:
                self._rest(ASK_SECONDS)
            else:
                with self._lock:
                    self.trouble = None
                _log.warning("the database is responding again")
                return


def _ask_database() -> None:
    """Begin a transaction that writes, and roll it back. Raises SQLAlchemyError."""
    from mixed_company.server.keeping.saving import (
        own_engine,  # needs oTree's models, which are loaded by then
    )

    if database.IN_MEMORY:  # it lives as long as the process
        return
    engine: Any = own_engine(LOCKED_SECONDS)
    with engine.connect() as connection:
        if engine.url.get_backend_name() == "sqlite":
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        else:
            connection.scalar("SELECT 1")


away = Away(_ask_database, time.sleep)

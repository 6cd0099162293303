"""PostgreSQL that does not answer: psycopg2 waits for it for ever, and everybody with it.

Here a connection gives up after a while in which nothing came, as the one of oTree should; those in
threads of their own (`server.keeping.saving.own_engine`) wait longer.
"""

from __future__ import annotations

import select
from typing import Any

from psycopg2 import OperationalError, extensions

from mixed_company.server.keeping.saving import PATIENCE

__all__ = ["be_brief"]


def be_brief(seconds: float) -> None:
    """Let connections of this process wait for so many seconds, unless they have a PATIENCE."""

    def wait(connection: Any) -> None:
        patience = getattr(connection, PATIENCE, seconds)
        while (state := connection.poll()) != extensions.POLL_OK:
            reads = [connection] if state == extensions.POLL_READ else []
            writes = [connection] if state == extensions.POLL_WRITE else []
            if not any(select.select(reads, writes, [], patience)):
                raise OperationalError(f"PostgreSQL did not answer for {patience:g} s")

    extensions.set_wait_callback(wait)

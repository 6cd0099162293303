"""Logins of the administrator: kept by the server, so that a cookie alone opens nothing.

A login ends when somebody logs out, after IDLE_SECONDS without a request, and when the password is
changed. It outlives a restart: the database has it, by the digest of what the cookie holds. Servers
side by side share the database, and ask it again every RECHECK_SECONDS.

While the database does not answer, whoever is logged in stays so, and the board stays open.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

from otree import database, settings
from otree.database import AnyModel
from sqlalchemy import Column, Integer, String
from sqlalchemy.exc import DBAPIError

from mixed_company.server.keeping.saving import own_engine

__all__ = ["IDLE_SECONDS", "AdminLogin", "begin", "end", "holds"]

IDLE_SECONDS = 8 * 3600
RECHECK_SECONDS = 5
AWAY_SECONDS = 30
"""So long the database is not asked again after it did not answer."""
SEEN_SECONDS = 60
"""The last request in the database is up to so old: an open board asks every second."""
LOCKED_SECONDS = 0.2
_BYTES = 24

_log = logging.getLogger(__name__)


class AdminLogin(AnyModel):
    """A login that has not ended: digests of its token and the password, and its last request."""

    token = Column(String(64), unique=True)
    password = Column(String(64))
    seen_s = Column(Integer)


@dataclass
class _Known:
    """A login in memory: its last request, and when the database was last asked about it."""

    seen: float
    checked: float


_known: dict[str, _Known] = {}


def begin(now: float | None = None) -> str:
    """Begin a login and return its token, for the cookie."""
    now = time.time() if now is None else now
    token = secrets.token_urlsafe(_BYTES)
    digest = _digest(token)
    _known[digest] = _Known(now, now)
    logins = AdminLogin.__table__
    _write(
        logins.delete().where(logins.c.seen_s < int(now) - IDLE_SECONDS),
        logins.insert().values(token=digest, password=_password(), seen_s=int(now)),
    )
    return token


def end(token: Any) -> None:
    """End a login, if there is one with this token."""
    digest = _digest(token)
    _known.pop(digest, None)
    _write(AdminLogin.__table__.delete().where(AdminLogin.__table__.c.token == digest))


def holds(token: Any, now: float | None = None) -> bool:
    """Return whether a login has not ended, and count this as a request."""
    if not isinstance(token, str):
        return False
    now = time.time() if now is None else now
    digest = _digest(token)
    known = _known.get(digest)
    if known is None or now - known.checked >= RECHECK_SECONDS:
        known = _ask(digest, known, now)
    if known is None or now - known.seen > IDLE_SECONDS:
        _known.pop(digest, None)
        return False
    known.seen = now
    return True


def _ask(digest: str, known: _Known | None, now: float) -> _Known | None:
    """Return a login as the database has it, or as it was where the database does not answer."""
    engine = _engine()
    if engine is None:
        return known
    try:
        with engine.begin() as connection:
            seen = _read(connection, digest, known, now)
    except DBAPIError as error:
        _log.warning("logins cannot be read: %s", error.orig)
        if known is not None:
            known.checked = now + AWAY_SECONDS
        return known
    if seen is None:
        return None
    _known[digest] = _Known(seen, now)
    return _known[digest]


def _read(connection: Any, digest: str, known: _Known | None, now: float) -> float | None:
    """Return the last request of a login, and write down that there is one now."""
    logins = AdminLogin.__table__
    mine = (logins.c.token == digest) & (logins.c.password == _password())
    row = connection.execute(logins.select().where(mine)).fetchone()
    if row is None:
        return None
    last = float(row.seen_s) if known is None else max(row.seen_s, known.seen)
    if now - row.seen_s >= SEEN_SECONDS and now - last <= IDLE_SECONDS:
        connection.execute(logins.update().where(mine).values(seen_s=int(now)))
    return last


def _write(*statements: Any) -> None:
    """Execute statements in one transaction beside oTree's; in memory alone if that fails."""
    engine = _engine()
    if engine is None:
        return
    try:
        with engine.begin() as connection:
            for statement in statements:
                connection.execute(statement)
    except DBAPIError as error:
        _log.warning("logins cannot be written: %s", error.orig)


@cache
def _engine() -> Any:
    """Return what makes connections beside oTree's; None: its database ends with the process."""
    return None if database.IN_MEMORY else own_engine(LOCKED_SECONDS)


def _digest(token: Any) -> str:
    return hashlib.sha256(str(token).encode()).hexdigest()


def _password() -> str:
    """Return the digest of the present name and password, by the server's secret key."""
    login = f"{settings.ADMIN_USERNAME}\n{settings.ADMIN_PASSWORD}"
    return hmac.new(str(settings.SECRET_KEY).encode(), login.encode(), hashlib.sha256).hexdigest()

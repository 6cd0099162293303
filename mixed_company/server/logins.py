"""The administrator's logins. The server stores them, so having a cookie is not enough to get
access.

A login ends when the administrator logs out, after IDLE_SECONDS without a request, or when the
password changes. It survives a restart because the database stores it under a digest of the
cookie's token. Several servers share the database, and recheck logins every RECHECK_SECONDS. While
the database is not responding, logins stay valid and the board stays available.
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

IDLE_SECONDS = 8 * 3600
RECHECK_SECONDS = 5
AWAY_SECONDS = 30
"""Pause between a query that the database did not answer and the next query."""
SEEN_SECONDS = 60
"""Interval at which a login's last request is stored. An open board sends a request every second,
and storing each one would be too much.
"""
LOCKED_SECONDS = 0.2
_BYTES = 24

_log = logging.getLogger(__name__)


class AdminLogin(AnyModel):
    """Login that is still valid: digests of its token and of the password, and its last request."""

    token = Column(String(64), unique=True)
    password = Column(String(64))
    seen_s = Column(Integer)


@dataclass
class _Login:
    """Login in memory: the times of its last request and of the last database query."""

    seen: float
    checked: float


_logins: dict[str, _Login] = {}


def begin(now: float | None = None) -> str:
    """Begin a login and return its token, for the cookie."""
    now = time.time() if now is None else now
    token = secrets.token_urlsafe(_BYTES)
    digest = _digest(token)
    _logins[digest] = _Login(now, now)
    logins = AdminLogin.__table__
    _write(
        logins.delete().where(logins.c.seen_s < int(now) - IDLE_SECONDS),
        logins.insert().values(token=digest, password=_password(), seen_s=int(now)),
    )
    return token


def end(token: Any) -> None:
    """End the login with this token, if there is one."""
    digest = _digest(token)
    _logins.pop(digest, None)
    _write(AdminLogin.__table__.delete().where(AdminLogin.__table__.c.token == digest))


def holds(token: Any, now: float | None = None) -> bool:
    """Return whether a login is still valid; record this as its last request."""
    if not isinstance(token, str):
        return False
    now = time.time() if now is None else now
    digest = _digest(token)
    login = _logins.get(digest)
    if login is None or now - login.checked >= RECHECK_SECONDS:
        login = _ask(digest, login, now)
    if login is None or now - login.seen > IDLE_SECONDS:
        _logins.pop(digest, None)
        return False
    login.seen = now
    return True


def _ask(digest: str, login: _Login | None, now: float) -> _Login | None:
    """Return a login from the database, or from memory if the database is not responding."""
    engine = _engine()
    if engine is None:
        return login
    try:
        with engine.begin() as connection:
            seen = _read(connection, digest, login, now)
    except DBAPIError as error:
        _log.warning("logins cannot be read: %s", error.orig)
        if login is not None:
            login.checked = now + AWAY_SECONDS
        return login
    if seen is None:
        return None
    _logins[digest] = _Login(seen, now)
    return _logins[digest]


def _read(connection: Any, digest: str, login: _Login | None, now: float) -> float | None:
    """Return the time of a login's last request, and record this one."""
    logins = AdminLogin.__table__
    mine = (logins.c.token == digest) & (logins.c.password == _password())
    row = connection.execute(logins.select().where(mine)).fetchone()
    if row is None:
        return None
    last = float(row.seen_s) if login is None else max(row.seen_s, login.seen)
    if now - row.seen_s >= SEEN_SECONDS and now - last <= IDLE_SECONDS:
        connection.execute(logins.update().where(mine).values(seen_s=int(now)))
    return last


def _write(*statements: Any) -> None:
    """Execute statements in one transaction, separate from oTree's; ignore database errors."""
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
    """Return an engine separate from oTree's, or None if the database is in memory."""
    return None if database.IN_MEMORY else own_engine(LOCKED_SECONDS)


def _digest(token: Any) -> str:
    return hashlib.sha256(str(token).encode()).hexdigest()


def _password() -> str:
    """Return a digest of the current username and password, keyed by the server's secret key."""
    login = f"{settings.ADMIN_USERNAME}\n{settings.ADMIN_PASSWORD}"
    return hmac.new(str(settings.SECRET_KEY).encode(), login.encode(), hashlib.sha256).hexdigest()

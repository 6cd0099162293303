"""The keys of exports: by which people are replaced, and by which a file is sealed.

Each follows from the server's secret key: so it is the same in all exports of a server and of the
servers beside it, also on a new database, is kept nowhere, and a copy of the database does not have
it. It is drawn slowly, since codes are published: who knows one person's label could try out secret
keys by it. With the published secret key everybody could try labels; then codes are drawn by a key
that is thrown away, and hold within one file.
"""

from __future__ import annotations

import hashlib
import secrets

from otree import settings

from mixed_company.server.secret_key import PUBLISHED
from mixed_company.table.export import Anonymous

__all__ = ["OF_ONE_FILE", "anonymous", "of_server", "sealing_key"]

OF_ONE_FILE = (
    "codes of people hold in this file alone: OTREE_SECRET_KEY is not set here as it is for a "
    "server that others can reach"
)
_SALT = b"mixed-company: codes of people"
_SEALING = b"mixed-company: seals of exports"
_BYTES = 32
_COST = 1 << 15


def of_server(texts: bool) -> Anonymous:
    """Return the codes that make rows anonymous on this server."""
    return anonymous(str(settings.SECRET_KEY), texts)


def anonymous(secret: str, texts: bool) -> Anonymous:
    """Return the codes that make rows anonymous on the server with this secret key."""
    if not secret or secret == PUBLISHED:
        return Anonymous(secrets.token_bytes(_BYTES), lasting=False, texts=texts)
    return Anonymous(_drawn(secret, _SALT), texts=texts)


def sealing_key(secret: str | None = None) -> bytes:
    """What seals the exports of this server, or of the one with this secret key.

    Nothing where everybody knows the secret key.
    """
    own = str(settings.SECRET_KEY) if secret is None else secret
    return _drawn(own, _SEALING) if own and own != PUBLISHED else b""


def _drawn(secret: str, salt: bytes) -> bytes:
    cost = {"n": _COST, "r": 8, "p": 1, "maxmem": 1 << 26}
    return hashlib.scrypt(secret.encode(), salt=salt, dklen=_BYTES, **cost)

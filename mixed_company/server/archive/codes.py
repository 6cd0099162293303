"""Keys of exports: one replaces people's codes, the other seals a file.

Each is derived from the server's secret key. So it is the same in all exports of a server and its
neighbours, even on a new database. It is stored nowhere, and a copy of the database does not
contain it. The derivation is slow because codes are published, and a person's label could be used
to try out secret keys. With the published secret key anybody could try labels. Then a random key is
used, and codes are valid within one file only.
"""

from __future__ import annotations

import hashlib
import secrets

from otree import settings

from mixed_company.server.secret_key import PUBLISHED
from mixed_company.table.export import Anonymous

__all__ = ["OF_ONE_FILE", "anonymous", "of_server", "sealing_key"]

OF_ONE_FILE = (
    "codes of people are valid in this file only, because OTREE_SECRET_KEY is not set here as on a "
    "public server"
)
_SALT = b"mixed-company: codes of people"
_SEALING = b"mixed-company: seals of exports"
_BYTES = 32
_COST = 1 << 15


def of_server(texts: bool) -> Anonymous:
    """Return the codes that anonymise rows of this server."""
    return anonymous(str(settings.SECRET_KEY), texts)


def anonymous(secret: str, texts: bool) -> Anonymous:
    """Return the codes that anonymise rows of a server with this secret key."""
    if not secret or secret == PUBLISHED:
        return Anonymous(secrets.token_bytes(_BYTES), lasting=False, texts=texts)
    return Anonymous(_drawn(secret, _SALT), texts=texts)


def sealing_key(secret: str | None = None) -> bytes:
    """Return the key that seals the exports of a server, by default of this one.

    It is empty if the secret key is the published one.
    """
    server_key = str(settings.SECRET_KEY) if secret is None else secret
    return _drawn(server_key, _SEALING) if server_key and server_key != PUBLISHED else b""


def _drawn(secret: str, salt: bytes) -> bytes:
    cost = {"n": _COST, "r": 8, "p": 1, "maxmem": 1 << 26}
    return hashlib.scrypt(secret.encode(), salt=salt, dklen=_BYTES, **cost)

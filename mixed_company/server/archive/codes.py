"""Keys for exports: one derives participants' codes in anonymous files, the other seals a file.

Both are derived from the server's secret key, so they are the same in all exports from servers with
that key, even if the database is new. They are not stored anywhere, so copies of the database do
not contain them. The derivation is slow on purpose: codes are published, and somebody who knows a
person's label could otherwise use them to guess the secret key. If the secret key is the published
one, anybody could work out the labels. A random key is then used instead, and codes are consistent
only within one file.
"""

from __future__ import annotations

import hashlib
import secrets

from otree import settings

from mixed_company.server.secret_key import PUBLISHED
from mixed_company.table.export import Anonymous

OF_ONE_FILE = (
    "participants' codes are valid only in this file, because OTREE_SECRET_KEY is not set to a "
    "private key"
)
_SALT = b"mixed-company: codes of people"
_SEALING = b"mixed-company: seals of exports"
_BYTES = 32
_COST = 1 << 15


def of_server(texts: bool) -> Anonymous:
    """Return the rules that make rows from this server anonymous; `texts` keeps the texts that
    people wrote.
    """
    return anonymous(str(settings.SECRET_KEY), texts)


def anonymous(secret: str, texts: bool) -> Anonymous:
    """Return the rules that make rows from a server with this secret key anonymous."""
    if not secret or secret == PUBLISHED:
        return Anonymous(secrets.token_bytes(_BYTES), lasting=False, texts=texts)
    return Anonymous(_drawn(secret, _SALT), texts=texts)


def sealing_key(secret: str | None = None) -> bytes:
    """Return the key that seals exports, derived from `secret` or this server's secret key.

    The result is empty if the secret key is empty or the published one.
    """
    server_key = str(settings.SECRET_KEY) if secret is None else secret
    return _drawn(server_key, _SEALING) if server_key and server_key != PUBLISHED else b""


def _drawn(secret: str, salt: bytes) -> bytes:
    cost = {"n": _COST, "r": 8, "p": 1, "maxmem": 1 << 26}
    return hashlib.scrypt(secret.encode(), salt=salt, dklen=_BYTES, **cost)

"""The key by which an export without personal data replaces who people are.

It follows from the server's secret key: so it is the same in all exports of a server and of the
servers beside it, also on a new database, is kept nowhere, and a copy of the database does not have
it. It is drawn slowly, since codes are published: who knows one person's label could try out secret
keys by it. With the published secret key everybody could try labels; then codes are drawn by a key
that is thrown away, and hold within one file.
"""

from __future__ import annotations

import hashlib
import secrets

from otree import settings

from server.secret_key import PUBLISHED
from table.export import Anonymous

__all__ = ["OF_ONE_FILE", "anonymous", "of_server"]

OF_ONE_FILE = (
    "codes of people hold in this file alone: OTREE_SECRET_KEY is not set here as it is for a "
    "server that others can reach"
)
_SALT = b"mixed-company: codes of people"
_BYTES = 32
_COST = 1 << 15


def of_server(texts: bool) -> Anonymous:
    """What makes rows anonymous on this server."""
    return anonymous(str(settings.SECRET_KEY), texts)


def anonymous(secret: str, texts: bool) -> Anonymous:
    """What makes rows anonymous on the server with this secret key."""
    if not secret or secret == PUBLISHED:
        return Anonymous(secrets.token_bytes(_BYTES), lasting=False, texts=texts)
    cost = {"n": _COST, "r": 8, "p": 1, "maxmem": 1 << 26}
    return Anonymous(hashlib.scrypt(secret.encode(), salt=_SALT, dklen=_BYTES, **cost), texts=texts)

"""The key that signs cookies: whoever knows it can be the administrator."""

from __future__ import annotations

from ipaddress import ip_address

from mixed_company.engine.contract.errors import ConfigError

__all__ = ["PUBLISHED", "check"]

PUBLISHED = "only for playing on one's own machine"
"""Stands in the sources, so that everybody knows it."""


def check(key: str, auth_level: str | None, address: str) -> None:
    """May a server with this key be reached at this address? Raises ConfigError, which says how.

    `auth_level` is OTREE_AUTH_LEVEL: with it people have to log in, which the key is to protect.
    """
    if key and key != PUBLISHED:
        return
    alone = _is_this_machine(address)
    if alone and not auth_level:
        return
    where = f"OTREE_AUTH_LEVEL = {auth_level}" if auth_level else f"a server at {address}"
    raise ConfigError(
        f"SECRET_KEY is {'the published one' if key else 'empty'}: {where} needs one that nobody "
        "knows. Set the variable OTREE_SECRET_KEY to what this prints, and keep it: "
        'python -c "import secrets; print(secrets.token_hex(32))"'
    )


def _is_this_machine(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"

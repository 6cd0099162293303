"""Secret key, which signs cookies; anybody who knows it can act as the administrator."""

from __future__ import annotations

from ipaddress import ip_address

from mixed_company.engine.contract.errors import ConfigError

PUBLISHED = "only for playing on your own machine"
"""Default key, which is in the public source code."""


def check(key: str, auth_level: str | None, address: str) -> None:
    """Check that a server with this key may listen on this address.

    Raises a ConfigError with a message that explains how to set a key. `auth_level` is
    OTREE_AUTH_LEVEL: if it is set, people must log in, and the key protects these logins.
    """
    if key and key != PUBLISHED:
        return
    alone = _is_this_machine(address)
    if alone and not auth_level:
        return
    where = f"OTREE_AUTH_LEVEL = {auth_level}" if auth_level else f"a server at {address}"
    raise ConfigError(
        f"SECRET_KEY is {'the published default' if key else 'empty'}: {where} needs a private "
        "key. Set the variable OTREE_SECRET_KEY to the output of this command, and keep it: "
        'python -c "import secrets; print(secrets.token_hex(32))"'
    )


def _is_this_machine(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"

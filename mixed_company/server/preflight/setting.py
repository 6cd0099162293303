"""Is the server closed to others, and does it tell nothing that it should not?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server import rest_key, secret_key
from mixed_company.server.preflight.finding import Finding, go, look, stop

__all__ = ["of_server"]

SHORT = 12
"""A password with fewer characters is guessed sooner or later."""


def of_server(variables: Mapping[str, str], key: str, address: str) -> Iterator[Finding]:
    """`variables` are the server's, `key` its SECRET_KEY, `address` where it listens."""
    level = variables.get("OTREE_AUTH_LEVEL", "")
    if level == "STUDY":  # with DEMO everybody creates sessions, and sees who earns what
        yield go("Pages of the administrator want a login (OTREE_AUTH_LEVEL = STUDY).")
        yield _password(variables.get("OTREE_ADMIN_PASSWORD", ""))
    else:
        yield stop(
            "Everybody who reaches the server can create sessions and read all data: set "
            "OTREE_AUTH_LEVEL to STUDY."
        )
    try:
        secret_key.check(key, level or None, address)
        yield go("The key that signs the administrator's login is not the published one.")
    except ConfigError as error:
        yield stop(f"{error}.")
    if variables.get("OTREE_PRODUCTION"):
        yield go("Errors show people no source text (OTREE_PRODUCTION is set).")
    else:
        yield stop("Errors show people the source text: set OTREE_PRODUCTION to 1.")
    try:
        rest_key.check(variables)
    except ConfigError as error:
        yield stop(f"{error}.")
        return
    if variables.get("OTREE_REST_KEY"):
        yield go("REST wants a key (OTREE_REST_KEY is set).")
    else:
        yield look("REST has no key: with a login wanted, nobody can use it (OTREE_REST_KEY).")


def _password(password: str) -> Finding:
    if not password:
        return stop("The administrator has no password: set OTREE_ADMIN_PASSWORD.")
    if len(password) < SHORT:
        what = f"The administrator's password has {len(password)} characters"
        return look(f"{what}; {SHORT} or more are not guessed.")
    return go(f"The administrator has a password of {len(password)} characters.")

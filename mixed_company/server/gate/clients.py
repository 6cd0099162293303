"""Whose a request is."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from urllib.parse import parse_qs

from mixed_company.server.gate.refusals import Scope

__all__ = ["address_of", "participant_of"]

_BEFORE_A_CODE = ("p", "InitializeParticipant", "OutOfRangeNotification")


def address_of(scope: Scope) -> str:
    """The address a request comes from; of the sixth version its network, which is one client's.

    Behind a proxy that the server trusts (FORWARDED_ALLOW_IPS), what the proxy says it is.
    """
    host = str((scope.get("client") or ("unknown",))[0])
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"


def participant_of(scope: Scope) -> str | None:
    """The code of the participant whose page or socket it is; None where the address has none.

    A code is taken as it is: whether there is such a participant, only oTree knows.
    """
    parts = scope["path"].split("/")
    if len(parts) > 2 and parts[1] in _BEFORE_A_CODE:
        return str(parts[2])
    if scope["type"] != "websocket":
        return None
    query: dict[str, list[str]] = parse_qs(scope["query_string"].decode("latin-1"))
    return query["participant_code"][0] if "participant_code" in query else None

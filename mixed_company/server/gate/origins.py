"""Check that sockets and changes come from a page of this server.

A browser sends cookies with a socket or form from any page, and names that page in `Origin`. A page
on another port or subdomain could therefore act as the logged-in admin. Programs send no `Origin`;
their keys and codes are checked elsewhere.

Over HTTPS, or on the same machine, browsers also send `Sec-Fetch-Site`, which says how the page's
site relates to this server's site. This header works behind any proxy, and it also covers links.

If a proxy changes the `Host` header, set the public addresses before the server starts:

    export MIXED_ORIGINS="https://lab.example.org, https://lab.example.org:8443"
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from mixed_company.engine.contract.errors import ConfigError, short
from mixed_company.server.gate.request import Refused, Scope

VARIABLE = "MIXED_ORIGINS"
_READS = ("GET", "HEAD", "OPTIONS")
_OTHERS = ("same-site", "cross-site")
_PORTS = {"http": "80", "https": "443"}


def read(text: str) -> frozenset[str]:
    """Return the comma-separated origins in `text`. Raises ConfigError for a part that is not an
    origin.
    """
    named = [part.strip() for part in text.split(",") if part.strip()]
    for origin in named:
        parts = urlsplit(origin)
        if parts.scheme not in _PORTS or not parts.netloc or parts.path or parts.query:
            rule = "should look like https://lab.example.org, without a path"
            raise ConfigError(f"{VARIABLE}: {short(origin)}: {rule}")
    return frozenset(map(_plain, named))


def origins() -> frozenset[str]:
    """Return the public origins set in the environment. Raises ConfigError."""
    return read(os.environ.get(VARIABLE, ""))


def check_origin(scope: Scope, public: frozenset[str]) -> None:
    """Check that the socket is opened, or the form sent, by a page of this server. Raises
    Refused.

    The origin must be in `public`, or match the host and port of the request.
    """
    headers = dict(scope["headers"])
    origin = headers.get(b"origin", b"").decode("latin-1").strip()
    if not origin:
        return
    host = headers.get(b"host", b"").decode("latin-1")
    scheme = origin.partition("://")[0].lower()
    if _plain(origin) not in {*public, _plain(f"{scheme}://{host}")}:
        reason = f"the page is not from this server ({short(host)})"
        raise Refused(403, f"origin {short(origin)}: {reason}")


def check_sender(scope: Scope, public: frozenset[str]) -> None:
    """Check that a request that changes data does not come from a page of another origin. Raises
    Refused.
    """
    site = dict(scope["headers"]).get(b"sec-fetch-site", b"")
    if scope["method"] not in _READS and site not in (b"same-origin", b"none"):
        check_origin(scope, public)


def is_link_of_others(headers: Mapping[str, str]) -> bool:
    """Return whether the browser says that a link from another origin led here."""
    return headers.get("sec-fetch-site") in _OTHERS


def _plain(origin: str) -> str:
    """Return an origin in lower case, without the default port of its scheme."""
    scheme, _, host = origin.lower().partition("://")
    name, _, port = host.rpartition(":")
    return f"{scheme}://{name if name and port == _PORTS.get(scheme) else host}"

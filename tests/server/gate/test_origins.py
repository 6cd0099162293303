"""Only this server's pages may open sockets, under any host name of the server."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.gate import Refused
from mixed_company.server.gate.origins import check_origin, check_sender, read


def scope(origin: str | None, host: str, method: str = "GET", site: str = "") -> dict[str, Any]:
    named = {"host": host, "origin": origin, "sec-fetch-site": site}
    headers = [(key.encode(), value.encode()) for key, value in named.items() if value]
    return {"method": method, "headers": headers}


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, "lab.example"),  # a program
        ("https://lab.example", "lab.example"),
        ("https://lab.example", "lab.example:443"),
        ("https://lab.example:443", "LAB.example"),
        ("http://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
    ],
)
def test_a_page_of_this_server_opens_sockets(origin, host):
    check_origin(scope(origin, host), frozenset())


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:9000", "127.0.0.1:8000"),  # another port
        ("https://other.example", "lab.example"),
        ("https://www.lab.example", "lab.example"),  # a subdomain
        ("https://lab.example.evil.example", "lab.example"),
        ("https://lab.example:8443", "lab.example"),
        ("http://lab.example:443", "lab.example"),
        ("null", "lab.example"),  # a page in a sandbox, or a file
        ("://", "lab.example"),
    ],
)
def test_a_page_of_another_server_does_not_open_sockets(origin, host):
    with pytest.raises(Refused, match="is not from this server") as refused:
        check_origin(scope(origin, host), frozenset())
    assert refused.value.status == 403


def test_a_public_origin_is_admitted_behind_a_proxy_that_changes_the_host():
    public = read("https://lab.example, https://lab.example:8443")
    for origin in ("https://lab.example", "https://LAB.example:443", "https://lab.example:8443"):
        check_origin(scope(origin, "10.0.0.5:8000"), public)
    with pytest.raises(Refused):
        check_origin(scope("https://other.example", "10.0.0.5:8000"), public)


@pytest.mark.parametrize("text", ["lab.example", "https://lab.example/join", "ftp://a", "https://"])
def test_an_invalid_origin_is_refused_by_name(text):
    with pytest.raises(ConfigError, match=r"MIXED_ORIGINS: .*should look like https://"):
        read(text)


OTHER, HOST = "https://other.example", "lab.example"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("site", ["", "same-site", "cross-site"])
def test_a_form_of_another_page_is_refused(method, site):
    with pytest.raises(Refused, match="is not from this server"):
        check_sender(scope(OTHER, HOST, method, site), frozenset())
    check_sender(scope(OTHER, HOST, method, site), read(OTHER))
    check_sender(scope(f"https://{HOST}", HOST, method), frozenset())
    check_sender(scope(None, HOST, method), frozenset())  # a program


def test_a_form_of_this_server_passes_behind_a_proxy_that_changes_the_host():
    check_sender(scope("https://lab.example", "10.0.0.5", "POST", "same-origin"), frozenset())


def test_pages_can_be_read_from_everywhere():
    check_sender(scope(OTHER, HOST, "GET", "cross-site"), frozenset())

"""The files for Caddy and nginx: which server handles an address, and which proxies are trusted."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from mixed_company.server.fleet.entrance import Entrance
from mixed_company.server.fleet.proxy import caddyfile, caddyfile_of_site, nginx_conf

ENTRANCE = Entrance("127.0.0.1", 8000, [8001, 8002, 8003])
RULES: dict[Callable[[Entrance], str], str] = {
    caddyfile: r"map {uri} {server} {\n(.*?)\n\t}",
    nginx_conf: r"map \$request_uri \$server {\n(.*?)\n    }",
}
FILES = pytest.mark.parametrize("file", list(RULES))


def sent_to(file: Callable[[Entrance], str], address: str) -> str:
    """Apply the rules as both proxies do: the first matching pattern, or the default."""
    [rules] = re.findall(RULES[file], file(ENTRANCE), re.DOTALL)
    for line in rules.splitlines():
        pattern, server = line.strip().rstrip(";").rsplit(" ", 1)
        if pattern == "default" or re.search(pattern[2:-1], address):
            return server
    raise AssertionError("no default rule")


@FILES
@pytest.mark.parametrize(
    ("address", "port"),
    [
        # letters go to the three servers in turn: a, d, g ... to the first, b, e, h ... to the
        # second
        ("/p/k3v9x2ma/commons_game/Play/4", 8001),
        ("/p/k3v9x2mb/commons_game/Play/4", 8002),
        ("/p/k3v9x2m0/commons_game/Play/4", 8003),  # 0 comes after z, the 26th letter
        ("/live?page_index=4&participant_code=k3v9x2mc&page_name=Play", 8003),
        ("/SessionMonitor/k3v9x2me", 8002),
        ("/api/sessions/k3v9x2mf", 8003),
        ("/api/export_app_custom?app=commons_game&session_code=k3v9x2mb", 8002),
        ("/InitializeParticipant/k3v9x2mb", 8001),
        ("/api/sessions", 8001),
        ("/create_session", 8001),
        ("/room/labbbbbb", 8001),
        ("/join/babecidu", 8001),
        ("/static/mixed/page.css", 8001),
        ("/live_state?server=3", 8003),
        ("/", 8001),
    ],
)
def test_an_address_goes_to_its_server(file, address, port):
    assert sent_to(file, address) == f"127.0.0.1:{port}"


@FILES
def test_every_brace_is_closed_and_every_placeholder_filled(file):
    text = file(ENTRANCE)
    assert text.count("{") == text.count("}")
    assert set(re.findall(r"[A-Z]{4,}", text)) <= {"ERROR"}


def test_each_host_is_listened_on_and_127_0_0_1_for_the_timeout_worker():
    outside = Entrance("192.0.2.1", 8000, [8001, 8002])
    assert "http://:8000 {\n\tbind 192.0.2.1 127.0.0.1\n" in caddyfile(outside)
    assert "listen 192.0.2.1:8000;\n        listen 127.0.0.1:8000;\n" in nginx_conf(outside)
    everywhere = Entrance("::", 8000, [8001, 8002])
    assert "\tbind ::\n" in caddyfile(everywhere)
    assert "listen [::]:8000 ipv6only=off;" in nginx_conf(everywhere)


def test_proxies_in_front_are_trusted_as_the_variable_says():
    trusting = Entrance("127.0.0.1", 8000, [8001], trusted="192.0.2.1, 127.0.0.1")
    assert caddyfile(trusting).count("192.0.2.1 127.0.0.1\n") == 2
    assert "        192.0.2.1 1;\n        127.0.0.1 1;\n        default 0;" in nginx_conf(trusting)
    everybody = Entrance("127.0.0.1", 8000, [8001], trusted="*")
    assert "remote_ip 0.0.0.0/0 ::/0\n" in caddyfile(everybody)
    assert "        0.0.0.0/0 1;\n        ::/0 1;\n" in nginx_conf(everybody)


def test_a_site_is_served_besides_the_port():
    site = Entrance("127.0.0.1", 8000, [8001, 8002], site="lab.example.org")
    assert caddyfile(site).endswith("}\nlab.example.org {\n\timport servers\n}\n")
    assert site.url == "https://lab.example.org"
    assert ENTRANCE.url == "http://127.0.0.1:8000"


def test_a_file_for_an_existing_caddy_contains_only_the_site():
    text = caddyfile_of_site(ENTRANCE)
    assert text.startswith("# Written by `mixed serve --servers 3 --port 8000 --caddyfile FILE`:")
    assert text.endswith("}\n:80 {\n\timport servers\n}\n")
    assert "admin off" not in text
    assert "8000 {" not in text

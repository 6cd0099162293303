"""The file for Caddy sends every address where the front sends it."""

from __future__ import annotations

import re

import pytest

from server.fleet.addresses import server_of
from server.fleet.caddyfile import caddyfile

PORTS = [8001, 8002, 8003]


def maps(text: str) -> list[list[tuple[str, str]]]:
    """The rules of its two maps, in order: pattern and value; the default has no pattern."""
    blocks = re.findall(r"map \S+ \S+ \{\n(.*?)\n    \}", text, re.DOTALL)
    return [
        [
            (match[1], match[2])
            if (match := re.match(r"\s*`~(.*)` (\S+)$", line))
            else ("", line.split()[-1])
            for line in rules.splitlines()
        ]
        for rules in blocks
    ]


def sent_to(text: str, address: str) -> str:
    """As Caddy goes through it: the first rule that fits, with what it has caught."""
    value = address
    for rules in maps(text):
        pattern, value_of = next(rule for rule in rules if re.search(rule[0], value))
        caught = re.search(pattern, value)
        value = caught["letter"] if value_of == "${letter}" and caught else value_of
    return value


@pytest.mark.parametrize("letter", "abc089")
@pytest.mark.parametrize(
    "address",
    [
        "/p/k3v9x2m{}/commons_game/Play/4",
        "/live?page_index=4&participant_code=k3v9x2m{}&page_name=Play",
        "/SessionMonitor/k3v9x2m{}",
        "/api/sessions/k3v9x2m{}",
        "/InitializeParticipant/k3v9x2m{}",
        "/api/sessions",
        "/room/lab{}",
    ],
)
def test_an_address_goes_to_the_server_to_which_the_front_sends_it(address, letter):
    address = address.format(letter)
    right = f"127.0.0.1:{PORTS[server_of(address, 3)]}"
    assert sent_to(caddyfile(":80", 8000, PORTS), address) == right


def test_it_is_for_a_site_and_knows_where_all_servers_are_looked_at():
    text = caddyfile("lab.example.org", 8000, PORTS)
    assert "\nlab.example.org {\n" in text
    assert "reverse_proxy /live_state 127.0.0.1:8000\n" in text
    assert text.count("{") == text.count("}")

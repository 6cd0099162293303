"""Test that a server whose port is taken starts on another port."""

from __future__ import annotations

import socket

import pytest
import requests

from tests.door.harness import Server

pytestmark = [pytest.mark.door, pytest.mark.long]


def test_a_server_whose_port_is_taken_starts_on_another(tmp_path):
    server = Server(tmp_path / "project")
    taken = server.port
    with socket.socket() as other:
        other.bind(("127.0.0.1", taken))
        other.listen()
        with server:
            assert server.port != taken
            assert requests.get(f"{server.url}/demo", timeout=60).status_code == 200

"""Tests of `mixed serve`: its errors before anything starts, and the file that it writes."""

from __future__ import annotations

import socket

import pytest

from mixed_company.__main__ import main
from mixed_company.server.secret_key import PUBLISHED

pytest.importorskip("otree", reason="needs the `server` extra")


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["--servers", "0"], "--servers = 0: should be from 1 to 36\n"),
        (["--servers", "2", "--port", "65534"], "--port = 65534: should be from 1 to 65533\n"),
        (
            ["--servers", "2"],
            "DATABASE_URL = '': SQLite allows only one writer, so several servers need",
        ),
        ([], "--servers: is missing; set a number, such as one per core\n"),
        (
            ["--restart", "--port", "1"],
            "--port = 1: no `mixed serve` from this folder is running there\n",
        ),
    ],
)
def test_impossible_requests_are_refused(capsys, monkeypatch, arguments, refusal):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(["serve", *arguments]) == 2
    assert capsys.readouterr().err.startswith(refusal)


def test_the_published_key_is_refused_where_others_can_connect(capsys, monkeypatch):
    """Reject the option because of the proxy: only this machine can reach the servers
    themselves."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    monkeypatch.setattr("settings.SECRET_KEY", PUBLISHED)
    monkeypatch.delenv("OTREE_AUTH_LEVEL", raising=False)
    for option, place in (("--host", "0.0.0.0"), ("--site", "lab.example.org")):
        assert main(["serve", "--servers", "2", option, place]) == 2
        refusal = f"SECRET_KEY is the published default: a server at {place} needs a private key"
        assert capsys.readouterr().err.startswith(refusal)


def test_a_site_needs_a_proxy_that_gets_a_certificate(capsys, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    monkeypatch.setattr("settings.SECRET_KEY", "k" * 40)
    arguments = ["--servers", "2", "--proxy", "nginx", "--site", "lab.example.org"]
    assert main(["serve", *arguments]) == 2
    refusal = "--site = lab.example.org: nginx cannot obtain a certificate; use Caddy\n"
    assert capsys.readouterr().err == refusal


def test_a_busy_port_behind_the_proxy_is_refused(capsys, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--servers", "1", "--proxy", "nginx", "--port", str(port - 1)]) == 2
    assert capsys.readouterr().err.startswith(f"--port = {port}: already in use; ")


def test_the_file_for_caddy_is_written_and_nothing_started(capsys, monkeypatch, tmp_path):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    file = tmp_path / "Caddyfile"
    arguments = ["--servers", "2", "--caddyfile", str(file), "--site", "lab.example.org"]
    assert main(["serve", *arguments]) == 0
    assert capsys.readouterr().out == f"written: {file}\n"
    assert "lab.example.org {" in file.read_text()
    assert "127.0.0.1:8002" in file.read_text()

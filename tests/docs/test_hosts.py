"""Tests that the files for hosts agree with each other and with the documents."""

from __future__ import annotations

import re

from tests.project import ROOT

HOSTS = ROOT / "docs" / "hosts"


def read(name: str) -> str:
    return (HOSTS / name).read_text()


def variables(text: str) -> set[str]:
    return set(re.findall(r"\b(?:OTREE_[A-Z_]+|DATABASE_URL|FORWARDED_ALLOW_IPS)\b", text))


def test_every_variable_that_a_server_needs_is_set_on_every_host() -> None:
    needed = {
        name
        for name in variables((ROOT / "SECURITY.md").read_text())
        if name != "FORWARDED_ALLOW_IPS"  # needed only for proxies on other machines
    } | {"DATABASE_URL"}
    assert len(needed) == 6
    for name in ("mixed-company.env", "compose.yaml"):
        assert needed <= variables(read(name)), name


def test_the_proxy_forwards_to_the_port_of_the_server() -> None:
    [address] = re.findall(r"prodserver (\S+)", read("mixed-company.service"))
    assert f"proxy_pass http://{address};" in read("nginx.conf")
    [inside] = re.findall(r'"prodserver", "0\.0\.0\.0:(\d+)"', read("Dockerfile"))
    assert f'- "{address}:{inside}"' in read("compose.yaml")


def test_the_document_names_every_file_and_no_missing_one() -> None:
    text = (ROOT / "docs" / "hosts.md").read_text()
    named = set(re.findall(r"hosts/([\w.-]+\w)", text))
    files = {path.name for path in HOSTS.iterdir() if path.suffix != ".dockerignore"}
    assert named == files

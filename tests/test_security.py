"""Tests that SECURITY.md and the file of hashes are correct."""

from __future__ import annotations

import re
from dataclasses import asdict
from importlib.metadata import requires

import pytest

from docs.requirements import ROOT, pins
from mixed_company.server.gate.limits import Limits

TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
HASHED = ROOT / "requirements-hashed.txt"


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def hashes() -> dict[str, int]:
    """Return the number of allowed files by `name==version`."""
    entries = re.split(r"\n(?=[a-zA-Z])", HASHED.read_text(encoding="utf-8"))
    matches = (re.match(r"([\w.-]+)==([\w.]+)", entry) for entry in entries)
    return {
        f"{plain(match[1])}=={match[2]}": len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry))
        for entry, match in zip(entries, matches, strict=True)
        if match
    }


def test_the_documented_limits_match_the_gate() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \| [a-z]", TEXT, flags=re.M)
    counted = re.findall(r"^\| `(\w+)` \| (\d+) \| ([\d.]+) \|", TEXT, flags=re.M)
    rows += [(f"{limit}_at_once", number) for limit, number, _ in counted]
    rows += [(f"{limit}_per_second", number) for limit, _, number in counted]
    assert dict(rows) == {name: str(value) for name, value in asdict(Limits()).items()}


def test_every_library_that_otree_pins_is_among_the_advisories() -> None:
    table = TEXT.partition("and their advisories")[2].partition("## What is installed")[0].lower()
    pinned = [line.partition("==") for line in requires("otree") or []]
    assert len(pinned) >= 10
    for name, _, version in pinned:
        assert f"{name} {version}".lower() in table


def test_everything_that_a_server_installs_has_hashes() -> None:
    files = hashes()
    assert all(files.values())
    for line in [*pins("server"), *(requires("otree") or [])]:
        name, _, version = line.partition("==")
        assert f"{plain(name)}=={version}" in files


def test_a_library_missing_from_the_file_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_security.pins", lambda *_: ["numpy==0.1"])
    with pytest.raises(AssertionError):
        test_everything_that_a_server_installs_has_hashes()

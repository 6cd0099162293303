"""Every command that takes `--key` names every kind of change to a sealed export."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mixed_company import analysis
from mixed_company.__main__ import parser_of
from mixed_company.analysis import blinding, paper, report
from mixed_company.analysis.audit import wording
from mixed_company.cli import command
from tests.analysis.audit.faults import contents_of, written
from tests.analysis.audit.planting import KEY, Manifest, Tables, packed, records, tables_of

NAME = "commons_quota"
ARGUMENTS: dict[str, list[str]] = {
    "check": ["check"],
    "report": ["report"],
    "plan": ["plan", "report", NAME],
    "paper": ["paper", NAME],
}
"""Arguments before the export, by command."""


def _table(tables: Tables, _manifest: Manifest) -> None:
    head, first, *_ = tables["outcomes"]
    first[head.index("payment")] = "99.0"


def _seal(_tables: Tables, manifest: Manifest) -> None:
    manifest["sealed"]["seal"] = "0" * 64


def _plan(_tables: Tables, manifest: Manifest) -> None:
    for session in manifest["sessions"].values():
        session["plan"]["digest"] = "0" * 64


def _manifest(_tables: Tables, manifest: Manifest) -> None:
    manifest["made"] = "2020-01-01T00:00:00+00:00"


def _unsealed(_tables: Tables, manifest: Manifest) -> None:
    del manifest["sealed"]


FORGERIES: list[Callable[[Tables, Manifest], None]] = [_table, _seal, _plan, _manifest, _unsealed]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a sealed export of simulated groups, as if they had played a plan's session."""
    path = tmp_path_factory.mktemp("key") / "good.zip"
    parts = [
        analysis.simulated(
            *("commons_game", ["noisy_person"] * 4),
            groups=1,
            seed=seed,
            treatment=name,
            periods=3,
        )
        for seed, name in enumerate(("open", "quota"))
    ]
    data = analysis.joined(*parts)
    analysis.save(replace(data, config=data.config.assign(session_config=NAME)), path)
    files = contents_of(path)
    manifest = json.loads(files["manifest.json"])
    tables = tables_of(files, manifest)
    about = {"session_config": NAME, "plan": {"name": NAME, "digest": "1" * 64}}
    manifest["sessions"] = {row["session"]: about for row in records(tables["config"])}
    return packed(path, files, tables, manifest, KEY)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, good: Path) -> Path:
    """Change to a folder with plans, where nothing is drawn and the tables are audited once."""
    import settings  # noqa: F401  imported before the change of folder

    shutil.copytree("plans", tmp_path / "plans")
    (tmp_path / "settings.py").touch()
    (tmp_path / "key.txt").write_text(KEY.hex(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(wording, "audits", lambda *_args, **_options: _audits(good))
    monkeypatch.setattr(report, "files", lambda *_args, **_options: {"report.html": b""})
    monkeypatch.setattr(paper, "made", lambda *_args, **_options: {"paper.md": b""})
    return tmp_path


@cache
def _audits(path: Path) -> Any:
    return analysis.audit.audits(path)


def forged(good: Path, path: Path, forge: Callable[[Tables, Manifest], None]) -> Path:
    """Write a changed export with digests and a chain that match, but without the key."""
    files = contents_of(good)
    manifest = json.loads(files["manifest.json"])
    tables = tables_of(files, manifest)
    forge(tables, manifest)
    return packed(path, files, tables, manifest)


def test_every_command_with_a_key_is_tried_here():
    with_key = [
        name
        for name in command.names()
        if "--key" in parser_of(name, command.find(name)).format_help().split()
    ]
    assert sorted(with_key) == sorted(ARGUMENTS)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_every_change_to_a_sealed_export_is_named(project, good, run, name):
    sentence = "manifest.json: its seal was not made with the key"
    key = ["--key", "key.txt"]
    _, text, _ = run(*ARGUMENTS[name], good, *key)
    assert "manifest.json: its seal" not in text
    for forge in FORGERIES:
        bad = forged(good, project / "bad.zip", forge)
        code, text, _ = run(*ARGUMENTS[name], bad, *key)
        assert code == 1
        assert ("manifest.json: not sealed" if forge is _unsealed else sentence) in text
    files = contents_of(good)
    table = files["commons_game/outcomes.csv"] + b"\n"
    bad = written(project / "bad.zip", {**files, "commons_game/outcomes.csv": table})
    code, text, _ = run(*ARGUMENTS[name], bad, *key)
    assert code == 1
    assert "commons_game/outcomes.csv: was changed after it was written" in text


@pytest.mark.parametrize(
    ("name", "blind"), [("check", False), ("plan", False), ("plan", True), ("paper", False)]
)
def test_every_command_with_a_plan_names_a_difference_from_its_seal(
    project, good, run, monkeypatch, name, blind
):
    matching = [replace(audit, problems=[]) for audit in _audits(good)]
    monkeypatch.setattr(wording, "audits", lambda *_args, **_options: matching)
    monkeypatch.setattr(blinding, "blinded", lambda data, *_: data)  # too few groups to permute
    assert run("plan", "seal", NAME)[0] == 0

    def with_other_text(_tables: Tables, manifest: Manifest) -> None:
        for session in manifest["sessions"].values():
            session["plan"]["plan"] = "0" * 64

    words = [*ARGUMENTS[name], *(["--blind"] if blind else [])]
    assert run(*words, good)[0] == 0
    code, text, _ = run(*words, forged(good, project / "bad.zip", with_other_text))
    assert code == 1
    for session in ("open", "quota"):
        where = f"manifest.json: sessions: {session}: plan: its text is not as sealed in "
        assert (f"{where}plans/{NAME}.seal.json" in text) is not blind
    assert ("problems in the export: 2; `mixed check` lists them" in text) is blind

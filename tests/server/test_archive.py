"""An export file: the same rows for one session or for all, a consistent snapshot, clear errors."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import sqlite3
import subprocess
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.analysis.audit import sealed
from mixed_company.server.archive import REHEARSED
from mixed_company.server.archive.codes import anonymous
from mixed_company.server.rehearse.server import lay_out
from mixed_company.server.sessions import session_configs
from mixed_company.table.export import TABLES, tables
from mixed_company.table.export.archive import code_hash
from mixed_company.table.export.describing import file_of
from tests.server.fresh import alone_here, python

SESSIONS: list[dict[str, Any]] = [
    {  # two played to the end, two left during the quiz, one waits in the lobby, and one never came
        "config": "commons_two_people",
        "participants": 8,
        "groups": 2,
        "changes": {"periods": 4, "seed": "3"},
        "statuses": ["arriving", "arriving", "waiting"],
    },
    {"config": "sanctions_two_people", "participants": 4, "groups": 2, "changes": {"periods": 3}},
    {"config": "commons", "participants": 2},  # nobody started
    {"config": "gems", "participants": 2, "groups": 2, "periods": 2},  # not over yet
    {"config": "gems_three_kinds", "participants": 1, "groups": 1, "changes": {"periods": 2}},
    {"config": "commons", "participants": 1, "groups": 1, "changes": {"periods": 2}},
]
"""Sessions in which games come back after other games, with different group sizes and layers."""


def command(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[bytes]:
    """Run `mixed archive` in a project folder, with a server's environment."""
    variables = alone_here() | settings
    return python("-m", "mixed_company", "archive", *arguments, folder=folder, variables=variables)


Filled = tuple[Path, list[str]]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """Return a project folder with a database on disk, and the codes of its sessions."""
    above = tmp_path_factory.mktemp("filled")
    (above / "sessions.json").write_text(json.dumps(SESSIONS))
    folder = above / "project"
    done = python("-m", "tests.server.filled", str(folder), str(above / "sessions.json"))
    return folder, done.stdout.decode().split()


@pytest.fixture(scope="module")
def exports(filled: Filled) -> tuple[zipfile.ZipFile, list[zipfile.ZipFile]]:
    """Return the export of all sessions, and the exports of individual sessions."""
    folder, codes = filled
    calls = [["archive", "--output", "all.zip"]]
    calls += [["archive", "--output", f"all{code}.zip", "--session", code] for code in codes]
    code = f"from mixed_company.__main__ import main; print([main(call) for call in {calls}])"
    done = python("-c", code, folder=folder)
    assert done.stdout.decode().endswith(f"{[0] * len(calls)}\n"), done.stderr.decode()
    alone = [zipfile.ZipFile(folder / f"all{code}.zip") for code in codes]
    return zipfile.ZipFile(folder / "all.zip"), alone


def rows(archive: zipfile.ZipFile, path: str) -> list[dict[str, str]]:
    """Return the rows of a table by column, without empty values."""
    if path not in archive.namelist():
        return []
    reader = csv.DictReader(io.StringIO(archive.read(path).decode(), newline=""))
    return [{name: value for name, value in row.items() if value} for row in reader]


def paid_in(archive: zipfile.ZipFile, session: str) -> float:
    """Return the sum of payments of a session's participants."""
    paths = [name for name in archive.namelist() if name.endswith("/outcomes.csv")]
    outcomes = [row for path in paths for row in rows(archive, path) if row["session"] == session]
    return float(sum(Decimal(row["payment"]) for row in outcomes))


# -- contents -------------------------------------------------------------------------------------


def test_all_sessions_together_give_the_same_rows_as_each_alone(exports):
    together, alone = exports
    paths = [name for name in together.namelist() if re.fullmatch(r"\w+/\w+\.csv", name)]
    assert len(paths) == 3 * 7 + 1
    for path in [*paths, "participants.csv"]:
        assert rows(together, path) == [row for archive in alone for row in rows(archive, path)]


def test_people_without_results_are_included(exports, filled):
    together, _ = exports
    codes = filled[1]
    outcomes = rows(together, "commons_game/outcomes.csv")
    status = [(row["session"], row["status"]) for row in outcomes]
    assert status == [
        *[(codes[0], name) for name in ["finished"] * 4 + ["arriving"] * 2 + ["waiting"]],
        (codes[0], "arriving"),
        *[(codes[2], "arriving")] * 2,
        (codes[5], "finished"),
    ]
    assert [row["quiz_attempts"] for row in outcomes[4:8]] == ["1", "1", "0", "0"]
    assert not any("group" in row for row in outcomes[4:10])


def test_a_session_in_which_nobody_started_has_only_its_participants(exports):
    _, alone = exports
    manifest = json.loads(alone[2].read("manifest.json"))
    assert list(manifest["games"]) == ["commons_game"]
    counts = {path: table["rows"] for path, table in manifest["tables"].items()}
    assert counts.pop("commons_game/outcomes.csv") == counts.pop("participants.csv") == 2
    assert set(counts.values()) == {0}


def test_groups_and_periods_are_in_order(exports):
    together, _ = exports
    decisions = rows(together, "sanctions/decisions.csv")
    order = [tuple(int(row[key]) for key in ("group", "period", "seat")) for row in decisions]
    assert order == sorted(order)
    assert len(order) == 2 * 3 * 6


def test_the_manifest_says_how_the_archive_was_made(exports, filled):
    manifest = json.loads(exports[0].read("manifest.json"))
    assert list(manifest) == [
        *("format", "project", "made", "software", "code", "games", "sessions"),
        *("created", "session_configs", "tables", "sealed"),
    ]
    assert manifest["created"] == list(filled[1])
    configs = [row["config"] for row in SESSIONS]
    in_settings = [config["name"] for config in session_configs() if config["name"] in configs]
    assert manifest["session_configs"] == in_settings
    assert (manifest["format"], manifest["project"]) == (1, "mixed-company")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", manifest["made"])
    assert list(manifest["software"]) == ["python", "otree", "numpy", "mixed_company"]
    assert manifest["code"] == code_hash()
    names = ["commons_game", "gem_mining", "sanctions"]
    assert manifest["games"] == {name: engine.find(name).version for name in names}
    apps = {config["name"]: config["app_sequence"] for config in session_configs()}
    assert manifest["sessions"] == {
        code: {
            "session_config": session["config"],
            "participants": session["participants"],
            "apps": apps[session["config"]],
            "total": paid_in(exports[0], code),
            **groups_in(exports[0], code),
        }
        for code, session in zip(filled[1], SESSIONS, strict=True)
    }
    assert list(manifest["tables"]) == [
        *(
            f"{name}/{table}.csv"
            for name in names
            for table in [*tables(engine.make(name)), "journal"]
        ),
        "participants.csv",
    ]
    assert len(TABLES) == 7


def groups_in(archive: zipfile.ZipFile, code: str) -> dict[str, dict[str, int]]:
    """Return the number of groups that a session formed, by game."""
    paths = [name for name in archive.namelist() if name.endswith("/config.csv")]
    counts = {
        path.partition("/")[0]: sum(row["session"] == code for row in rows(archive, path))
        for path in paths
    }
    seated = {game: count for game, count in counts.items() if count}
    return {"groups": seated} if seated else {}


@pytest.mark.long
def test_an_export_is_sealed_by_the_key_that_the_command_prints(filled, tmp_path):
    variables = {"OTREE_SECRET_KEY": "known to this test alone"}
    path = tmp_path / "export.zip"
    path.write_bytes(command(filled[0], "--output", "-", **variables).stdout)
    key = bytes.fromhex(command(filled[0], "--sealing-key", **variables).stdout.decode())
    assert (
        sealed.looked_at(path, key).verdict
        == "sealed with this key; manifest and tables are unchanged"
    )
    assert sealed.looked_at(path, b"x" * 32).problems != []
    refused = command(filled[0], "--sealing-key")
    assert refused.returncode == 2
    assert b"OTREE_SECRET_KEY: not set" in refused.stderr


def test_rows_hashes_and_codebook_match_the_tables(exports):
    for archive in (exports[0], *exports[1]):
        manifest = json.loads(archive.read("manifest.json"))
        book = csv.DictReader(io.StringIO(archive.read("codebook.csv").decode()))
        documented: dict[str, list[str]] = {}
        for row in book:
            documented.setdefault(file_of(row["game"], row["table"]), []).append(row["column"])
            assert row["type"] in ("real", "whole", "flag", "text")
            assert row["meaning"]
        assert list(documented) == list(manifest["tables"])
        for path, table in manifest["tables"].items():
            data = archive.read(path)
            header, *body = csv.reader(io.StringIO(data.decode(), newline=""))
            assert documented[path] == header
            assert table == {"rows": len(body), "sha256": hashlib.sha256(data).hexdigest()}


SETTINGS = {"MIXED_DATA_LICENSE": "CC0-1.0", "MIXED_DATA_CITATION": "Who (2026)"}


def of_first(filled: Filled, *options: str, **variables: str) -> tuple[Any, list[str], str]:
    """Return the manifest and the people of an anonymous export of the first session, and the
    command's messages."""
    folder, (code, *_) = filled
    output = ("--output", "-", f"--session={code}", "--anonymous")
    done = command(folder, *output, *options, **SETTINGS, **variables)
    archive = zipfile.ZipFile(io.BytesIO(done.stdout))
    manifest = json.loads(archive.read("manifest.json"))
    package = json.loads(archive.read("datapackage.json"))
    assert package["licenses"] == [{"name": manifest["license"]}]
    assert manifest["citation"] == "Who (2026)"
    people = people_of(archive)
    assert all(re.fullmatch("k[a-z2-7]{16}", name) for name in people)
    return manifest, people, done.stderr.decode()


def people_of(archive: zipfile.ZipFile) -> list[str]:
    return [row["participant"] for row in rows(archive, "commons_game/outcomes.csv")]


def test_the_command_uses_its_options_and_the_settings_of_the_server(filled, exports):
    key, rehearsed = "known to this test alone", {"people": ["greedy"], "seed": 5}
    variables = {"OTREE_SECRET_KEY": key, REHEARSED: json.dumps(rehearsed)}
    manifest, people, _ = of_first(filled, "--license", "CC-BY-4.0", **variables)
    assert (manifest["rehearsed"], manifest["license"]) == (rehearsed, "CC-BY-4.0")
    assert manifest["codes"] == "of this server"
    assert "license" not in json.loads(exports[0].read("manifest.json"))
    of_server = anonymous(key, texts=False)
    assert people == [of_server.code(name) for name in people_of(exports[1][0])]


@pytest.mark.long
def test_without_a_key_the_command_says_that_codes_are_of_this_file(filled, exports):
    manifest, people, messages = of_first(filled)
    assert ("rehearsed" in manifest, manifest["license"]) == (False, "CC0-1.0")
    assert manifest["codes"] == "of this file"
    assert messages.startswith("participants' codes are valid only in this file")
    of_server = anonymous("known to this test alone", texts=False)
    assert not set(people) & {of_server.code(name) for name in people_of(exports[1][0])}


# -- errors ---------------------------------------------------------------------------------------


def refused(folder: Path, *arguments: str, **variables: str) -> str:
    """Run a command that must fail and leave no file, and return its error message."""
    before = _kept(folder)
    done = command(folder, "--output", "refused.zip", *arguments, **variables)
    assert (done.returncode, done.stdout) == (2, b"")
    assert _kept(folder) == before
    return done.stderr.decode()


def _kept(folder: Path) -> list[Path]:
    """Return the paths in a folder, without Python's cache."""
    return sorted(path for path in folder.iterdir() if path.name != "__pycache__")


@pytest.mark.long
def test_an_unknown_session_is_refused_with_the_nearest(filled):
    folder, codes = filled
    wrong = codes[0][:-1] + "_"
    message = refused(folder, "--session", codes[1], "--session", wrong)
    assert message == f"session '{wrong}': no such session; did you mean '{codes[0]}'?\n"


def test_a_folder_without_a_database_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(["archive"]) == 2
    assert capsys.readouterr().err == (
        "there is no database: DATABASE_URL names no server, and there is no db.sqlite3 in "
        f"{tmp_path}\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_database_without_a_session_is_named(filled, tmp_path):
    lay_out(tmp_path / "project")
    with sqlite3.connect(filled[0] / "db.sqlite3") as source:
        copy = sqlite3.connect(tmp_path / "project/db.sqlite3")
        source.backup(copy)
        copy.execute("PRAGMA foreign_keys = ON")
        copy.execute("DELETE FROM otree_session")
        copy.commit()
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.close()
    done = command(tmp_path / "project")
    assert done.stderr == b"there are no sessions in the database\n"
    assert not (tmp_path / "project/export.zip").exists()


@pytest.mark.long
def test_a_database_of_something_else_is_named_and_left_alone(tmp_path):
    lay_out(tmp_path / "project")
    path = tmp_path / "project/db.sqlite3"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (number)")
    message = refused(tmp_path / "project")
    reason = "attempt to write a readonly database"
    assert message == f"this version cannot read the database: {reason}\n"
    with sqlite3.connect(path) as other:
        assert list(other.execute("SELECT name FROM sqlite_master")) == [("mine",)]


def test_the_option_texts_needs_anonymous(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["archive", "--texts"]) == 2
    message = "--texts: useful only with --anonymous; other exports include texts anyway\n"
    assert capsys.readouterr().err == message
    assert list(tmp_path.iterdir()) == []

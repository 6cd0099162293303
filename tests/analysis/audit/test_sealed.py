"""Seals reveal changed or missing rows, and cannot be recreated without the key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis.audit import sealed
from mixed_company.analysis.files import CHANGED
from mixed_company.cli.arguments import say_faults
from mixed_company.table.export.archive import Writer
from mixed_company.table.export.column import Column
from mixed_company.table.export.sealing import is_seal, key_id
from tests.analysis.audit.faults import contents_of, deleted, edited, planted, reseal, written

KEY, OTHER = b"k" * 32, b"o" * 32
COLUMNS = [
    Column("session", "text", ""),
    Column("group", "whole", ""),
    Column("reward", "real", ""),
]
ROWS = [
    {"session": session, "group": group, "reward": 0.1}
    for session in ("s", "t")
    for group in (1, 2, "")
]
ABOUT = {
    "games": {"commons_game": "1"},
    "sessions": {"s": {}, "t": {}},
    "created": ["s", "t", "u"],
    "rehearsed": {"people": ["random"]},
}


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.zip"
    with Writer(path, ABOUT, key=KEY) as archive:
        archive.table("commons_game", "decisions", COLUMNS, ROWS * 2)
        archive.table("commons_game", "config", COLUMNS, ROWS)
    return path


def told(path: Path, key: bytes = b"") -> list[str]:
    return [str(problem) for problem in sealed.looked_at(path, key).problems]


def of_manifest(good: Path, bad: Path, change) -> Path:
    files = contents_of(good)
    manifest = json.loads(files["manifest.json"])
    change(manifest)
    files["manifest.json"] = json.dumps(manifest).encode()
    return written(bad, files)


def test_the_key_verifies_the_seals_and_anybody_can_verify_the_chain(good):
    assert told(good) == told(good, KEY) == []
    assert (
        sealed.looked_at(good, KEY).verdict
        == "sealed with this key; manifest and tables are unchanged"
    )
    assert "only the chain was checked" in sealed.looked_at(good).verdict


def test_a_session_missing_from_the_file_is_a_remark(good):
    assert sealed.looked_at(good).absent == ["u"]


def test_a_changed_or_missing_group_is_named(good, tmp_path):
    bad = tmp_path / "bad.zip"
    planted(good, bad, "decisions", edited(2, "reward", "7.0"), remade=False)
    assert told(bad) == [
        "seals.csv: commons_game: group 2 of session s was changed after it was sealed"
    ]

    def without(rows):
        rows[1:] = [row for row in rows[1:] if row[:2] != ["t", "2"]]

    planted(
        planted(good, bad, "decisions", without, remade=False), bad, "config", without, remade=False
    )
    assert told(bad) == ["seals.csv: commons_game: group 2 of session t is missing from the tables"]


def test_a_row_divided_at_other_places_is_named(good, tmp_path):
    def shifted(rows):
        rows[:] = [[row[0], row[1], "\x1f".join(row[2:])] for row in rows]

    wide = tmp_path / "wide.zip"
    with Writer(wide, ABOUT, key=KEY) as archive:
        columns = [*COLUMNS, Column("payment", "real", "")]
        archive.table("commons_game", "config", columns, [{**row, "payment": 2.5} for row in ROWS])
    assert told(wide, KEY) == []
    bad = planted(wide, tmp_path / "bad.zip", "config", shifted, remade=False)
    assert told(bad, KEY) == [f"commons_game/config.csv: {CHANGED}"]
    assert sealed.looked_at(bad, KEY).verdict == "the seal does not match the file"


def test_a_row_missing_from_the_seals_breaks_the_chain(good, tmp_path):
    files = contents_of(good)
    lines = files["seals.csv"].decode().splitlines(keepends=True)
    files["seals.csv"] = "".join([*lines[:2], *lines[3:]]).encode()
    problems = told(written(tmp_path / "bad.zip", files))
    assert any("chain is broken" in problem for problem in problems)
    assert any("was not sealed" in problem for problem in problems)


def test_a_recomputed_chain_is_valid_but_its_seal_is_not(good, tmp_path):
    bad = planted(good, tmp_path / "bad.zip", "decisions", deleted(2), remade=True)
    assert told(bad) == []
    assert told(bad, KEY) == [
        "manifest.json: its seal was not made with the key "
        f"{json.loads(contents_of(good)['manifest.json'])['sealed']['key']}"
    ]


@pytest.mark.parametrize("key", ["rehearsed", "created", "sessions"])
def test_nothing_can_be_removed_from_the_manifest(good, tmp_path, key):
    bad = of_manifest(good, tmp_path / "bad.zip", lambda manifest: manifest.pop(key))
    assert told(bad, KEY) != []
    assert told(good, OTHER) != []


FORGED = "\nseals: sealed with this key; manifest and tables are unchanged\x1b[8m"


@pytest.fixture
def simulated(tmp_path: Path) -> Path:
    path = tmp_path / "export.zip"
    options = {"people": ["random"] * 4, "groups": 1, "seed": 1, "archetype": "lab"}
    analysis.save(analysis.simulated("commons_game", **options), path)
    return path


@pytest.mark.parametrize(
    "forge",
    [
        lambda manifest: manifest["sealed"].update(key=f"6d91954868a0770a{FORGED}"),
        lambda manifest: manifest.update(created=[*manifest["sessions"], f"none{FORGED}"]),
        lambda manifest: manifest.update(code=f"\x1b[8m{manifest['code']}{FORGED}"),
        lambda manifest: manifest["tables"].update({f"commons_game/x{FORGED}": {}}),
    ],
    ids=["key", "created", "code", "tables"],
)
def test_no_entry_of_the_manifest_looks_like_output(simulated, tmp_path, capsys, forge):
    main(["check", str(of_manifest(simulated, tmp_path / "bad.zip", forge))])
    output = capsys.readouterr().out
    assert "\x1b" not in output
    assert [line for line in output.splitlines() if line.startswith("seals: sealed")] == [
        "seals: sealed without a key, so anybody who changes the file can recompute the chain"
    ]


def test_no_cell_of_a_table_looks_like_output(simulated, tmp_path, capsys):
    change = edited(1, "policy_id", f"random{FORGED}")
    main(["check", str(planted(simulated, tmp_path / "bad.zip", "seats", change, remade=True))])
    output = capsys.readouterr().out
    assert "\x1b" not in output
    assert sum(line.startswith("seals: sealed") for line in output.splitlines()) == 1


def test_sessions_in_another_file_of_a_report_are_not_absent(simulated, tmp_path, capsys):
    def change(manifest):
        manifest["created"] = [*manifest["sessions"], "second", "third"]

    half = of_manifest(simulated, tmp_path / "half.zip", change)
    say_faults(half, [])
    assert "missing from the file: second, third" in capsys.readouterr().out
    say_faults(half, [], present={"second"})
    assert "missing from the file: third" in capsys.readouterr().out
    say_faults(half, [], present={"second", "third"})
    assert capsys.readouterr().out == ""


def test_the_id_of_a_key_is_a_digest(simulated, tmp_path):
    bad = of_manifest(
        simulated, tmp_path / "bad.zip", lambda manifest: manifest["sealed"].update(key="0123")
    )
    assert any("sealed.key = '0123'" in str(problem) for problem in analysis.check(bad))


def test_a_seal_that_is_no_digest_is_a_fault(good, tmp_path):
    bad = of_manifest(
        good, tmp_path / "bad.zip", lambda manifest: manifest["sealed"].update(seal="\u00e9")
    )
    assert told(bad, KEY) == [f"manifest.json: its seal was not made with the key {key_id(KEY)}"]


def test_the_key_reveals_a_removed_seal(good, tmp_path):
    bad = of_manifest(good, tmp_path / "bad.zip", lambda manifest: manifest.pop("sealed"))
    assert told(bad) == []
    assert told(bad, KEY) == ["manifest.json: not sealed"]
    assert sealed.looked_at(bad).verdict.startswith("not sealed")


def test_unreadable_seals_are_reported_in_a_sentence(good, tmp_path):
    files = contents_of(good)
    for content in (b"", b"a,b\n1,2\n", b"\xff"):
        bad = written(tmp_path / "bad.zip", {**files, "seals.csv": content})
        assert told(bad)[0].startswith("seals.csv: is ")
    del files["seals.csv"]
    assert told(written(tmp_path / "bad.zip", files)) == ["seals.csv: is missing"]


def test_the_command_reads_the_key_from_a_file(tmp_path, capsys):
    path, key = tmp_path / "export.zip", tmp_path / "key.txt"
    options = {"people": ["random"] * 4, "groups": 1, "seed": 1, "archetype": "lab"}
    analysis.save(analysis.simulated("commons_game", **options), path)
    key.write_text(KEY.hex() + "\n")
    assert main(["check", str(path), "--key", str(key)]) == 1
    assert "its seal was not made with the key" in capsys.readouterr().out
    key.write_text("no key")
    assert main(["check", str(path), "--key", str(key)]) == 2


def test_recomputed_digests_match_the_export(good):
    files = contents_of(good)
    before = dict(files)
    reseal(files)
    assert files["seals.csv"] == before["seals.csv"]
    assert not is_seal(json.loads(files["manifest.json"]), b"")

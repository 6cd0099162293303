"""Archives of an export: contents and manifest. An archive is either complete or absent."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.files import whole
from mixed_company.table.export import Column, codebook, columns, tables
from mixed_company.table.export.archive import Writer, code_hash
from mixed_company.table.export.column import spread, with_iso
from mixed_company.table.export.describing import CODEBOOK

NUMBERS = [
    Column("group", "whole", "number of the group"),
    Column("found", "flag", "is there one", shape=(2,)),
    Column("reward", "real", "earned", "points"),
]
ROWS: list[dict[str, Any]] = [
    {"group": 0, "found_0": True, "found_1": False, "reward": 0.1 + 0.2},
    {"group": 1, "found_0": None, "reward": 1e-320},
]


def written(path: Path, **tables: list[dict[str, Any]]) -> zipfile.ZipFile:
    """Write an archive of the commons with these tables and the columns above."""
    with Writer(path, {"made": "2026-11-20T12:00:00+00:00"}) as archive:
        for name, rows in tables.items():
            archive.table("commons_game", name, NUMBERS, rows)
    return zipfile.ZipFile(path)


def test_tables_come_first_and_the_manifest_last(tmp_path):
    archive = written(tmp_path / "e.zip", periods=ROWS, config=[])
    assert archive.namelist() == [
        *("commons_game/periods.csv", "commons_game/config.csv"),
        *("codebook.md", "codebook.csv", "datapackage.json", "read.R", "read.do"),
        *("seals.csv", "manifest.json"),
    ]
    assert archive.testzip() is None
    assert {entry.compress_type for entry in archive.infolist()} == {zipfile.ZIP_DEFLATED}


def test_numbers_keep_every_digit_and_missing_values_are_empty(tmp_path):
    text = written(tmp_path / "e.zip", periods=ROWS).read("commons_game/periods.csv").decode()
    assert text == ("group,found_0,found_1,reward\n0,1,0,0.30000000000000004\n1,,,1e-320\n")


def test_a_time_is_written_in_milliseconds_and_as_iso_8601(tmp_path):
    # 1_700_000_000 s after 1970-01-01 are 19_675 days and 80_000 s: 2023-11-14, 22 h 13 min 20 s
    since = "milliseconds since 1970-01-01 UTC"
    times = [
        Column("shown_ms", "whole", "shown", since),
        Column("began_ms", "whole", "began", since, (2,), first=1),
    ]
    rows = [{"shown_ms": 1_700_000_000_007, "began_ms_1": 0, "began_ms_2": None}, {}]
    with Writer(tmp_path / "e.zip", {}) as archive:
        archive.table("commons_game", "periods", times, rows)
    text = zipfile.ZipFile(tmp_path / "e.zip").read("commons_game/periods.csv").decode()
    assert text == (
        "shown_ms,shown_time,began_ms_1,began_ms_2,began_time_1,began_time_2\n"
        "1700000000007,2023-11-14T22:13:20.007Z,0,,1970-01-01T00:00:00.000Z,\n"
        ",,,,,\n"
    )


def test_the_manifest_counts_rows_and_has_the_digests(tmp_path):
    archive = written(tmp_path / "e.zip", periods=ROWS, config=[])
    manifest = json.loads(archive.read("manifest.json"))
    assert list(manifest) == ["format", "project", "made", "tables", "sealed"]
    assert (manifest["format"], manifest["project"]) == (1, "mixed-company")
    assert manifest["made"] == "2026-11-20T12:00:00+00:00"
    assert list(manifest["tables"]) == ["commons_game/periods.csv", "commons_game/config.csv"]
    assert [entry["rows"] for entry in manifest["tables"].values()] == [2, 0]
    for path, entry in manifest["tables"].items():
        assert entry["sha256"] == hashlib.sha256(archive.read(path)).hexdigest()


def test_the_codebook_has_a_row_for_every_column(tmp_path):
    archive = written(tmp_path / "e.zip", periods=ROWS)
    header, *rows = csv.reader(io.StringIO(archive.read("codebook.csv").decode()))
    assert tuple(header) == CODEBOOK
    assert CODEBOOK[:6] == ("game", "table", "column", "type", "unit", "meaning")
    nothing, free = ["", "", "", "empty"], "0"
    assert rows == [
        ["commons_game", "periods", "group", "whole", "", "number of the group", *nothing, "1"],
        ["commons_game", "periods", "found_0", "flag", "", "is there one", *nothing, free],
        ["commons_game", "periods", "found_1", "flag", "", "is there one", *nothing, free],
        ["commons_game", "periods", "reward", "real", "points", "earned", *nothing, free],
    ]
    assert b"\r" not in archive.read("codebook.csv")
    codebook = archive.read("codebook.md").decode()
    assert codebook.startswith("# Codebook: commons_game\n\n## periods\n")
    assert "| `found_0..1` | flag |  | is there one |" in codebook


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_both_codebooks_name_the_columns_of_the_game(tmp_path, game_id):
    game = engine.make(game_id)
    with Writer(tmp_path / "e.zip", {}) as archive:
        for name in tables(game):
            archive.table(game_id, name, columns(name, game), [])
    written_zip = zipfile.ZipFile(tmp_path / "e.zip")
    rows = list(csv.DictReader(io.StringIO(written_zip.read("codebook.csv").decode())))
    for name in tables(game):
        header = written_zip.read(f"{game_id}/{name}.csv").decode().rstrip("\n").split(",")
        assert [row["column"] for row in rows if row["table"] == name] == header
        assert {row["game"] for row in rows} == {game_id}
    text = written_zip.read("codebook.md").decode()
    assert text == codebook(game)


def test_games_of_different_sizes_have_all_their_columns_in_order(tmp_path):
    """Two villages have five mines and three have six. The sixth comes after the common columns."""
    rules = [engine.make("gem_mining", seats=seats, gem_types=2) for seats in (2, 3)]
    both = [column for game in rules for column in columns("periods", game)]
    with Writer(tmp_path / "e.zip", {}) as archive:
        archive.table("gem_mining", "periods", both, [{"after_workers_at_5": 7}])
    written_zip = zipfile.ZipFile(tmp_path / "e.zip")
    header, row = csv.reader(io.StringIO(written_zip.read("gem_mining/periods.csv").decode()))
    alone = list(spread(with_iso(columns("periods", rules[0]))))
    assert header[: len(alone)] == alone
    assert header[len(alone) :] == [
        *("after_base_probabilities_5_0", "after_base_probabilities_5_1"),
        *("after_workers_at_5", "after_found_5_0", "after_found_5_1"),
    ]
    assert [name for name, value in zip(header, row, strict=True) if value] == [
        "after_workers_at_5"
    ]
    codebook = written_zip.read("codebook.md").decode()
    assert codebook.count("`after_workers_at_0..5`") == 1
    assert "`after_workers_at_0..4`" not in codebook


def test_the_same_tables_give_the_same_bytes(tmp_path):
    for name in ("a.zip", "b.zip"):
        written(tmp_path / name, periods=ROWS)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_text_of_any_kind_is_preserved(tmp_path):
    label = 'Zoë, "the\nsecond";'
    rows = [{"text": label}]
    with Writer(tmp_path / "e.zip", {}) as archive:
        archive.table("commons_game", "outcomes", [Column("text", "text", "a text")], rows)
    text = zipfile.ZipFile(tmp_path / "e.zip").read("commons_game/outcomes.csv").decode()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["text"], [label]]
    manifest = json.loads(zipfile.ZipFile(tmp_path / "e.zip").read("manifest.json"))
    assert manifest["tables"]["commons_game/outcomes.csv"]["rows"] == 1


def test_rows_of_several_tables_can_alternate(tmp_path):
    with Writer(tmp_path / "e.zip", {}) as archive:
        sheets = [archive.sheet("commons_game", name, NUMBERS) for name in ("periods", "config")]
        for row in ROWS:
            for sheet in sheets:
                sheet.add([row])
    apart = written(tmp_path / "f.zip", periods=ROWS, config=ROWS)
    assert (tmp_path / "e.zip").read_bytes() != b""
    for path in ("commons_game/periods.csv", "commons_game/config.csv"):
        assert zipfile.ZipFile(tmp_path / "e.zip").read(path) == apart.read(path)


def test_a_table_can_be_added_only_once(tmp_path):
    with Writer(tmp_path / "e.zip", {}) as archive:
        archive.table("commons_game", "periods", NUMBERS, [])
        with pytest.raises(ValueError, match="commons_game/periods: already in the archive"):
            archive.table("commons_game", "periods", NUMBERS, [])


def test_a_failed_write_leaves_the_earlier_file(tmp_path):
    path = tmp_path / "e.zip"
    path.write_text("old")

    def fails() -> None:
        with whole(path) as file, Writer(file, {}) as archive:
            archive.table("commons_game", "periods", NUMBERS, ROWS)
            raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        fails()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_impossible_path_is_refused_before_any_work(tmp_path):
    for path, words in (
        (tmp_path, "is a folder, not a file"),
        (tmp_path / "no" / "e.zip", "No such file or directory"),
    ):
        with pytest.raises(OSError, match=words) as caught, whole(path):
            pytest.fail("began to work")
        assert caught.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


# -- the code -------------------------------------------------------------------------------------


def laid(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_dot_", ".")).write_text(text)
    return folder


def test_the_hash_of_code_covers_names_and_contents(tmp_path):
    folder = laid(tmp_path / "engine", b_dot_py="2", a_dot_py="1", c_dot_onnx="3", d_dot_md="not")
    by_hand = b"engine/a.py\x001\x00engine/b.py\x002\x00engine/c.onnx\x003\x00"
    assert code_hash(folder) == hashlib.sha256(by_hand).hexdigest()


@pytest.mark.parametrize("name", ["a.py", "new.py", "model.onnx", "model.json"])
def test_different_code_has_another_hash(tmp_path, name):
    folder = laid(tmp_path / "engine", a_dot_py="1")
    before = code_hash(folder)
    (folder / name).write_text("2")
    assert code_hash(folder) != before


def test_without_folders_the_hash_covers_rules_and_policies():
    root = Path(__file__).resolve().parents[3]
    rooms = (root / "mixed_company/engine", root / "mixed_company/policies", root / "bots")
    assert code_hash() == code_hash(*rooms)


def test_the_description_of_an_archive_can_be_read_line_by_line(tmp_path):
    archive = written(tmp_path / "e.zip", periods=ROWS)
    for name in ("manifest.json", "datapackage.json"):
        text = archive.read(name).decode()
        assert text == json.dumps(json.loads(text), indent=2) + "\n"


def test_a_table_of_any_length_can_be_written(tmp_path, monkeypatch):
    """A zip must be told in advance that a file will exceed 2 GB. Here the limit is 20 bytes."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 20)
    archive = written(tmp_path / "e.zip", periods=ROWS)
    assert len(archive.read("commons_game/periods.csv")) > 20


def test_nothing_is_left_open_when_an_archive_is_finished(tmp_path):
    with Writer(tmp_path / "e.zip", {}) as archive:
        sheets = [archive.sheet("commons_game", name, NUMBERS) for name in ("periods", "config")]
    assert [sheet.file.closed for sheet in sheets] == [True, True]

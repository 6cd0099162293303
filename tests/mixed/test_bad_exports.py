"""Tests that invalid exports quickly lead to one sentence and exit code 2."""

from __future__ import annotations

import json
import re
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from tests.analysis.audit.faults import Change, Rows, contents_of, edited, planted, written
from tests.mixed.bad import NESTED, refused
from tests.work import bounded

MEGABYTES = 100


def exported(path: Path, groups: int = 2, periods: int = 3) -> Path:
    options = {"groups": groups, "periods": periods, "seed": 1, "archetype": "lab"}
    analysis.save(analysis.simulated("commons_game", ["random"], ["random"], **options), path)
    return path


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(tmp_path_factory.mktemp("export") / "good.zip")


def changed(export: Path, folder: Path, column: str, change: Callable[[str], str]) -> Path:
    """Save the export with a different text in a column of `config`."""

    def change_all(rows: list[list[str]]) -> None:
        index = rows[0].index(column)
        for row in rows[1:]:
            row[index] = change(row[index])

    return planted(export, folder / "bad.zip", "config", change_all, remade=True)


def told(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    """Return the output of `check` for an invalid export. The command must not crash."""
    with bounded():
        code = main(["check", str(path)])
    output = capsys.readouterr()
    assert code in (1, 2)
    assert "Traceback" not in output.err
    assert output.out or output.err
    return output.out + output.err


SEEDS = ["-1", str(2**63), "1.5", "seven", "", "1" * 5000]


def test_an_export_with_bad_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Simulate one group for each seed."""
    seeds = iter(SEEDS)
    many = exported(tmp_path / "many.zip", groups=len(SEEDS), periods=1)
    output = told(capsys, changed(many, tmp_path, "seed", lambda _: next(seeds)))
    for group in range(1, len(SEEDS) + 1):
        assert re.search(rf"group {group} of session .*seed|line {group + 1}, seed", output), output


def test_an_export_whose_config_has_too_many_periods(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def longer(text: str) -> str:
        config = json.loads(text)
        config["core"]["periods"] = 10**9
        return json.dumps(config)

    bad = changed(export, tmp_path, "config", longer)
    assert "periods = 1000000000" in told(capsys, bad)
    message = refused(capsys, "report", bad, "--output", tmp_path / "report")
    assert "no group can be replayed" in message


@pytest.mark.parametrize("table", ["decisions", "periods", "events"])
def test_an_export_with_an_impossible_period(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str
) -> None:
    def change(rows: list[list[str]]) -> None:
        rows[-1][rows[0].index("period")] = str(10**9)

    assert told(capsys, planted(export, tmp_path / "bad.zip", table, change, remade=True))


def without(column: str) -> Change:
    """Leave a column out of a table."""

    def change(rows: Rows) -> None:
        index = rows[0].index(column)
        rows[:] = [[*row[:index], *row[index + 1 :]] for row in rows]

    return change


@pytest.mark.parametrize(
    "column", ["seed", "session_config", "game", "version", "config", "options", "software"]
)
def test_an_export_without_a_column_of_every_release(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], column: str
) -> None:
    bad = planted(export, tmp_path / "bad.zip", "config", without(column), remade=True)
    missing = f"commons_game/config.csv, {column}: this column is missing"
    assert missing in told(capsys, bad)


@pytest.mark.parametrize("column", ["config", "options", "software"])
def test_an_export_that_is_nested_too_deeply(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], column: str
) -> None:
    bad = changed(export, tmp_path, column, lambda _: NESTED)
    with bounded():
        assert main(["check", str(bad)]) in (0, 1, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_a_manifest_that_is_nested_too_deeply(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {**contents_of(export), "manifest.json": NESTED.encode()}
    message = refused(capsys, "check", written(tmp_path / "bad.zip", files))
    assert "manifest.json cannot be read" in message


def of_column(column: str, value: str) -> Change:
    """Write a value into a column of every row."""

    def change(rows: Rows) -> None:
        index = rows[0].index(column)
        for row in rows[1:]:
            row[index] = value

    return change


def without_rows(rows: Rows) -> None:
    del rows[1:]


KEYS_OF_NO_PLAY: list[tuple[str, Change, str]] = [
    ("config", without_rows, "config.csv: no rows, but there should be one per group"),
    ("config", of_column("group", str(2**63 - 1)), "config.csv, line 3, group = 92233720368547758"),
    ("config", of_column("group", "-1"), "config.csv, line 3, group = -1: session 'simulated' has"),
    ("config", edited(1, "group", "-1"), "line 2, group = -1: should be from 1 to 1000000000"),
    (
        "config",
        of_column("config", "[]"),
        "no group can be replayed: commons_game/config.csv, line",
    ),
    (
        "decisions",
        of_column("period", "-5"),
        "decisions.csv, line 2, period = -5: should be from 0",
    ),
    ("periods", edited(1, "period", "3"), "periods.csv, line 2, period = 3: should be from 0 to 2"),
    ("decisions", of_column("seat", "99"), "decisions.csv, line 2, seat = 99: should be from 0 to"),
    ("outcomes", without_rows, "outcomes.csv: no rows, but there should be one per participant"),
]


@pytest.mark.parametrize(("table", "change", "words"), KEYS_OF_NO_PLAY)
def test_an_export_with_keys_of_no_play_is_refused_before_any_analysis(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str, change: Change,
    words: str,
) -> None:  # fmt: skip
    bad = planted(export, tmp_path / "bad.zip", table, change, remade=True)
    power = ["power", "--effect", 3, "--measure", "points", "--pilot", bad]
    multiverse = ["multiverse", bad, "--measure", "points"]
    calibrate = ["calibrate", bad, "--output", tmp_path / "types.toml"]
    for command in (["contest", bad], ["report", bad], calibrate, multiverse, power):
        assert words in refused(capsys, *command)
    assert told(capsys, bad)


def wrong_row(header: list[str], row: list[str], column: str, value: str) -> list[str]:
    """Return a row with a different value in a column, or an empty row if no column is named."""
    pairs = zip(header, row, strict=True)
    return [value if name == column else old for name, old in pairs] if column else []


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("", "", "more than 10000 rows have more or fewer values"),
        ("group", "", "more than 10000 rows have no key"),
        ("reward", "x", "more than 10000 values do not have their column's type"),
    ],
)
def test_an_export_in_which_everything_is_wrong(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    column: str, value: str, words: str,
) -> None:  # fmt: skip
    # listing every fault of a 34 kB zip once kept a command busy for minutes
    def change(rows: list[list[str]]) -> None:
        rows += [wrong_row(rows[0], rows[1], column, value)] * 10_001

    bad = planted(export, tmp_path / "bad.zip", "decisions", change, remade=True)
    assert f"commons_game/decisions.csv is damaged: {words}" in refused(capsys, "check", bad)


def test_an_unneeded_table_full_of_faults_is_named_once(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(rows: list[list[str]]) -> None:
        rows += [[]] * 10_001

    output = told(capsys, planted(export, tmp_path / "bad.zip", "events", change, remade=True))
    assert "commons_game/events.csv: is damaged: more than 10000 rows" in output
    assert output.count("\n") < 10


BLOCKS = 4096


@pytest.fixture(scope="module")
def bomb(export: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export of 4 MB whose decisions unpack to 4 GB of empty lines, made by repeating one
    compressed MB."""
    path = tmp_path_factory.mktemp("bomb") / "bomb.zip"
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(b"\n" * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    with zipfile.ZipFile(path, "w") as zipped:
        for name, content in contents_of(export).items():
            if not name.endswith("decisions.csv"):
                zipped.writestr(name, content)
        table = zipfile.ZipInfo("commons_game/decisions.csv")
        zipped.writestr(table, packed * BLOCKS + packer.flush())
        table.compress_type, table.file_size = zipfile.ZIP_DEFLATED, BLOCKS * 2**20
    assert path.stat().st_size < 5 * 2**20
    return path


@pytest.mark.parametrize("command", ["check", "report"])
def test_a_zip_that_unpacks_to_gigabytes(
    bomb: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    message = refused(capsys, command, bomb)
    assert "commons_game/decisions.csv is damaged" in message
    assert "unpack to 4294" in message


def test_it_takes_no_memory(bomb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(bomb)])  # imports what it needs
    tracemalloc.start()
    try:
        assert main(["check", str(bomb)]) == 2
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert capsys.readouterr().err.count("\n") == 2
    assert peak < MEGABYTES * 2**20

"""The Stata script of an export reads its tables."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.table.export import Column, columns, tables
from mixed_company.table.export.column import spread, with_iso
from mixed_company.table.export.scripts import read_do

SINCE = "milliseconds since 1970-01-01 UTC"
SHEETS = {
    "g": {
        "periods": [
            Column("session", "text", "session code"),
            Column("shown_ms", "whole", "shown", SINCE),
            Column("moved", "flag", 'has it "moved" `at` all for $'),
        ],
        "config": [Column("seed", "whole", "s" * 81)],
    },
    "": {"participants": [Column("pay", "real", "paid")]},
}


def script(sheets: dict[str, dict[str, list[Column]]]) -> list[str]:
    files = {
        game: {name: spread(with_iso(listed)) for name, listed in sheet.items()}
        for game, sheet in sheets.items()
    }
    return read_do(files).splitlines()


def imported(path: str) -> str:
    return (
        f'import delimited using "{path}.csv", clear varnames(nonames) rowrange(2) '
        'stringcols(_all) encoding("utf-8") bindquote(strict) maxquotedrows(unlimited)'
    )


def test_each_column_has_its_name_type_and_label_and_each_table_is_saved() -> None:
    """Strings stay strings, and so do seeds, which have more digits than Stata's numbers can
    hold."""
    head, body = script(SHEETS)[:5], script(SHEETS)[5:]
    assert all(line.startswith("* ") for line in head[:4])
    assert head[4] == "version 16"
    assert body == [
        "",
        imported("g/periods"),
        *("rename v1 session", 'label variable session "session code"'),
        *("rename v2 shown_ms", "destring shown_ms, replace", 'label variable shown_ms "shown"'),
        "drop v3",
        'generate double shown_time = shown_ms + clock("1970-01-01 00:00:00", "YMDhms")',
        "format shown_time %tc",
        *("rename v4 moved", "destring moved, replace"),
        "label variable moved \"has it 'moved' 'at' all for \"",
        'save "g/periods.dta", replace',
        "",
        imported("g/config"),
        *("rename v1 seed", f'label variable seed "{"s" * 80}"'),
        'save "g/config.dta", replace',
        "",
        imported("participants"),
        *("rename v1 pay", "destring pay, replace", 'label variable pay "paid"'),
        'save "participants.dta", replace',
    ]
    assert read_do({}).endswith("version 16\n")


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_column_of_every_table_of_a_game_is_read(game_id: str) -> None:
    game = engine.make(game_id)
    sheets = {game_id: {name: columns(name, game) for name in tables(game)}}
    lines = script(sheets)
    assert [line for line in lines if line.startswith("save ")] == [
        f'save "{game_id}/{name}.dta", replace' for name in tables(game)
    ]
    named = sum(line.startswith(("rename ", "generate ")) for line in lines)
    assert named == sum(len(spread(with_iso(columns))) for columns in sheets[game_id].values())


def test_a_name_is_cut_to_32_letters_and_numbered_if_it_is_not_unique() -> None:
    long = [Column(name, "text", "") for name in ("a" * 32, "a" * 33, "a" * 32 + "b")]
    renamed = [line for line in script({"g": {"t": long}}) if line.startswith("rename")]
    assert renamed == [
        f"rename v1 {'a' * 32}",
        f"rename v2 {'a' * 27}_1",
        f"rename v3 {'a' * 27}_2",
    ]

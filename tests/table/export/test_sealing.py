"""Seals of an export: a digest of each group, a chain over the digests, and a key over
everything."""

from __future__ import annotations

import csv
import hashlib
import io
from typing import Any

import pytest

from mixed_company.table.export.sealing import (
    COLUMNS,
    Seals,
    chained,
    is_seal,
    key_id,
    sealed,
    written,
)

HEADER = ("session", "group", "points")
KEY = b"a key of the server"


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def lines(*tables: tuple[str, tuple[str, ...], list[list[Any]]]) -> list[list[str]]:
    seals = Seals()
    for table, header, rows in tables:
        seals.add("g", table, header, rows)
    return seals.lines()


def test_a_group_is_sealed_by_its_rows_in_all_tables():
    sealed_lines = lines(
        ("periods", HEADER, [["s", 1, 2.5], ["s", 1, None]]),
        ("config", ("session", "group"), [["s", 1]]),
    )
    periods = sha("session\x1fgroup\x1fpoints\ns\x1f1\x1f2.5\ns\x1f1\x1f")
    config = sha("session\x1fgroup\ns\x1f1")
    assert sealed_lines == [["g", "s", "1", "3", sha(f"config {config}\nperiods {periods}")]]


def test_every_group_has_a_line_in_order_and_rows_without_a_group_belong_to_their_sessions():
    sealed_lines = lines(
        ("decisions", HEADER, [["s", 10, 1], ["s", 2, 1], ["r", 3, 1], ["s", None, 1]]),
        ("participants", ("session", "label"), [["s", "a"]]),
        ("notes", ("text",), [["a"]]),
    )
    assert [line[:4] for line in sealed_lines] == [
        ["g", "", "", "1"],
        ["g", "r", "3", "1"],
        ["g", "s", "", "2"],
        ["g", "s", "2", "1"],
        ["g", "s", "10", "1"],
    ]
    assert lines(("decisions", HEADER, [["s", 2, 1]]))[0][4] == sealed_lines[3][4]


def test_a_link_covers_its_line_and_the_link_above():
    first, second = ["g", "s", "1", "2", "aa"], ["g", "s", "2", "2", "bb"]
    above = sha("\x1fg\x1fs\x1f1\x1f2\x1faa")
    assert chained([first, second]) == [above, sha(f"{above}\x1fg\x1fs\x1f2\x1f2\x1fbb")]
    assert chained([]) == []


def test_a_row_of_the_file_is_a_line_and_its_link():
    assert COLUMNS == ("game", "session", "group", "rows", "sha256", "chain")
    text = written([["g", "s", "1", "2", "aa"]], ["link"])
    assert list(csv.reader(io.StringIO(text))) == [[*COLUMNS], ["g", "s", "1", "2", "aa", "link"]]
    assert "\r" not in text


def test_the_manifest_has_the_number_of_groups_the_last_link_and_the_key_s_fingerprint():
    manifest = sealed({"format": 1}, ["one", "two"], KEY)
    about = {"groups": 2, "head": "two", "key": sha("id of " + KEY.decode())[:16]}
    assert {name: manifest["sealed"][name] for name in about} == about
    assert set(manifest["sealed"]) == {*about, "seal"}
    assert manifest["format"] == 1
    unsealed = {"groups": 0, "head": "", "key": "", "seal": ""}
    assert sealed({}, []) == {"sealed": unsealed}
    assert (key_id(b""), key_id(KEY)) == ("", about["key"])


@pytest.mark.parametrize(
    "changed",
    [
        {"format": 2},
        {"more": 1},
        {"sealed": {"groups": 1}},
        {"sealed": {"head": "other"}},
        {"sealed": {"seal": "0" * 64}},
    ],
)
def test_a_changed_manifest_has_no_valid_seal(changed):
    manifest = sealed({"format": 1}, ["one", "two"], KEY)
    assert is_seal(manifest, KEY)
    assert is_seal(dict(reversed(manifest.items())), KEY)  # in any order of reading
    assert not is_seal(manifest, b"another key")
    assert not is_seal(
        {**manifest, **changed, "sealed": {**manifest["sealed"], **changed.get("sealed", {})}}, KEY
    )


def test_without_a_key_there_is_no_seal():
    assert not is_seal(sealed({"format": 1}, ["one"]), b"")
    assert not is_seal({"sealed": {"groups": 1}}, KEY)

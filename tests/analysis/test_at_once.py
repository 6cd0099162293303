"""Tables that pandas reads in one call equal tables that are read value by value."""

from __future__ import annotations

import pandas as pd
import pytest

from mixed_company.analysis.files import Lines
from mixed_company.analysis.gathering import Gathered, at_once, gathered

TYPES = {
    "session": "text",
    "period": "whole",
    "seed": "whole",
    "share": "real",
    "done": "flag",
    "note": "text",
}
KEYS = ("session", "period")
HEAD = b"session,period,seed,share,done,note\r\n"
ROW = b"abc,1,9223372036854775807,0.1,1,\r\n"

EXACT = (b"0.30000000000000004", b"5e-324", b"1.7976931348623157e+308", b"-3.3333333333333335")
"""Numbers that a fast but inexact reader would change."""


def quickly(content: bytes) -> Gathered | None:
    return at_once(Lines(content, KEYS).header, content, TYPES, KEYS)


def by_value(content: bytes) -> Gathered:
    lines = Lines(content, KEYS)
    return gathered(lines.header, lines, TYPES, KEYS)


@pytest.mark.parametrize(
    "rows",
    [
        b"",
        ROW,
        ROW + b'0012,2,,,,"a, ""b"""\r\n',  # gaps; a code that looks like a number
        ROW + b"nan,-3,-9223372036854775808,1e-300,0,None\r\n",
        ROW + b",2,5,0.5,True,no key\r\nabc,,5,0.5,False,nor here\r\n",
        *(ROW.replace(b"0.1", number) for number in EXACT),
        ROW * 2500,  # more than one part
    ],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_both_ways_of_reading_agree(mark: bytes, rows: bytes) -> None:
    content = mark + HEAD + rows
    quick, slow = quickly(content), by_value(content)
    assert quick is not None
    pd.testing.assert_frame_equal(quick.frame, slow.frame)
    assert (quick.keyless, quick.wrong, quick.times) == (slow.keyless, slow.wrong, slow.times)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b",0.1,", b",half,"),
        (b"abc,1,", b"abc,1.5,"),
        (b"abc,1,", b"abc,one,"),
        (b"9223372036854775807", b"9223372036854775808"),
        (b",0.1,1,", b",0.1,2,"),
        (b"abc", b"a\0c"),
    ],
)
def test_a_value_of_another_type_is_left_to_the_slow_reader(right: bytes, wrong: bytes) -> None:
    assert right in ROW
    assert quickly(HEAD + ROW.replace(right, wrong)) is None


def test_rows_of_another_length_are_detected() -> None:
    assert Lines(HEAD + ROW, KEYS).rest_is_whole()
    assert not Lines(HEAD + ROW + b"abc,2\r\n", KEYS).rest_is_whole()

"""Labels of participants."""

from __future__ import annotations

import pytest

from mixed_company.server.gate import Refused
from mixed_company.server.gate.reading import checked_label
from mixed_company.table.export.column import as_text


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("<script>alert(1)</script>", "must not contain < >"),
        ("a'b", "must not contain '"),
        ("a&amp;", "must not contain &"),
        ("=HYPERLINK(A1)", "must not begin with = + - or @"),
        ("+49 30", "must not begin with"),
        ("-1", "must not begin with"),
        ("@SUM(A1)", "must not begin with"),
        ("a\x00b", r"participant_label = 'a\x00b': contains an unprintable character"),
        ("a\nb", "unprintable"),
        ("\u202etxt", "unprintable"),
        ("x" * 101, "101 characters; at most 100 are allowed"),
    ],
)
def test_markup_formulas_and_unprintable_characters_are_refused(label, words):
    with pytest.raises(Refused) as refusal:
        checked_label(label)
    assert refusal.value.status == 400
    assert words in refusal.value.sentence
    assert "<" not in refusal.value.sentence.partition(":")[2].replace("contain < >", "")


@pytest.mark.parametrize("label", ["P-17", "5f3c9a", "anna+2@lab.org", "Žofie 3", "x" * 100, ""])
def test_labels_that_laboratories_use_are_accepted(label):
    assert checked_label(label) == label


def test_a_spreadsheet_computes_no_cell():
    assert [as_text(cell) for cell in ("=1+1", "+x", "-x", "@x", "\tx")] == [
        *("'=1+1", "'+x", "'-x", "'@x", "'\tx")
    ]
    assert [as_text(cell) for cell in ("P-17", "-3.5", -3.5, None, "")] == [
        *("P-17", "-3.5", -3.5, None, "")
    ]

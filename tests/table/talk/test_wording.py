"""Invalid messages, and texts on a blocklist."""

from __future__ import annotations

import pytest

from mixed_company.table.talk import wording
from mixed_company.table.talk.wording import is_blocked, unwritable


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (" \t ", "is empty"),
        ("\u200b", "is empty"),  # it has no visible character
        (" \u2060\u0301\u3164 ", "is empty"),
        ("a" * 201, "has 201 characters, but at most 200 are allowed"),
        ("a" * 10_000, "has 10000 characters, but at most 200 are allowed"),
        ("a\x00b", "cannot be shown"),
        ("a\nb", "cannot be shown"),
        ("a\u202eb", "cannot be shown"),
        ("a\u2028b", "cannot be shown"),
    ],
)
def test_invisible_text_is_not_a_message(text, words):
    assert words in str(unwritable(text, 200))


@pytest.mark.parametrize(
    "text", ["<b>a</b>", "<script>alert(1)</script>", "=1+1", "\u00fc\u00df \U0001f41f", "a" * 200]
)
def test_any_text_of_people_is_a_message_and_markup_is_shown_literally(text):
    assert unwritable(text, 200) is None


@pytest.mark.parametrize(
    ("text", "blocked"),
    [
        ("You fool", True),
        ("you FOOL!", True),
        ("you f\u00f3ol", True),  # accents do not hide a word
        ("fo\u200bol", True),  # nor do invisible characters
        ("_fool_", True),  # nor do characters around it
        ("foolish", False),  # only whole words match
        ("go   away now", True),
        ("go far away", False),
        ("", False),
    ],
)
def test_the_blocklist_matches_whole_words_in_any_case(text, blocked):
    assert is_blocked(text, ["Fool", "go away"]) is blocked
    assert is_blocked(text, []) is False


def test_a_long_blocklist_is_parsed_once_and_not_for_every_message(monkeypatch):
    """Reading it for every message used to block the server for everyone."""
    folded: list[str] = []
    fold = wording._folded

    def count(text: str) -> str:
        folded.append(text)
        return fold(text)

    monkeypatch.setattr(wording, "_folded", count)
    words = [f"word{number}" for number in range(1000)]
    assert [is_blocked(text, words) for text in ("word999", "word 9", "my word7!")] == [
        True,
        False,
        True,
    ]
    assert len(folded) == 1003

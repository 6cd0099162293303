"""Texts before and after the rules: consent from a key or a file, and the text for each ending."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace

from mixed_company.server.board.addresses import is_sign, sign_of
from mixed_company.server.pages import results, texts, wording
from mixed_company.server.pages.pages import MOST_COMMENTS, Comments
from mixed_company.server.pages.texts import paragraphs
from mixed_company.server.payroll import Line, Payroll, everything, prolific
from mixed_company.table.options import STATUSES
from mixed_company.table.pay import UNSEATED


def test_a_consent_is_shown_in_paragraphs():
    text = "We record\nwhat you decide.\n\nYou can stop."
    assert paragraphs(text) == ["We record what you decide.", "You can stop."]
    assert paragraphs("<b>\n \n&") == ["&lt;b&gt;", "&amp;"]


def test_every_early_ending_has_a_sentence():
    words = wording.results()
    early = set(STATUSES) - {"finished", "full"}
    for status in early:
        assert results.ended(status, status not in UNSEATED, words), status
    assert results.ended("left", False, words) != results.ended("left", True, words)
    assert results.ended("finished", True, words) == []


def test_the_quiz_says_how_many_tries_are_left():
    assert "as often as you like" in texts.quiz_lead(0, 5)
    assert "2 more times." in texts.quiz_lead(3, 1)
    assert "1 more time." in texts.quiz_lead(3, 2)


def test_the_files_of_payments_have_everybody_and_the_total():
    lines = [
        Line(1, "abc", "K1", "5f0c", "finished", Decimal("2.00"), Decimal("1.50")),
        Line(3, "def", "=1+1", "", "released", Decimal("2.00"), Decimal("0.00")),
        Line(4, "ghi", "", "=7a", "left", Decimal("1.00"), Decimal("0.00")),
        Line(5, "jkl", "", "", "finished", Decimal("2.00"), Decimal("0.50")),
        Line(6, "mno", "", "9b3d", "finished", Decimal("2.00"), Decimal("0.05")),
    ]
    paid = Payroll("s", "Commons", lines, unpaid=2)
    assert [line.name for line in lines] == ["K1", "=1+1", "P4", "P5", "P6"]
    assert prolific(paid) == "5f0c,1.50\n9b3d,0.05\n"
    assert everything(paid).splitlines() == [
        "number,participant,label,panel_id,status,fee,bonus,payment",
        "1,abc,K1,5f0c,finished,2.00,1.50,3.50",
        "3,def,'=1+1,,released,2.00,0.00,2.00",
        "4,ghi,,'=7a,left,1.00,0.00,1.00",
        "5,jkl,,,finished,2.00,0.50,2.50",
        "6,mno,,9b3d,finished,2.00,0.05,2.05",
        "total,,,,,9.00,2.05,11.05",
    ]


def test_the_signature_of_a_session_is_unique():
    assert is_sign("abc", sign_of("abc"))
    assert not is_sign("abd", sign_of("abc"))
    assert not is_sign("abc", "\N{SNOWMAN}")
    assert len(sign_of("abc")) == 22


def test_as_much_of_a_comment_is_kept_as_possible():
    for comment, kept in ((None, ""), ("a", "a"), ("b" * 6000, "b" * MOST_COMMENTS)):
        player = SimpleNamespace(comments=comment)
        Comments.before_next_page(player, timeout_happened=False)
        assert player.comments == kept

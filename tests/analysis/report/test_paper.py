"""Tables for a paper."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pandas as pd
import pytest

from mixed_company.analysis.report.markup import latex, of_word
from mixed_company.analysis.report.parts import MINUS, Shown, Table
from tests.analysis.report.made import NASTY, of_game

FRAME = pd.DataFrame({"treatment": ["pool_effect=2", "50% & more"], "p_corrected": [-0.5, 0.0001]})
TABLE = Table("tests", "Main measures", FRAME, "a.function", "By Holm.")


def test_a_latex_table_is_valid():
    assert latex(Shown(TABLE)).splitlines() == [
        r"\begin{table}",
        r"  \centering",
        r"  \caption{Main measures}",
        r"  \label{tab:main_measures}",
        r"  \begin{tabular}{lr}",
        r"    \toprule",
        r"    treatment & p corrected \\",
        r"    \midrule",
        r"    pool\_effect=2 & $-$0.500 \\",
        r"    50\% \& more & $<$0.001 \\",
        r"    \bottomrule",
        r"  \end{tabular}",
        r"  \par\medskip\footnotesize By Holm.",
        r"\end{table}",
    ]


def test_a_transposed_table_has_its_columns_as_rows():
    lines = latex(Shown(TABLE, [0], upright=True)).splitlines()
    assert r"  \begin{tabular}{lr}" in lines
    assert r"    treatment & pool\_effect=2 \\" in lines
    assert r"    p corrected & $-$0.500 \\" in lines


class Cells(HTMLParser):
    """Strings in table cells."""

    def __init__(self, text):
        super().__init__()
        self.texts, self._open = [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self._open = tag in ("td", "th")

    def handle_data(self, data):
        if self._open:
            self.texts.append(data)

    def handle_endtag(self, tag):
        self._open = False


def test_a_table_for_word_has_the_same_cells():
    cells = Cells(of_word([Shown(TABLE)])).texts
    assert cells == [
        "treatment",
        "p corrected",
        "pool_effect=2",
        f"{MINUS}0.500",
        "50% & more",
        "<0.001",
    ]


def test_a_hostile_name_is_text_for_word():
    content = replace(TABLE, frame=pd.DataFrame({NASTY: [NASTY]}))
    page = of_word([Shown(content, title=NASTY, note=NASTY)])
    assert "<script" not in page
    assert unescape(page).count(NASTY) == 3  # headings show `_` as a space


@pytest.mark.long
def test_every_table_before_the_annexes_exists_in_both_formats():
    files = of_game("commons_game")
    names = {name for name in files if name.startswith("paper/")}
    tables = ["treatments", "efficiency_of_the_group_share", "main_measures"]
    tables.append("other_group_measures")
    assert {f"paper/{name}.tex" for name in tables} | {"paper/tables.html"} <= names
    for name in names - {"paper/tables.html"}:
        caption = files[name].split(r"\caption{")[1].split("}\n")[0].replace("\\", "")
        assert f"<b>{caption}.</b>" in files["paper/tables.html"], name

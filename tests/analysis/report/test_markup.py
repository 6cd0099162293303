"""Page markup: all input stays plain text."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pandas as pd
import pytest
from jinja2 import UndefinedError

from mixed_company.analysis.report import markup
from mixed_company.analysis.report.parts import MINUS, Figure, Shown, Table
from tests.analysis.report.made import NASTY

LABELS = Table(NASTY, NASTY, pd.DataFrame({NASTY: [NASTY]}), NASTY, NASTY)
SVG = '<?xml version="1.0"?><svg width="8pt" viewBox="0 0 8 4"><g id="a" href="#a"/></svg>'
FIGURE = Figure(NASTY, NASTY, NASTY, NASTY, (NASTY, NASTY), SVG, bytes)
FRAME = pd.DataFrame({"p_corrected": [-0.5, 2.0], "treatment": ["governance=per_step", "open"]})
TABLE = Table("tests", "Tests", FRAME, "a.function")


@pytest.mark.parametrize(
    "piece",
    [
        markup.paragraph(NASTY, NASTY),
        markup.section(NASTY, NASTY, [Shown(LABELS)], NASTY),
        markup.table(Shown(LABELS, upright=True)),
        markup.table(Shown(LABELS, rows=[])),
        markup.head(NASTY, [], [], []),
        markup.drawings([FIGURE]),
        markup.replay(NASTY, NASTY, NASTY, NASTY),
        markup.packed(NASTY, NASTY, NASTY),
    ],
)
def test_strings_from_an_export_stay_text(piece):
    assert NASTY in unescape(piece)
    assert "<script>alert" not in piece
    assert '&"' not in piece  # and the string cannot end an attribute
    assert "49" not in piece


def test_nested_markup_is_kept_and_a_string_in_its_place_is_escaped():
    page = markup.section("a", "A", [markup.paragraph("b"), "<p>c</p>"])
    assert "<p>b</p>" in page
    assert "&lt;p&gt;c&lt;/p&gt;" in page


def test_a_template_with_an_open_gap_is_refused():
    with pytest.raises(UndefinedError):
        markup.render("word.html")


def test_a_cell_names_its_source_and_breaks_between_the_parts_of_a_name():
    lying, upright = markup.table(Shown(TABLE)), markup.table(Shown(TABLE, [1], upright=True))
    headings = 'class="n" data-column="p_corrected">p corrected</th><th scope="col" data-column="tr'
    assert headings in lying
    assert f'<tr data-row="0"><td class="n">{MINUS}0.500</td>' in " ".join(lying.split("\n"))
    assert "<td>governance=<wbr>per_<wbr>step</td>" in lying
    assert '<tr data-column="treatment"><th scope="row">treatment</th>' in upright
    assert '<tbody data-rows="1">' in upright
    assert "<td>open</td>" in upright
    assert "governance" not in upright
    assert "<p>None.</p>" in markup.table(Shown(TABLE, rows=[]))


def test_a_long_table_shows_its_first_rows_and_counts_the_others():
    shown = Shown(Table("a", "A", pd.DataFrame({"n": range(502)}), "a.function"))
    page = markup.table(shown)
    assert page.count("<tr data-row") == 500
    assert "The first 500 of 502 rows." in page
    assert "The first" not in markup.table(replace(shown, rows=list(range(500))))


def test_a_block_labels_each_of_its_values_and_leaves_out_missing_ones():
    frame = FRAME.assign(low=[None, 0.5])
    block = markup.table(Shown(Table("tests", "Tests", frame, "a.function"), blocks=True))
    assert f'<td class="n" data-column="p_corrected" data-heading="p corrected">{MINUS}0.5' in block
    assert block.count('data-column="low"') == 1
    assert "<th" not in block


@pytest.mark.parametrize(
    ("columns", "texts", "wide"), [(12, 3, False), (13, 0, True), (4, 4, True)]
)
def test_a_table_with_many_or_wide_columns_is_printed_in_landscape(columns, texts, wide):
    cells = {str(number): ["word " * 9 if number < texts else "1"] for number in range(columns)}
    content = Table("a", "A", pd.DataFrame(cells), "a.function")
    assert markup.table(Shown(content)).startswith('<figure class="table wide">') is wide
    assert markup.table(Shown(content, upright=True)).startswith('<figure class="table">')
    assert markup.table(Shown(content, blocks=True)).startswith('<figure class="table">')


def test_a_drawing_has_ids_of_its_own():
    figure = Figure("share", "Share", "Shares.", "a.function", ("a", "b"), SVG, bytes)
    piece = markup.drawing(figure)
    assert '<g id="share-a" href="#share-a"/></svg>' in piece
    assert 'viewBox="0 0 8 4" style="max-width:8pt"' in piece
    assert "from <code>tables/a.csv</code>, <code>tables/b.csv</code>; also" in piece
    assert markup.drawings([]) == ""

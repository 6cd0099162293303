"""Figures for a paper: all text fits, the width is correct, and axes name the measure and unit."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from mixed_company import analysis, engine
from mixed_company.analysis import report
from mixed_company.analysis.report import behaving, drawing
from mixed_company.analysis.report.contents import contents
from tests.analysis.report.made import main_alone, played, short

LONG = "a treatment whose name is long enough to be cut where nobody minds"


def beyond(sheet):
    """Return the labels of a figure that are not entirely inside it."""
    renderer, shown = FigureCanvasAgg(sheet).get_renderer(), []
    plain = Text.draw

    def noted(text, *args):
        shown.append(text)
        plain(text, *args)

    with patch.object(Text, "draw", noted):
        sheet.draw(renderer)
    box = sheet.bbox.padded(1)
    places = [(text.get_text(), text.get_window_extent(renderer)) for text in shown]
    return [
        words
        for words, place in places
        if words and not all(box.contains(*corner) for corner in (place.min, place.max))
    ]


def drawn(data, width=drawing.WIDTH):
    """Draw all figures of a report, and return its contents and the labels that do not fit."""
    cut = []
    plain = drawing.rendered

    def looked_at(sheet):
        picture = plain(sheet)
        cut.extend(beyond(sheet))
        return picture

    drawn_so = patch.object(drawing, "rendered", looked_at)
    with drawn_so, patch.object(behaving, "MOST", 0), main_alone():
        return contents(data, width=width), cut


@pytest.mark.parametrize(
    ("game", "width"),
    [
        ("commons_game", 60.0),
        pytest.param("commons_game", 180.0, marks=pytest.mark.long),
        *(
            pytest.param(game, width, marks=pytest.mark.long)
            for game in engine.game_ids()[1:]
            for width in (60.0, 180.0)
        ),
    ],
)
def test_all_text_of_every_figure_fits_and_none_is_cut(game, width):
    options = {"groups": 1, **short(game)}
    names = ("open", LONG, "governance=per_step, growth_rate=0.25")
    data = analysis.joined(
        *(played(game, treatment=name, **options, seed=seed) for seed, name in enumerate(names, 1))
    )
    whole, cut = drawn(data, width)
    assert cut == []
    for figure in whole.figures.values():
        points = float(re.search(r'<svg[^>]*width="([\d.]+)pt"', figure.svg)[1])
        assert points == pytest.approx(width / 25.4 * 72, abs=0.5), figure.name


@pytest.mark.long
def test_an_axis_names_measure_and_unit():
    files = report.files(
        analysis.joined(played(periods=2), played(treatment="b", periods=2, seed=2))
    )
    assert "stock share (share)" in files["figures/period_stock_share.svg"]
    label = re.findall(r"<text[^>]*>([^<]*)", str(files["figures/groups_efficiency.svg"]))
    assert "efficiency of the group (share)" in " ".join(label)
    assert "share of groups that lasted" not in files["figures/groups_efficiency.svg"]

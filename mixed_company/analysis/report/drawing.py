"""How figures look, and how they become files: the same figure, the same bytes.

Colours are those of Okabe and Ito (2008), told apart by those who see few colours; lines differ in
style and marker too, and areas in hatching, so that a grey print says the same.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial, update_wrapper
from typing import Any, NamedTuple, ParamSpec, TypeVar

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Text

from mixed_company.analysis.report import lettering

__all__ = [
    "COLOURS",
    "INK",
    "WIDTH",
    "Inline",
    "broken",
    "canvas",
    "inline",
    "keyed",
    "keyed_above",
    "on_paper",
    "rendered",
    "stacked",
    "style",
]

P = ParamSpec("P")
R = TypeVar("R")

INCH = 25.4
WIDTH = 88.0
"""Of figures, mm: a column of most journals, and two beside each other on a page."""

INK = "#1c2430"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
DASHES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 2)), (0, (8, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "report",
    "pdf.fonttype": 42,
    "text.parse_math": False,
    "font.family": [lettering.FONT],
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.unicode_minus": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#d9dee6",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
    "legend.frameon": False,
    "hatch.linewidth": 0.6,
    "figure.constrained_layout.use": True,
}


def on_paper(draw: Callable[P, R]) -> Callable[P, R]:
    """The function with the look of this module in force, whatever a notebook has set."""

    def drawn(*arguments: P.args, **named: P.kwargs) -> R:
        with mpl.rc_context(), warnings.catch_warnings():
            mpl.rcdefaults()
            mpl.rcParams.update(_STYLE)  # type: ignore[arg-type]
            # a reader has other fonts than this machine: what lacks here is there
            warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
            return draw(*arguments, **named)

    return update_wrapper(drawn, draw)


def style(number: int) -> dict[str, Any]:
    """Colour, line style and marker of the line with this number."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[number % len(DASHES)],
        "marker": MARKERS[number % len(MARKERS)],
    }


def canvas(width: float, height: float, rows: int = 1, **how: Any) -> tuple[Canvas, list[Axes]]:
    """A figure of this size in mm, and its axes, one below the other. `how` is for `subplots`."""
    sheet = Canvas(figsize=(width / INCH, height / INCH))
    axes = sheet.subplots(rows, 1, squeeze=False, **how)
    return sheet, list(axes[:, 0])


def stacked(heights: Sequence[float], width: float = 6.8) -> tuple[Canvas, list[Axes]]:
    """A figure of axes one below the other, of these heights in inches, over the same x.

    It is laid out here, since to have it laid out takes as long as to draw it.
    """
    left, right, above, below, between = 0.7, 0.5, 0.6, 0.5, 0.34
    height = above + sum(heights) + between * (len(heights) - 1) + below
    with mpl.rc_context({"figure.constrained_layout.use": False}):
        sheet = Canvas(figsize=(width, height))
    panels: list[Axes] = []
    top = height - above
    for panel_height in heights:
        place = (
            left / width,
            (top - panel_height) / height,
            1 - (left + right) / width,
            panel_height / height,
        )
        panels.append(sheet.add_axes(place, sharex=panels[0] if panels else None))
        top -= panel_height + between
    for axes in panels[:-1]:
        axes.tick_params(labelbottom=False)
    sheet.align_ylabels(panels)
    return sheet, panels


def keyed(axes: Axes | Canvas, lines: Sequence[Any], names: Sequence[str], **where: Any) -> None:
    """A legend. Names are set afterwards: one that starts with `_` would be left out of it."""
    legend = axes.legend(lines, [str(number) for number in range(len(names))], **where)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)


def keyed_above(sheet: Canvas, lines: Sequence[Any], names: Sequence[str]) -> None:
    """A legend above the axes, in as many columns as the sheet is wide enough for; what is still
    too long for it goes on in the next line."""
    renderer = FigureCanvasAgg(sheet).get_renderer()  # type: ignore[no-untyped-call]
    letters = int(sheet.get_figwidth() * 72 / (0.62 * mpl.rcParams["font.size"])) - 11
    several = [broken(name, letters) for name in names]
    for columns in range(len(names), 0, -1):
        where = {"loc": "outside upper left", "ncols": columns, "handlelength": 3}
        keyed(sheet, lines, several, **where, columnspacing=1.2, borderaxespad=0.2)
        (legend,) = sheet.legends
        if legend.get_window_extent(renderer).width <= sheet.bbox.width or columns == 1:
            return
        legend.remove()


def broken(name: str, letters: int = 26) -> str:
    """A name in lines of so many letters, that it can stand beside an axis or in a legend."""
    return textwrap.fill(name, max(letters, 8), break_on_hyphens=False)


def rendered(figure: Canvas) -> tuple[str, Callable[[], bytes]]:
    """The figure as SVG, and what makes a PDF of it; both without the time they were made at."""
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # it is laid out: not once more for each file
    drawn = io.StringIO()
    nameless: Mapping[str, Any] = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    FigureCanvasSVG(figure).print_svg(drawn, metadata=nameless)  # type: ignore[no-untyped-call]
    return drawn.getvalue(), on_paper(partial(_pdf, figure))


def _pdf(figure: Canvas) -> bytes:
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    if all(lettering.covers(text.get_text()) for text in texts):
        for text in texts:
            text.get_fontproperties().set_file(lettering.font_file())
    printed = io.BytesIO()
    dateless = {"CreationDate": None, "Creator": None, "Producer": None}
    FigureCanvasPdf(figure).print_pdf(printed, metadata=dateless)  # type: ignore[no-untyped-call]
    return printed.getvalue()


class Inline(NamedTuple):
    """A drawing for a page: what it shows of the plane (`viewBox`), its width, and its content."""

    view: str
    points: str
    content: str


_PLACES = re.compile(r'(\bid="|url\(#|href="#)')
_DRAWN = re.compile(r'<svg\b[^>]*viewBox="([^"]*)"[^>]*>(.*)</svg>', re.S)
_NOT_HERE = re.compile(r"<metadata>.*?</metadata>\s*|<style\b.*?</style>\s*", re.S)


def inline(svg: str, name: str) -> Inline:
    """An SVG of Matplotlib, taken apart to stand in a page: its ids begin with `name` (escaped)."""
    drawn = _DRAWN.search(svg)
    assert drawn is not None  # noqa: S101  as Matplotlib writes it
    view, content = drawn[1], _NOT_HERE.sub("", drawn[2])
    width = float(view.split()[2])
    return Inline(view, f"{width:g}", _PLACES.sub(lambda match: f"{match[1]}{name}-", content))

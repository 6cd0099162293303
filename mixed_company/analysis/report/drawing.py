"""The style of figures, and how they are converted to files. The same figure always produces the
same bytes.

The colours are Okabe and Ito's (2008), which colour-blind readers can distinguish. Lines
also differ in style and marker, and areas in hatching, so figures remain readable in greyscale.

A PDF embeds only the glyphs that it shows. Subsetting the whole of DejaVu Sans takes longer than
drawing a figure, so a subset with the common scripts is made once, and figures take their glyphs
from it.
"""

from __future__ import annotations

import io
import re
import tempfile
import textwrap
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial, update_wrapper
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import matplotlib as mpl
from fontTools import subset
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Canvas
from matplotlib.font_manager import findfont
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

P = ParamSpec("P")
R = TypeVar("R")

INCH = 25.4
WIDTH = 88.0
"""Width of figures in mm: one column of most journals, so two fit side by side on a page."""

FONT = "DejaVu Sans"
INK = "#1c2430"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
DASHES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 2)), (0, (8, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "report",
    "pdf.fonttype": 42,
    "text.parse_math": False,
    "font.family": [FONT],
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
    """Wrap a function so that it draws in this module's style, even if a notebook has set another
    one."""

    def drawn(*arguments: P.args, **keywords: P.kwargs) -> R:
        with mpl.rc_context(), warnings.catch_warnings():
            mpl.rcdefaults()
            mpl.rcParams.update(_STYLE)  # type: ignore[arg-type]
            # readers may have fonts with glyphs that are missing on this machine
            warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
            return draw(*arguments, **keywords)

    return update_wrapper(drawn, draw)


def style(number: int) -> dict[str, Any]:
    """Return the colour, the line style and the marker of the line with this number."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[number % len(DASHES)],
        "marker": MARKERS[number % len(MARKERS)],
    }


def canvas(width: float, height: float, rows: int = 1, **options: Any) -> tuple[Canvas, list[Axes]]:
    """Return a figure of this size (in mm) and its axes from top to bottom.

    `options` are passed to `subplots`.
    """
    sheet = Canvas(figsize=(width / INCH, height / INCH))
    axes = sheet.subplots(rows, 1, squeeze=False, **options)
    return sheet, list(axes[:, 0])


def stacked(heights: Sequence[float], width: float = 6.8) -> tuple[Canvas, list[Axes]]:
    """Return a figure with stacked axes of these heights in inches, and a shared x axis.

    The layout is computed here, because Matplotlib's own layout would take as long as the drawing
    itself.
    """
    left, right, above, below, between = 0.7, 0.5, 0.6, 0.5, 0.34
    height = above + sum(heights) + between * (len(heights) - 1) + below
    with mpl.rc_context({"figure.constrained_layout.use": False}):
        sheet = Canvas(figsize=(width, height))
    panels: list[Axes] = []
    top, across = height - above, 1 - (left + right) / width
    for panel in heights:
        place = (left / width, (top - panel) / height, across, panel / height)
        panels.append(sheet.add_axes(place, sharex=panels[0] if panels else None))
        top -= panel + between
    for axes in panels[:-1]:
        axes.tick_params(labelbottom=False)
    sheet.align_ylabels(panels)
    return sheet, panels


def by_period(axes: Axes) -> None:
    """Label the period axis, with ticks at whole periods."""
    axes.set_xlabel("period")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def keyed(axes: Axes | Canvas, lines: Sequence[Any], names: Sequence[str], **options: Any) -> None:
    """Draw a legend. Names are set afterwards, because Matplotlib drops names that start with `_`.

    `options` are passed to `legend`.
    """
    legend = axes.legend(lines, [str(number) for number in range(len(names))], **options)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)


def keyed_above(sheet: Canvas, lines: Sequence[Any], names: Sequence[str]) -> None:
    """Draw a legend above the axes, in as many columns as fit. Long names are wrapped."""
    renderer = FigureCanvasAgg(sheet).get_renderer()  # type: ignore[no-untyped-call]
    letters = int(sheet.get_figwidth() * 72 / (0.62 * mpl.rcParams["font.size"])) - 11
    wrapped = [broken(name, letters) for name in names]
    for columns in range(len(names), 0, -1):
        options = {"loc": "outside upper left", "ncols": columns, "handlelength": 3}
        keyed(sheet, lines, wrapped, **options, columnspacing=1.2, borderaxespad=0.2)
        (legend,) = sheet.legends
        if legend.get_window_extent(renderer).width <= sheet.bbox.width or columns == 1:
            return
        legend.remove()


def broken(name: str, letters: int = 26) -> str:
    """Wrap a name next to an axis or in a legend into lines of at most `letters` characters."""
    return textwrap.fill(name, max(letters, 8), break_on_hyphens=False)


def rendered(figure: Canvas) -> tuple[str, Callable[[], bytes]]:
    """Return the figure as SVG, and a function that returns its PDF. Neither contains a date."""
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # the layout is final and need not be redone for each file
    svg = io.StringIO()
    metadata: Mapping[str, Any] = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    FigureCanvasSVG(figure).print_svg(svg, metadata=metadata)  # type: ignore[no-untyped-call]
    return svg.getvalue(), on_paper(partial(_pdf, figure))


def _pdf(figure: Canvas) -> bytes:
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    if all(_COMMON.issuperset(map(ord, text.get_text())) for text in texts):
        for text in texts:
            text.get_fontproperties().set_file(_font_file())
    pdf = io.BytesIO()
    metadata = {"CreationDate": None, "Creator": None, "Producer": None}
    FigureCanvasPdf(figure).print_pdf(pdf, metadata=metadata)  # type: ignore[no-untyped-call]
    return pdf.getvalue()


_COMMON = frozenset([*range(0x20, 0x250), *range(0x370, 0x530), *range(0x2000, 0x2300), 0xA])
"""Code points of Latin, Greek, Cyrillic, punctuation, arrows and symbols, and the newline."""

_folders: list[tempfile.TemporaryDirectory[str]] = []
"""Temporary folders of this process, which are removed when it ends."""


@lru_cache(maxsize=1)
def _font_file() -> Path:
    """Write a font file with only the common scripts, and return its path.

    Tables that are only needed for layout are dropped.
    """
    options = subset.Options(glyph_names=True, layout_features=[], name_IDs=["*"])
    options.drop_tables += ["FFTM", "GDEF", "GPOS", "GSUB", "MATH", "kern"]
    font = subset.load_font(str(findfont(FONT)), options)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=_COMMON)
    chosen.subset(font)
    _folders.append(tempfile.TemporaryDirectory(prefix="lettering-"))
    path = Path(_folders[-1].name) / f"{FONT}.ttf"
    subset.save_font(font, str(path), options)
    return path


class Inline(NamedTuple):
    """A drawing to embed in a page: its `viewBox`, its width in points, and its SVG content."""

    view: str
    points: str
    content: str


_PLACES = re.compile(r'(\bid="|url\(#|href="#)')
_DRAWN = re.compile(r'<svg\b[^>]*viewBox="([^"]*)"[^>]*>(.*)</svg>', re.S)
_NOT_HERE = re.compile(r"<metadata>.*?</metadata>\s*|<style\b.*?</style>\s*", re.S)


def inline(svg: str, name: str) -> Inline:
    """Convert one of Matplotlib's SVGs for embedding, with `name` (escaped) as the prefix of its
    ids."""
    match = _DRAWN.search(svg)
    assert match is not None  # noqa: S101  Matplotlib always writes this
    view, content = match[1], _NOT_HERE.sub("", match[2])
    width = float(view.split()[2])
    return Inline(view, f"{width:g}", _PLACES.sub(lambda place: f"{place[1]}{name}-", content))

"""A specification curve: the effect by every analysis, and below it which analysis that is."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from mixed_company.analysis.multiverse import CHOICES, Multiverse
from mixed_company.analysis.report import drawing
from mixed_company.analysis.report.drawing import WIDTH
from mixed_company.analysis.report.parts import worded

__all__ = ["curve"]


@drawing.on_paper
def curve(own: Multiverse, width: float = WIDTH) -> tuple[str, bytes]:
    """SVG and PDF: effects in order, filled where p is at most alpha; a dot per choice below."""
    table = own.table
    options = [
        (choice, value) for choice in CHOICES for value in dict.fromkeys(table[choice].tolist())
    ]
    options = [one for one in options if table[one[0]].nunique() > 1]
    canvas, (above, below) = drawing.canvas(
        width, 48 + 5 * len(options), 2, sharex=True, height_ratios=[40, 5 * len(options) + 4]
    )
    places = list(range(1, len(table) + 1))
    significant = (table["p"] <= own.alpha).tolist()
    _dots(above, places, table["effect"].tolist(), significant)
    above.axhline(0, color=drawing.INK, linewidth=0.8)
    above.set_ylabel(f"difference in {worded(own.measure)}")
    for row, (choice, value) in enumerate(options):
        chosen = [place for place, one in zip(places, table[choice], strict=True) if one == value]
        filled = [significant[place - 1] for place in chosen]
        _dots(below, chosen, [row] * len(chosen), filled)
    below.set_yticks(range(len(options)), [f"{choice}: {value}" for choice, value in options])
    below.set_ylim(len(options) - 0.5, -0.5)
    below.set_xlabel("analyses, by effect")
    svg, pdf = drawing.rendered(canvas)
    return svg, pdf()


def _dots(axes: Axes, x: Sequence[int], y: Sequence[float], filled: Sequence[bool]) -> None:
    """Circles, filled where the test is significant."""
    colour = drawing.COLOURS[0]
    faces = [colour if one else "#ffffff" for one in filled]
    axes.scatter(x, y, s=14, c=faces, edgecolors=colour, linewidths=0.8, zorder=3)

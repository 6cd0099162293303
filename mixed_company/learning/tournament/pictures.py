"""Pictures of tournaments and meta-games as SVG; the same results always produce the same bytes.

exploitation   a square for each mix: the focal seat's points minus its field's points
returns        the points of each policy alone and among others, with intervals
ranges         numbers by name, as dots on one scale with their intervals

A star marks policies that know the solution (`starred`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from html import escape

from mixed_company.learning.tournament.batch import Mix
from mixed_company.learning.tournament.means import Mean, Measured, Standing

LEFT, SIZE = 190, 46
TITLE, TOP = 26, 170
WIDTH, ROW = 420, 30
MORE, LESS = (31, 119, 180), (214, 96, 31)
ALONE, AMONG = "#888", "#1f77b4"


def exploitation(
    measures: Mapping[Mix, Measured], policies: Sequence[str], starred: Collection[str]
) -> str:
    """Draw a table with a row per policy and a column per field; a cell shows the focal seat's
    gain."""
    gains = {mix: float(measure.gain.mean()) for mix, measure in measures.items() if not mix.alone}
    largest = max(map(abs, gains.values()), default=0.0) or 1.0
    parts = [
        text(8, TITLE, "Points of one seat (row) minus those of each seat in its field (column)")
    ]
    for place, name in enumerate(policies):
        middle = place * SIZE + SIZE // 2
        parts.append(text(LEFT - 8, TOP + middle + 4, _name(name, starred), "end"))
        parts.append(_turned(LEFT + middle + 4, TOP - 8, _name(name, starred)))
    for row, focal in enumerate(policies):
        for column, field in enumerate(policies):
            value = gains.get(Mix(focal, field))
            colour = "#eee" if value is None else _shade(value / largest)
            x, y = LEFT + column * SIZE, TOP + row * SIZE
            parts.append(
                f'<rect x="{x}" y="{y}" width="{SIZE}" height="{SIZE}" fill="{colour}" '
                f'stroke="white"/>\n'
            )
            if value is not None:
                parts.append(text(x + SIZE // 2, y + SIZE // 2 + 4, _short(value), "middle"))
    side = len(policies) * SIZE
    wide = max(LEFT + side, 560)
    return drawn(wide + 60, TOP + side + 10, "Who exploits whom", parts)


def returns(standings: Sequence[Standing], starred: Collection[str]) -> str:
    """Draw a row for each policy: two dots on one scale, with their intervals."""
    rows = {
        _name(standing.policy, starred): (standing.alone.points, standing.among_others)
        for standing in standings
    }
    ends = [end for means in rows.values() for mean in means for end in mean if not math.isnan(end)]
    low, high = min(ends), max(ends)
    scale = (low, high) if high > low else (low - 1, high + 1)
    kinds = {"all seats alike": ALONE, "among others": AMONG}
    heading = "Points of a seat, with 95% intervals"
    return ranges("Points by policy", heading, kinds, rows, scale, ".1f")


def ranges(
    title: str,
    heading: str,
    kinds: Mapping[str, str],
    rows: Mapping[str, Sequence[Mean]],
    scale: tuple[float, float],
    form: str,
) -> str:
    """Draw a row for each name: a dot for each kind of number, and a line for its interval.

    kinds   colour of each kind of points, by name
    scale   numbers at the left and right ends
    form    format of the numbers below the scale
    """
    low, high = scale

    def across(value: float) -> float:
        return LEFT + WIDTH * (value - low) / (high - low)

    parts = [text(8, TITLE, heading)]
    for place, (kind, colour) in enumerate(kinds.items()):
        x = LEFT + 4 + 150 * place
        parts.append(dot(x, TITLE + 20, colour) + text(x + 10, TITLE + 24, kind))
    top = TITLE + 46
    bottom = top + ROW * len(rows)
    for tick in range(5):
        value = low + (high - low) * tick / 4
        parts.append(line(across(value), top, across(value), bottom, "#ddd"))
        parts.append(text(across(value), bottom + 18, f"{value + 0.0:{form}}", "middle"))
    for row, (name, means) in enumerate(rows.items()):
        y = top + ROW * row + ROW // 2
        parts.append(text(LEFT - 8, y + 4, name, "end"))
        for mean, colour, height in zip(means, kinds.values(), (y - 5, y + 5), strict=True):
            if not math.isnan(mean.low):
                parts.append(line(across(mean.low), height, across(mean.high), height, colour))
            if not math.isnan(mean.value):
                parts.append(dot(across(mean.value), height, colour))
    return drawn(LEFT + WIDTH + 40, bottom + 30, title, parts)


def _name(policy: str, starred: Collection[str]) -> str:
    return f"{policy} *" if policy in starred else policy


def _shade(share: float) -> str:
    """Return a colour: white for 0, one colour for positive numbers, another for negative
    numbers."""
    full = MORE if share > 0 else LESS
    return "#" + "".join(f"{round(255 - (255 - part) * abs(share)):02x}" for part in full)


def _short(value: float) -> str:
    """Return a number as text, with at most six characters."""
    digits = 1 if abs(value) < 1000 else 0
    return f"{round(value, digits) + 0.0:.{digits}f}"


# -- parts of a picture -----------------------------------------------------------------------


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    """Draw text at a position."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>\n'


def _turned(x: float, y: float, words: str) -> str:
    """Draw text that slants up to the right."""
    where = f"{x:.1f} {y:.1f}"
    return f'<text transform="translate({where}) rotate(-60)">{escape(words)}</text>\n'


def dot(x: float, y: float, colour: str) -> str:
    """Draw a dot."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>\n'


def line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    """Draw a line between two positions."""
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="2"/>\n'


def drawn(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """Return an SVG picture of these parts on a white background."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">\n<title>{title}</title>\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n'
    )
    return head + "".join(parts) + "</svg>\n"

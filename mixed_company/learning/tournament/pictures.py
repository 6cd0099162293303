"""Results as pictures, in SVG of our own: the same results give the same bytes.

exploitation   a square for each mix: how much more the one has than its field
returns        each policy by itself and among others, with intervals

A star stands behind the policies that were told the solution (`starred`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from mixed_company.learning.tournament.drawing import dot, drawn, line, text, turned
from mixed_company.learning.tournament.means import Mean, Measured
from mixed_company.learning.tournament.mixes import Mix
from mixed_company.learning.tournament.summary import Standing

__all__ = ["exploitation", "returns"]

LEFT, SIZE = 190, 46
TITLE, TOP = 26, 170
WIDTH, ROW = 420, 30
MORE, LESS = (31, 119, 180), (214, 96, 31)
ALONE, AMONG = "#888", "#1f77b4"


def exploitation(
    measures: Mapping[Mix, Measured], policies: Sequence[str], starred: Collection[str]
) -> str:
    """Rows: the only one of its kind; columns: its field; numbers: points it has more."""
    gains = {mix: float(measure.gain.mean()) for mix, measure in measures.items() if not mix.alone}
    largest = max(map(abs, gains.values()), default=0.0) or 1.0
    parts = [
        text(8, TITLE, "Points that one of a kind (row) has more than each of its field (column)")
    ]
    for place, name in enumerate(policies):
        middle = place * SIZE + SIZE // 2
        parts.append(text(LEFT - 8, TOP + middle + 4, _name(name, starred), "end"))
        parts.append(turned(LEFT + middle + 4, TOP - 8, _name(name, starred)))
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
    """A row for each policy: two points on one scale, with their intervals."""
    shown = [standing.alone.points for standing in standings] + [
        standing.among_others for standing in standings
    ]
    low, high = _scale(shown)
    parts = [
        text(8, TITLE, "Points of a seat, with 95 % intervals"),
        dot(LEFT + 4, TITLE + 20, ALONE) + text(LEFT + 14, TITLE + 24, "all seats alike"),
        dot(LEFT + 154, TITLE + 20, AMONG) + text(LEFT + 164, TITLE + 24, "among others"),
    ]
    top = TITLE + 46
    bottom = top + ROW * len(standings)

    def across(value: float) -> float:
        return LEFT + WIDTH * (value - low) / (high - low)

    for tick in range(5):
        value = low + (high - low) * tick / 4
        x = across(value)
        parts.append(line(x, top, x, bottom, "#ddd"))
        parts.append(text(x, bottom + 18, f"{value + 0.0:.1f}", "middle"))
    for row, standing in enumerate(standings):
        y = top + ROW * row + ROW // 2
        parts.append(text(LEFT - 8, y + 4, _name(standing.policy, starred), "end"))
        for points, colour, at in (
            (standing.alone.points, ALONE, y - 5),
            (standing.among_others, AMONG, y + 5),
        ):
            if not math.isnan(points.value):
                low_end, high_end = _ends(points)
                parts.append(line(across(low_end), at, across(high_end), at, colour))
                parts.append(dot(across(points.value), at, colour))
    return drawn(LEFT + WIDTH + 40, bottom + 30, "Points by policy", parts)


def _name(policy: str, starred: Collection[str]) -> str:
    return f"{policy} *" if policy in starred else policy


def _ends(value: Mean) -> tuple[float, float]:
    """The interval, or the mean where there is none."""
    if math.isnan(value.low):
        return value.value, value.value
    return value.low, value.high


def _scale(means: Iterable[Mean]) -> tuple[float, float]:
    """From the least to the most that is drawn."""
    ends = [end for mean in means if not math.isnan(mean.value) for end in _ends(mean)]
    low, high = min(ends), max(ends)
    return (low, high) if high > low else (low - 1, high + 1)


def _shade(share: float) -> str:
    """White at 0, towards one colour for more and another for less."""
    full = MORE if share > 0 else LESS
    return "#" + "".join(f"{round(255 - (255 - part) * abs(share)):02x}" for part in full)


def _short(value: float) -> str:
    """At most six signs."""
    digits = 1 if abs(value) < 1000 else 0
    return f"{round(value, digits) + 0.0:.{digits}f}"

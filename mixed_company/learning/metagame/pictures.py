"""The meta-game as pictures: replicators by time, and how long a population is of each policy."""

from __future__ import annotations

import numpy as np

from mixed_company.learning.metagame.report import Solved
from mixed_company.learning.tournament.drawing import dot, drawn, line, text

__all__ = ["ranks", "replicators"]

LEFT, TOP, WIDTH, HEIGHT, ROW = 190, 46, 420, 240, 30
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito (2008); over again, dashed, where there are more policies."""


def replicators(result: Solved) -> str:
    """Shares by time of a population that begins with the same share of each policy."""
    path, names = result.path, result.game.policies
    parts = [text(8, 26, "Share of each policy where what earns more is copied, by time")]
    for share in (0.0, 0.5, 1.0):
        y = TOP + HEIGHT * (1 - share)
        parts += [line(60, y, 60 + WIDTH, y, "#ddd"), text(52, y + 4, f"{share:g}", "end")]
    times = 60 + WIDTH * np.arange(len(path)) / (len(path) - 1)
    for place, name in enumerate(names):
        colour = COLOURS[place % len(COLOURS)]
        dash = ' stroke-dasharray="5 3"' if place >= len(COLOURS) else ""
        points = zip(times.tolist(), (TOP + HEIGHT * (1 - path[:, place])).tolist(), strict=True)
        line_of = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(
            f'<polyline points="{line_of}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>\n'
        )
        y = TOP + 18 * place + 6
        parts += [dot(WIDTH + 84, y, colour), text(WIDTH + 96, y + 4, name)]
    parts.append(text(60, TOP + HEIGHT + 22, "0"))
    parts.append(text(60 + WIDTH, TOP + HEIGHT + 22, f"{len(path) - 1}", "end"))
    bottom = max(TOP + HEIGHT + 40, TOP + 18 * len(names) + 20)
    return drawn(WIDTH + 340, bottom, "Replicators", parts)


def ranks(result: Solved) -> str:
    """A row for each policy: its share of time by Moran, and by alpha-rank."""
    order = np.argsort(-result.moran, kind="stable").tolist()
    parts = [
        text(8, 26, "Share of time in which a population is of one policy"),
        dot(LEFT + 4, 44, COLOURS[0]) + text(LEFT + 14, 48, "Moran"),
        dot(LEFT + 154, 44, COLOURS[1]) + text(LEFT + 164, 48, "alpha-rank"),
    ]
    top = 62
    for tick in range(5):
        x = LEFT + WIDTH * tick / 4
        bottom = top + ROW * len(order)
        parts += [line(x, top, x, bottom, "#ddd"), text(x, bottom + 18, f"{tick / 4:g}", "middle")]
    for row, place in enumerate(order):
        y = top + ROW * row + ROW // 2
        parts.append(text(LEFT - 8, y + 4, result.game.policies[place], "end"))
        for shares, colour, at in (
            (result.moran, COLOURS[0], y - 5),
            (result.alpha, COLOURS[1], y + 5),
        ):
            parts.append(line(LEFT, at, LEFT + WIDTH * float(shares[place]), at, colour))
            parts.append(dot(LEFT + WIDTH * float(shares[place]), at, colour))
    return drawn(LEFT + WIDTH + 40, top + ROW * len(order) + 30, "Shares of time", parts)

"""Pictures of a solved meta-game as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.bootstrap import percentiles
from mixed_company.learning.metagame.dynamics import Setting
from mixed_company.learning.tournament.pictures import dot, drawn, line, ranges, text

if TYPE_CHECKING:
    from mixed_company.learning.metagame.report import Solved

TOP, WIDTH, HEIGHT = 46, 420, 240
PANEL, GAP = 300, 90
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito's colours (2008); if there are more policies, they repeat with dashed lines."""


def replicators(result: Solved) -> str:
    """Draw the replicators' shares over time, from equal shares."""
    path, names = result.path, result.game.policies
    parts = [text(8, 26, "Share of each policy over time if policies that earn more are copied")]
    parts += [*_frame(60, TOP, WIDTH), *_curves(path, 60, TOP, WIDTH)]
    parts += _legend(names, WIDTH + 84)
    parts.append(text(60, TOP + HEIGHT + 22, "0"))
    parts.append(text(60 + WIDTH, TOP + HEIGHT + 22, f"{len(path) - 1}", "end"))
    bottom = max(TOP + HEIGHT + 40, TOP + 18 * len(names) + 20)
    return drawn(WIDTH + 340, bottom, "Replicators", parts)


def ranks(result: Solved) -> str:
    """Draw a row for each policy: its share of time under Moran and under alpha-rank."""
    both = [(result.moran, result.draws.moran), (result.alpha, result.draws.alpha)]
    rows = {
        result.game.policies[place]: [
            percentiles(float(shares[place]), sample[:, place]) for shares, sample in both
        ]
        for place in np.argsort(-result.moran, kind="stable").tolist()
    }
    kinds = dict(zip(("Moran", "alpha-rank"), COLOURS, strict=False))
    heading = "Share of time in which a population consists of one policy, with 95% intervals"
    return ranges("Shares of time", heading, kinds, rows, (0.0, 1.0), "g")


def sweeps(result: Solved) -> str:
    """Draw the shares of time by alpha and by population size, in four panels."""
    parts = [text(8, 26, "Share of time by strength of selection (alpha) and by population")]
    for row, varied in enumerate(("alpha", "population")):
        settings = [setting for setting in result.sweep if setting.varied == varied]
        shares = ([s.moran for s in settings], [s.alpha_rank for s in settings])
        for column, (kind, curves) in enumerate(zip(("Moran", "alpha-rank"), shares, strict=True)):
            left, top = 60 + column * (PANEL + GAP), 70 + row * (HEIGHT + GAP)
            parts.append(text(left, top - 10, f"{kind}, by {varied}"))
            parts += [*_frame(left, top, PANEL), *_curves(np.array(curves), left, top, PANEL)]
            parts += _ticks(settings, left, top + HEIGHT + 22)
    parts += _legend(result.game.policies, 60 + 2 * (PANEL + GAP))
    return drawn(2 * (PANEL + GAP) + 320, 70 + 2 * (HEIGHT + GAP), "Sweeps", parts)


def _frame(left: float, top: float, width: float) -> Iterable[str]:
    """Yield the grid lines at the shares 0, one half and 1."""
    for share in (0.0, 0.5, 1.0):
        y = top + HEIGHT * (1 - share)
        yield line(left, y, left + width, y, "#ddd") + text(left - 8, y + 4, f"{share:g}", "end")


def _curves(shares: Array, left: float, top: float, width: float) -> Iterable[str]:
    """Yield a curve for each policy, given shares (times, m)."""
    times = left + width * np.arange(len(shares)) / max(len(shares) - 1, 1)
    for place, heights in enumerate((top + HEIGHT * (1 - shares)).T):
        dash = ' stroke-dasharray="5 3"' if place >= len(COLOURS) else ""
        points = " ".join(
            f"{x:.1f},{y:.1f}" for x, y in zip(times.tolist(), heights.tolist(), strict=True)
        )
        stroke = f'stroke="{COLOURS[place % len(COLOURS)]}" stroke-width="2"{dash}'
        yield f'<polyline points="{points}" fill="none" {stroke}/>\n'


def _legend(names: Sequence[str], left: float) -> Iterable[str]:
    for place, name in enumerate(names):
        y = TOP + 18 * place + 6
        yield dot(left, y, COLOURS[place % len(COLOURS)]) + text(left + 12, y + 4, name)


def _ticks(settings: Sequence[Setting], left: float, y: float) -> Iterable[str]:
    """Yield equally spaced labels for the parameter that the settings vary."""
    for place, setting in enumerate(settings):
        value = setting.alpha if setting.varied == "alpha" else setting.population
        x = left + PANEL * place / max(len(settings) - 1, 1)
        yield text(x, y, f"{value:g}", "middle")

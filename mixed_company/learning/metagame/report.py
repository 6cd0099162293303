"""The meta-game as tables (CSV, Markdown) and pictures (SVG)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.composition import Composition
from mixed_company.learning.metagame.dynamics import (
    Rest,
    alpha_rank,
    moran,
    replicated,
    rest_points,
)
from mixed_company.learning.metagame.game import MetaGame, clones, of_plays
from mixed_company.learning.metagame.nash import Equilibrium, equilibria
from mixed_company.learning.tournament.means import Mean, mean
from mixed_company.learning.tournament.pictures import dot, drawn, line, ranges, text
from mixed_company.learning.tournament.tables import csv_text, interval, markdown

STARTS = 200
"""Number of starting points of replicators."""

TIMES = 200
"""Length of the path of the replicators that begin with equal shares."""

TOP, WIDTH, HEIGHT = 46, 420, 240
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito (2008); repeated, dashed, if there are more policies."""


@dataclass(frozen=True)
class Solved:
    """A meta-game and its solutions; of exact clones only the first is included.

    moran, alpha   (m,) shares of time
    rests          points where replicators come to rest
    path           (times, m) replicators that begin with equal shares
    """

    game: MetaGame
    clones: dict[str, list[str]]
    equilibria: list[Equilibrium]
    moran: Array
    alpha: Array
    rests: list[Rest]
    path: Array


def solved(policies: tuple[str, ...], plays: Mapping[Composition, Array], seed: int) -> Solved:
    """Solve the meta-game, from the earnings of places, (P, n), by composition."""
    same = clones(policies, plays)
    copies = {copy for others in same.values() for copy in others}
    game = of_plays(policies, plays).only([policy for policy in policies if policy not in copies])
    size = len(game.policies)
    rests = rest_points(game, STARTS, seed)
    return Solved(
        game,
        same,
        equilibria(game, [rest.high for rest in rests if rest.high is not None]),
        moran(game),
        alpha_rank(game),
        rests,
        replicated(game, np.full((1, size), 1.0 / size), TIMES)[:, 0],
    )


def payoffs_csv(policies: tuple[str, ...], plays: Mapping[Composition, Array]) -> str:
    """Return a CSV row for every policy of every composition, with its seats and earnings."""
    return csv_text(
        [
            {
                **{name: composition.count(name) for name in policies},
                "policy": policy,
                **interval("points", mean(earned[:, _places(composition, policy)].mean(axis=1))),
                "plays": len(earned),
            }
            for composition, earned in plays.items()
            for policy in dict.fromkeys(composition)
        ]
    )


def _places(composition: Composition, policy: str) -> list[bool]:
    return [name == policy for name in composition]


def summary(result: Solved, origin: Mapping[str, Any]) -> str:
    """Return the solution as text and tables; `origin` has the settings on which it depends."""
    game = result.game
    equilibria = [
        (f"{points:.2f}", _mixture(game, shares, shares) + ", among others" * one_of_many)
        for shares, points, _, one_of_many in result.equilibria
    ]
    rests = [
        (
            f"{100 * rest.share:.1f}",
            "still moving"
            if rest.low is None or rest.high is None
            else _mixture(game, rest.low, rest.high),
        )
        for rest in result.rests
    ]
    parts = [
        ", ".join(f"{name} {value}" for name, value in origin.items()) + ".",
        *(
            f"`{first}` also represents its exact clones: {', '.join(map(_code, others))}."
            for first, others in result.clones.items()
        ),
        _standing(result),
        "Equilibria that the search found, with the points that a seat earns in each:",
        markdown(("points", "mixture"), equilibria),
        f"Mixtures at which replicator dynamics come to rest, from {STARTS} starting points:",
        markdown(("% of starting points", "mixture"), rests),
    ]
    return "\n\n".join(parts) + "\n"


def _standing(result: Solved) -> str:
    game, rows = result.game, []
    for place in np.argsort(-result.moran, kind="stable").tolist():
        policy = game.policies[place]
        others = [policy] * (game.seats - 1)
        alone = game.earns(policy, others)
        best = max(game.policies, key=lambda reply: game.earns(reply, others))
        gains = game.earns(best, others) - alone > 1e-9 * game.range
        reply = f"{_code(best)} {game.earns(best, others):.2f}" if gains else "itself"
        shares = [f"{100 * shares[place]:.1f}" for shares in (result.moran, result.alpha)]
        rows.append([_code(policy), f"{alone:.2f}", reply, *shares])
    return markdown(("policy", "alone", "best reply to it", "% of time: Moran", "alpha-rank"), rows)


def _mixture(game: MetaGame, smallest: Array, largest: Array) -> str:
    """Return shares in percent, the largest first; a range if `low` and `high` differ."""
    parts = []
    for place in np.argsort(-largest, kind="stable").tolist():
        low, high = (round(100 * float(ends[place]), 1) for ends in (smallest, largest))
        if high > 0:
            shown = f"{high}" if high - low <= 2.0 else f"{low} to {high}"
            parts.append(f"{shown} % {_code(game.policies[place])}")
    return ", ".join(parts)


def _code(policy: str) -> str:
    return f"`{policy}`"


# -- pictures -------------------------------------------------------------------------------------


def replicators(result: Solved) -> str:
    """Draw the shares by time of replicators that begin with equal shares."""
    path, names = result.path, result.game.policies
    parts = [text(8, 26, "Share of each policy over time, if policies that earn more are copied")]
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
    """Draw a row for each policy: its share of time under Moran, and under alpha-rank."""
    rows = {
        result.game.policies[place]: [
            Mean(float(shares[place]), 0.0, float(shares[place]))
            for shares in (result.moran, result.alpha)
        ]
        for place in np.argsort(-result.moran, kind="stable").tolist()
    }
    kinds = dict(zip(("Moran", "alpha-rank"), COLOURS, strict=False))
    heading = "Share of time in which a population consists of one policy"
    return ranges("Shares of time", heading, kinds, rows, (0.0, 1.0), "g")

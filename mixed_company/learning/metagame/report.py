"""The meta-game as tables: what is earned where (CSV), and what becomes of it (Markdown)."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.clones import clones
from mixed_company.learning.metagame.composition import Composition
from mixed_company.learning.metagame.dynamics import (
    Rest,
    alpha_rank,
    moran,
    replicated,
    rest_points,
)
from mixed_company.learning.metagame.game import MetaGame, of_plays
from mixed_company.learning.metagame.nash import Equilibrium, equilibria
from mixed_company.learning.tournament.means import mean

__all__ = ["Solved", "payoffs_csv", "solved", "summary"]

STARTS = 200
"""Beginnings of replicators."""

TIMES = 200
"""Of the replicators that begin with a share of each."""


@dataclass(frozen=True)
class Solved:
    """A meta-game and what becomes of it; of exact clones the first stands for all.

    moran, alpha   (m,) shares of time
    rests          where replicators come to rest, and from what share of beginnings
    path           (times, m) replicators that begin with the same share of each
    """

    game: MetaGame
    clones: dict[str, list[str]]
    equilibria: list[Equilibrium]
    moran: Array
    alpha: Array
    rests: list[Rest]
    path: Array


def solved(policies: tuple[str, ...], plays: Mapping[Composition, Array], seed: int) -> Solved:
    """The meta-game of what places earned, (P, n) for every composition."""
    same = clones(policies, plays)
    copies = {copy for others in same.values() for copy in others}
    game = of_plays(policies, plays).only([one for one in policies if one not in copies])
    size = len(game.policies)
    rests = rest_points(game, STARTS, seed)
    return Solved(
        game,
        same,
        equilibria(game, [rest.most for rest in rests if rest.most is not None]),
        moran(game),
        alpha_rank(game),
        rests,
        replicated(game, np.full((1, size), 1.0 / size), TIMES)[:, 0],
    )


def payoffs_csv(policies: tuple[str, ...], plays: Mapping[Composition, Array]) -> str:
    """A row for every policy of every composition: how many follow which, and what it earns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*policies, "policy", "points", "points_low", "points_high", "plays"])
    for composition, earned in plays.items():
        for policy in dict.fromkeys(composition):
            own = mean(earned[:, [name == policy for name in composition]].mean(axis=1))
            counts = [composition.count(name) for name in policies]
            writer.writerow([*counts, policy, *map(repr, own), len(earned)])
    return text.getvalue()


def summary(result: Solved, origin: Mapping[str, Any]) -> str:
    """All of it in words and tables; `origin` is what it followed from."""
    parts = [
        ", ".join(f"{name} {value}" for name, value in origin.items()) + ".",
        *(
            f"Exact clones of `{first}`, which stands for all: {_listed(others)}."
            for first, others in result.clones.items()
        ),
        _standing(result),
        "Equilibria, of those that were searched for, and what one earns there.",
        _table(("points", "mixture"), _equilibria(result)),
        f"Where replicators come to rest, of {STARTS} beginnings.",
        _table(("% of beginnings", "mixture"), _rests(result)),
    ]
    return "\n\n".join(parts) + "\n"


def _standing(result: Solved) -> str:
    game = result.game
    heads = ("policy", "alone", "best reply to it", "% of time: Moran", "alpha-rank")
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for place in np.argsort(-result.moran, kind="stable").tolist():
        policy = game.policies[place]
        others = [policy] * (game.seats - 1)
        own = game.earns(policy, others)
        best = max(game.policies, key=lambda one: game.earns(one, others))
        gains = game.earns(best, others) - own > 1e-9 * game.range
        reply = f"`{best}` {game.earns(best, others):.2f}" if gains else "itself"
        shares = [f"{100 * shares[place]:.1f}" for shares in (result.moran, result.alpha)]
        lines.append(f"| {' | '.join([f'`{policy}`', f'{own:.2f}', reply, *shares])} |")
    return "\n".join(lines)


def _equilibria(result: Solved) -> list[tuple[str, str]]:
    return [
        (
            f"{one.points:.2f}",
            _mixture(result.game, one.shares, one.shares) + (", among others" * one.one_of_many),
        )
        for one in result.equilibria
    ]


def _rests(result: Solved) -> list[tuple[str, str]]:
    return [
        (
            f"{100 * rest.share:.1f}",
            "still moving"
            if rest.least is None or rest.most is None
            else _mixture(result.game, rest.least, rest.most),
        )
        for rest in result.rests
    ]


def _mixture(game: MetaGame, least: Array, most: Array) -> str:
    """The shares in percent, the largest first; from one to another where they differ."""
    parts = []
    for place in np.argsort(-most, kind="stable").tolist():
        low, high = (round(100 * float(ends[place]), 1) for ends in (least, most))
        if high > 0:
            shown = f"{high}" if high - low <= 2.0 else f"{low} to {high}"
            parts.append(f"{shown} % `{game.policies[place]}`")
    return ", ".join(parts)


def _table(heads: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", "|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def _listed(policies: list[str]) -> str:
    return ", ".join(f"`{policy}`" for policy in policies)

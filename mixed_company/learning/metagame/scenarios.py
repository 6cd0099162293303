"""Scenarios: policies play among policies that they were not trained with, and the earnings of both
are measured.

A scenario is a focal policy in some seats and a background policy in all others, after Leibo et al.
(2021), "Scalable evaluation of multi-agent reinforcement learning with Melting Pot", ICML, section
3. The focal return is the earnings of a focal seat, the background return the earnings of another
seat. A visitor is a policy in one seat, a resident a policy in all seats but one.

A background is held out if the focal policy was not trained with it. A trained policy's card names
the policies that it was trained with; for a scripted policy, all backgrounds are held out. All
scenarios are compositions of the meta-game, so nothing has to be played again.

Cross-play: a policy trained with several seeds counts as several policies, each of which is a
background for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mixed_company import policies
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.learning.metagame.composition import Composition, beside
from mixed_company.learning.tournament.means import (
    NOTHING,
    Mean,
    csv_text,
    markdown,
    mean,
    plus_minus,
)
from mixed_company.policies.trained.card import SELF
from mixed_company.policies.trained.policy import Trained

_MEANING = (
    "Each policy also played among background policies that it was not trained with. The table "
    "shows the earnings of a seat with the policy (focal return) and of a seat with a background "
    "policy "
    "(background return), as means over the backgrounds. A visitor has one seat; a resident has "
    "all seats but one."
)


class Scenario(NamedTuple):
    """A focal policy in `seats` seats, and a background policy in all other seats.

    focal_return, background_return   (P,) mean points of the seats with this policy
    held_out                          True if the focal policy was not trained with this background
    """

    focal: str
    background: str
    seats: int
    held_out: bool
    focal_return: Array
    background_return: Array


def company(spec: str, game: Game[Any]) -> set[str]:
    """Return the policies that a policy was trained with: only itself if all seats learned
    together."""
    kind = policies.kinds(spec, game.id)[0]
    if not issubclass(kind, Trained):
        return set()
    against, deviators = kind.card.against, kind.card.deviators
    among = {spec} if against == SELF else set(against.split(","))
    return among | set(deviators.split(",") if deviators else ())


def scenarios(
    game: Game[Any],
    policies: Sequence[str],
    plays: Mapping[Composition, Array],
    learned_among: Callable[[str], set[str]] | None = None,
) -> list[Scenario]:
    """Return the scenarios of every policy as a visitor and as a resident with every other policy.

    With two seats, both are the same scenario.
    """
    every = []
    for focal in policies:
        among = company(focal, game) if learned_among is None else learned_among(focal)
        for background in policies:
            if background == focal:
                continue
            for count in sorted({1, game.seats - 1}):
                composition = beside(focal, background, count, game.seats)
                earned, is_focal = plays[composition], np.array(composition) == focal
                returns = (earned[:, mask].mean(axis=1) for mask in (is_focal, ~is_focal))
                every.append(Scenario(focal, background, count, background not in among, *returns))
    return every


def scenarios_csv(every: Sequence[Scenario]) -> str:
    """Return the scenarios as CSV, one per row."""
    ends = ("", "_low", "_high")
    returns = [f"{kind}_return{end}" for kind in ("focal", "background") for end in ends]
    columns = ["focal", "background", "focal_seats", "held_out", *returns, "plays"]
    rows = [
        (*row[:4], *mean(row.focal_return), *mean(row.background_return), len(row.focal_return))
        for row in every
    ]
    return csv_text([dict(zip(columns, row, strict=True)) for row in rows], columns)


def scenarios_table(every: Sequence[Scenario]) -> str:
    """Return an explanation and a Markdown table with a row per policy, the best visitor first."""
    heads = ["policy", "held-out backgrounds"]
    counts = sorted({scenario.seats for scenario in every})
    for name, _ in zip(("visitor", "resident"), counts, strict=False):
        heads += [f"as {name}: focal return", "background return"]
    rows = []
    for policy in dict.fromkeys(scenario.focal for scenario in every):
        held = [scenario for scenario in every if scenario.focal == policy and scenario.held_out]
        means = []
        for count in counts:
            matching = [scenario for scenario in held if scenario.seats == count]
            means.append(_over([scenario.focal_return for scenario in matching]))
            means.append(_over([scenario.background_return for scenario in matching]))
        backgrounds = len({scenario.background for scenario in held})
        cells = [f"`{policy}`", str(backgrounds), *map(plus_minus, means)]
        rows.append((means[0].value, cells))
    ranked = [cells for _, cells in sorted(rows, key=lambda row: row[0], reverse=True)]
    return f"{_MEANING}\n\n{markdown(heads, ranked)}\n"


def _over(returns: Sequence[Array]) -> Mean:
    """Return the mean over scenarios, play by play, with its interval; NaN without scenarios."""
    return mean(np.mean(returns, axis=0)) if returns else NOTHING

"""Policies among backgrounds that they were not trained with: what both earn.

A scenario is a focal policy in some seats and a background policy in all others, after Leibo et al.
(2021), "Scalable evaluation of multi-agent reinforcement learning with Melting Pot", ICML, section
3: the focal return is what a focal seat earns, the background return what one of the others does.
As a visitor a policy has one seat among others, as a resident it has all but one. Held out are
backgrounds that a policy has not learned among: its card names those in which it has; scripted
ones have learned among none. All are among the compositions of the meta-game: none is played anew.

Cross-play: trained with several seeds, a policy is several; each is a background of the others.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mixed_company import policies
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.learning.metagame.composition import Composition, beside
from mixed_company.learning.tournament.means import Mean, mean
from mixed_company.policies.spec import parse
from mixed_company.policies.trained.card import SELF
from mixed_company.policies.trained.policy import Trained

__all__ = ["Scenario", "company", "scenarios", "scenarios_csv", "scenarios_table"]


_MEANING = (
    "Among backgrounds that it has not learned among: what a seat of the policy earns (focal "
    "return) and what one of the background does, as a visitor, one seat among others, and as a "
    "resident, all but one; means over the backgrounds."
)


class Scenario(NamedTuple):
    """A focal policy in so many seats, the background in the others.

    focal_return, background_return   (P,) points of one seat, mean of those of a kind
    held_out                          has the policy not learned among this background
    """

    focal: str
    background: str
    seats: int
    held_out: bool
    focal_return: Array
    background_return: Array


def company(spec: str, game: Game[Any]) -> set[str]:
    """The policies that one has learned among; itself, where all seats learned together."""
    kind = policies.find(parse(spec)[0], game.id)
    if not issubclass(kind, Trained):
        return set()
    against, deviators = kind.card.against, kind.card.deviators
    known = {spec} if against == SELF else set(against.split(","))
    return known | set(deviators.split(",") if deviators else ())


def scenarios(
    game: Game[Any],
    policies: Sequence[str],
    plays: Mapping[Composition, Array],
    learned_among: Callable[[str], set[str]] | None = None,
) -> list[Scenario]:
    """Every policy as a visitor and as a resident, among every other; of two seats both are one."""
    every = []
    for focal in policies:
        known = company(focal, game) if learned_among is None else learned_among(focal)
        for background in policies:
            if background == focal:
                continue
            for count in sorted({1, game.seats - 1}):
                composition = beside(focal, background, count, game.seats)
                earned, own = plays[composition], np.array(composition) == focal
                returns = (earned[:, mask].mean(axis=1) for mask in (own, ~own))
                every.append(Scenario(focal, background, count, background not in known, *returns))
    return every


def scenarios_csv(every: Sequence[Scenario]) -> str:
    """A row for every scenario."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    ends = ("", "_low", "_high")
    returns = [f"{kind}_return{end}" for kind in ("focal", "background") for end in ends]
    writer.writerow(["focal", "background", "focal_seats", "held_out", *returns, "plays"])
    for one in every:
        means = [*mean(one.focal_return), *mean(one.background_return)]
        shown = [one.focal, one.background, one.seats, one.held_out, *map(repr, means)]
        writer.writerow([*shown, len(one.focal_return)])
    return text.getvalue()


def scenarios_table(every: Sequence[Scenario]) -> str:
    """In words, and a row for every policy, the best visitor first."""
    heads = ["policy", "backgrounds held out"]
    counts = sorted({one.seats for one in every})
    for name, _ in zip(("visitor", "resident"), counts, strict=False):
        heads += [f"as {name}: focal return", "background return"]
    rows = []
    for policy in dict.fromkeys(one.focal for one in every):
        own = [one for one in every if one.focal == policy and one.held_out]
        cells, means = [f"`{policy}`", str(len({one.background for one in own}))], []
        for count in counts:
            both = [one for one in own if one.seats == count]
            means.append(_over([one.focal_return for one in both]))
            means.append(_over([one.background_return for one in both]))
        cells += [_shown(value) for value in means]
        rows.append((means[0].value, f"| {' | '.join(cells)} |"))
    lines = [line for _, line in sorted(rows, key=lambda row: row[0], reverse=True)]
    table = "\n".join([f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *lines])
    return f"{_MEANING}\n\n{table}\n"


def _over(returns: Sequence[Array]) -> Mean:
    """The mean over scenarios of the same plays; NaN where there is no scenario."""
    return mean(np.mean(returns, axis=0)) if returns else Mean(math.nan, math.nan, math.nan)


def _shown(value: Mean) -> str:
    if math.isnan(value.value):
        return ""
    return f"{value.value:.1f} ± {(value.high - value.low) / 2:.1f}"

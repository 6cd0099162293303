"""What policies of the same training with other seeds earn among each other: cross-play.

Policies that learn among copies may have agreed on something that only copies know, so that what
they earn alone says little of what they earn with others who learned as well (Hu, Lerer,
Peysakhovich and Foerster 2020, "Other-Play" for zero-shot coordination, ICML). One seat, which goes
round, follows the policy of one training seed, all others that of another; the same plays for all.

    mixed judge commons_ppo_lab_group --seeds second_seed,third_seed --folder my_policies
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import bots
import engine
from bots.exploit.field import Field
from bots.trained.card import Card, Seeds
from bots.training.judge import SEED, interval
from engine.contract.errors import ConfigError
from engine.contract.space import Array

__all__ = ["Points", "check_seeds", "crossplay", "crossplay_table", "seeds_of"]

_RULES = ("game", "version", "config", "observation", "sampling")
_LEARNED = ("algorithm", "steps", "aim", "against", "deviators")


Points = dict[tuple[int, int], Array]
"""(plays,) points of one seat, by its training seed and that of all others."""


def check_seeds(cards: Sequence[Card]) -> None:
    """Refuse policies that are not of one training with different seeds. Raises ConfigError."""
    first, *others = cards
    for card in others:
        for key in (*_RULES, *_LEARNED):
            own, theirs = getattr(card, key), getattr(first, key)
            if own != theirs:
                shown = "" if key == "config" else f" = {own!r}"
                raise ConfigError(f"{card.id}: {key}{shown}: not that of {first.id}")
    seeds = [card.seed for card in cards]
    for place, seed in enumerate(seeds):
        if seed in seeds[:place]:
            raise ConfigError(f"{cards[place].id}: seed = {seed}: another one has it")


def crossplay(cards: Sequence[Card], plays: int, seed: int = SEED) -> Points:
    """What they earn, all in the same plays.

    Raises ConfigError for what `check_seeds` refuses, and for a game in turns.
    """
    check_seeds(cards)
    game, numbers = engine.make(engine.completed(cards[0].config)), np.arange(plays)
    visitors = [bots.make(card.id, game) for card in cards]
    points: Points = {}
    for others in cards:
        earned = Field(game, others.id, seed).earned(visitors, numbers)
        points |= {(card.seed, others.seed): row for card, row in zip(cards, earned, strict=True)}
    return points


def seeds_of(points: Points, seed: int = SEED) -> Seeds:
    """What a card says of it: every training seed alone, and among the others in turn."""
    seeds = sorted({one for one, _ in points})
    among = {
        one: np.mean([points[one, other] for other in seeds if other != one], axis=0)
        for one in seeds
    }
    return Seeds(
        plays=len(next(iter(points.values()))),
        seed=seed,
        alone={str(one): interval(points[one, one]) for one in seeds},
        among={str(one): interval(among[one]) for one in seeds},
    )


def crossplay_table(points: Points) -> str:
    """A row for the seat, a column for the others: mean points and half of the interval."""
    seeds = sorted({one for one, _ in points})
    heads = ["seat of training seed", *(f"others of {seed}" for seed in seeds)]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for one in seeds:
        cells = [_shown(points[one, other]) for other in seeds]
        lines.append(f"| {one} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _shown(values: Array) -> str:
    ends = interval(values)
    return f"{ends.mean:.1f} ± {(ends.high - ends.low) / 2:.1f}"

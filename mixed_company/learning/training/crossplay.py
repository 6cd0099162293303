"""What policies of the same training with other seeds earn: by their aim, and among each other.

What a policy earns says nothing of what the same training would have come to with another seed: its
interval is of plays. So all seeds are judged by the aim, and in cross-play: policies that learn
among copies may have agreed on something that only copies know (Hu, Lerer, Peysakhovich and
Foerster 2020, "Other-Play" for zero-shot coordination, ICML). One seat, which goes round, follows
the policy of one training seed, all others that of another; the same plays for all.

    mixed judge commons_ppo_lab_group --seeds second_seed,third_seed --folder my_policies
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mixed_company import engine, policies
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.learning.exploit.field import Field
from mixed_company.learning.tournament.means import mean
from mixed_company.learning.tournament.tables import markdown, plus_minus
from mixed_company.learning.training import judge
from mixed_company.learning.training.judge import SEED, interval
from mixed_company.policies.trained.card import Card, Seeds

__all__ = ["Points", "by_aim", "check_seeds", "crossplay", "crossplay_table", "seeds_of"]

_RULES = ("game", "version", "observation", "sampling")
_LEARNED = ("algorithm", "steps", "aim", "against", "deviators")
_OWN = ("--seed", "--name", "--sentence", "--output")
"""In what the commands of one training with different seeds differ."""


Points = dict[tuple[int, int], Array]
"""(plays,) points of one seat, by its training seed and that of all others."""


def check_seeds(cards: Sequence[Card]) -> None:
    """Refuse policies that are not of one training with different seeds. Raises ConfigError."""
    first, *others = cards
    for card in others:
        for key in (*_RULES, *_LEARNED):
            own, theirs = getattr(card, key), getattr(first, key)
            if own != theirs:
                raise ConfigError(f"{card.id}: {key} = {own!r}: not that of {first.id}")
        if _played(card) != _played(first):
            raise ConfigError(f"{card.id}: config: not that of {first.id}")
        _check_commands(card, first)
    seeds = [card.seed for card in cards]
    for place, seed in enumerate(seeds):
        if seed in seeds[:place]:
            raise ConfigError(f"{cards[place].id}: seed = {seed}: another one has it")


def _played(card: Card) -> dict[str, Any]:
    """The configuration as it is now, whichever release wrote it, but for what is recorded."""
    config = engine.completed(card.config)
    return {section: value for section, value in config.items() if section != "instrumentation"}


def _check_commands(card: Card, first: Card) -> None:
    """Refuse another rate, spread, number of units, ...: no key has them, but the command."""
    own, theirs = _settings(card.command), _settings(first.command)
    for name in {**own, **theirs} if own and theirs else ():
        if own.get(name) != theirs.get(name):
            shown = f"{name} {own[name]}" if name in own else f"no {name}"
            raise ConfigError(f"{card.id}: command: {shown}: not as for {first.id}")


def _settings(command: str) -> dict[str, str]:
    """What `mixed train` was called with, but what is of one seed; of other programs nothing."""
    words = iter(shlex.split(command) if command.startswith("mixed train ") else ())
    settings = {}
    for word in words:
        name, given, value = word.partition("=")
        settings[name] = value if given or not name.startswith("--") else next(words, "")
    return {name: value for name, value in settings.items() if name not in _OWN}


def by_aim(cards: Sequence[Card], plays: int, seed: int = SEED) -> dict[int, Array]:
    """(plays,) what each earns by the aim of the cards, as scores have it; by training seed."""
    check_seeds(cards)
    return {card.seed: judge.points(card, card.id, plays, seed) for card in cards}


def crossplay(cards: Sequence[Card], plays: int, seed: int = SEED) -> Points:
    """What they earn among each other, all in the same plays.

    Raises ConfigError for what `check_seeds` refuses, and for a game in turns.
    """
    check_seeds(cards)
    game, numbers = engine.restored(cards[0].config), np.arange(plays)
    visitors = [policies.make(card.id, game) for card in cards]
    points: Points = {}
    for others in cards:
        earned = Field(game, others.id, seed).earned(visitors, numbers)
        points |= {(card.seed, others.seed): row for card, row in zip(cards, earned, strict=True)}
    return points


def seeds_of(points: Points, aimed: Mapping[int, Array], seed: int = SEED) -> Seeds:
    """What a card says of it: every training seed by the aim, alone, and among the others."""
    seeds = sorted({one for one, _ in points})
    among = {
        one: np.mean([points[one, other] for other in seeds if other != one], axis=0)
        for one in seeds
    }
    return Seeds(
        plays=len(next(iter(points.values()))),
        seed=seed,
        by_aim={str(one): interval(aimed[one]) for one in seeds},
        alone={str(one): interval(points[one, one]) for one in seeds},
        among={str(one): interval(among[one]) for one in seeds},
    )


def crossplay_table(points: Points, aimed: Mapping[int, Array]) -> str:
    """A row for each seed: points by the aim, and of one seat among others of every seed.

    A mean, and half of the interval.
    """
    seeds = sorted({seed for seed, _ in points})
    heads = ["training seed", "by the aim", *(f"a seat among others of {seed}" for seed in seeds)]
    rows = [[aimed[seed], *(points[seed, others] for others in seeds)] for seed in seeds]
    cells = [
        [str(seed), *(plus_minus(mean(earned)) for earned in row)]
        for seed, row in zip(seeds, rows, strict=True)
    ]
    return markdown(heads, cells)

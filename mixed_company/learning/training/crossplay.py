"""Points of policies trained in the same way with several seeds, under their aim and with each
other.

The interval for a policy's points reflects only variation between plays. It says nothing about the
same training setup with a different seed. So all seeds are judged, both under the aim and in
cross-play. Policies that learn among copies may rely on conventions that only their copies share
(Hu, Lerer, Peysakhovich and Foerster 2020, "Other-Play" for zero-shot coordination, ICML). One
seat, which rotates, follows the policy of one training seed, and all other seats follow the policy
of another, in the same plays for every pair.

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
from mixed_company.learning.tournament.means import markdown, mean, plus_minus
from mixed_company.learning.training import judge
from mixed_company.learning.training.judge import SEED, interval
from mixed_company.policies.trained.card import Card, Seeds

_RULES = ("game", "version", "observation", "sampling")
_LEARNED = ("algorithm", "steps", "aim", "against", "deviators")
_OWN = ("--seed", "--name", "--sentence", "--output")
"""Options that may differ between commands that train with different seeds."""


Points = dict[tuple[int, int], Array]
"""Points of one seat, (plays,), by its training seed and the training seed of all other seats."""


def check_seeds(cards: Sequence[Card]) -> None:
    """Raise ConfigError unless the policies are from one training setup and have different
    seeds."""
    first, *others = cards
    for card in others:
        for key in (*_RULES, *_LEARNED):
            value, expected = getattr(card, key), getattr(first, key)
            if value != expected:
                raise ConfigError(f"{card.id}: {key} = {value!r}: different in {first.id}")
        if _played(card) != _played(first):
            raise ConfigError(f"{card.id}: config: different in {first.id}")
        _check_commands(card, first)
    seeds = [card.seed for card in cards]
    for place, seed in enumerate(seeds):
        if seed in seeds[:place]:
            raise ConfigError(f"{cards[place].id}: seed = {seed}: another policy has the same seed")


def _played(card: Card) -> dict[str, Any]:
    """Return a card's configuration in this release's form, without `instrumentation`."""
    config = engine.completed(card.config)
    return {section: value for section, value in config.items() if section != "instrumentation"}


def _check_commands(card: Card, first: Card) -> None:
    """Raise ConfigError if options that only commands record, such as rate, differ."""
    settings, expected = _settings(card.command), _settings(first.command)
    for name in {**settings, **expected} if settings and expected else ():
        if settings.get(name) != expected.get(name):
            shown = f"{name} {settings[name]}" if name in settings else f"no {name}"
            raise ConfigError(f"{card.id}: command: {shown}, unlike in {first.id}")


def _settings(command: str) -> dict[str, str]:
    """Return the options of a `mixed train` command, except those that differ by seed.

    The result is empty for other programs.
    """
    words = iter(shlex.split(command) if command.startswith("mixed train ") else ())
    settings = {}
    for word in words:
        name, equals, value = word.partition("=")
        settings[name] = value if equals or not name.startswith("--") else next(words, "")
    return {name: value for name, value in settings.items() if name not in _OWN}


def by_aim(cards: Sequence[Card], plays: int, seed: int = SEED) -> dict[int, Array]:
    """Return points under the cards' aim, (plays,), by training seed."""
    check_seeds(cards)
    return {card.seed: judge.points(card, card.id, plays, seed) for card in cards}


def crossplay(cards: Sequence[Card], plays: int, seed: int = SEED) -> Points:
    """Return the points that the policies earn with each other, all in the same plays.

    Raises ConfigError as `check_seeds` does, and for a game in which seats decide in turn.
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
    """Return the entry for a card: each training seed's points under the aim, with copies of
    itself, and among the other seeds."""
    seeds = sorted({training_seed for training_seed, _ in points})
    among = {
        training_seed: np.mean(
            [points[training_seed, other] for other in seeds if other != training_seed], axis=0
        )
        for training_seed in seeds
    }
    return Seeds(
        plays=len(next(iter(points.values()))),
        seed=seed,
        by_aim={str(training_seed): interval(aimed[training_seed]) for training_seed in seeds},
        alone={
            str(training_seed): interval(points[training_seed, training_seed])
            for training_seed in seeds
        },
        among={str(training_seed): interval(among[training_seed]) for training_seed in seeds},
    )


def crossplay_table(points: Points, aimed: Mapping[int, Array]) -> str:
    """Return a table with one row per seed: points under the aim, and points in one seat among each
    seed's policies.

    Cells contain a mean and half the width of its interval.
    """
    seeds = sorted({seed for seed, _ in points})
    heads = ["training seed", "by the aim", *(f"among seats of seed {seed}" for seed in seeds)]
    rows = [[aimed[seed], *(points[seed, others] for others in seeds)] for seed in seeds]
    cells = [
        [str(seed), *(plus_minus(mean(earned)) for earned in row)]
        for seed, row in zip(seeds, rows, strict=True)
    ]
    return markdown(heads, cells)

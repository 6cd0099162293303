"""Conditions that sessions must satisfy: some for all games, and some for each game.

A module of this folder named after a game has

    SESSIONS             names of the session configs that are measured
    conditions(table)    the promises of that game for a session

If a game has no module, its first session is checked against the conditions for all games.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from math import nan
from types import ModuleType
from typing import NamedTuple

from docs.stakes.earning import Earned, Stake, Table, stake_of
from mixed_company import engine
from mixed_company.policies.populations import read
from settings import SESSION_CONFIGS

__all__ = ["CARELESS", "PAY", "Condition", "conditions", "money", "sensible", "shipped"]

CARELESS = ("random", "noisy_person")
"""Policies that always or sometimes act at random; all others are called sensible."""
PAY = (8.0, 14.0)
MOST_LUCK = 0.25


class Condition(NamedTuple):
    """A session's promise, with its measurement and whether it is kept."""

    promise: str
    number: str
    met: bool


def shipped() -> Iterator[Stake]:
    """Yield the sessions for which each game makes promises, or its first session if it makes
    none."""
    for game_id in engine.game_ids():
        configs = {
            config["name"]: config
            for config in SESSION_CONFIGS
            if config["app_sequence"][0] == game_id
        }
        module = _module(game_id)
        for name in list(configs)[:1] if module is None else module.SESSIONS:
            yield stake_of(configs[name])


def conditions(table: Table) -> Iterator[Condition]:
    """Yield each condition with its number: first those for all games, then those for this game."""
    yield _luck(table)
    below = max(earned.below for earned in sensible(table).values())
    yield Condition("no sensible policy ends below 0", f"{below:.0%} of plays", below == 0)
    groups = {name: table.group[name] for name in sensible(table)}
    yield _pay(table, "the best sensible group", max(groups.values(), key=lambda row: row.mean))
    for name, earned in table.group.items():
        if name.startswith("population:") and not _moves(name):
            yield _pay(table, f"a group drawn from `{name}`", earned)
    module = _module(table.stake.game.id)
    if module is not None:
        yield from module.conditions(table)


def _moves(spec: str) -> bool:
    """Return whether people in a population change type.

    Their rates were fitted to people who met a new partner in every period (docs/judged.md). Such
    people give less than people in fixed groups, such as the groups here.
    """
    described, _ = read(spec.removeprefix("population:"))
    return any(kind.moves for kind in described.types)


def _luck(table: Table) -> Condition:
    best, chance = max(table.alone.values(), key=lambda row: row.mean), table.alone["random"].mean
    luck = best.spread / (best.mean - chance) if best.mean > chance else nan
    promise = "luck is at most a quarter of the gain from skill"
    return Condition(promise, f"{luck:.2f}", luck <= MOST_LUCK)


def _pay(table: Table, group: str, earned: Earned) -> Condition:
    low, high = PAY
    pay = money(table.stake, earned.mean)
    return Condition(f"{group} earns {low:g} to {high:g} EUR", f"{pay:.2f}", low <= pay <= high)


def sensible(table: Table) -> dict[str, Earned]:
    """Return the points of sensible policies in the person's seat."""
    return {name: earned for name, earned in table.alone.items() if name not in CARELESS}


def money(stake: Stake, points: float) -> float:
    """Return the payment for these points."""
    return stake.fee + max(points, 0.0) * stake.rate


def _module(game_id: str) -> ModuleType | None:
    name = f"docs.stakes.{game_id}"
    return import_module(name) if find_spec(name) else None

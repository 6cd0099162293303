"""The games that an export's configurations describe, and the columns that these games declare."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pandas as pd

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.engine.game import Game
from mixed_company.experiment.digests import read
from mixed_company.table.export import columns, tables


@lru_cache(maxsize=512)
def game_of(config: str) -> Game[Any]:
    """Return the game described by a resolved configuration in JSON, written by this release or an
    earlier one.

    Raises ConfigError.
    """
    try:
        described = json.loads(config)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"config is not JSON: {error}") from None
    if not isinstance(described, dict):
        raise ConfigError(f"config = {config:.60}: not the configuration of a game")
    return engine.restored(described)


def played_games(config: pd.DataFrame) -> list[Game[Any]]:
    """Return the games that declare the columns of these rows of `config`. For a group that chose a
    rule, these are its game and its games under each rule on the ballot."""
    pairs = zip(config["config"], config.get("rules", [""] * len(config)), strict=True)
    games: dict[Game[Any], None] = {}
    for text, rules in dict.fromkeys(pairs):
        for resolved in (text, *(json.dumps(rule) for rule in read(rules).values())):
            try:
                games[game_of(resolved)] = None
            except EngineError:  # reported while the tables were read
                continue
    return list(games)


def without_columns_of(
    others: pd.DataFrame, frames: Mapping[str, pd.DataFrame], game_id: str
) -> dict[str, Any]:
    """Return the tables without columns that only the games of `others` have, which are rows of
    `config`. The table `pairs` is None if only these games have pairs."""
    games = played_games(frames["config"]) or [engine.make(game_id)]
    left: dict[str, Any] = {}
    for name, frame in frames.items():
        here, elsewhere = (
            {label for game in some for column in columns(name, game) for label in column.names()}
            for some in (games, played_games(others))
        )
        left[name] = frame.drop(columns=elsewhere - here, errors="ignore")
    if frames.get("pairs") is not None and frames["pairs"].empty and "pairs" not in tables(*games):
        left["pairs"] = None
    return left

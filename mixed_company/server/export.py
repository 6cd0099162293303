"""The rows of the exported tables for one group; their columns are declared in `table.export`.

oTree's Data page (`server.data_page`) and the file of an export (`server.archive`) are made of the
same rows. The rows of participants are in `server.outcome` and `server.answered`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from mixed_company import engine
from mixed_company.engine.game import Game
from mixed_company.server.blocks.company import matching_group
from mixed_company.server.played import Played
from mixed_company.table.export import (
    Column,
    Row,
    archive,
    columns,
)
from mixed_company.table.export import played as of_journal
from mixed_company.table.export.outcomes import OF_QUESTIONS
from mixed_company.table.setup import setup_from

__all__ = ["ROWS", "declared", "software"]


def declared(
    name: str, groups: Iterable[list[Any]], game_id: str, asking: bool = False
) -> list[Column]:
    """Return the columns of a table for the games of these groups; without groups, of the game.

    `outcomes` has the same columns for all; those of questions only with `asking`.
    """
    setups = [setup_from(members[0].group.setup) for members in groups if name != "outcomes"]
    games: list[Game[Any]] = list(dict.fromkeys(game for own in setups for game in own.games))
    left_out = () if asking or name != "outcomes" else OF_QUESTIONS
    listed = [column for game in games or [engine.make(game_id)] for column in columns(name, game)]
    return [column for column in listed if column.name not in left_out]


def _config(played: Played) -> Iterator[Row]:
    """Yield the row of the group: all that its play follows from, besides the decisions."""
    identity = played.setup.config["identity"]
    yield {
        **played.base,
        "matching_group": matching_group(list(played.people.values())),
        "seed": played.seed,
        "rehearsed": played.setup.rehearsed,
        "session_config": str(played.session["name"]),
        "participation_fee": float(played.session["participation_fee"]),
        "point_value": float(played.session["real_world_currency_per_point"]),
        "game": identity["game"],
        "version": identity["version"],
        "config": json.dumps(played.setup.config),
        "rule": played.setup.rule,
        "rules": json.dumps(played.setup.rules) if played.setup.rules else "",
        "options": played.setup.options.model_dump_json(),
        "software": json.dumps(software()),
    }


ROWS: Mapping[str, Callable[[Played], Iterable[Row]]] = {**of_journal.ROWS, "config": _config}
"""The name of a table -> its rows for one group."""


@lru_cache(maxsize=1)
def software() -> dict[str, str]:
    """Return the versions of Python, oTree, numpy and this project."""
    return archive.software("otree", "numpy")

"""Rows of the `participants` table, which combines the tables of all games."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from mixed_company.server.blocks.apps import game_of
from mixed_company.server.blocks.way import sequence_of
from mixed_company.server.paying import paid_number
from mixed_company.server.played import Played
from mixed_company.server.treatments import planned_of
from mixed_company.table.export import Row
from mixed_company.table.export.participants import Stage, participant_row


class Ways:
    """All participants' paths through their sessions, collected app by app."""

    def __init__(self) -> None:
        self._stages: dict[int, dict[int, Stage]] = {}
        self._people: dict[int, Any] = {}

    def add(self, player: Any, outcome: Row, played: Played | None) -> None:
        """Add a block that a person reached, and the block's row in `outcomes`."""
        times = _times(player, outcome, played)
        stage = Stage(player.get_folder_name(), outcome, round(player.arrived_ms) or "", *times)
        self._people[player.participant_id] = player
        self._stages.setdefault(player.participant_id, {})[_number(player)] = stage

    @property
    def blocks(self) -> int:
        """Maximum number of blocks that any participant has reached; 1 if nobody arrived."""
        return max((max(stages) for stages in self._stages.values()), default=1)

    def rows(self) -> Iterator[Row]:
        """Yield one row per participant, session by session."""
        for key in sorted(self._people, key=self._place):
            player, stages = self._people[key], self._stages[key]
            yield participant_row(
                dict(sorted(stages.items())), _first_seen(player.participant), _paid_block(player)
            )

    def _place(self, key: int) -> tuple[int, int]:
        player = self._people[key]
        return int(player.session_id), int(player.participant.id_in_session)


def _number(player: Any) -> int:
    """Return the number of a block, counted from 1: the position of its app among the session's
    games."""
    games = [app for app in sequence_of(player.session) if game_of(app)]
    return games.index(player.get_folder_name()) + 1


def _times(player: Any, outcome: Row, played: Played | None) -> tuple[int | str, int | str]:
    """Return when a player began and ended play."""
    if played is None:
        return "", ""
    entries = [entry for entry in played.entries("seat") if entry["seat"] == player.seat]
    began = played.wall(entries[0]["at_ms"])
    if outcome["status"] == "seated":
        return began, ""
    if entries[-1]["occupant"] != "person":
        return began, played.wall(entries[-1]["at_ms"])
    ends = [entry for entry in played.entries("event") if entry["event"] == "ended"]
    return began, played.wall(([*ends, *played.periods[-1:]] or entries)[0]["at_ms"])


def _first_seen(person: Any) -> int | str:
    """Return when a person first opened the link, according to oTree."""
    if not person.time_started_utc:
        return ""
    started = datetime.fromisoformat(person.time_started_utc).replace(tzinfo=UTC)
    return round(1000 * started.timestamp())


def _paid_block(player: Any) -> int | str:
    planned = planned_of(player.subsession)
    number = paid_number(player, planned) if planned is not None and planned.blocks else None
    return "" if number is None else number

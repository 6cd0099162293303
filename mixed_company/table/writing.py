"""Functions that write entries to the journal; `table.journal` lists the kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.engine.contract import space
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.table.journal import Entry
from mixed_company.table.seating import Occupancy
from mixed_company.table.state import State


def log(table: State, kind: str, time_ms: int, **content: Any) -> None:
    """Write an entry, after any pending sightings."""
    if table.sighted:
        log_sightings(table)
    table.rows.append({"kind": kind, "at_ms": time_ms, **content})
    table.entries += 1


def log_sightings(table: State) -> None:
    """Log when people were last heard from, unless this is already logged."""
    times = [
        [chair.seat, chair.last_seen_ms]
        for chair in table.seats
        if chair.seat in table.sighted and chair.last_seen_ms is not None
    ]
    table.sighted.clear()
    if times:
        latest = max(time_ms for _, time_ms in times if time_ms is not None)
        table.rows.append({"kind": "seen", "at_ms": latest, "seats": times})
        table.entries += 1


def log_seat(table: State, time_ms: int, occupancy: Occupancy) -> None:
    """Log a new occupant of a seat."""
    log(table, "seat", time_ms, **occupancy.to_json())


def log_event(table: State, event: str, time_ms: int, **content: Any) -> None:
    """Log an event that is neither a period nor a change of occupant."""
    log(table, "event", time_ms, period=table.episode.period, event=event, **content)


def period_entry(
    episode: Episode, played: Period, sent: Mapping[str, list[Any]] | None = None
) -> Entry:
    """Return the entry for the period just played, without bulk values.

    `sent` holds the actions sent, if they are already plain numbers.
    """
    layout = episode.game.declaration.state
    state = {field.name: played.state[field.name] for field in layout if not field.bulk}
    return {
        **played.to_json(world=False, sent=sent),
        "state": space.to_json(state),
        "observations": episode.observations_json,
    }

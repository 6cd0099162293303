"""Join several exports of the same game into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

import pandas as pd
from pandas.api.types import is_string_dtype

from mixed_company.analysis.data import GROUP, Data, rehearsed_seeds
from mixed_company.engine.contract.errors import ConfigError


def joined(*parts: Data) -> Data:
    """Merge exports of the same game into one. Raises ConfigError if a group is in two of
    them."""
    ids = {part.game_id for part in parts}
    if len(ids) != 1:
        raise ConfigError(
            f"joined: all exports must be of the same game, not of "
            f"{', '.join(sorted(ids)) or 'none'}"
        )
    config = pd.concat([part.config for part in parts], ignore_index=True)
    twice = config[config.duplicated(GROUP)]
    if not twice.empty:
        session, group = twice.iloc[0][GROUP]
        raise ConfigError(f"group {group} of session {session!r} is in two of the exports")
    tables: dict[str, Any] = {}
    for attribute in fields(Data):
        values = [getattr(part, attribute.name) for part in parts]
        if any(isinstance(frame, pd.DataFrame) for frame in values):
            some = [frame for frame in values if frame is not None and not frame.empty]
            tables[attribute.name] = _stacked(some) if some else values[0]
    problems = tuple(problem for part in parts for problem in part.problems)
    unread = tuple(dict.fromkeys(name for part in parts for name in part.unread))
    manifest = _together([part.manifest for part in parts])
    names = {name: label_parts for part in parts for name, label_parts in part.names.items()}
    return Data(
        ids.pop(), **tables, problems=problems, manifest=manifest, unread=unread, names=names
    )


def _stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Merge these rows into one table. Text columns that earlier exports do not have are empty, as
    in a file."""
    table = pd.concat(frames, ignore_index=True)
    for name in table:
        columns = [frame[name] for frame in frames if name in frame]
        if len(columns) < len(frames) and all(is_string_dtype(values) for values in columns):
            table[name] = table[name].fillna("")
    return table


def _together(manifests: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge several manifests into one.

    The result has the entries that are the same in all manifests, the latest date, all sessions,
    all session configs in order, and all policies of rehearsals.
    """
    first = manifests[0]
    same = {key: first[key] for key in first if all(m.get(key) == first[key] for m in manifests)}
    same.pop("tables", None)
    sessions = [dict(manifest.get("sessions", {})) for manifest in manifests]
    merged: dict[str, Any] = {**same, "sessions": dict[str, Any]()}
    for entries in sessions:
        merged["sessions"] |= entries
    configs = [name for manifest in manifests for name in manifest.get("session_configs") or ()]
    if configs:
        merged["session_configs"] = list(dict.fromkeys(configs))
    dates = [str(manifest["made"]) for manifest in manifests if manifest.get("made")]
    if dates:
        merged["made"] = max(dates, key=datetime.fromisoformat)
    rehearsed = [manifest["rehearsed"] for manifest in manifests if manifest.get("rehearsed")]
    if rehearsed:
        seeds = list(dict.fromkeys(seed for part in manifests for seed in rehearsed_seeds(part)))
        seed = seeds[0] if len(seeds) == 1 else seeds
        merged["rehearsed"] = {
            who: list(
                dict.fromkeys(name for rehearsal in rehearsed for name in rehearsal.get(who, []))
            )
            for who in ("people", "described", "bots")
            if any(who in rehearsal for rehearsal in rehearsed)
        } | {"seed": seed}
    return merged

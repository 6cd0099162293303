"""Write simulated, joined or loaded data to one file, as an export that `load` can read.

    save(simulated("commons_game", people=["greedy"] * 4, groups=20, seed=1), "simulated.zip")

`joined` joins several exports of the same game into one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import pandas as pd
from pandas.api.types import is_string_dtype

from mixed_company import engine
from mixed_company.analysis.data import GROUP, Data, rehearsed_seeds
from mixed_company.analysis.plays import as_exported
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.blocks import MOST_BLOCKS
from mixed_company.table.export import OPTIONAL, TABLES, Anonymous, Column, columns, spread
from mixed_company.table.export.archive import PROJECT, Writer, code_hash, software
from mixed_company.table.export.outcomes import OF_QUESTIONS
from mixed_company.table.export.participants import PARTICIPANTS, participant_columns

PART = 2_000
"""Number of rows that are held as objects at a time."""


def save(data: Data, file: str | Path | IO[bytes]) -> None:
    """Write the tables as a zip, with codebook and manifest; `load` returns the same frames.

    The rows of places that nobody opened are left out, because only the table `participants`, which
    is not written, tells them from people who arrived. The same tables and code always produce the
    same bytes. Raises OSError.
    """
    target = Path(file) if isinstance(file, str) else file
    data = _without_unopened(data)
    with Writer(target, _manifest(data)) as archive:
        _add(archive, data)


def _without_unopened(data: Data) -> Data:
    """Return the data without places that nobody opened."""
    sessions = dict(data.manifest.get("sessions", {}))
    for session, count in Counter(session for session, _ in data.unopened).items():
        entry = sessions.get(session, {})
        if isinstance(number := entry.get("participants"), int):
            sessions[session] = {**entry, "participants": number - count}
    outcomes = data.arrived.reset_index(drop=True)
    manifest = {**data.manifest, "sessions": sessions} if sessions else data.manifest
    return replace(data, outcomes=outcomes, manifest=manifest, unopened=frozenset())


def save_anonymous(
    games: Sequence[Data], participants: pd.DataFrame | None, path: Path, key: bytes
) -> None:
    """Write the data of an export's games as a zip without personal data.

    participants   the export's table with this name; None if it has none
    key            key for the codes that replace people (`table.export.Anonymous`)

    As in an anonymous export, the journals of groups in which people wrote messages are left out.
    Raises OSError.
    """
    about = _manifest(games[0])
    about["games"] = {name: version for data in games for name, version in _games(data).items()}
    about.pop("created", None)
    sessions = list(about["sessions"])
    with Writer(path, about, Anonymous(key, lasting=False)) as archive:
        for data in games:
            _add(archive, _without_silenced(data))
        if participants is not None:
            frame = participants[participants["session"].isin(sessions)]
            header = header_of(frame, participant_columns(MOST_BLOCKS))
            archive.table("", PARTICIPANTS, header, _rows(frame))


def _add(archive: Writer, data: Data) -> None:
    """Add all tables of a game to the export, with each play under its own name."""
    data = as_exported(data)
    for name, header in headers(data).items():
        archive.table(data.game_id, name, header, _rows(getattr(data, name)))


def headers(data: Data) -> dict[str, list[Column]]:
    """Return the columns of all tables of a game that could be read."""
    games = list(dict.fromkeys(data.games.values())) or [engine.make(data.game_id)]
    return {
        name: header_of(frame, [column for game in games for column in columns(name, game)])
        for name in (*TABLES, *OPTIONAL)
        if (frame := getattr(data, name)) is not None and name not in data.unread
    }


def header_of(frame: pd.DataFrame, declared: Sequence[Column]) -> list[Column]:
    """Return a frame's columns. Declared columns have their declared types, and other columns
    inferred ones."""
    by_label = {
        label: replace(column, name=label, shape=()) for label, column in spread(declared).items()
    }
    return [by_label.get(label, _unknown(frame, label)) for label in frame.columns]


def _without_silenced(data: Data) -> Data:
    """Drop the journals of groups in which people wrote messages, because such journals cannot be
    replayed without the texts."""
    if data.journal is None:
        return data
    messages = data.journal[data.journal["kind"] == "message"]
    written = messages.loc[[json.loads(entry)["sentence"] is None for entry in messages["entry"]]]
    silenced = pd.MultiIndex.from_frame(data.journal[GROUP]).isin(
        pd.MultiIndex.from_frame(written[GROUP])
    )
    return replace(data, journal=data.journal[~silenced].reset_index(drop=True))


def _manifest(data: Data) -> dict[str, Any]:
    """Return the data's manifest, with this code's entries added."""
    entries = {
        key: value
        for key, value in data.manifest.items()
        if key not in ("format", "tables", "sealed")
    }
    defaults = {
        "project": PROJECT,
        "made": "",
        "software": software("numpy"),
        "code": code_hash(),
        "games": _games(data),
        "sessions": _sessions(data),
    }
    return {**defaults, **entries}


def _games(data: Data) -> dict[str, str]:
    return {data.game_id: engine.find(data.game_id).version}


def _sessions(data: Data) -> dict[str, Any]:
    names = dict(zip(data.config["session"], data.config["session_config"], strict=True))
    people = data.outcomes["session"].value_counts().to_dict()
    return {
        str(code): {"session_config": names.get(code, ""), "participants": people.get(code, 0)}
        for code in dict.fromkeys([*data.config["session"], *data.outcomes["session"]])
    }


def _unknown(frame: pd.DataFrame, name: str) -> Column:
    """Declare a column that the data's games do not have, with the type that pandas infers."""
    kinds = {"f": "real", "i": "whole", "u": "whole", "b": "flag"}
    return Column(name, kinds.get(getattr(frame[name].dtype, "kind", "O"), "text"), "")


def _rows(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield plain values, exact to the last digit; missing values are empty."""
    names = [str(name) for name in frame]
    for first in range(
        0, len(frame), PART
    ):  # a table of Python objects takes many times as much memory
        part = frame.iloc[first : first + PART]
        plain = [part[name].astype(object).where(part[name].notna(), "") for name in part]
        for values in zip(*(column.tolist() for column in plain), strict=True):
            yield dict(zip(names, values, strict=True))


# -- joining -------------------------------------------------------------------------------------


def joined(*parts: Data) -> Data:
    """Merge exports of the same game into one. Raises ConfigError if a group is in two of
    them."""
    ids = {part.game_id for part in parts}
    if len(ids) != 1:
        raise ConfigError(
            f"joined: exports must all be from one game, not {', '.join(sorted(ids)) or 'none'}"
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
    tables["outcomes"] = _unasked(tables["outcomes"])
    if "play" in tables["config"]:  # the only play of a block that is not repeated
        tables["config"]["play"] = tables["config"]["play"].fillna(0)
    problems = tuple(problem for part in parts for problem in part.problems)
    unread = tuple(dict.fromkeys(name for part in parts for name in part.unread))
    manifest = _together([part.manifest for part in parts])
    names = {name: label_parts for part in parts for name, label_parts in part.names.items()}
    unopened = frozenset(place for part in parts for place in part.unopened)
    data = Data(ids.pop(), **tables, problems=problems, manifest=manifest, unread=unread)
    return replace(data, names=names, unopened=unopened)


def _stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Merge these rows into one table. Text columns that earlier exports do not have are empty, as
    in a file."""
    table = pd.concat(frames, ignore_index=True)
    for name in table:
        columns = [frame[name] for frame in frames if name in frame]
        if len(columns) < len(frames) and all(is_string_dtype(values) for values in columns):
            table[name] = table[name].fillna("")
    return table


def _unasked(people: pd.DataFrame) -> pd.DataFrame:
    """Return the people with zeros in the columns of questions if a server counted their messages
    but not their questions: no session of its export asked any."""
    named = [name for name in OF_QUESTIONS if name in people]
    if not named or "messages_sent" not in people:
        return people
    rows = people["messages_sent"].notna() & people[named].isna().all(axis=1)
    return people.assign(**{name: people[name].mask(rows, 0) for name in named})


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

"""Read an export: return its tables as frames, and a problem for each part that cannot be read.

    data = load("export.zip")
    for problem in data.problems: print(problem)

Everything that can be read is read. A value of the wrong type counts as missing. A row of the wrong
length or without a key is left out. A damaged table is empty, and `unread` names it. Without
`decisions`, `periods` and `config`, nothing can be analysed, and an error explains why.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

from mixed_company import engine
from mixed_company.analysis.data import UNPLAYABLE, Data, Problem
from mixed_company.analysis.declared import game_of
from mixed_company.analysis.files import CHANGED, Export, ExportError, Lines, opened
from mixed_company.analysis.gathering import at_once, gathered
from mixed_company.analysis.keys import check_keys
from mixed_company.analysis.notes import interruptions, unfinished
from mixed_company.analysis.types import MOST_WRONG, TYPES, typed
from mixed_company.engine.contract.chance import check_seed
from mixed_company.engine.contract.errors import (
    ConfigError,
    EngineError,
    UnknownName,
    nearest,
    short,
)
from mixed_company.engine.game import Game
from mixed_company.experiment.blocks import MOST_BLOCKS
from mixed_company.experiment.comparisons import counted
from mixed_company.table.export import OPTIONAL, TABLES, Column, columns, tables
from mixed_company.table.export.archive import MANIFEST
from mixed_company.table.export.column import iso_name
from mixed_company.table.export.describing import file_of
from mixed_company.table.export.participants import PARTICIPANTS, participant_columns

KEYS: Mapping[str, tuple[str, ...]] = {
    "decisions": ("session", "group", "period", "seat"),
    "periods": ("session", "group", "period"),
    "pairs": ("session", "group", "period", "seat", "partner"),
    "seats": ("session", "group", "seat"),
    "events": ("session", "group"),
    "outcomes": ("session", "participant"),
    "config": ("session", "group"),
    "answers": ("session", "participant", "question"),
    "messages": ("session", "group", "number", "seat"),
    "journal": ("session", "group", "number", "kind", "at_ms"),
    PARTICIPANTS: ("session", "participant"),
}
"""Columns that say what a row is about."""

NEEDED = ("decisions", "periods", "config")
CODEBOOK = "codebook.csv"
_RELEASE = re.compile(r"(\d+)\.(\d+)")
_WORD = re.compile(rb'[,\n]"?(True|False)"?[,\r\n]')
Types = dict[str, str]


def load(path: str | Path, game: str | None = None) -> Data:
    """Return the tables of one game from an export, which is a zip or an unpacked folder.

    If the export has several games, `game` selects one. Plays of a plan's repeated block have the
    block's name (`Data.by_block`). Raises ExportError if nothing can be read, or if keys or
    configurations are impossible (`keys`), ConfigError if `game` must be given, UnknownName for a
    game that is not in the export.
    """
    data = tables_of(path, game)
    try:
        check_keys(data, KEYS)
    except ExportError as error:
        raise ExportError(f"{path}: {error}; `mixed check` lists all faults") from None
    return data.by_block()


def tables_of(path: str | Path, game: str | None = None) -> Data:
    """Return the same as `load`, but with the names of plays as they are in the export, and without
    rejecting impossible keys."""
    export = opened(path)
    chosen = _chosen(export, game)
    game_of_release = engine.make(chosen)
    usual = {name: columns(name, game_of_release) for name in (*TABLES, *OPTIONAL)}
    read = _Reader(export, chosen, usual)
    always = [column.name for column in usual["config"] if not column.since]
    config = read.config(always)
    games = read.games(config)
    frames: dict[str, Any] = {
        name: config if name == "config" else read.table(name, _declared(name, games))
        for name in _present(export, read.game, games)
    }
    unread = tuple(read.unread)
    data = Data(read.game, **frames, manifest=export.manifest, unread=unread)
    faults = [Problem("damaged", f"{fault}; it is left out", MANIFEST) for fault in export.faults]
    unopened = _unopened(export, data.outcomes)
    data = replace(data, problems=[*faults, *read.problems], unopened=unopened)
    return replace(data, problems=(*data.problems, *unfinished(data), *interruptions(data)))


def participants(path: str | Path) -> tuple[pd.DataFrame | None, Sequence[Problem]]:
    """Return an export's `participants` table, with one row per participant across all games, and
    its problems. Return None if an earlier release made the export or it was made without a server.

    Raises ExportError if nothing can be read.
    """
    return _participants(opened(path))


def _participants(export: Export) -> tuple[pd.DataFrame | None, Sequence[Problem]]:
    if file_of("", PARTICIPANTS) not in {*export.files, *export.manifest["tables"]}:
        return None, ()
    read = _Reader(export, "", {PARTICIPANTS: participant_columns(MOST_BLOCKS)})
    frame = read.table(PARTICIPANTS, {}, list(_types(participant_columns(1))))
    return frame, tuple(problem for problem in read.problems if problem.where != CODEBOOK)


def _unopened(export: Export, outcomes: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return the session and code of each participant whose link was never opened. Old exports do
    not say, and neither do exports that lack this time for people who arrived."""
    idle = outcomes[(outcomes["status"] == "arriving") & ~(outcomes["quiz_attempts"] > 0)]
    people = None if idle.empty else _participants(export)[0]
    if people is None:
        return frozenset()
    never = people[people["first_seen_ms"].isna()]
    if len(never) == len(people) and len(idle) < len(outcomes):
        return frozenset()
    keys = ["session", "participant"]
    return frozenset(idle[keys].merge(never[keys]).itertuples(index=False, name=None))


def place(game: str, table: str, row: int | None = None, column: str = "") -> str:
    """Describe where a value is: the file, the line of its row (the header is line 1) and the
    column."""
    line = "" if row is None else f"line {row + 2}"
    return ", ".join(part for part in (file_of(game, table), line, column) if part)


def _chosen(export: Export, game: str | None) -> str:
    games = export.games
    if game is None and len(games) != 1:
        named = ", ".join(sorted(games))
        raise ConfigError(f"{export.path}: name the game to read. Its games are: {named}")
    chosen = next(iter(games)) if game is None else game
    if chosen not in games:
        raise UnknownName(f"game = {short(game)}: not in {export.path}{nearest(chosen, games)}")
    engine.find(chosen)
    return chosen


def _present(export: Export, game: str, games: Sequence[Game[Any]]) -> list[str]:
    """Return the tables to read: all tables that the groups' games should have, and any others in
    the export."""
    usual = tables(*(games or [engine.make(game)]))
    names = (*TABLES, *OPTIONAL)
    return [name for name in names if name in usual or file_of(game, name) in export.files]


def _declared(table: str, games: Sequence[Game[Any]]) -> Types:
    """Return the columns that a table has if its groups play these games, with their types."""
    return _types(column for game in games for column in columns(table, game))


def _types(listed: Iterable[Column]) -> Types:
    return {name: column.type for column in listed for name in column.names()}


class _Reader:
    """A reader of one game's tables that collects their problems."""

    def __init__(self, export: Export, game: str, usual: Mapping[str, Sequence[Column]]) -> None:
        """Open an export for reading; `usual` has the columns that its tables have in the default
        game."""
        self.export, self.game = export, game
        self.problems: list[Problem] = []
        self.unread: list[str] = []
        self.usual = {name: _types(listed) for name, listed in usual.items()}
        self.codebook = self._codebook()
        self.later = {
            name: {column.name for column in listed if column.since}
            for name, listed in usual.items()
        }

    def note(self, message: str, table: str, row: int | None = None, column: str = "") -> None:
        self.problems.append(Problem("damaged", message, place(self.game, table, row, column)))

    def table(self, name: str, declared: Types, required: Collection[str] = ()) -> pd.DataFrame:
        """Return a table with the types in the codebook and the columns that its groups must
        have, or else the `required` columns."""
        listed = self.codebook.get(name, {})
        usual = declared or self.usual[name]
        types = {**usual, **listed}
        texts = {iso_name(column): "text" for column in types if iso_name(column) != column}
        for column, kind in {**texts, **usual}.items():
            if listed.get(column, kind) != kind:
                fault = f"the codebook says {listed[column]}; read as {kind}"
                self.note(fault, name, None, column)
                types[column] = kind
        try:
            header, frame = self._read(name, types)
        except ExportError as error:
            self._unreadable(name, error)
            header, frame = list(types), gathered(list(types), (), types, ()).frame
        if name in self.codebook and name not in self.unread:
            for column in sorted(set(header) - set(listed)):
                self.note("the codebook does not have this column", name, None, column)
        expected = declared or dict.fromkeys((*KEYS[name], *required))
        for column in [column for column in expected if column not in frame]:
            is_later = column in self.later[name] and column not in required
            if not is_later or column in self.codebook.get(name, {}):
                self.note("this column is missing", name, None, column)
            empty = pd.DataFrame({column: [""] * len(frame)}, index=frame.index, dtype=object)
            frame[column] = typed(empty, usual)[column]
        return frame

    def config(self, required: Collection[str]) -> pd.DataFrame:
        """Return the table `config` without a column `play`, because analysis takes its own column
        of this name for the number of a play (`Data.by_block`)."""
        frame = self.table("config", {}, required)
        if "play" in frame:
            self.note("no release writes this column; it is left out", "config", None, "play")
        return frame.drop(columns="play", errors="ignore")

    def games(self, config: pd.DataFrame) -> list[Game[Any]]:
        """Return the distinct games of the groups; report each group for which the game cannot be
        made."""
        games: dict[Game[Any], None] = {}
        for row, session, group, text in config[["session", "group", "config"]].itertuples():
            try:
                game = game_of(text)
                if game.id != self.game:
                    raise ConfigError(
                        f"identity.game = {game.id!r}: should be {self.game!r}, "
                        "the game of this export"
                    )
                if "seed" in config:
                    check_seed(config["seed"][row])
                games[game] = None
            except EngineError as error:
                message = f"group {group} of session {session} cannot be replayed: {error}"
                where = place(self.game, "config", row, "config")
                self.problems.append(Problem(UNPLAYABLE, message, where, session, int(group)))
        return list(games)

    def _unreadable(self, name: str, error: ExportError) -> None:
        if name in NEEDED:
            where = f"{self.export.path}: {place(self.game, name)}"
            raise ExportError(f"{where} {error}; nothing can be analysed without it") from None
        self.note(f"{error}; it is treated as empty", name)
        self.unread.append(name)

    def _read(self, name: str, types: Types) -> tuple[Sequence[str], pd.DataFrame]:
        """Return a file's header and rows, and report their problems."""
        content = self.export.read(file_of(self.game, name))
        lines = Lines(content, KEYS[name])
        table = None
        if lines.rest_is_whole():
            table = at_once(lines.header, content, types, KEYS[name])
        if table is None:
            lines = Lines(content, KEYS[name])
            table = gathered(lines.header, lines, types, KEYS[name])
        self._compare_manifest(name, lines.count, content)
        self._check_flags(name, content, types)
        for place, width in lines.ragged:
            header = counted(len(lines.header), "column")
            message = f"{counted(width, 'value')} for {header}; the row is left out"
            self.note(message, name, place)
        if table.too_many:
            many = f"more than {MOST_WRONG} values do not have their column's type"
            raise ExportError(f"is damaged: {many}")
        for error in table.wrong:
            fault = str(error).partition(": ")[2]
            self.note(f"{fault}; read as missing", name, error.row, error.column)
        for place in table.keyless:
            self.note("a row without a key; it is left out", name, place)
        for place, column, fault in table.times:
            self.note(fault, name, place, column)
        return lines.header, table.frame

    def _check_flags(self, name: str, content: bytes, types: Types) -> None:
        """Report the first flag that is written as a word, because since release 0.8.0 scripts
        misread such flags."""
        software = self.export.manifest.get("software", {})
        release = _RELEASE.match(str(software.get("mixed_company", "")))
        old = release is None or tuple(map(int, release.groups())) < (0, 8)
        if old or not _WORD.search(content):
            return
        lines = Lines(content, KEYS[name])
        flags = [index for index, column in enumerate(lines.header) if types.get(column) == "flag"]
        words = (
            (place, index, row[index])
            for place, row in lines
            for index in flags
            if row[index] in ("True", "False")
        )
        for place, index, word in islice(words, 1):
            fault = f"{word!r} should be 1 or 0, as releases since 0.8.0 write it"
            self.note(fault, name, place, lines.header[index])

    def _compare_manifest(self, name: str, rows: int, content: bytes) -> None:
        path = file_of(self.game, name)
        entry = self.export.manifest["tables"].get(path)
        if not isinstance(entry, Mapping):
            self.note("the manifest does not name this table", name)
            return
        if entry.get("rows") != rows:
            self.note(
                f"{counted(rows, 'row')}, but the manifest says {short(entry.get('rows'))}", name
            )
        if not self.export.is_unchanged(path, content):
            self.note(CHANGED, name)

    def _codebook(self) -> dict[str, Types]:
        """Return the types in the codebook, by table and column; empty if it cannot be read."""
        try:
            lines = Lines(self.export.read(CODEBOOK))
            codebook: dict[str, Types] = {}
            for _, row in lines:
                entry = dict(zip(lines.header, row, strict=True))
                if entry["game"] == self.game and entry["type"] in TYPES:
                    codebook.setdefault(entry["table"], {})[entry["column"]] = entry["type"]
        except (ExportError, KeyError) as error:
            fault = error if isinstance(error, ExportError) else "is damaged"
            message = f"{fault}; columns are read with this version's types"
            self.problems.append(Problem("damaged", message, CODEBOOK))
            return {}
        return codebook

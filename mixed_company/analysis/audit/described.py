"""Check that an export contains the right files and no others, and that its codebooks, data package
and scripts are exactly as this release writes them for its tables.

Exports from other releases are not compared, because their texts differ. A folder with an unpacked
export may contain other files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import pandas as pd

from mixed_company import engine
from mixed_company.analysis.data import Data, Problem
from mixed_company.analysis.declared import played_games
from mixed_company.analysis.files import CHANGED, Export, ExportError
from mixed_company.analysis.writing import header_of, headers
from mixed_company.analysis.zipped import zip_faults
from mixed_company.experiment.blocks import MOST_BLOCKS
from mixed_company.table.export import OPTIONAL, TABLES, Anonymous, declared
from mixed_company.table.export.archive import MANIFEST, code_hash, own_version
from mixed_company.table.export.column import Column, spread
from mixed_company.table.export.describing import file_of, texts
from mixed_company.table.export.participants import PARTICIPANTS, participant_columns
from mixed_company.table.export.sealing import SEALS


def is_of_this_release(manifest: Mapping[str, Any]) -> bool:
    """Return whether the manifest says that this release made the export."""
    return bool(manifest.get("software", {}).get("mixed_company") == own_version())


def writes_the_same(manifest: Mapping[str, Any]) -> bool:
    """Return whether the release that made the export writes the same texts as this one.

    The texts can change while a version is in development, so for a development version the code
    must also be the same.
    """
    in_development = ".dev" in own_version() and manifest.get("code") != code_hash()
    return is_of_this_release(manifest) and not in_development


def writes_digests(manifest: Mapping[str, Any]) -> bool:
    """Return whether the release that made the export certainly wrote digests of treatments and
    plans. For a version in development, that is certain only if the code is the same."""
    version = str(manifest.get("software", {}).get("mixed_company", ""))
    numbers = re.match(r"(\d+)\.(\d+)\.", version)
    if ".dev" in version or numbers is None:
        return writes_the_same(manifest)
    return (int(numbers[1]), int(numbers[2])) >= _WITH_DIGESTS


_WITH_DIGESTS = (0, 9)


def check_files(
    export: Export, games: Sequence[Data], participants: pd.DataFrame | None
) -> list[Problem]:
    """Return the problems in an export's files; `games` lists all games in the export."""
    problems = check_entries(export)
    listed = list(export.manifest["tables"])
    tables = {file_of(data.game_id, name) for data in games for name in (*TABLES, *OPTIONAL)}
    foreign = [path for path in listed if path not in {*tables, file_of("", PARTICIPANTS)}]
    problems += [_differs(path, "not a table of this release") for path in foreign]
    if not writes_the_same(export.manifest):
        return [*problems, Problem("unknown", _OTHER)]
    problems += _added(games)
    if any(data.unread for data in games) or any(path not in export.files for path in listed):
        return problems  # it is unknown which tables the files describe
    return [*problems, *_compared(export, written(export, games, participants))]


def _added(games: Sequence[Data]) -> Iterator[Problem]:
    """Yield a problem for each column that no game declares. Codebooks can describe such a column,
    because `analysis.save` describes all columns that it writes."""
    declared = _of_server(games, None)
    for path, header in _of_frames(games, None).items():
        names = spread(declared[path])
        for column in header:
            if not column.meaning and column.name not in names:
                message = f"has the column {column.name}, which is not a column of this release"
                yield _differs(path, message)


def check_entries(export: Export) -> list[Problem]:
    """Return a problem for every entry of a zip that this project does not write; none for a
    folder."""
    if export.zipped is None:
        return []
    expected = {*export.manifest["tables"], *texts({}, {}, {}), SEALS, MANIFEST}
    strange = [(name, _STRANGE) for name in sorted(export.files) if name not in expected]
    faults = [*strange, *zip_faults(export.zipped, export.files)]
    return [_differs(name, sentence) for name, sentence in faults]


def check_others(export: Export, games: Sequence[Data]) -> Iterator[Problem]:
    """Yield a problem for every table that was changed after it was written, in games that were not
    read."""
    read = tuple(f"{data.game_id}/" for data in games)
    for path in (path for path in export.manifest["tables"] if not path.startswith(read)):
        try:
            if not export.is_unchanged(path, export.read(path)):
                yield _differs(path, CHANGED)
        except ExportError as error:
            yield _differs(path, str(error))


_STRANGE = "does not belong in an export, and the manifest does not name it"
_OTHER = (
    "codebooks, data package and scripts were not compared with the tables, because another "
    "version of this project made the export"
)

PARTLY = Problem(
    "unknown",
    "codebooks, data package and scripts were not compared with the tables, because the tables of "
    "some games were not read; leave out --game to compare them",
)
"""Note that only some games of an export were checked."""


def _compared(export: Export, ways: Iterator[Mapping[str, str]]) -> Iterator[Problem]:
    """Yield a problem for each file that matches none of its possible texts. `ways` has one mapping
    from file name to text for each way of writing an export."""
    first = next(ways)
    contents: dict[str, bytes] = {}
    for name in first:
        try:
            contents[name] = export.read(name)
        except ExportError as error:
            yield _differs(name, str(error))
    differing = _unlike(contents, first)
    while differing and (other := next(ways, None)) is not None:
        differing = _unlike(differing, other)
    for name in differing:
        yield _differs(name, "not what this release writes for these tables")


def _unlike(contents: Mapping[str, bytes], files: Mapping[str, str]) -> dict[str, bytes]:
    return {name: text for name, text in contents.items() if text != files[name].encode()}


def written(
    export: Export, games: Sequence[Data], participants: pd.DataFrame | None
) -> Iterator[dict[str, str]]:
    """Yield the texts of codebooks, data package and scripts by file name: first as a server writes
    them, then as `analysis.save` does."""
    manifest = export.manifest
    listed = {
        path: {"rows": entry.get("rows"), "sha256": entry.get("sha256")}
        for path, entry in manifest["tables"].items()
        if isinstance(entry, Mapping)
    }
    for columns_of in (_of_server, _of_frames):
        columns = columns_of(games, participants)
        yield texts(manifest, _arranged(listed, columns, manifest), listed)


Columns = dict[str, list[Column]]


def _of_server(games: Sequence[Data], participants: pd.DataFrame | None) -> Columns:
    """Return the columns that a server declares for each table, by the table's path."""
    columns = Columns()
    for data in games:
        usual, asking = [engine.make(data.game_id)], data.answers is not None
        played = played_games(data.config)
        for name in (*TABLES, *OPTIONAL):
            of_groups = usual if name in ("outcomes", "messages") else played or usual
            columns[file_of(data.game_id, name)] = declared(name, of_groups, asking)
    if participants is not None:
        blocks = sum(str(name).startswith("status_") for name in participants)
        columns[file_of("", PARTICIPANTS)] = participant_columns(blocks)
    return columns


def _of_frames(games: Sequence[Data], participants: pd.DataFrame | None) -> Columns:
    """Return the columns that each table of this export has, by the table's path."""
    columns = {
        file_of(data.game_id, name): header
        for data in games
        for name, header in headers(data).items()
    }
    if participants is not None:
        header = header_of(participants, participant_columns(MOST_BLOCKS))
        columns[file_of("", PARTICIPANTS)] = header
    return columns


def _arranged(
    listed: Mapping[str, Any], columns: Columns, manifest: Mapping[str, Any]
) -> dict[str, dict[str, list[Column]]]:
    """Return the columns of each game's tables, in the order of the manifest."""
    anonymous = None
    if manifest.get("anonymous") is True:
        texts_kept = manifest.get("left_out") == []
        anonymous = Anonymous(b"", texts=texts_kept)
    arranged: dict[str, dict[str, list[Column]]] = {}
    for path in (path for path in listed if path in columns):
        *folder, file = PurePosixPath(path).parts
        kept = columns[path] if anonymous is None else anonymous.columns(columns[path])
        arranged.setdefault("/".join(folder), {})[PurePosixPath(file).stem] = kept
    return arranged


def _differs(name: str, message: str) -> Problem:
    return Problem("differs", message, name)

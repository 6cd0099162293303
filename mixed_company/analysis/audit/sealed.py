"""Check that nobody changed the file after the server wrote it, and that no group is missing.

    digests   each group's rows, in all tables together, have the digest recorded in
              `seals.csv`
    tables    each table has the sha256 recorded in the manifest
    chain     each link follows from the previous one, and the last one is in the manifest
    seal      the manifest's seal was made with the server's key

Somebody who changes the file can recompute the digests and the chain, but needs the key to make the
seal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from mixed_company.analysis.data import Problem
from mixed_company.analysis.files import CHANGED, Export, ExportError, Lines, opened
from mixed_company.table.export.archive import MANIFEST
from mixed_company.table.export.describing import file_of
from mixed_company.table.export.participants import PARTICIPANTS
from mixed_company.table.export.sealing import COLUMNS, SEALS, Seals, chained, is_seal, key_id

Line = Sequence[str]


@dataclass(frozen=True)
class Sealed:
    """Result of checking the seals.

    problems   differences from the sealed file
    verdict    a sentence on what the seals do and do not prove
    absent     sessions on the server that are missing from the file
    """

    problems: Sequence[Problem]
    verdict: str
    absent: Sequence[str] = ()


def looked_at(path: str | Path, key: bytes = b"") -> Sealed:
    """Check the seals of an export; with `key`, also check that the server wrote it."""
    export = opened(path)
    about = export.manifest.get("sealed")
    if about is None:
        problems = [_problem("not sealed")] if key else []
        return Sealed(problems, "not sealed, so groups may be missing without a trace")
    try:
        seals = Seals()
        changed = list(_changed(export, seals))
        problems = list(_chain(export, about, seals)) or changed
    except ExportError as error:
        problems = [Problem("damaged", str(error), SEALS)]
    if key and not is_seal(export.written, key):
        problems.append(_problem(f"its seal was not made with the key {key_id(key)}"))
    return Sealed(problems, _verdict(about, key, problems), _absent(export.manifest))


def _chain(export: Export, about: Mapping[str, Any], seals: Seals) -> Iterator[Problem]:
    lines = Lines(export.read(SEALS))
    written = [row for _, row in lines]
    if tuple(lines.header) != COLUMNS or lines.ragged:
        raise ExportError(f"is damaged: its columns should be {', '.join(COLUMNS)}")
    digests = {tuple(line[:3]): line for line in seals.lines()}
    for row in written:
        line = digests.pop(tuple(row[:3]), None)
        if line is None:
            yield Problem("differs", f"{_named(row)} is missing from the tables", SEALS)
        elif line != row[:5]:
            yield Problem("differs", f"{_named(row)} was changed after it was sealed", SEALS)
    for unsealed in digests.values():
        yield Problem("differs", f"{_named(unsealed)} was not sealed", SEALS)
    if [row[5] for row in written] != chained(row[:5] for row in written):
        yield Problem("differs", "the chain is broken: somebody changed or removed a row", SEALS)
    head = written[-1][5] if written else ""
    if (about.get("head"), about.get("groups")) != (head, len(written)):
        yield _problem("its entry sealed.head is not the end of the chain")


def _changed(export: Export, seals: Seals) -> Iterator[Problem]:
    """Add all tables to `seals`, and yield a problem for each that was changed.

    Digests of rows cannot replace this check, because they do not record where a cell ends.
    """
    for path in export.manifest["tables"]:
        content = export.read(path)
        lines = Lines(content)
        *folder, _ = PurePosixPath(path).parts  # empty for `participants`, which covers all games
        rows = (row for _, row in lines)
        seals.add("/".join(folder), PurePosixPath(path).stem, lines.header, rows)
        if not export.is_unchanged(path, content):
            yield Problem("damaged", CHANGED, path)


def _named(row: Line) -> str:
    if not row[0]:
        return f"{file_of('', PARTICIPANTS)}: session {row[1]}"
    whose = f"group {row[2]}" if row[2] else "people without a group"
    return f"{row[0]}: {whose} of session {row[1]}"


def _verdict(about: Mapping[str, Any], key: bytes, problems: Sequence[Problem]) -> str:
    if not about.get("key"):
        return "sealed without a key, so anybody who changes the file can recompute the chain"
    if not key:
        return (
            f"says that it is sealed with the key {about['key']}; without --key, only the chain "
            "was checked, and anybody can recompute it"
        )
    if problems:
        return "the seal does not match the file"
    return "sealed with this key; manifest and tables are unchanged"


def _absent(manifest: Mapping[str, Any]) -> list[str]:
    created = manifest.get("created", ())
    return [code for code in created if code not in manifest.get("sessions", created)]


def _problem(message: str) -> Problem:
    return Problem("differs", message, MANIFEST)

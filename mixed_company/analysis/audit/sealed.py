"""Is the file what the server wrote: every group in it, each as it was, and none left out?

    digests   the rows of each group, in all tables, have the digest that `seals.csv` has
    chain     each link of it follows from the one above, the last one is in the manifest
    seal      who has the server's key sealed all that the manifest says

Digests and chain can be made anew by whoever changes the file, the seal by nobody without the key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from mixed_company.analysis.data import Problem
from mixed_company.analysis.files import Export, ExportError, Lines, opened
from mixed_company.table.export.archive import MANIFEST, file_of
from mixed_company.table.export.participants import PARTICIPANTS
from mixed_company.table.export.sealing import COLUMNS, SEALS, Seals, chained, is_seal, key_id

__all__ = ["Sealed", "looked_at"]

Line = Sequence[str]


@dataclass(frozen=True)
class Sealed:
    """What seals show.

    problems   what is not as it was sealed
    verdict    one sentence: what is known by them, and what is not
    absent     sessions of the server that are not in the file
    """

    problems: Sequence[Problem]
    verdict: str
    absent: Sequence[str] = ()


def looked_at(path: str | Path, key: bytes = b"") -> Sealed:
    """The seals of an export, checked; by `key` also that the server wrote it."""
    export = opened(path)
    about = export.manifest.get("sealed")
    if not isinstance(about, Mapping):
        wrong = [_problem("is not sealed")] if key else []
        return Sealed(wrong, "not sealed: whether groups were left out cannot be known")
    try:
        problems = list(_chain(export, about))
    except ExportError as error:
        problems = [Problem("damaged", str(error), SEALS)]
    if key and not is_seal(export.manifest, key):
        problems.append(_problem(f"was not sealed, as it is, by the key {key_id(key)}"))
    return Sealed(problems, _verdict(about, key, problems), _absent(export.manifest))


def _chain(export: Export, about: Mapping[str, Any]) -> Iterator[Problem]:
    lines = Lines(export.read(SEALS))
    written = [row for _, row in lines]
    if tuple(lines.header) != COLUMNS or lines.ragged:
        raise ExportError(f"is damaged: its columns should be {', '.join(COLUMNS)}")
    there = {tuple(line[:3]): line for line in _digests(export)}
    for row in written:
        own = there.pop(tuple(row[:3]), None)
        if own is None:
            yield Problem("differs", f"{_named(row)} is left out of the tables", SEALS)
        elif own != row[:5]:
            yield Problem("differs", f"{_named(row)} is not as it was sealed", SEALS)
    for line in there.values():
        yield Problem("differs", f"{_named(line)} was not sealed", SEALS)
    if [row[5] for row in written] != chained(row[:5] for row in written):
        yield Problem("differs", "the chain is broken: a row was changed or left out", SEALS)
    head = written[-1][5] if written else ""
    if (about.get("head"), about.get("groups")) != (head, len(written)):
        yield _problem("its sealed.head is not the end of the chain")


def _digests(export: Export) -> list[list[str]]:
    seals = Seals()
    for path in export.manifest["tables"]:
        lines = Lines(export.read(path))
        *folder, _ = PurePosixPath(path).parts  # none for the table of all games
        rows = (row for _, row in lines)
        seals.add("/".join(folder), PurePosixPath(path).stem, lines.header, rows)
    return seals.lines()


def _named(row: Line) -> str:
    if not row[0]:
        return f"{file_of('', PARTICIPANTS)}: session {row[1]}"
    whose = f"group {row[2]}" if row[2] else "who had no group"
    return f"{row[0]}: {whose} of session {row[1]}"


def _verdict(about: Mapping[str, Any], key: bytes, problems: Sequence[Problem]) -> str:
    if not about.get("key"):
        return "sealed without a key: whoever changes the file can make the chain anew"
    if not key:
        return f"sealed by the key {about['key']}: checked by the chain alone, not with the key"
    return "the seal does not hold" if problems else "sealed by this key, and as it was"


def _absent(manifest: Mapping[str, Any]) -> list[str]:
    created, sessions = manifest.get("created"), manifest.get("sessions")
    if not isinstance(created, list) or not isinstance(sessions, Mapping):
        return []
    return [str(code) for code in created if code not in sessions]


def _problem(what: str) -> Problem:
    return Problem("differs", what, MANIFEST)

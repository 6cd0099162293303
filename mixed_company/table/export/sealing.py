"""Seals of an export: a digest of each group, a chain over all groups, and a signature.

seals.csv has a row per group, one per session for people without a group, and one for
`participants`:

    sha256   digest of its rows in all tables, including config and options
    chain    digest of this row and the link in the row above; a missing group breaks the chain

The manifest has the last link (`head`) and a `seal`: an HMAC over everything else in the manifest,
with a key that only the server has. Anyone who changes a file can recompute everything except the
seal.
"""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SEALS = "seals.csv"
COLUMNS = ("game", "session", "group", "rows", "sha256", "chain")
_BETWEEN = "\x1f"
Place = tuple[str, str, str]


class Seals:
    """Digests of all groups, computed while their rows are written or read."""

    def __init__(self) -> None:
        self._taken: dict[Place, dict[str, Any]] = {}
        self._rows: dict[Place, int] = {}

    def add(
        self, game: str, table: str, header: Sequence[str], rows: Iterable[Sequence[Any]]
    ) -> None:
        """Add a table's rows, given their columns; a row without a group belongs to its session."""
        places = [header.index(name) if name in header else None for name in ("session", "group")]
        for row in rows:
            values = ["" if value is None else str(value) for value in row]
            session, group = ("" if position is None else values[position] for position in places)
            place = game, session, group
            taken = self._taken.setdefault(place, {})
            if table not in taken:
                taken[table] = hashlib.sha256(_BETWEEN.join(header).encode())
            taken[table].update(f"\n{_BETWEEN.join(values)}".encode())
            self._rows[place] = self._rows.get(place, 0) + 1

    def lines(self) -> list[list[str]]:
        """Return game, session, group, rows and sha256 of each group, in order."""
        places = sorted(self._taken, key=lambda place: (*place[:2], len(place[2]), place[2]))
        return [[*place, str(self._rows[place]), self._digest(place)] for place in places]

    def _digest(self, place: Place) -> str:
        taken = self._taken[place]
        digests = (f"{table} {taken[table].hexdigest()}" for table in sorted(taken))
        return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def chained(lines: Iterable[Sequence[str]]) -> list[str]:
    """Return each line's link, a digest of the line and the link above it."""
    links, link = [], ""
    for line in lines:
        link = hashlib.sha256(_BETWEEN.join([link, *line]).encode()).hexdigest()
        links.append(link)
    return links


def written(lines: Sequence[Sequence[str]], links: Sequence[str]) -> str:
    """Return the text of seals.csv."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows([*line, link] for line, link in zip(lines, links, strict=True))
    return text.getvalue()


def sealed(manifest: Mapping[str, Any], links: Sequence[str], key: bytes = b"") -> dict[str, Any]:
    """Return the manifest with its seal. Without a key, only the chain is recorded."""
    about = {"groups": len(links), "head": links[-1] if links else "", "key": key_id(key)}
    whole = {**manifest, "sealed": about}
    return {**whole, "sealed": {**about, "seal": _seal(whole, key)}}


def key_id(key: bytes) -> str:
    """Return an id for the key that does not reveal the key; empty if there is no key."""
    return hashlib.sha256(b"id of " + key).hexdigest()[:16] if key else ""


def is_seal(manifest: Mapping[str, Any], key: bytes) -> bool:
    """Return whether the manifest's seal was made with this key."""
    about = dict(manifest["sealed"])
    seal = str(about.pop("seal", ""))
    return bool(key) and hmac.compare_digest(
        seal.encode(errors="replace"), _seal({**manifest, "sealed": about}, key).encode()
    )


def _seal(manifest: Mapping[str, Any], key: bytes) -> str:
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest() if key else ""

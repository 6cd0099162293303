"""What holds the groups of an export together: a digest of each, a chain over all, and a seal.

seals.csv, a row per group (and one per session for who had none, and for `participants`):

    sha256   over its rows in all tables, config and options among them
    chain    over this row and the one above: a group that is left out breaks it

The manifest has the last link (`head`), and its `seal`: an HMAC over all else that it says, by a
key that the server alone has. Whoever changes a file can make all of it anew, but for the seal.
"""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["COLUMNS", "SEALS", "Seals", "chained", "is_seal", "key_id", "sealed", "written"]

SEALS = "seals.csv"
COLUMNS = ("game", "session", "group", "rows", "sha256", "chain")
_BETWEEN = "\x1f"
Place = tuple[str, str, str]


class Seals:
    """The digests of all groups, taken while their rows are written, or read."""

    def __init__(self) -> None:
        self._taken: dict[Place, dict[str, Any]] = {}
        self._rows: dict[Place, int] = {}

    def add(
        self, game: str, table: str, header: Sequence[str], rows: Iterable[Sequence[Any]]
    ) -> None:
        """Rows of a table with these columns; those without a group are their session's."""
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
        """game, session, group, rows and sha256 of each, in order."""
        places = sorted(self._taken, key=lambda place: (*place[:2], len(place[2]), place[2]))
        return [[*place, str(self._rows[place]), self._digest(place)] for place in places]

    def _digest(self, place: Place) -> str:
        taken = self._taken[place]
        digests = (f"{table} {taken[table].hexdigest()}" for table in sorted(taken))
        return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def chained(lines: Iterable[Sequence[str]]) -> list[str]:
    """The link of each line: over itself, and the link of the one above."""
    links, link = [], ""
    for line in lines:
        link = hashlib.sha256(_BETWEEN.join([link, *line]).encode()).hexdigest()
        links.append(link)
    return links


def written(lines: Sequence[Sequence[str]], links: Sequence[str]) -> str:
    """The text of seals.csv."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows([*line, link] for line, link in zip(lines, links, strict=True))
    return text.getvalue()


def sealed(manifest: Mapping[str, Any], links: Sequence[str], key: bytes = b"") -> dict[str, Any]:
    """The manifest with what it says of seals; without a key, the chain alone."""
    about = {"groups": len(links), "head": links[-1] if links else "", "key": key_id(key)}
    whole = {**manifest, "sealed": about}
    return {**whole, "sealed": {**about, "seal": _seal(whole, key)}}


def key_id(key: bytes) -> str:
    """By which a key is known, and cannot be guessed; empty: there is none."""
    return hashlib.sha256(b"id of " + key).hexdigest()[:16] if key else ""


def is_seal(manifest: Mapping[str, Any], key: bytes) -> bool:
    """Has who has the key sealed all that the manifest says?"""
    about = dict(manifest["sealed"])
    seal = str(about.pop("seal", ""))
    return bool(key) and hmac.compare_digest(seal, _seal({**manifest, "sealed": about}, key))


def _seal(manifest: Mapping[str, Any], key: bytes) -> str:
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest() if key else ""

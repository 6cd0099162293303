"""Import a table from another experiment as an export that every analysis can read.

    done = imported("choices.csv", "map.toml")
    writing.save(done.data, "export.zip")

A map (`mapping`) names the game, its configuration, and the columns of the table. Only the actions
come from the table. The engine computes points, stocks and everything else from the configuration,
the seed and the actions (`playing`). If the table has payoffs, they are compared with these points.
That reveals a wrong map (`compared`).

    mapping    the schema of a map
    cells      the table and the values of its cells
    matching   who played with whom, and when
    playing    the plays, replayed by the engine
    rows       the plays as rows of an export

If people stayed in their groups (partners), each group is a play. If groups changed every period
(strangers), each period of a group is a separate play, as in a plan with a repeated block. The
plays are called strangers_1, strangers_2 and so on, and `load` counts them as periods of one block.
In tests, groups that exchanged people are one independent unit.

The manifest says that the data were imported, and identifies the table and the map by their sha256.
There is no journal, so `mixed check` replays the decisions under the rules. The random draws of the
other experiment are unknown, so a game with shocks or noise is replayed with different draws.

An example calculated by hand: two people have 20 points each, and each point contributed pays 0.75
to both (sanctions, production public_good, mpcr = 0.75). The rows

    group,period,person,give        points
    1,1,a,20                        20 - 20 + 0.75 * 20 = 15
    1,1,b,0                         20 -  0 + 0.75 * 20 = 35
    1,2,a,10                        20 - 10 + 0.75 * 30 = 32.5
    1,2,b,20                        20 - 20 + 0.75 * 30 = 22.5

give one play with two periods and two seats: a in seat 0 with 47.5 points, b in seat 1 with 57.5.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mixed_company.analysis.data import Data
from mixed_company.analysis.importing.cells import Table, read
from mixed_company.analysis.importing.mapping import Map, from_file
from mixed_company.analysis.importing.matching import STRANGERS, Play, matched
from mixed_company.analysis.importing.playing import played
from mixed_company.engine.contract.space import Array
from mixed_company.files import one_line

__all__ = ["Imported", "imported"]


@dataclass(frozen=True)
class Imported:
    """An imported table.

    data      plays of the table, as the tables of an export
    people    number of people
    payoffs   comparison of the table's payoffs with the points; None if the map names no payoffs
    """

    data: Data
    people: int
    payoffs: Compared | None


def imported(table: str | Path, map_file: str | Path) -> Imported:
    """Return the plays of a table, as its map describes them. If the table or the map is invalid,
    raises ConfigError or UnknownName with key, value and rule."""
    described, rows = from_file(Path(map_file)), read(Path(table))
    described.check_columns(rows.header)
    plays = matched(rows, described)
    name = re.sub(r"\W+", "_", Path(map_file).stem)[:40]
    frames, points = played(plays, rows, described, name)
    payoffs = compared(plays, rows, described, points)
    people = {(play.session, code) for play in plays for code in play.people}
    manifest = {
        "sessions": _sessions(plays, described, name),
        "session_configs": [name],
        "license": described.license,
        "citation": described.source,
        "imported": {
            "table": Path(table).name,
            "table_sha256": _sha256(Path(table)),
            "map": Path(map_file).name,
            "map_sha256": _sha256(Path(map_file)),
            "columns": described.named_columns,
            "payoffs": {} if payoffs is None else payoffs.counts,
        },
    }
    data = Data(described.game, **frames, manifest=manifest)
    return Imported(data, len(people), payoffs)


def _sessions(plays: list[Play], described: Map, name: str) -> dict[str, Any]:
    """Return the manifest's entries for the sessions."""
    treatments = described.treatment_names(play.treatment for play in plays)
    entries: dict[str, Any] = {}
    for session in dict.fromkeys(play.session for play in plays):
        here = [play for play in plays if play.session == session]
        blocks = list(dict.fromkeys(play.block for play in here if play.block))
        entries[session] = {
            "session_config": name,
            "participants": len({code for play in here for code in play.people}),
            "groups": {described.game: len(here)},
            "imported": {
                "treatments": treatments,
                "blocks": blocks,
                "parts": [STRANGERS for _ in blocks],
            },
        }
    return entries


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# -- payoffs -------------------------------------------------------------------------------------


SHOWN = 5
"""Maximum number of differing rows that are listed."""
_EXACT = 1e-6
"""Tolerance for numbers that are not rounded."""


@dataclass(frozen=True)
class Compared:
    """Result of the comparison.

    count      number of payoffs
    differing  number of payoffs that differ from the points by more than a rounding error: half a
           unit of the table's last digit
    first      a sentence about each of the first differing rows
    line       the factor and the constant that turn all points into the payoffs; None if no such
           line exists or no payoff differs
    """

    count: int
    differing: int
    first: Sequence[str]
    line: tuple[float, float] | None

    @property
    def counts(self) -> dict[str, int]:
        """The comparison's numbers, for the manifest."""
        return {"compared": self.count, "differing": self.differing}

    @property
    def words(self) -> Iterator[str]:
        """The lines that a command prints."""
        if not self.differing:
            yield f"payoffs: all {self.count} match the points that the engine computes"
            return
        differing = f"{self.differing} of {self.count}"
        yield f"payoffs: {differing} differ from the points that the engine computes"
        yield from self.first
        if self.line is not None:
            factor, amount = self.line
            yield (
                f"all payoffs are {factor:g} * points {amount:+g}: if the table uses another unit, "
                f"set columns.payoff scale = {1 / factor:.6g}, offset = {-amount / factor:.6g}"
            )


def compared(plays: Sequence[Play], table: Table, described: Map, points: Array) -> Compared | None:
    """Compare payoffs and points. Return None if the map names no payoffs. Raises ConfigError."""
    column = described.columns.payoff
    if column is None:
        return None
    payoffs = np.array(table.numbers("columns.payoff", column))
    tolerance = table.rounding(column) + _EXACT
    rows = np.flatnonzero(np.abs(payoffs - points) > tolerance)
    of_row = {place: play for play in plays for period in play.places for place in period}
    first = [
        f"line {table.lines[row]}: {of_row[row]}: columns.payoff = {payoffs[row]:.6g}, but the "
        f"engine computes {points[row]:.6g} points"
        for row in rows[:SHOWN].tolist()
    ]
    line = _line(points, payoffs, tolerance) if len(rows) else None
    return Compared(len(payoffs), len(rows), first, line)


def _line(points: Array, payoffs: Array, tolerance: float) -> tuple[float, float] | None:
    """Return the factor and the constant that turn points into payoffs; None if no such line
    exists."""
    if np.ptp(points) == 0 or np.ptp(payoffs) == 0:
        return None
    factor, amount = np.polyfit(points, payoffs, 1).tolist()
    factor, amount = round(factor, 9), round(amount, 6)
    exact = np.abs(factor * points + amount - payoffs).max() <= tolerance
    return (factor, amount) if exact and factor else None


# -- a sentence for command output and reports ---------------------------------------------------


def provenance(manifest: Mapping[str, Any]) -> str:
    """Return a sentence about the source of imported data and its payoffs; empty if the
    manifest has no imported session."""
    entries = manifest.get("sessions", {})
    sessions = [code for code, entry in entries.items() if "imported" in entry]
    if not sessions:
        return ""
    part = "" if len(sessions) == len(entries) else f" ({len(sessions)} of {len(entries)} sessions)"
    source, license = (_quoted(str(manifest.get(key, ""))) for key in ("citation", "license"))
    sentences = [
        f"Imported from a table of another experiment{part}",
        f": {source}." if source else ".",
        f" License: {license}." if license else "",
        f" This engine computed the points from the actions; {_payoffs(manifest)}",
        " Nothing here is confirmatory.",
    ]
    return "".join(sentences)


def _quoted(text: str) -> str:
    """Return a string from the file in quotation marks, to show that it is quoted; empty if the
    string is empty.
    """
    words = one_line(text.rstrip(".")).replace('"', "'")
    return f'"{words}"' if words else ""


def _payoffs(manifest: Mapping[str, Any]) -> str:
    """Return a clause that says whether the table's payoffs match the points."""
    counts = manifest.get("imported", {}).get("payoffs", {})
    compared, differing = counts.get("compared", 0), counts.get("differing", 0)
    if not compared:
        return "the table's payoffs were not compared with them."
    if not differing:
        return f"all {compared} payoffs in the table match these points."
    return (
        f"{differing} of {compared} payoffs in the table differ from these points, so the map or "
        "the "
        f"configuration may be wrong."
    )

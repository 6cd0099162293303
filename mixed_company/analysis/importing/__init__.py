"""Import a table from another experiment as an export that every analysis can read.

    done = imported("choices.csv", "map.toml")
    writing.save(done.data, "export.zip")

A map (`mapping`) names the game, its configuration, and the columns of the table. Only the actions
come from the table. The engine computes points, stocks and everything else from the configuration,
the seed and the actions (`playing`). If the table has payoffs, they are compared with these points.
That reveals a wrong map (`payoffs`).

    mapping    the schema of a map
    cells      the table and the values of its cells
    matching   who played with whom, and when
    playing    the plays as rows of an export
    payoffs    compares the table's payoffs with the points

If people stayed in their groups (partners), each group is a play. If groups changed every period
(strangers), each period of a group is a separate play, as in a plan with a repeated block. The
plays are called strangers_1, strangers_2 and so on, and `load` counts them as periods of one block.
In tests, groups that exchanged people are one independent unit.

The manifest says that the data were imported, and identifies the table and the map by their sha256.
There is no journal, so `mixed check` replays the decisions by the rules. The random draws of the
other experiment are unknown, so a game with shocks or noise is replayed with different draws.

Example, by hand: two people have 20 points each, and each point contributed pays 0.75 to both
(sanctions, production public_good, mpcr = 0.75). The rows

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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mixed_company.analysis.data import Data
from mixed_company.analysis.importing.cells import read
from mixed_company.analysis.importing.mapping import Map, from_file
from mixed_company.analysis.importing.matching import STRANGERS, Play, matched
from mixed_company.analysis.importing.payoffs import Compared, compared
from mixed_company.analysis.importing.playing import played

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

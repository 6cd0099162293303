"""Small tables and maps for tests of imports."""

from __future__ import annotations

from pathlib import Path

from mixed_company.analysis.importing import Imported, imported

MAP = """
source = "An author (2001), a journal"
license = "CC BY 4.0"
game = "sanctions"

[config]
archetype = "unsanctioned"
endowment = 20
mpcr = 0.75

[columns]
group = "group"
period = "period"
person = "person"

[actions]
contribution = "give"
"""
TABLE = """group,period,person,give,profit
1,1,a,20,15
1,1,b,0,35
1,2,a,10,32.5
1,2,b,20,22.5
"""
"""The example of `analysis.importing`, with payoffs."""

STRANGERS = """session,round,id,other,give
s,1,a,b,20
s,1,b,a,0
s,1,c,d,5
s,1,d,c,10
s,2,a,c,15
s,2,c,a,0
s,2,b,d,5
s,2,d,b,20
"""
STRANGERS_MAP = """
source = "An author (2001), a journal"
license = "CC BY 4.0"
game = "sanctions"
matching = "strangers"

[config]
archetype = "unsanctioned"
endowment = 20
mpcr = 0.75

[columns]
session = "session"
period = "round"
person = "id"
partner = "other"

[actions]
contribution = "give"
"""


def done(folder: Path, table: str = TABLE, described: str = MAP) -> Imported:
    """Return the import of a table with a map, both as text."""
    (folder / "table.csv").write_text(table, encoding="utf-8")
    (folder / "map.toml").write_text(described, encoding="utf-8")
    return imported(folder / "table.csv", folder / "map.toml")

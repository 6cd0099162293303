"""Generator for docs/codebook.md: the columns of all exports, as printed by `mixed codebook`.

python -m docs.codebook > docs/codebook.md
"""

from __future__ import annotations

import sys

from mixed_company.table.export import whole
from mixed_company.table.export.codebook import ADDED

INTRODUCTION = """# Codebook: columns of exports

This page lists every column of every table in an [export](export.md), game by game, and every
parameter of each game (`core`). Derived numbers, such as a group's efficiency, are
[measures](measures.md). Each export contains a `codebook.md` for its own columns, and
`mixed codebook GAME` prints the codebook of one game. `make docs` writes this page. To look up a
single column, start with the [index](#index).

"""

_PARTS = {ADDED: "sessions with layers, questions, talk or peer points"}


def document() -> str:
    """Return the page: the codebook under a single title, with the game in each table's heading."""
    part = ""
    lines = []
    for line in whole([]).splitlines():
        if line.startswith("# "):
            part = line.removeprefix("# Codebook: ")
            line = f"## Codebook: {_PARTS.get(part, part)}"
        elif line.startswith("## "):
            line = f"### {_titled(line.removeprefix('## '), part)}"
        lines.append(line)
    return INTRODUCTION + "\n".join([*lines, "", *_index(lines)]) + "\n"


def _index(lines: list[str]) -> list[str]:
    """Return the section that lists the tables in which each column or parameter occurs."""
    tables: dict[str, list[str]] = {}
    heading = ""
    for line in lines:
        if line.startswith("### "):
            heading = line.removeprefix("### ")
        elif line.startswith("| `"):
            tables.setdefault(line.split("`")[1], []).append(_link(heading))
    rows = [f"| `{column}` | {', '.join(tables[column])} |" for column in sorted(tables)]
    return ["## Index", "", "| column or parameter | tables |", "|---|---|", *rows]


def _link(heading: str) -> str:
    """Return a link to a section of the page."""
    return f"[{heading}](#{heading.replace(' ', '-').replace(':', '')})"


def _titled(table: str, part: str) -> str:
    """Return a table's heading: its name and game, but no game if the columns belong to layers or
    talk."""
    return f"{table}: {'further columns' if part in _PARTS else part}"


if __name__ == "__main__":
    sys.stdout.write(document())

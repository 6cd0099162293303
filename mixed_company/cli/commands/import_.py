"""Import a table from another experiment as an export.

The map is a TOML file that names the game, its configuration, and the columns of the table
(docs/import.md). The engine computes the points, and payoffs in the table are compared with them.
All commands that read exports can read the result. If any row or value is rejected, no file is
written.

The exit code is 0 if the table was imported, 1 if its payoffs differ from the points, 2 if it was
rejected.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed_company.cli.command import Group

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = ("mixed import choices.csv --map map.toml --output export.zip",)


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("table", type=Path, help="CSV file in UTF-8, with a row per person and period")
    add("--map", type=Path, required=True, help="TOML file that says what the columns mean")
    add("--output", type=Path, required=True, help="export file, ending in .zip")


def run(chosen: Namespace) -> int:
    """Write the export, and print how much was imported and how its payoffs compare."""
    from mixed_company.analysis.importing import imported
    from mixed_company.analysis.writing import save
    from mixed_company.cli.refusal import config_error
    from mixed_company.files import whole

    if chosen.output.suffix != ".zip":
        raise config_error(f"--output = {str(chosen.output)!r}: should end in .zip")
    with whole(chosen.output) as file:
        done = imported(chosen.table, chosen.map)
        save(done.data, file)
    data = done.data.by_block()
    print(
        f"{data.game_id}: people: {done.people}, plays: {len(data.config)}, decisions: "
        f"{len(data.decisions)}, treatments: {', '.join(data.treatments)}"
    )
    if done.payoffs is not None:
        print(*done.payoffs.words, sep="\n")
    else:
        print("payoffs: the map names none, so nothing shows whether its configuration is right")
    print(f"{chosen.output}: written; mixed check {chosen.output} replays it")
    return 1 if done.payoffs is not None and done.payoffs.differing else 0

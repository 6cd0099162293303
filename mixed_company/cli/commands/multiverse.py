"""Compare treatments in all defensible analyses of a measure, and with chance.

Every combination of periods, groups and test is an analysis. multiverse.csv has one row per
analysis; multiverse.svg and .pdf show the specification curve. Treatment labels are permuted to
show which results arise by chance alone.

The exit code is 1 if the export's file has faults, which are printed first.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed_company.cli.arguments import export, loaded, parts, sharing, width, work_of
from mixed_company.cli.command import Group

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed multiverse export.zip --measure harvest --output multiverse",
    "mixed multiverse export.zip --measure harvest --sessions --exclude excluded.csv",
)


def configure(parser: ArgumentParser) -> None:
    export(parser)
    add = parser.add_argument
    add("--measure", required=True, help="measure with one value per period")
    add(
        "--treatments",
        default="",
        metavar="NAME,NAME",
        help="the two treatments to compare, in this order; put a name with a comma in quotes",
    )
    add("--exclude", type=Path, metavar="FILE", help="groups to leave out, as for `mixed report`")
    add(
        "--sessions",
        action="store_true",
        help="also use sessions as units, with labels permuted between them",
    )
    add("--permutations", type=int, default=999, help="number of permutations of labels")
    add("--alpha", type=float, default=0.05, help="level of the tests")
    add("--seed", type=int, default=0, help="seed for all random numbers")
    width(parser, "the figure")
    sharing(parser, "more than 10,000 permutations: ")
    add("--output", type=Path, default=Path("multiverse"), help="folder to write")


def run(chosen: Namespace) -> int:
    """Write the folder and print the result. Return 1 if the export's file has faults."""
    from mixed_company import files
    from mixed_company.analysis.kept import keys_of
    from mixed_company.analysis.multiverse import multiverse
    from mixed_company.analysis.report import excluded
    from mixed_company.analysis.report.figures import curve

    data, code = loaded(chosen)
    data = data.shortened()
    rows = excluded.table(data, excluded.read(chosen.exclude)) if chosen.exclude else None
    listed = [] if rows is None else keys_of(rows)
    with files.prepared(chosen.output) as place:
        assert place is not None  # noqa: S101  there is a folder by default
        result = multiverse(
            data,
            chosen.measure,
            treatments=parts(chosen.treatments),
            listed=listed,
            sessions=chosen.sessions,
            permutations=chosen.permutations,
            alpha=chosen.alpha,
            seed=chosen.seed,
            **work_of(chosen),
        )
        svg, pdf = curve(result, width=chosen.width_mm)
        written: dict[str, str | bytes] = {
            "multiverse.csv": result.table.to_csv(index=False),
            "multiverse.svg": svg,
            "multiverse.pdf": pdf,
        }
        files.written(chosen.output, place, written)
    print(result)
    print(chosen.output / "multiverse.svg")
    return code

"""Write a paper's folder: text, tables, figures, data and a script.

Methods and Results are filled in from a plan and an export of its sessions. The folder contains no
personal data. `python again.py FOLDER` in the folder recreates every file, byte for byte.

The exit code is 1 if the export has faults or differs from the plan; both are printed first, as by
`mixed check`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed_company.cli.arguments import exit_code, key_of, say_unplanned, sealing_key
from mixed_company.cli.command import Group

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed paper commons_governance export.zip --output paper",
    "mixed paper commons_governance export.zip --exclude excluded.csv",
    "mixed paper commons_governance export.zip --key key.txt",
)


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("name", help="name of the plan's file in the folder plans/")
    add("export", help="the zip of an export, or its unpacked folder")
    add("--output", type=Path, default=Path("paper"), help="folder to write; default: paper")
    add(
        "--exclude",
        type=Path,
        metavar="FILE",
        help="CSV or TOML file of groups to leave out: who, why and when; "
        "a reason counts as a deviation unless it repeats an exclusion in the plan verbatim",
    )
    sealing_key(parser)


def run(chosen: Namespace) -> int:
    """Write the folder. Print the result of checking the export, the folder's digest, and the file
    name of the text. Return 1 if the check found faults or differences from the plan."""
    from mixed_company import files
    from mixed_company.analysis import paper
    from mixed_company.analysis.report import excluded
    from mixed_company.cli.commands.plan import load_plan
    from mixed_company.experiment import sealing

    loaded = load_plan(chosen.name)
    seal = sealing.sealed(chosen.name, loaded.folder)
    rows = excluded.read(chosen.exclude) if chosen.exclude else ()
    with files.prepared(chosen.output) as place:
        assert place is not None  # noqa: S101  there is a folder by default
        data = place / paper.DATA
        study = paper.Study(chosen.name, loaded.content, seal, rows)
        study = paper.collected(study, chosen.export, data, key_of(chosen), print)
        unplanned = say_unplanned(chosen.export, loaded.folder, chosen.name)
        written = {**paper.made(study, data, progress=True), paper.DATA: data.read_bytes()}
        files.written(chosen.output, place, written)
    print(*study.original.sources, f"digest: {paper.digest_of(written)}", sep="\n")
    print(chosen.output / "paper.md")
    return exit_code(study.original, unplanned=unplanned)

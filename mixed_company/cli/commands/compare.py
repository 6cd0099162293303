"""Compare an export's period means with published means.

Each treatment is shown next to the study's conditions with the same rules. Periods count from 1;
1-10 is the mean over periods 1 to 10. Means are taken over groups, bots included, and have a 95%
interval. Only published numbers that could be verified are included, each with the table, figure or
page that it comes from.

The exit code is 1 if the export's file has faults, which are printed first.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed_company.cli.arguments import export, loaded, table_text, width
from mixed_company.cli.command import Group

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed compare export.zip --with herrmann_thoni_gachter_2008 --sample Boston",
    "mixed compare export.zip --with fehr_gaechter_2000 --output means.csv --figure means.svg",
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    export(parser)
    add = parser.add_argument
    add("--with", required=True, dest="study", metavar="STUDY", help="name of the study")
    add("--sample", default="", help="sample of the study; default: the first one")
    add("--output", type=Path, help="CSV file for the table, with sources and intervals")
    add("--figure", type=Path, help="SVG file for a figure of the first measure")
    width(parser, "the figure")


def run(chosen: Namespace) -> int:
    """Print the table and the differences in design from the study, and write the requested
    files. Return 1 if the export's file has faults."""
    from mixed_company import files
    from mixed_company.analysis import measures, published
    from mixed_company.analysis.published import compared

    study = published.find(chosen.study)
    data, code = loaded(chosen)
    comparison = compared(data, study, chosen.sample)
    table = comparison.table
    print(f"{study.title}, {comparison.sample}")
    print(table_text(table.drop(columns="where"), digits=2))
    for condition, where in dict(zip(table["condition"], table["where"], strict=True)).items():
        print(f"{condition} ({study.conditions[condition].meaning}): {where}")
    for note in comparison.notes:
        print(note)
    if chosen.output is not None:
        files.write_whole(chosen.output, table.to_csv(index=False))
    if chosen.figure is not None:
        from mixed_company.analysis.report.beside import beside

        name = str(table["measure"].iloc[0])
        described = measures.described(data.game_id).set_index(["level", "measure"])
        unit = str(described.loc[("period", name), "unit"])
        files.write_whole(chosen.figure, beside(comparison, name, unit, chosen.width_mm))
    return code

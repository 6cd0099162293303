"""Write an export's report: one printable page, with its tables and figures as files.

    mixed report export.zip --output report

writes

    report.html       the report in one file, which needs no network and no installation
    tables/*.csv      every table of the report, with full precision
    paper/*.tex       the tables before the annexes for LaTeX; paper/tables.html for Word
    figures/*.svg     every figure of the report, for use in a paper; figures/*.pdf the same

    from mixed_company.analysis import report
    report.tables(data)          the same tables, as pandas frames by name
    report.html(data)            only the page
    report.files(data)           all files, by name

    collected      the tables in order, each with the function that made it
    participants   participants and the stage each of them reached
    flags          rules that flag data to inspect before trusting them
    measured       measures by treatment, and types of people
    compared       tests, pairs of treatments, trends, sessions, precision
    courses        means by period, survival of groups, regressions
    excluded       excluded groups, and tests with and without them
    behaving       models of behaviour and their scores on held-out groups
    left_out       groups that a plan's tests leave out, and deviations from its exclusions
    planned        the hypotheses of a plan, and deviations from it
    blind          tables and figures that can be shown under permuted labels
    groups         a group's page: seats, occupants and decisions
    replays        replays of groups that are embedded in the page
    drawing        the style of figures, and their conversion to files
    figures        the figures of the whole export
    contents       all parts of a report
    markup         pieces of HTML, which Jinja2 makes from `templates`; tables for LaTeX and Word
    page           the page: its first screen, `results`, and `annexes`

The same export always produces the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from pandas.api.types import is_numeric_dtype

from mixed_company.analysis import measures
from mixed_company.analysis.audit import Audit
from mixed_company.analysis.data import Data
from mixed_company.analysis.report import blind, collected, markup
from mixed_company.analysis.report.contents import Contents, contents
from mixed_company.analysis.report.drawing import WIDTH
from mixed_company.analysis.report.excluded import Excluded
from mixed_company.analysis.report.flags import Thresholds, thresholds
from mixed_company.analysis.report.measured import Main
from mixed_company.analysis.report.page import page, shown
from mixed_company.analysis.report.planned import Planned
from mixed_company.table.export.column import FORMULA, as_text

__all__ = ["Thresholds", "files", "html", "of_plan", "rendered", "tables", "thresholds"]


def tables(
    data: Data, limits: Thresholds | None = None, main: Sequence[str] = ()
) -> dict[str, pd.DataFrame]:
    """Return the report's tables by name, with the contents of its CSV files.

    limits   the thresholds of the flags; None: the defaults of Thresholds
    main     group measures that are compared first, as one family of tests; empty: the measures
             that the game declares (`analysis.games`)

    Raises UnknownName if the game does not have one of the measures.
    """
    listed = collected.collected(data, limits, Main(main))
    return {name: table.frame for name, table in listed.items()}


def html(data: Data, limits: Thresholds | None = None, main: Sequence[str] = ()) -> str:
    """Return the report as one HTML page. The arguments and errors are the same as for `tables`."""
    return page(contents(data, limits, Main(main)))


def files(
    data: Data,
    limits: Thresholds | None = None,
    main: Sequence[str] = (),
    file: str = "",
    plan: Planned | None = None,
    width: float = WIDTH,
    excluded: Sequence[Excluded] = (),
    seed_of_labels: int | None = None,
    contest: bool = False,
    group_figures: bool = False,
    progress: bool = False,
    sources: Sequence[str] = (),
    audits: Sequence[Audit] = (),
) -> dict[str, str | bytes]:
    """Return all files of the report by name: the page, the tables and the figures.

    file      name of the export, shown on the first screen
    plan      part of the report about the plan (`planned.of_plan`); its measures become the main
              ones
    width     width of figures in mm
    excluded  groups to exclude; every test is repeated without them (`excluded.read`)
    seed_of_labels   seed that makes the report blind; with a plan, the seed comes from the plan
    contest   whether to compare behaviour models, however many decisions there are (`behaving`)
    group_figures    whether to draw a figure for each group, which takes most of the time
    progress         whether to show progress bars for the audit and the groups
    sources          sentences about the export's file and seals (`audit.wording`)
    audits           existing audits, first that of the data (`audit.wording.of_data`); empty: the
                     data are audited now

    The other arguments and errors are the same as for `tables`. Raises ConfigError if the labels
    cannot be permuted.
    """
    permuted = (
        None if seed_of_labels is None else blind.permuted(data, seed_of_labels, excluded, main)
    )
    first = Main(main) if main else of_plan(data, plan)
    return rendered(
        contents(
            *(data, limits, first, file, plan, width, excluded, permuted, contest),
            group_figures=group_figures,
            progress=progress,
            sources=sources,
            audits=audits,
        )
    )


def rendered(report: Contents) -> dict[str, str | bytes]:
    """Return the files with these contents, by name."""
    mark = blind.MARK if report.blind else ""
    printed = shown(report)
    content: dict[str, str | bytes] = {f"{mark}report.html": page(report)}
    content[f"paper/{mark}tables.html"] = markup.of_word(printed)
    for table in printed:
        content[f"paper/{mark}{markup.slug(table.heading)}.tex"] = markup.latex(table)
    for sheet in report.tables.values():
        content[f"tables/{sheet.name}.csv"] = _csv(sheet.frame)
    for figure in report.drawn:
        content[f"figures/{figure.name}.svg"] = figure.svg
        content[f"figures/{figure.name}.pdf"] = figure.pdf()
    return content


_UNIT = "unit"
"""A column with texts from the project, such as "-1 to 1", which is not a formula."""


def _csv(frame: pd.DataFrame) -> str:
    """Return a table as CSV."""
    quoted = {}
    for name in frame.columns.drop(_UNIT, errors="ignore"):
        cells = frame[name]
        if not is_numeric_dtype(cells) and cells.astype(str).str.startswith(FORMULA).any():
            quoted[name] = cells.astype(object).map(as_text)
    return str(frame.assign(**quoted).to_csv(index=False, lineterminator="\n"))


def of_plan(data: Data, plan: Planned | None) -> Main:
    """Return the measures in a plan's hypotheses that have the same level as the first one."""
    if plan is None or not plan.measures:
        return Main()
    level = plan.measures[0][0]
    described = measures.described(data.game_id)
    available = set(described.loc[described["level"] == level, "measure"])
    names = [name for other, name in plan.measures if other == level and name in available]
    return Main(names, level)

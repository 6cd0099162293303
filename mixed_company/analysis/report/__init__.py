"""An export as one page to read and print, with its tables and figures as files.

    mixed report export.zip --output report

writes

    report.html       the report: one file, no network, nothing to install
    tables/*.csv      every table in it, with all digits
    paper/*.tex       the tables before its annexes for LaTeX; paper/tables.html for Word
    figures/*.svg     every figure in it, for a paper; figures/*.pdf the same

    from mixed_company.analysis import report
    report.tables(data)          the same tables, as pandas frames by name
    report.html(data)            the page alone
    report.files(data)           everything, by file name

    collected   the tables, in order, each with the function that made it
    participants   who took part, and how far they came
    flags       what to look at before data are believed
    measured    measures by treatment, and types of people
    compared    tests, pairs of treatments, trends, sessions, precision
    courses     means by period, how long groups lasted, regressions
    excluded    groups that are left out, and the tests both ways
    behaving    models of behaviour on groups held out
    planned     the hypotheses of a plan, and deviations from it
    blind       what is shown under permuted labels
    groups      one group: who sat where, what happened
    replays     groups to be played again in the page
    drawing     how figures look and become files
    figures     the figures of the whole export
    contents    all of it together
    markup      pieces of HTML, made by Jinja2 from `templates`
    paper       tables for LaTeX and Word
    page        the page: its first screen, `results`, and `annexes`

The same export gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.data import UNPLAYABLE, Data
from mixed_company.analysis.files import ExportError
from mixed_company.analysis.report import blind, collected, paper
from mixed_company.analysis.report.contents import contents
from mixed_company.analysis.report.drawing import WIDTH
from mixed_company.analysis.report.excluded import Excluded
from mixed_company.analysis.report.flags import Thresholds, thresholds
from mixed_company.analysis.report.measured import Main
from mixed_company.analysis.report.page import page, shown
from mixed_company.analysis.report.planned import Planned

__all__ = ["Thresholds", "files", "html", "tables", "thresholds"]


def tables(
    data: Data, limits: Thresholds | None = None, main: Sequence[str] = ()
) -> dict[str, pd.DataFrame]:
    """Return the tables of the report by name, as its CSV files hold them.

    limits   from where on data are flagged; None: the defaults of Thresholds
    main     the measures of groups to be compared first, as one family of tests; empty: those that
             the game declares (`analysis.games`)

    Raises UnknownName for a measure that is not one of the game's.
    """
    listed = collected.collected(data, limits, Main(main))
    return {name: table.frame for name, table in listed.items()}


def html(data: Data, limits: Thresholds | None = None, main: Sequence[str] = ()) -> str:
    """Return the page. Arguments and errors are those of `tables`."""
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
) -> dict[str, str | bytes]:
    """Return all files of the report by name: the page, the tables and the figures.

    file      the name of the export, to stand at the head
    plan      what is said of the plan (`planned.of_plan`); its measures are then the main ones
    width     of figures, mm
    excluded  groups that all tests are made with and without (`excluded.read`)
    seed_of_labels   makes the report blind; of one with a plan, the plan does
    contest   models of behaviour are compared however many decisions there are (`behaving`)

    The other arguments, and errors, are those of `tables`; ConfigError where labels cannot be
    blind, ExportError where no group can be played again.
    """
    if len(data.config) and not data.games:
        why = next(str(problem) for problem in data.problems if problem.kind == UNPLAYABLE)
        raise ExportError(f"{file}: no group can be played again: {why}")
    permuted = None if seed_of_labels is None else blind.permuted(data, seed_of_labels)
    first = Main(main) if main else _of_plan(data, plan)
    report = contents(data, limits, first, file, plan, width, excluded, permuted, contest)
    mark = blind.MARK if report.blind else ""
    printed = shown(report)
    content: dict[str, str | bytes] = {f"{mark}report.html": page(report)}
    content[f"paper/{mark}tables.html"] = paper.of_word(printed)
    for table in printed:
        content[f"paper/{mark}{paper.slug(table.heading)}.tex"] = paper.latex(table)
    for sheet in report.tables.values():
        text = sheet.frame.to_csv(index=False, lineterminator="\n")
        content[f"tables/{sheet.name}.csv"] = text
    for figure in report.drawn:
        content[f"figures/{figure.name}.svg"] = figure.svg
        content[f"figures/{figure.name}.pdf"] = figure.pdf()
    return content


def _of_plan(data: Data, plan: Planned | None) -> Main:
    """Return the measures of the hypotheses of a plan that have the level of the first."""
    if plan is None or not plan.measures:
        return Main()
    level = plan.measures[0][0]
    described = measures.described(data.game_id)
    known = set(described.loc[described["level"] == level, "measure"])
    names = [name for of, name in plan.measures if of == level and name in known]
    return Main(names, level)

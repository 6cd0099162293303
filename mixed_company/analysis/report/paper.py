"""A report's tables for use in a paper: as LaTeX, and as a page that Word and Writer open.

The tables before the annexes are included, rounded as in the report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mixed_company.analysis.report.markup import render
from mixed_company.analysis.report.parts import MINUS, Shown, headed, shown


def slug(title: str) -> str:
    """Convert a title to a file name.

    >>> slug("Who took part, by treatment")
    'who_took_part_by_treatment'
    """
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


def _lines(table: Shown) -> list[list[str]]:
    """Return the header and the rows, as the text that is displayed."""
    rows = [[shown(table.value(row, name)) for name in table.names] for row in table.places]
    lines = [[headed(name) for name in table.names], *rows]
    return [list(line) for line in zip(*lines, strict=True)] if table.upright else lines


def _numbers(table: Shown) -> list[bool]:
    """Return, for each displayed column, whether it holds numbers."""
    if table.upright:
        return [False, *(True for _ in table.places)]
    return [table.numeric(name) for name in table.names]


# -- LaTeX -----------------------------------------------------------------------------------------

_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": "$<$",
        ">": "$>$",
        MINUS: "$-$",
        "∞": r"$\infty$",
    }
)


def latex(table: Shown) -> str:
    """Return a table with its caption for `\\input`. It needs the package booktabs."""
    lines = [[cell.translate(_LATEX) for cell in line] for line in _lines(table)]
    head, *rows = [f"    {' & '.join(line)} \\\\" for line in lines]
    columns = "".join("r" if number else "l" for number in _numbers(table))
    note = rf"  \par\medskip\footnotesize {table.remark.translate(_LATEX)}"
    parts = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{table.heading.translate(_LATEX)}}}",
        rf"  \label{{tab:{slug(table.heading)}}}",
        rf"  \begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        *([head] if table.upright else [head, r"    \midrule"]),
        *rows,
        r"    \bottomrule",
        r"  \end{tabular}",
        *([note] if table.remark else []),
        r"\end{table}",
    ]
    return "\n".join(parts) + "\n"


# -- Word ------------------------------------------------------------------------------------------


def of_word(tables: Sequence[Shown]) -> str:
    """Return an HTML page of tables with captions, to open in Word or Writer or to copy tables
    from."""
    parts = [(table, _lines(table), _numbers(table)) for table in tables]
    return render("word.html", tables=parts)

"""The tables of a report for a paper: LaTeX, and a page that Word and Writer open as tables.

Every table that stands before the annexes, as it stands there, rounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mixed_company.analysis.report.markup import render
from mixed_company.analysis.report.parts import MINUS, Shown, headed, shown

__all__ = ["latex", "name_of", "of_word", "slug"]


def name_of(own: Shown) -> str:
    """What its file is called."""
    return slug(own.heading)


def slug(title: str) -> str:
    """A title as the name of a file.

    >>> slug("Who took part, by treatment")
    'who_took_part_by_treatment'
    """
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


def _lines(own: Shown) -> list[list[str]]:
    """The heading and the rows, as they are shown."""
    names = own.names
    rows = [[shown(own.value(at, name)) for name in names] for at in own.places]
    lines = [[headed(name) for name in names], *rows]
    return [list(line) for line in zip(*lines, strict=True)] if own.upright else lines


def _numbers(own: Shown) -> list[bool]:
    """Which of the columns as they are shown hold numbers."""
    if own.upright:
        return [False, *(True for _ in own.places)]
    return [own.numeric(name) for name in own.names]


# -- LaTeX -----------------------------------------------------------------------------------------

_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    MINUS: "$-$",
    "∞": r"$\infty$",
}


def latex(own: Shown) -> str:
    """A table with its caption, for `\\input`; it needs the package booktabs."""
    head, *rows = _lines(own)
    columns = "".join("r" if number else "l" for number in _numbers(own))
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{_in_latex(own.heading)}}}",
            rf"  \label{{tab:{slug(own.heading)}}}",
            rf"  \begin{{tabular}}{{{columns}}}",
            r"    \toprule",
            *([] if own.upright else [_line(head), r"    \midrule"]),
            *map(_line, [head, *rows] if own.upright else rows),
            r"    \bottomrule",
            r"  \end{tabular}",
            *([rf"  \par\medskip\footnotesize {_in_latex(own.remark)}"] if own.remark else []),
            r"\end{table}",
            "",
        ]
    )


def _line(cells: Sequence[str]) -> str:
    return f"    {' & '.join(map(_in_latex, cells))} \\\\"


def _in_latex(words: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in words)


# -- Word ------------------------------------------------------------------------------------------


def of_word(tables: Sequence[Shown]) -> str:
    """A page of tables with their captions, to be opened in Word or Writer, or pasted from a
    browser."""
    return render("word.html", tables=[(own, _lines(own), _numbers(own)) for own in tables])

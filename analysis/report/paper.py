"""The tables of a report for a paper: LaTeX, and a page that Word and Writer open as tables.

Every table that stands before the annexes, as it stands there, rounded.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from analysis.report.parts import MINUS, Shown, headed, shown

__all__ = ["latex", "name_of", "of_word", "slug"]


def name_of(own: Shown) -> str:
    """What its file is called."""
    return slug(own.title or own.content.title)


def slug(title: str) -> str:
    """A title as the name of a file.

    >>> slug("Who took part, by treatment")
    'who_took_part_by_treatment'
    """
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


def _lines(own: Shown) -> list[list[str]]:
    """The heading and the rows, as they are shown."""
    frame, names = own.content.frame, own.names
    rows = [[shown(frame[name].iloc[at]) for name in names] for at in own.places]
    lines = [[headed(name) for name in names], *rows]
    return [list(line) for line in zip(*lines, strict=True)] if own.upright else lines


def _numbers(own: Shown) -> list[bool]:
    """Which of the columns as they are shown hold numbers."""
    if own.upright:
        return [False, *(True for _ in own.places)]
    kinds = own.content.frame.dtypes
    return [kinds[name].kind in "iuf" for name in own.names]


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
    title = own.title or own.content.title
    head, *rows = _lines(own)
    columns = "".join("r" if number else "l" for number in _numbers(own))
    note = own.note or own.content.note
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{_in_latex(title)}}}",
            rf"  \label{{tab:{slug(title)}}}",
            rf"  \begin{{tabular}}{{{columns}}}",
            r"    \toprule",
            *([] if own.upright else [_line(head), r"    \midrule"]),
            *map(_line, [head, *rows] if own.upright else rows),
            r"    \bottomrule",
            r"  \end{tabular}",
            *([rf"  \par\medskip\footnotesize {_in_latex(note)}"] if note else []),
            r"\end{table}",
            "",
        ]
    )


def _line(cells: Sequence[str]) -> str:
    return f"    {' & '.join(map(_in_latex, cells))} \\\\"


def _in_latex(words: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in words)


# -- Word ------------------------------------------------------------------------------------------

_STYLE = (
    "body { font: 10pt serif } table { border-collapse: collapse; border-top: 1pt solid; "
    "border-bottom: 1pt solid } th { border-bottom: .5pt solid; text-align: left } "
    "th, td { padding: 1pt 5pt } td.n { text-align: right }"
)


def of_word(tables: Sequence[Shown]) -> str:
    """A page of tables with their captions, to be opened in Word or Writer, or pasted from a
    browser."""
    body = "\n".join(part for own in tables for part in _in_word(own))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Tables</title>'
        f"<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _in_word(own: Shown) -> Iterator[str]:
    title, note = own.title or own.content.title, own.note or own.content.note
    numbers = _numbers(own)
    yield f"<p><b>{html.escape(title)}.</b> {html.escape(note)}</p>"
    yield "<table>"
    for at, line in enumerate(_lines(own)):
        tag = "th" if at == 0 and not own.upright else "td"
        kinds = (' class="n"' if number else "" for number in numbers)
        cells = (
            f"<{tag}{kind}>{html.escape(cell)}</{tag}>"
            for cell, kind in zip(line, kinds, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</table>"

"""Pieces of HTML. The templates next to this file render them, and escape all other text.

For use in a paper, tables are also written as LaTeX and as a page that Word and Writer open,
rounded as in the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NewType

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from mixed_company.analysis.report.drawing import inline
from mixed_company.analysis.report.parts import MINUS, Figure, Shown, headed, shown
from mixed_company.files import visible

WIDE = 12
"""Maximum number of columns for a table that is printed in portrait."""

LONG = 32
"""Maximum length of text that fits in a normal column on a narrow screen."""
NAME = 18
"""Maximum length of a name that may not be broken after `_` and `=`."""
WORD = 24
"""Maximum length of a word that may not be broken anywhere."""

Html = NewType("Html", str)
"""HTML rendered by the templates."""
Piece = Html | Shown
"""A piece of a section: HTML, or a table."""


def paragraph(words: str, kind: str = "") -> Html:
    """Return a paragraph of plain text."""
    return _made("paragraph", words, kind)


def section(name: str, title: str, parts: Iterable[Piece], kind: str = "") -> Html:
    """Return a section with a heading and the id `name`."""
    pieces = [table(part) if isinstance(part, Shown) else part for part in parts]
    return _made("section", name, title, pieces, kind)


def head(
    title: str, above: Sequence[Html], columns: Sequence[Sequence[Html]], below: Sequence[Html]
) -> Html:
    """Return the first screen: pieces in columns, and pieces above and below them."""
    return _made("head", title, above, columns, below)


def table(content: Shown) -> Html:
    """Return a table of the report. Each cell has its row and column in the CSV as attributes."""
    return _made("table", content, _wide(content))


def drawings(figures: Sequence[Figure]) -> Html:
    """Return figures side by side, or an empty string if there are none."""
    return _made("drawings", [drawing(figure) for figure in figures]) if figures else Html("")


def drawing(figure: Figure) -> Html:
    """Return a figure of the report, with its caption."""
    return _made("drawing", figure, inline(figure.svg, escape(figure.name)))


def packed(name: str, title: str, content: str) -> Html:
    """Return pieces that a click on `title` unpacks; `content` is their packed HTML, `name` its
    id."""
    return _made("packed", name, title, content)


def replay(name: str, place: str, play: str, game: str) -> Html:
    """Return the player that shows a group's replay.

    `place` is the id of the group's section, `play` its packed data, and `game` the id of its
    game's packed data.
    """
    return _made("replay", name, place, play, game)


def render(template: str, **parts: Any) -> Html:
    """Return a whole page, made from a template with these parts. Control characters, and
    characters that set the text direction, are written as escapes."""
    return Html(visible(_templates().get_template(template).render(**parts)))


# -- the templates and their filters ---------------------------------------------------------------


@cache
def _templates() -> Any:
    folder = Path(__file__).with_name("templates")
    templates = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters |= {
        "breakable": _breakable,
        "cell": _cell,
        "headed": headed,
        "heading": _heading,
        "kind": _kind,
        "shown": shown,
    }
    return templates


def _made(piece: str, *arguments: Any) -> Html:
    return Html(getattr(_templates().get_template("pieces.html").module, piece)(*arguments))


def _kind(value: Any) -> str:
    """Return the class of a cell: `n` for numbers, `word` for long words, `long` for long texts."""
    if not isinstance(value, str):
        return "n"
    if len(value) > WORD and " " not in value:
        return "word"
    return "long" if len(value) > LONG else ""


def _cell(value: Any) -> Html:
    """Return a cell. This is not a macro, because tables have so many cells that a macro would take
    most of a page's rendering time."""
    kind = _kind(value)
    start = Markup('<td class="{}">').format(kind) if kind else Markup("<td>")
    return Html(start + _breakable(value) + Markup("</td>"))


def _wide(content: Shown) -> bool:
    """Return whether the table is printed in landscape."""
    if content.upright or content.blocks:
        return False
    frame = content.content.frame
    long = sum(any(_kind(shown(value)) for value in frame[name]) for name in content.names)
    return len(content.names) > WIDE or long > 3


def _breakable(value: Any) -> str:
    """Return a value as the report shows it, with break opportunities between the parts of a long
    name."""
    if not isinstance(value, str) or len(value) <= NAME or " " in value:
        return shown(value)
    return _broken(value, "_=." if _kind(value) == "word" else "_=")


def _heading(name: str) -> Html:
    """Return a heading with break opportunities within names."""
    return _broken(headed(name), "_=")


def _broken(words: str, signs: str) -> Html:
    """Return the text with break opportunities after these characters."""
    return Html(Markup("<wbr>").join(re.split(f"(?<=[{signs}])", words)))


def slug(title: str) -> str:
    """Convert a title to a file name.

    >>> slug("Who took part, by treatment")
    'who_took_part_by_treatment'
    """
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


def _lines(table: Shown) -> list[list[str]]:
    """Return the header and the rows as displayed text."""
    rows = [[shown(table.value(row, name)) for name in table.names] for row in table.places]
    lines = [[headed(name) for name in table.names], *rows]
    return [list(line) for line in zip(*lines, strict=True)] if table.upright else lines


def _numbers(table: Shown) -> list[bool]:
    """Return, for each displayed column, whether it contains numbers."""
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
    """Return a table with its caption for `\\input`. It needs the booktabs package."""
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

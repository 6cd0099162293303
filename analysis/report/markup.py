"""Pieces of HTML. Whatever comes from an export goes through `text`."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from analysis.report.drawing import inline
from analysis.report.parts import Figure, Shown, Table, headed, shown

__all__ = ["Piece", "drawing", "drawings", "paragraph", "section", "shown_table", "table", "text"]

WIDE = 12
"""A table of more columns, or of several with long texts, is printed across."""

LONG = 40
"""A text of more letters gets a wide column on a narrow screen."""
NAME = 18
"""A name of more letters may be broken after `_` and `=`."""
WORD = 24
"""A single word of more letters may be broken anywhere."""


def text(value: object) -> str:
    """A value as HTML, harmless in a text and in an attribute."""
    return html.escape(str(value))


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph of plain text."""
    return f"<p{_class(kind)}>{text(words)}</p>"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


Piece = str | Shown
"""A piece of a section: HTML, or a table."""


def section(name: str, title: str, parts: Iterable[Piece], kind: str = "") -> str:
    """A section with a heading, to be reached as `#name`."""
    pieces = (shown_table(part) if isinstance(part, Shown) else part for part in parts)
    body = "\n".join(pieces)
    return (
        f'<section id="{text(name)}"{_class(kind)}>\n<h2>{text(title)}</h2>\n{body}\n</section>\n'
    )


def table(content: Table, *given: Any, **how: Any) -> str:
    """`shown_table` of `Shown(content, ...)`."""
    return shown_table(Shown(content, *given, **how))


def shown_table(own: Shown) -> str:
    """A table of the report. Every cell says which row and column of the CSV it shows."""
    content, names, places = own.content, own.names, own.places
    title = own.title or content.title
    if not places:
        body = "<p>None.</p>"
    else:
        lines = (_upright if own.upright else _lying)(content, places, names)
        body = (
            f'<div class="scroll" tabindex="0" role="region" aria-label="{text(title)}">'
            f'<table{_class("upright" if own.upright else "")} data-csv="{text(content.name)}">'
            f"{lines}</table></div>"
        )
    words = own.note or content.note
    note = f" {text(words)}" if words else ""
    source = _source(
        f"Made by <code>{text(content.function)}</code>; "
        f"all digits in <code>tables/{text(content.name)}.csv</code>."
    )
    caption = f"<figcaption><strong>{text(title)}.</strong>{note} {source}</figcaption>"
    texts = sum(any(_kind(shown(value)) for value in content.frame[name]) for name in names)
    wide = " wide" if not own.upright and (len(names) > WIDE or texts > 3) else ""
    return f'<figure class="table{wide}">{caption}{body}</figure>'


def _cell(content: Table, row: int, name: str, attribute: str) -> str:
    value = content.frame[name].iloc[row]
    kind = _class(_kind(value) if isinstance(value, str) else "n")
    words = text(shown(value))
    if isinstance(value, str) and len(value) > NAME and " " not in value:  # broken between parts
        words = words.replace("_", "_<wbr>").replace("=", "=<wbr>")
    if kind == _class("word"):
        words = words.replace(".", ".<wbr>")
    return f"<td{kind} {attribute}>{words}</td>"


def _kind(words: str) -> str:
    """How the column of a text is set: `word` may be broken anywhere, `long` has many of them."""
    if len(words) > WORD and " " not in words:
        return "word"
    return "long" if len(words) > LONG else ""


def _lying(content: Table, places: Sequence[int], names: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{_breakable(name)}</th>' for name in names)
    body = "".join(
        f'<tr data-row="{row}">'
        + "".join(_cell(content, row, name, f'data-column="{text(name)}"') for name in names)
        + "</tr>"
        for row in places
    )
    return f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"


def _upright(content: Table, places: Sequence[int], names: Sequence[str]) -> str:
    return (
        "<tbody>"
        + "".join(
            f'<tr data-column="{text(name)}"><th scope="row">{_breakable(name)}</th>'
            + "".join(_cell(content, row, name, f'data-row="{row}"') for row in places)
            + "</tr>"
            for name in names
        )
        + "</tbody>"
    )


def _breakable(name: str) -> str:
    """A heading that may go on in the next line within a name."""
    return text(headed(name)).replace("=", "=<wbr>").replace("_", "_<wbr>")


def _source(words: str) -> str:
    """Where something comes from, to be opened by who wants to know."""
    return f'<details class="source"><summary>source</summary>{words}</details>'


def drawings(figures: Sequence[Figure]) -> str:
    """Figures beside each other, as many as the page is wide enough for."""
    return f'<div class="drawings">{"".join(map(drawing, figures))}</div>' if figures else ""


def drawing(figure: Figure) -> str:
    """A figure of the report, with its caption."""
    tables = ", ".join(f"<code>tables/{text(name)}.csv</code>" for name in figure.tables)
    source = _source(
        f"Drawn by <code>{text(figure.function)}</code> from {tables}; "
        f"also <code>figures/{text(figure.name)}.svg</code> and <code>.pdf</code>."
    )
    return (
        f'<figure class="drawing"><div class="scroll" tabindex="0" role="group" '
        f'aria-label="{text(figure.title)}">'
        f"{inline(figure.svg, text(figure.name), text(figure.words))}</div>"
        f"<figcaption><strong>{text(figure.title)}.</strong> {text(figure.words)} "
        f"{source}</figcaption></figure>"
    )

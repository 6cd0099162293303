"""What the keys of a session config mean, as oTree shows it where a session is created."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from engine.config import Core
from engine.describe import Parameter, parameters
from seats.options import Options

__all__ = ["manual"]


def manual(core: Core) -> str:
    """HTML, on one line as oTree breaks lines anew: every key with meaning, unit and rule."""
    parts = [("The game", parameters(core)), ("People and bots", parameters(Options()))]
    tables = "".join(f"<h6>{title}</h6>{_table(rows)}" for title, rows in parts)
    return f"<details><summary>What each key means</summary>{tables}</details>"


def _table(rows: Iterable[Parameter]) -> str:
    cells = (
        f"<tr><td><b>{row.key}</b></td><td>{escape(row.meaning)}</td><td>{escape(row.unit)}</td>"
        f"<td>{escape(row.rule)}</td></tr>"
        for row in rows
    )
    return f'<table class="table table-sm">{"".join(cells)}</table>'

"""What the keys of a session config mean, as oTree shows it where a session is created."""

from __future__ import annotations

from html import escape

from engine.contract.config import Core, Section
from engine.contract.describe import keys, rule
from table.options import Options

__all__ = ["manual"]


def manual(core: type[Core]) -> str:
    """HTML, on one line as oTree breaks lines anew: every key with meaning, unit and rule."""
    parts: list[tuple[str, type[Section]]] = [("The game", core), ("People and bots", Options)]
    tables = "".join(f"<h6>{title}</h6>{_table(section)}" for title, section in parts)
    return f"<details><summary>What each key means</summary>{tables}</details>"


def _table(section: type[Section]) -> str:
    rows = (
        [f"<b>{key}</b>", escape(about["description"]), about.get("unit", ""), rule(about)]
        for key, about in keys(section)
    )
    cells = ("".join(f"<td>{cell.replace('`', '')}</td>" for cell in row) for row in rows)
    return f'<table class="table table-sm">{"".join(f"<tr>{row}</tr>" for row in cells)}</table>'

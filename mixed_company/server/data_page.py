"""The tables on oTree's Data page, which looks for functions `custom_export_<table>` in an app."""

from __future__ import annotations

import sys
from functools import partial

from mixed_company import engine
from mixed_company.server import export
from mixed_company.table.export import OPTIONAL, tables

__all__ = ["offer"]

_EXPORTS = {
    function.__name__: function
    for function in (
        export.decisions,
        export.periods,
        export.seats,
        export.events,
        export.pairs,
        export.outcomes,
        export.config,
        export.answers,
        export.messages,
    )
}


def offer(app: str) -> None:
    """Give the module of an app a `custom_export_<table>` for every table that its game has."""
    module = sys.modules[app]
    for name in (*tables(engine.make(module.C.GAME)), *OPTIONAL):
        function = partial(_EXPORTS[name], log=module.Log, game_id=module.C.GAME)
        setattr(module, f"custom_export_{name}", function)

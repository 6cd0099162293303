"""What people answered to questions, for the pages of groups in a report."""

from __future__ import annotations

import pandas as pd

from mixed_company.analysis.data import Data
from mixed_company.analysis.report.parts import from_one

__all__ = ["answers"]

_SHOWN = ("session", "group", "seat", "when", "period", "question", "value")
_TRUE = ("truth", "error", "points")


def answers(data: Data) -> pd.DataFrame:
    """Every answer that is a number or a choice, with what was true and won, and periods as people
    saw them; texts stay in the export, as they can say who wrote them."""
    if data.answers is None:
        return pd.DataFrame(columns=[*_SHOWN, *_TRUE])
    own = data.answers
    chosen = own.loc[own["type"] != "text", [*_SHOWN, *_TRUE]]
    return from_one(chosen).sort_values(["session", "group", "seat"], kind="stable")

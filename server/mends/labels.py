"""Labels of participants: what oTree 6.0.15 takes as it comes, and writes as it is.

* `?participant_label=` may be markup, which then runs in the administrator's browser, in the pages
  Monitor and Payments; or a character that PostgreSQL refuses.
* Cells of its tables may be formulas, which a spreadsheet computes when it opens them.
"""

from __future__ import annotations

from typing import Any

import otree.export
from otree.models import Participant
from starlette.exceptions import HTTPException

from server.gate import Refused
from server.gate.labels import as_text, checked_label

__all__ = ["install"]

_set_label = Participant.set_label
_cell = otree.export.sanitize_for_csv


def install() -> None:
    """Change which labels are set, and how a text stands in a table."""
    Participant.set_label = _set_checked_label
    otree.export.sanitize_for_csv = _cell_as_text


def _set_checked_label(participant: Any, label: str | None) -> None:
    if label:
        try:
            checked_label(label)
        except Refused as refusal:
            raise HTTPException(refusal.status, refusal.sentence) from None
    _set_label(participant, label)


def _cell_as_text(value: Any) -> Any:
    return as_text(_cell(value))

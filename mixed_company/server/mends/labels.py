"""Labels of participants: what oTree 6.0.15 takes as it comes, and writes as it is.

* `?participant_label=` may be markup, which then runs in the administrator's browser, in the pages
  Monitor and Payments; or a character that PostgreSQL refuses.
* Cells of its tables may be formulas, which a spreadsheet computes when it opens them.
* The file of a room's labels is read whenever somebody comes: one that is not there, or a label in
  it that is none, was an error to everybody. Here it is a sentence, and the log has the reason.
"""

from __future__ import annotations

import logging
from typing import Any

import otree.export
from otree.models import Participant
from otree.room import LabelRoom
from starlette.exceptions import HTTPException

from mixed_company.server.gate import Refused
from mixed_company.server.gate.labels import as_text, checked_label

__all__ = ["install"]

_set_label = Participant.set_label
_cell = otree.export.sanitize_for_csv
_labels = LabelRoom.get_participant_labels
_log = logging.getLogger(__name__)


def install() -> None:
    """Change which labels are set and read, and how a text stands in a table."""
    Participant.set_label = _set_checked_label
    otree.export.sanitize_for_csv = _cell_as_text
    LabelRoom.get_participant_labels = _labels_or_refusal


def _set_checked_label(participant: Any, label: str | None) -> None:
    if label:
        try:
            checked_label(label)
        except Refused as refusal:
            raise HTTPException(refusal.status, refusal.sentence) from None
    _set_label(participant, label)


def _cell_as_text(value: Any) -> Any:
    return as_text(_cell(value))


def _labels_or_refusal(room: Any) -> list[str]:
    try:
        labels: list[str] = _labels(room)
    except (OSError, ValueError) as error:  # a text in other letters than those of UTF-8, too
        _log.error("room %s: %s: %s", room.name, room.participant_label_file, error)
        sentence = f"room {room.name}: its list of labels cannot be read; the log says why"
        raise HTTPException(503, sentence) from None
    return labels

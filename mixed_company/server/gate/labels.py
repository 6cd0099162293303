"""Which labels of participants are taken.

A label comes with a link, from outside, and goes into pages of the administrator, where oTree
writes it as it is, and into tables that are opened with spreadsheets: so it must be no markup and
no formula.
"""

from __future__ import annotations

from mixed_company.server.gate.request import Refused
from mixed_company.table.export.column import FORMULA

__all__ = ["MOST_CHARACTERS", "checked_label"]

MOST_CHARACTERS = 100
_MARKUP = frozenset("<>&\"'`\\")


def checked_label(label: str, name: str = "participant_label") -> str:
    """Return the label, if it is valid; `name` is the parameter's. Raises Refused.

    At most 100 characters that can be printed; none of < > & " ' ` \\, and none of = + - @ first.
    """
    if len(label) > MOST_CHARACTERS:
        raise Refused(400, f"{name}: {len(label)} characters: at most {MOST_CHARACTERS}")
    if not label.isprintable():
        raise Refused(400, f"{name} = {label!a}: has a character that cannot be printed")
    if wrong := sorted(_MARKUP & set(label)):
        raise Refused(400, f"{name} = {label!a}: must not have {' '.join(wrong)}")
    if label.startswith(FORMULA):
        raise Refused(400, f"{name} = {label!a}: must not begin with = + - or @")
    return label

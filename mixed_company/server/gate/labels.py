"""Checks of participant labels.

A label comes from outside, as part of a link. oTree writes it unescaped into the administrator's
pages, and it appears in tables that people open as spreadsheets. It must therefore not contain
markup or be a formula.
"""

from __future__ import annotations

from mixed_company.server.gate.request import Refused
from mixed_company.table.export.column import FORMULA

MOST_CHARACTERS = 100
_MARKUP = frozenset("<>&\"'`\\")


def checked_label(label: str, name: str = "participant_label") -> str:
    """Return the label if it is valid; `name` is the parameter's name. Raises Refused.

    A label has at most 100 printable characters, contains none of < > & " ' ` \\, and does not
    start with = + - or @.
    """
    if len(label) > MOST_CHARACTERS:
        raise Refused(
            400, f"{name}: {len(label)} characters; at most {MOST_CHARACTERS} are allowed"
        )
    if not label.isprintable():
        raise Refused(400, f"{name} = {label!a}: contains an unprintable character")
    if wrong := sorted(_MARKUP & set(label)):
        raise Refused(400, f"{name} = {label!a}: must not contain {' '.join(wrong)}")
    if label.startswith(FORMULA):
        raise Refused(400, f"{name} = {label!a}: must not begin with = + - or @")
    return label

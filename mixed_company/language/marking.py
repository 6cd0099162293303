"""Marks for texts that are translated later, elsewhere: `mixed languages` finds them by these
names."""

from __future__ import annotations


def translated(text: str) -> str:
    """Return a text unchanged, marked for `gettext`."""
    return text


def pair(singular: str, plural: str) -> tuple[str, str]:
    """Return a singular and a plural unchanged, marked for `ngettext` or `forms`."""
    return singular, plural

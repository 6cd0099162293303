"""Marks for texts that are said later, by another: `mixed languages` finds them by these names."""

from __future__ import annotations

__all__ = ["pair", "translated"]


def translated(text: str) -> str:
    """A text for `gettext`."""
    return text


def pair(one: str, many: str) -> tuple[str, str]:
    """A text for one and for many, for `ngettext` or `forms`."""
    return one, many

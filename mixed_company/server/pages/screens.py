"""The instructions as five short screens, in the order in which one asks: what is it about and with
whom, what do I decide, what happens then, what does it pay, what ends it.

Where a page has no scripts they stand one below the other; else the reader goes from one to the
next (`_static/mixed/screens.js`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mixed_company.language import gettext as _
from mixed_company.server.pages.guide import Row, Section
from mixed_company.server.pages.texts import Screen

__all__ = ["scenes", "screens", "titles"]


def titles() -> dict[Screen, str]:
    """What each screen is called, in the order of reading."""
    return {
        "about": _("What it is about"),
        "decides": _("What you decide"),
        "happens": _("What happens then"),
        "pays": _("What it pays"),
        "ends": _("How it ends"),
    }


def screens(parts: Sequence[Section]) -> list[Row]:
    """[{name, title, progress, sections}]: the parts of the instructions, each on its screen.

    A screen of which nothing is said is left out, and `progress`, such as "2 of 5", knows it. A
    part that does not say where it stands tells what happens.
    """
    by_screen: dict[str, list[Section]] = {name: [] for name in titles()}
    for part in parts:
        by_screen[part.get("screen", "happens")].append(part)
    shown: list[Any] = [name for name, own in by_screen.items() if own]
    return [
        {
            "name": name,
            "title": titles()[name],
            "progress": _("{n} of {all}").format(n=n, all=len(shown)),
            "sections": by_screen[name],
        }
        for n, name in enumerate(shown, 1)
    ]


def scenes(periods: int, rate: str) -> dict[str, Row]:
    """Screen -> numbers of the pictures that all games share: the worth of points, the periods."""
    return {**({"pays": {"rate": rate}} if rate else {}), "ends": {"periods": periods}}

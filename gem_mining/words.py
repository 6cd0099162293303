"""The names of mines, villages and gems on a page, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import gettext as _

__all__ = ["gems", "kind", "kinds", "listed", "mine", "village"]


def kinds() -> list[tuple[str, str]]:
    """One gem and many, for each of the kinds there can be."""
    return [
        (_("ruby"), _("rubies")),
        (_("emerald"), _("emeralds")),
        (_("sapphire"), _("sapphires")),
        (_("topaz"), _("topazes")),
        (_("amethyst"), _("amethysts")),
        (_("diamond"), _("diamonds")),
        (_("garnet"), _("garnets")),
        (_("opal"), _("opals")),
        (_("pearl"), _("pearls")),
        (_("jade"), _("jades")),
    ]


def kind(number: int) -> str:
    """The name of one gem of a type."""
    return kinds()[number][0]


def gems(number: int, count: str) -> str:
    """So many gems of a type; `count` as it is written."""
    one, many = kinds()[number]
    return f"{count} {one if count == '1' else many}"


def mine(number: int) -> str:
    """Mines have letters (A is mine 0, AA comes after Z), since villages have numbers."""
    letters = ""
    left = number + 1
    while left:
        left, place = divmod(left - 1, 26)
        letters = chr(65 + place) + letters
    return _("Mine {letters}").format(letters=letters)


def village(seat: int) -> str:
    """A village has the number of its player."""
    return _("Village {n}").format(n=seat + 1)


def listed(parts: Iterable[str]) -> str:
    """Words in a row: a, b and c."""
    *first, last = parts
    return _("{first} and {last}").format(first=", ".join(first), last=last) if first else last

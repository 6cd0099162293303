"""Gem mining by name: mines, villages and gems, and the words of its play page."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import gettext as _

from engine.games.gem_mining import GemCore

__all__ = ["TITLE", "gems", "kind", "kinds", "listed", "mine", "texts", "village"]

TITLE = _("Villages and mines")


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


def texts(core: GemCore) -> dict[str, str]:
    """Words of the stage, the decision card and the ledger."""
    known = {
        **{f"kind_{k}": kind(k) for k in range(core.gem_types)},
        **{f"kinds_{k}": kinds()[k][1] for k in range(core.gem_types)},
        **{f"gem_{k}": kinds()[k][1].capitalize() for k in range(core.gem_types)},
    }
    return {
        **known,
        "player": _("Village {n}"),
        "players": _("Villages"),
        "mine_request": _("To which mine do your workers go?"),
        "mine": _("Mine {letters}"),
        "sends": _("Your {n} workers go to {mine}."),
        "sends_one": _("Your worker goes to {mine}."),
        "sends_some": _("Your workers go to {mine}."),
        "alone": _("With your workers alone there: {chances}."),
        "purse": _("The team has found"),
        "worth": _("worth to every village, in points: {points}"),
        "found_here": _("{n} periods: {gems}"),
        "found_once": _("1 period: {gems}"),
        "never": _("not mined yet"),
        "nothing": _("nothing"),
        "chance": _("{p} % {kind}"),
        "map": _("Villages below, mines above"),
        "map_reach": _("You reach {mines}."),
        "map_last": _("Last period: {mines}."),
        "map_mine": _("{mine}: workers {workers}, found {gems}"),
        "map_own": _("you were at {mine} and found {gems}"),
        "went_to": _("went to"),
        "workers": _("workers"),
        "in_reach": _("Mines in reach"),
        "mined": _("periods mined"),
        "team_series": _("points of the period"),
        "own_series": _("gems in your mine"),
        "road_own": _("your roads"),
        "road_used": _("way taken last period"),
        "front": _("What could be expected in a period"),
        "front_line": _("the best there was: no joint choice makes one expect more of both"),
        "front_mixed": _("by changing between joint choices from period to period"),
        "front_best": _("the best for your points"),
        "front_team": _("your team, on average"),
        "front_period": _("your team, period by period"),
        "front_found": _("what was found in a period, on average"),
    }

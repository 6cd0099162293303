"""Names used in gem mining (of mines, villages and gems), and the texts of its play page."""

from __future__ import annotations

from collections.abc import Iterable

from mixed_company.engine.games.gem_mining import GemCore
from mixed_company.language import Words, forms, ngettext, pair, translated
from mixed_company.language import gettext as _
from mixed_company.server.pages.texts import counted

TITLE = translated("Villages and mines")

QUANTITIES = (
    translated("mine the workers go to"),
    translated("a constant with no meaning"),
    translated("mines in reach of each village"),
    translated("workers of each village"),
    translated("chances with one worker"),
    translated("mines in reach"),
    translated("workers at each mine"),
    translated("gems found last period, by mine and type"),
    translated("gems found by all villages last period, by type"),
    translated("gems found there, by type"),
    translated("gems found by all villages so far, by type"),
    translated("own workers"),
    translated("workers at each mine last period"),
    translated("own mines in reach"),
    translated("own mine last period"),
    translated("mine of each village last period"),
    translated("mine chosen last period"),
    translated("gem found, by mine and type"),
    translated("gems of each type"),
    translated("gems of each type found so far"),
    translated("workers"),
)
"""Names of the game's quantities, for rules about layers and roles (`server.pages.rules`)."""


_KINDS = (
    pair("ruby", "rubies"),
    pair("emerald", "emeralds"),
    pair("sapphire", "sapphires"),
    pair("topaz", "topazes"),
    pair("amethyst", "amethysts"),
    pair("diamond", "diamonds"),
    pair("garnet", "garnets"),
    pair("opal", "opals"),
    pair("pearl", "pearls"),
    pair("jade", "jades"),
)


def kinds() -> list[tuple[str, str]]:
    """Return the singular and plural of each possible kind."""
    return [(ngettext(*nouns, 1), ngettext(*nouns, 2)) for nouns in _KINDS]


def kind(number: int) -> str:
    """Return the singular name of a kind."""
    return kinds()[number][0]


def gems(number: int, count: int) -> str:
    """Return the text for a number of gems of a kind."""
    return _("{n} {kind}").format(n=count, kind=ngettext(*_KINDS[number], count))


def mine(number: int) -> str:
    """Return the name of a mine: a letter, with A for mine 0 and AA after Z."""
    letters = ""
    left = number + 1
    while left:
        left, place = divmod(left - 1, 26)
        letters = chr(65 + place) + letters
    return _("Mine {letters}").format(letters=letters)


def village(seat: int) -> str:
    """Return the name of a village, which contains its player's number."""
    return _("Village {n}").format(n=seat + 1)


def listed(parts: Iterable[str]) -> str:
    """Join words as a list: a, b and c."""
    *first, last = parts
    return _("{first} and {last}").format(first=", ".join(first), last=last) if first else last


def worths(core: GemCore) -> list[str]:
    """Return sentences about the points per gem: one for each kind, or only one if all kinds are
    worth the same."""
    weights = core.weights or ()
    if len(set(weights)) == 1:
        return [
            counted(
                "Each gem is worth {n} point to every village.",
                "Each gem is worth {n} points to every village.",
                weights[0],
            )
        ]
    return [
        counted(
            "One {kind} is worth {n} point to every village.",
            "One {kind} is worth {n} points to every village.",
            weight,
            kind=kind(k),
        )
        for k, weight in enumerate(weights)
    ]


def spread(core: GemCore) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """Return the smallest and the largest number of mines within a village's reach, and of workers
    in a village."""
    instance = core.instance
    if instance is None:
        ends = (core.min_connectivity, core.max_connectivity)
        return [ends] * core.seats, (core.min_workers, core.max_workers)
    return [(reach, reach) for reach in instance.reach], tuple(instance.workers)


def texts(core: GemCore) -> Words:
    """Return the texts of the stage, the decision card and the ledger."""
    names = {
        **{f"kind_{k}": forms(*_KINDS[k]) for k in range(core.gem_types)},
        **{f"kinds_{k}": kinds()[k][1] for k in range(core.gem_types)},
        **{f"gem_{k}": kinds()[k][1].capitalize() for k in range(core.gem_types)},
    }
    return {
        **names,
        **_of_workers(core),
        "player": _("Village {n}"),
        "you_player": _("You (Village {n})"),
        "players": _("Villages"),
        "limit": _("At most one gem of each kind can be found in a mine per period."),
        "crowded": _crowded(core),
        "mine": _("Mine {letters}"),
        "sends": forms("Your worker goes to {mine}.", "Your {n} workers go to {mine}."),
        "sends_some": _("Your workers go to {mine}."),
        "purse": _("In the shared chest"),
        "worth": forms("point for every village", "points for every village"),
        "gained": _("{points} last period"),
        "each": forms("{n} point each", "{n} points each"),
        "gems": _("{n} {kind}"),
        "percent": _("{p}\N{NARROW NO-BREAK SPACE}%"),
        "no_others": _("nobody else was there"),
        "some_others": forms("{n} other worker was there", "{n} other workers were there"),
        "again": _("If the others go where they went last period: {chances}."),
        "between": _("{low} to {high}\N{NARROW NO-BREAK SPACE}%"),
        "bar_again": _("chance if the others do the same again"),
        "bar_between": _(
            "found so far; the average chance in these periods is probably within the pale area"
        ),
        "bar_found": forms("point was found", "points were found"),
        "bar_expected": forms(
            "point could be expected with the chosen mines",
            "points could be expected with the chosen mines",
        ),
        "bar_best": forms(
            "point could be expected with the best joint choice",
            "points could be expected with the best joint choice",
        ),
        "found_here": forms("{n} period: {gems}", "{n} periods: {gems}"),
        "never": _("not mined yet"),
        "nothing": _("nothing"),
        "chance": _("{p}\N{NO-BREAK SPACE}% {kind}"),
        "map": _("Villages below, mines above"),
        "map_reach": _("You can reach {mines}."),
        "map_last": _("Previous period: {mines}."),
        "map_mine": _("{mine}: workers {workers}, found {gems}"),
        "map_own": _("you were at {mine} and found {gems}"),
        "went_to": _("went to"),
        "workers": _("workers"),
        "in_reach": _("Mines in reach"),
        "mined": _("periods mined"),
        "team_series": _("points per period"),
        "own_series": _("gems in your mine"),
        "road_own": _("your roads"),
        "road_used": _("road taken last period"),
        "front": _("Expected gems per period"),
        "front_line": _("one of the best: no joint choice yields more of both kinds"),
        "front_mixed": _("possible if the joint choice changes from period to period"),
        "front_best": _("what earns you the most points"),
        "front_team": _("your team, on average"),
        "front_period": _("your team, period by period"),
        "front_found": _("gems found per period, on average"),
        "front_said": _("Your team, on average: {team}. What earns you the most points: {best}."),
    }


def _of_workers(core: GemCore) -> Words:
    """Return the texts about a village's workers, or about its only worker."""
    if max(spread(core)[1]) == 1:
        return {
            "mine_request": _("Which mine should your worker go to?"),
            "alone": _("If only your worker is there: {chances}."),
            "bar_alone": _("chance with your worker alone"),
        }
    return {
        "mine_request": _("Which mine should your workers go to?"),
        "alone": _("If only your workers are there: {chances}."),
        "bar_alone": _("chance with your workers alone"),
    }


def _crowded(core: GemCore) -> str:
    """Return the effect of more workers in the same mine."""
    if core.worker_bonus == 1:
        return _("Sending more workers to a mine does not change its chances.")
    return _("Each extra worker in a mine: chances \N{MULTIPLICATION SIGN} {b}.")

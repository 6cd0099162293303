"""Texts that depend on how the public good is framed, and on whether players can contribute any
amount.

With `framing = "take"`, the pool starts with all endowments, and players take points out. In the
rules and the data, the contribution is the number of points that a player leaves in the pool.
`shown` converts it to the number that people see.
"""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions import SanctionsCore
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.language import Words, forms, pair
from mixed_company.language import gettext as _
from mixed_company.server.pages.texts import exact, per_player


def takes(core: SanctionsCore) -> bool:
    """Return whether players take points out of a full pool."""
    return core.framing == "take"


def all_or_nothing(core: SanctionsCore) -> bool:
    """Return whether players must contribute all of their points or none."""
    return core.contributions == "all_or_nothing"


def shown(core: SanctionsCore, contributions: Array) -> Array:
    """Return the numbers that people see for contributions (..., n): points given or points
    taken."""
    if not takes(core):
        return contributions
    return np.asarray(per_seat(core.endowment, core.seats) - contributions)


def alike(core: SanctionsCore) -> float | tuple[float, ...]:
    """Return every player's contribution in the examples: the baseline, or the whole endowment if
    players can only contribute all or nothing.
    """
    return core.endowment if all_or_nothing(core) else core.baseline


def story(core: SanctionsCore) -> str:
    """Return the sentence about where the points come from and which of them a player keeps."""
    if takes(core):
        return _(
            "Players share a common pool. At the start of every period, it contains points "
            "for each of them. Players keep the points that they take out."
        )
    return _(
        "Each player gets points in every period. Players keep the points that they do not "
        "contribute."
    )


def endowed(core: SanctionsCore) -> str:
    """Return the sentence about the size of the endowments."""
    line = _("Points per player in every period: {e}.")
    if takes(core):
        line = _("Points in the pool for each player at the beginning of every period: {e}.")
    return line.format(e=per_player(core.endowment))


def chooses(core: SanctionsCore, everybody: bool) -> str:
    """Return the sentence about what players choose. `everybody` is true if all players may
    choose."""
    if takes(core):
        if all_or_nothing(core):
            return _(
                "Each player either takes out all of these points or leaves all of them in the "
                "pool."
            )
        return _(
            "Each player chooses how many of these points to take out, and leaves the rest in the "
            "pool."
        )
    if all_or_nothing(core):
        if not everybody:
            return _(
                "Players who are allowed to decide contribute either all of these points or none. "
                "They keep what they do not contribute."
            )
        return _(
            "Each player contributes either all of these points or none, and keeps what they "
            "do not contribute."
        )
    if not everybody:
        return _(
            "Players who are allowed to decide choose how many of these points to contribute, and "
            "keep the rest."
        )
    return _("Each player chooses how many of these points to contribute, and keeps the rest.")


def default(core: SanctionsCore) -> str:
    """Return the sentence about what happens if a player makes no decision."""
    if takes(core):
        return _("If you do nothing or your time runs out, you take out all of your points.")
    return _("If you do nothing or your time runs out, you contribute nothing.")


def pool(core: SanctionsCore) -> tuple[str, str]:
    """Return the texts (singular, plural) about what a point in the pool earns."""
    if takes(core):
        return pair(
            "For each point that is left in the pool, every player gets {n} point. This includes "
            "the player who left it there.",
            "For each point that is left in the pool, every player gets {n} points. This includes "
            "the player who left it there.",
        )
    return pair(
        "Contributions go into a common pool. For each point in the pool, every player "
        "gets {n} point. This includes the player who contributed it.",
        "Contributions go into a common pool. For each point in the pool, every player "
        "gets {n} points. This includes the player who contributed it.",
    )


def ends_up(core: SanctionsCore, peers: bool) -> tuple[str, str]:
    """Return the texts (singular, plural) about what everyone earns if all contribute the same
    amount. `peers` is true if a second step with peer points follows.
    """
    if takes(core) and peers:
        return pair(
            "If each of the {players} players leaves {b} in the pool, each earns {n} point in the "
            "first step.",
            "If each of the {players} players leaves {b} in the pool, each earns {n} points in the "
            "first step.",
        )
    if takes(core):
        return pair(
            "If each of the {players} players leaves {b} in the pool, each ends up with {n} point.",
            "If each of the {players} players leaves {b} in the pool, each ends up with {n} "
            "points.",
        )
    if peers:
        return pair(
            "If each of the {players} players contributes {b}, each earns {n} point in the first "
            "step.",
            "If each of the {players} players contributes {b}, each earns {n} points in the first "
            "step.",
        )
    return pair(
        "If each of the {players} players contributes {b}, each ends up with {n} point.",
        "If each of the {players} players contributes {b}, each ends up with {n} points.",
    )


def seen(core: SanctionsCore) -> str:
    """Return the sentence about what players see of each other's decisions."""
    if takes(core):
        return _("After every period, you see how many points each player took out.")
    return _("After every period, you see how much each player contributed.")


def dilemma(core: SanctionsCore) -> str:
    """Return the sentence that compares keeping a point with putting it in the pool."""
    line = _(
        "If you keep a point, you get 1. If you contribute it, each of the {n} players gets {mpcr}."
    )
    if takes(core):
        line = _(
            "If you take out a point, you get 1. If you leave it in the pool, each of the {n} "
            "players gets {mpcr}."
        )
    return line.format(mpcr=exact(core.mpcr), n=core.seats)


def brings(core: SanctionsCore) -> tuple[str, str]:
    """Return the texts (singular, plural) about what a contributed point earns and costs."""
    if takes(core):
        return pair(
            "Each point you leave in the pool earns you and every other player {n} point. "
            "You keep the rest.",
            "Each point you leave in the pool earns you and every other player {n} points. "
            "You keep the rest.",
        )
    return pair(
        "Each point you give earns you and every other player {n} point. You keep the rest.",
        "Each point you give earns you and every other player {n} points. You keep the rest.",
    )


def took(others: bool) -> tuple[str, str]:
    """Return the texts (singular, plural) about the average amount taken out. If `others` is true,
    they include the others' average.
    """
    if others:
        return pair(
            "You took out {n} point on average, the others {others}.",
            "You took out {n} points on average, the others {others}.",
        )
    return pair("You took out {n} point on average.", "You took out {n} points on average.")


def on_page(core: SanctionsCore) -> Words:
    """Return the texts that replace those on the play page if players take points out or contribute
    all or nothing."""
    words: Words = {
        "choose_all": _("Give {n}"),
        "choose_nothing": _("Keep {n}"),
        "pot_full": _("in the pool now"),
    }
    if all_or_nothing(core):
        words["contribution_request"] = _("What will you do with your points?")
    if not takes(core):
        return words
    words |= {
        "contribution_request": _("Points you take out"),
        "keeps": forms("You take out {n} point.", "You take out {n} points."),
        "kept": _("Taken out"),
        "production": _("Paid by the pool"),
        "sum_kept": _("take {x}"),
        "as_last": _("“About” assumes that the others take out the same amount as last period."),
        "pot": _("left in the pool"),
        "pot_empty": _("Nothing has been taken out yet."),
        "pot_text": _("Left in the pool: {total}. {players}."),
        "pot_gave": _("{player}: {given} taken out"),
        "players_last": _("What each player took out last period"),
        "players_now": _("What each player took out in this period"),
        "players_hidden": _("You do not see what the others take out."),
        "contributed": _("took out"),
        "own_series": _("what you took out"),
        "all_expected": _("If everyone had left {b} in the pool").format(b=per_player(alike(core))),
        "all_nothing": _("If everyone had taken out everything"),
        "given_mean": _("took out on average: {x}"),
    }
    if all_or_nothing(core):
        words |= {
            "contribution_request": _("What will you do with your points in the pool?"),
            "choose_all": _("Leave {n}"),
            "choose_nothing": _("Take {n}"),
        }
    return words

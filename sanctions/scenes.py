"""Numbers for the pictures in the sanctions game's instructions."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.games.sanctions import SanctionsCore, SanctionsGame
from mixed_company.engine.games.sanctions.equations import Reciprocity
from mixed_company.language import decimals
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Row
from mixed_company.server.pages.texts import exact
from sanctions.framing import alike, all_or_nothing, takes
from sanctions.quiz import may_all_give, reacts, to_all

_STRONG = 0.5
"""Argument at which tanh visibly bends; its value there is 0.46."""


def scenes(game: SanctionsGame) -> dict[str, Row]:
    """Return the numbers and words for each screen's picture.

    about    seats: the number of players around the contributions
    decides  a player's endowment in parts, if it is the same for all and can be divided
    happens  points that pass between two players, one bar per difference from the comparison,
             and the heads of both columns
    pays     points of a period if all give the baseline, or nothing: one bar each
    """
    core = game.core
    drawn: dict[str, Row] = {"about": {"seats": core.seats}}
    if np.ndim(core.endowment) == 0 and not all_or_nothing(core):
        drawn["decides"] = _split(core)
    if reacts(core) and passed(core):
        drawn["happens"] = {"bars": _passing(core), "heads": heads()}
    everybody = None if plain.is_shared(game) else to_all(core)
    if everybody is not None and may_all_give(game):
        drawn["pays"] = {"bars": _worths(core, everybody)}
    return drawn


def _split(core: SanctionsCore) -> Row:
    """Return a player's endowment. The picture shows half of it, so it does not recommend an
    amount."""
    whole = float(np.max(core.endowment))
    half = whole / 2
    kept, rest = _("kept: {x}"), _("contributed: {x}")
    if takes(core):
        kept, rest = _("taken out: {x}"), _("left in the pool: {x}")
    return {
        "whole": whole,
        "given": half,
        "kept_words": kept.format(x=exact(whole - half)),
        "given_words": rest.format(x=exact(half)),
    }


def _passing(core: SanctionsCore) -> list[Row]:
    """Return [{name, value}]: the points that one player gains or loses because of another, at the
    midpoint of their range."""
    return [{"name": name, "value": (low + high) / 2} for name, low, high in passed(core)]


def heads() -> list[str]:
    """Return the headings of the two columns, for names and for bars, as in the table with these
    numbers."""
    return [
        _("Lower/higher by"),
        _("points because of one other player, at the starting level of trust"),
    ]


def _worths(core: SanctionsCore, everybody: float) -> list[Row]:
    nothing = float(np.max(core.endowment))
    earned = {
        float(np.max(alike(core))): everybody,
        0.0: nothing,
    }
    line = _("Everybody contributes {b}: {x} points each")
    if takes(core):
        line = _("Everybody leaves {b} in the pool: {x} points each")
    return [
        {"name": line.format(b=exact(amount), x=exact(value)), "value": value}
        for amount, value in earned.items()
    ]


def passed(core: SanctionsCore) -> list[tuple[str, float, float]]:
    """Return (difference, fewest points, most points): what one player initially gains or loses
    because of another."""
    weight = Reciprocity(core).weight
    pairs = weight[~np.eye(core.seats, dtype=bool)] * core.initial_trust
    low, high = float(pairs.min()), float(pairs.max())
    if not high:
        return []
    strengths = [(written(far, 0), float(np.tanh(core.kappa * far))) for far in _distances(core)]
    return [(far, low * strength, high * strength) for far, strength in strengths]


def _distances(core: SanctionsCore) -> list[float]:
    """Return differences from the comparison, from none up to a strong response, within the
    endowment."""
    widest = 10.0 if core.kappa * 10.0 >= _STRONG else 100.0
    near = [widest * share for share in (1.0, 0.2, 0.1)]
    below = above = float(np.max(core.endowment))
    if core.signal == "baseline":
        below = float(np.max(core.baseline))
        above = float(np.max(np.subtract(core.endowment, core.baseline)))
    less = [-far for far in near if far <= below]
    return [*less, 0.0, *(far for far in reversed(near) if far <= above)]


def written(value: float, digits: int) -> str:
    """Format a number with its sign. Zero has no sign."""
    shown = f"{abs(value):.{digits}f}"
    if float(shown) == 0:
        return "0"
    return ("+" if value > 0 else "\N{MINUS SIGN}") + decimals(shown)

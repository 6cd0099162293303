"""Instructions for the sanctions game.

Every number comes from the session's configuration; none is hard-coded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.engine.games.sanctions import SanctionsCore, SanctionsGame
from mixed_company.engine.games.sanctions.core import dependence_matrix
from mixed_company.engine.games.sanctions.equations import Reciprocity, private_payoff
from mixed_company.language import gettext as _
from mixed_company.language import pair
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Section
from mixed_company.server.pages.texts import counted, exact, number, per_player, percent, section
from mixed_company.table.options import Options
from sanctions import framing
from sanctions.quiz import expects, may_all_give, reacts, to_all, trust_counts
from sanctions.scenes import heads, passed, written
from sanctions.words import leads


def sections(game: SanctionsGame, options: Options) -> list[Section]:
    """Return the instructions, one section {title, lines, table, screen} per part."""
    parts = [_story(game), _choice(game, options)]
    if reacts(game.core) or game.peers is None:
        parts.append(_sanctions(game))
    if trust_counts(game.core):
        parts.append(_trust(game))
    return [*parts, _view(game), _bringing(game), _end(game)]


def _story(game: SanctionsGame) -> Section:
    lines = [
        _("You are one of {n} players.").format(n=game.seats),
        framing.story(game.core),
        *leads(game),
    ]
    return section("", lines, screen="about")


def _end(game: SanctionsGame) -> Section:
    words = pair(
        "The game has {n} period, whatever the players contribute.",
        "The game has {n} periods, whatever the players contribute.",
    )
    if framing.takes(game.core):
        words = pair(
            "The game has {n} period, whatever the players do.",
            "The game has {n} periods, whatever the players do.",
        )
    line = _(
        "You are not told how many periods the game has. Nothing the players do makes it end "
        "earlier or later."
    )
    if game.told_horizon is not None:
        line = counted(*words, game.told_horizon)
    return section("", [line], screen="ends")


def _choice(game: SanctionsGame, options: Options) -> Section:
    core = game.core
    everybody = plain.every_seat_decides(game, "contribution")
    lines = [framing.endowed(core), framing.chooses(core, everybody)]
    if expects(core):
        line = _("Expected contribution: {b}.")
        lines.append(line.format(b=per_player(core.baseline)))
    if options.decision_seconds:
        lines.append(framing.default(core))
    return section("", lines, screen="decides")


def _bringing(game: SanctionsGame) -> Section:
    core, title = game.core, _("What contributions earn")
    if framing.takes(core):
        title = _("What the points in the pool earn")
    first = (
        []
        if plain.is_steady(game, "mpcr", "theta")
        else [_("These are the numbers for the first period.")]
    )
    if core.production == "public_good":
        lines = [counted(*framing.pool(core), core.mpcr)]
        everybody = None if plain.is_shared(game) else to_all(core)
        if everybody is not None and may_all_give(game):
            gaps = {"players": core.seats, "b": per_player(framing.alike(core))}
            words = framing.ends_up(core, game.peers is not None)
            lines.append(counted(*words, everybody, **gaps))
        return section(title, [*lines, *first, *_welfare(core)], screen="pays")
    largest = float(np.max(core.endowment))
    amounts = np.round(np.array([0.0, 0.1, 0.25, 0.5, 1.0]) * largest, 6)
    produced = [
        float(private_payoff(core, np.full(core.seats, amount))["production"][0])
        for amount in amounts
    ]
    table = [
        {"head": _("You contribute"), "cells": [exact(float(amount)) for amount in amounts]},
        {
            "head": _("Points this produces for you"),
            "cells": [number(amount) for amount in produced],
        },
    ]
    lines = [
        _(
            "Your contribution produces points for you. Each additional point produces a little "
            "less than the one before."
        )
    ]
    if core.production == "power" and core.beta == 1:
        lines = [_("Your contribution produces points for you.")]
    if core.synergy:
        lines.append(
            _(
                "The contributions of all players also produce extra points, called synergy. "
                "These are {gamma} times the geometric mean of the contributions. The players "
                "share them ({share}). If any player contributes nothing, there are no extra "
                "points."
            ).format(gamma=exact(core.synergy), share=_shares(core))
        )
    return section(title, [*lines, *first, *_welfare(core)], table, screen="pays")


def _shares(core: SanctionsCore) -> str:
    share = core.share
    if isinstance(share, tuple):
        return per_player(share)
    return _("{share} each").format(share=percent(round(float(share or 0), 4)))


def _welfare(core: SanctionsCore) -> list[str]:
    if core.reward == "private":
        return []
    lines = [
        _(
            "You also get a share of what every other player earns before sanctions. This share is "
            "your trust in that player times how much you depend on that player. A damaged "
            "reputation can limit how much of your trust counts. {d}"
        ).format(d=_dependence(core))
    ]
    if core.reward == "cooperative":
        lines.append(_("Then everyone's points are added up and shared equally."))
    return lines


def _dependence(core: SanctionsCore) -> str:
    if isinstance(core.dependence, float):
        return _("All players depend on each other to the same degree: {d}.").format(
            d=exact(core.dependence)
        )
    rows = [
        _("Player {n}: {row}").format(n=n, row=", ".join(exact(weight) for weight in row))
        for n, row in enumerate(core.dependence, 1)
    ]
    return _(
        "This is how much each player depends on each of the players, in the order of their "
        "numbers: {rows}."
    ).format(rows="; ".join(rows))


def _sanctions(game: SanctionsGame) -> Section:
    core = game.core
    if not reacts(core):
        return section(_("Sanctions and rewards"), [_("There are none.")])
    itself = _(
        "This happens automatically, without anyone deciding it. Nobody gets the points that "
        "are lost, and nobody pays for the points that are gained."
    )
    if plain.is_shared(game):
        itself = _("This happens automatically, without anyone deciding it.")
    lines = [_compared(core), _reaction(core), itself]
    if core.form == "multiplier":
        line = _(
            "Each point of sanction or reward changes what a player earns in the period by {share}."
        )
        lines.append(line.format(share=_share(1 / float(np.mean(core.endowment)))))
    return section(_("Sanctions and rewards"), lines, _sanction_table(core))


def _compared(core: SanctionsCore) -> str:
    """Return a sentence about the signal and its memory window."""
    with_baseline = {
        "inclusive": _(
            "Each player's average contribution over the last {k} periods, including the current "
            "one, is compared with the expected contribution."
        ),
        "prior": _(
            "From the second period on, each player's average contribution over the previous {k} "
            "periods is compared with the expected contribution."
        ),
        "peer": _(
            "Each player's average contribution covers the last {k} periods. The current period is "
            "included, but the very first is not. In the first period, the average counts as 0. "
            "This average is compared with the expected contribution."
        ),
        "full": _(
            "Each player's average contribution covers the last {k} periods, including the "
            "current one. Periods before the first count as if the player had made the "
            "expected contribution. This average is compared with the expected "
            "contribution."
        ),
    }
    with_past = {
        "inclusive": _(
            "Each player's own average covers the last {k} periods, including the current "
            "one. The player's contribution is compared with this average."
        ),
        "prior": _(
            "Each player's own average covers the previous {k} periods. From the second "
            "period on, the player's contribution is compared with this average."
        ),
        "peer": _(
            "Each player's own average covers the last {k} periods. The current period is "
            "included, but the very first is not. In the first period, the average counts as 0. "
            "The player's contribution is compared with this average."
        ),
        "full": _(
            "Each player's own average covers the last {k} periods, including the current "
            "one. Periods before the first count as if the player had made the expected "
            "contribution. The player's contribution is compared with this average."
        ),
    }
    lines = with_baseline if core.signal == "baseline" else with_past
    return lines[core.window].format(k=core.memory)


def _reaction(core: SanctionsCore) -> str:
    if core.falls_on == "deviator":
        return _(
            "If it is lower, the player gets a sanction from each of the other players and "
            "loses points. If it is higher, the player gets a reward from each of them and "
            "gains points."
        )
    return _(
        "If it is lower, all other players lose points because of this player. If it "
        "is higher, they gain points."
    )


def _sanction_table(core: SanctionsCore) -> list[dict[str, Any]]:
    """Return a table of the points that one player gains or loses because of another, at the
    initial level of trust. It has few columns, so it fits on narrow screens.
    """
    effects = passed(core)
    if not effects:
        return []
    digits = 1 if Reciprocity(core).weight.max() * core.initial_trust >= 1 else 3
    rows = []
    for far, *ends in effects:
        shown = dict.fromkeys(written(end, digits) for end in ends)
        rows.append({"head": far, "cells": [" ... ".join(shown)]})
    names, points = heads()
    return [{"head": names, "cells": [points]}, *rows]


def _trust(game: SanctionsGame) -> Section:
    core, lines = game.core, []
    if reacts(core) and core.falls_on == "deviator":
        lines = [
            _(
                "The more another player trusts you, the more points you lose or gain because "
                "of that player."
            )
        ]
    elif reacts(core):
        lines = [
            _(
                "The more you trust another player, the more points you lose or gain because "
                "of that player."
            )
        ]
    lines.append(_("Trust is {trust} at the start.").format(trust=percent(core.initial_trust)))
    steady = plain.is_steady(game, "trust", "reputation")
    return section(_("Trust"), [*lines, *_changing_trust(core, steady)])


def _changing_trust(core: SanctionsCore, steady: bool) -> list[str]:
    if not core.kappa_T:
        return [_("It never changes.")] if steady else []
    worst = 1.0 - core.lambda_minus * (1.0 + core.xi * _mean_dependence(core))
    lines = [
        _(
            "A player who contributes well below expectations loses {share} of the others' trust."
        ).format(share=_share(1.0 - max(worst, 0.0))),
        _(
            "A player who contributes well above expectations closes {share} of the gap to "
            "full trust."
        ).format(share=_share(core.lambda_plus)),
    ]
    if core.mu_R:
        line = _(
            "A player who contributes too little also gets a worse reputation. From then "
            "on, this limits how much the others can trust that player."
        )
        lines.append(line)
    return lines


def _share(share: float) -> str:
    return percent(round(share, 4))


def _mean_dependence(core: SanctionsCore) -> float:
    matrix = dependence_matrix(core)
    return float(matrix[~np.eye(core.seats, dtype=bool)].mean())


def _view(game: SanctionsGame) -> Section:
    """Return sentences about what seats see of the others. Memory and trust are included only if
    they have an effect."""
    lines, named = [], plain.are_named(game)
    counts = reacts(game.core)
    if counts and plain.is_seen(game, "contribution", "memory_averages"):
        line = _(
            "After every period, you see how much each player contributed. You also see each "
            "player's remembered average."
        )
        lines.append(line)
    elif plain.is_seen(game, "contribution") and not (counts and named):
        lines.append(framing.seen(game.core))
    trusts = trust_counts(game.core)
    if trusts and plain.is_seen(game, "trust", "reciprocity_effects"):
        line = _(
            "You see who trusts whom. You also see how much you lost or gained because of every "
            "other player."
        )
        lines.append(line)
    explained = not named and not game.config.layers.information.intensity
    whole = len(lines) == 1 + trusts or (explained and len(lines) == 1)
    lines += _earnings(game)
    return section(_("What you see"), lines if whole else [*lines, plain.limited()])


def _earnings(game: SanctionsGame) -> list[str]:
    """Return the sentence about how much seats see of the others' points, unless this is the usual
    case."""
    if game.core.others_earnings == "hidden":
        return [_("You do not see how many points the other players earn.")]
    if game.core.others_earnings != "seen" or not plain.is_seen(game, "earned"):
        return []
    if game.peers is not None:
        return [
            _(
                "After the second step of every period, you also see how many points each player "
                "earned in the period. This includes what was paid, lost or gained in the second "
                "step."
            )
        ]
    return [_("You also see how many points each player earned in the period.")]

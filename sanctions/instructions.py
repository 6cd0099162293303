"""Instructions of the sanctions game.

Every number comes from the session's configuration; none is hard-coded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.engine.games.sanctions import SanctionsCore, SanctionsGame
from mixed_company.engine.games.sanctions.core import dependence_matrix
from mixed_company.engine.games.sanctions.equations import Reciprocity, private_payoff
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Section
from mixed_company.server.pages.texts import counted, exact, number, per_player, percent, section
from mixed_company.table.options import Options
from sanctions.quiz import expects, may_all_give, reacts, to_all, trust_counts
from sanctions.scenes import passed, written
from sanctions.words import leads

__all__ = ["sections"]


def sections(game: SanctionsGame, options: Options) -> list[Section]:
    """Return the instructions, one section {title, lines, table, screen} per part."""
    parts = [_story(game), _choice(game, options), _sanctions(game)]
    if trust_counts(game.core):
        parts.append(_trust(game))
    return [*parts, _view(game), _bringing(game), _end(game)]


def _story(game: SanctionsGame) -> Section:
    lines = [
        *leads(game),
        _("You are one of {n} players.").format(n=game.seats),
        _("Each player has points in every period; what is not contributed is kept."),
    ]
    return section("", lines, screen="about")


def _end(game: SanctionsGame) -> Section:
    line = counted(
        "The game has {n} period, whatever the players give.",
        "The game has {n} periods, whatever the players give.",
        game.core.periods,
    )
    return section("", [line], screen="ends")


def _choice(game: SanctionsGame, options: Options) -> Section:
    core = game.core
    chooses = _("Each player chooses how many of them to contribute, and keeps the rest.")
    if not plain.every_seat_decides(game, "contribution"):
        chooses = _("Who may decide chooses how many of them to contribute; the rest is kept.")
    lines = [
        _("The points a player has in every period: {e}.").format(e=per_player(core.endowment)),
        chooses,
    ]
    if expects(core):
        line = _("The contribution that is expected: {b}.")
        lines.append(line.format(b=per_player(core.baseline)))
    if options.decision_seconds:
        lines.append(_("Doing nothing, as when time is up, is contributing nothing."))
    return section("", lines, screen="decides")


def _bringing(game: SanctionsGame) -> Section:
    core, title = game.core, _("What contributions bring")
    first = (
        []
        if plain.is_steady(game, "mpcr", "theta")
        else [_("These are the numbers of the first period.")]
    )
    if core.production == "public_good":
        lines = [
            _(
                "Every point that anybody contributes pays {mpcr} points to every player, also to "
                "the one who contributed it."
            ).format(mpcr=exact(core.mpcr))
        ]
        everybody = None if plain.is_shared(game) else to_all(core)
        if everybody is not None and may_all_give(game):
            lines.append(
                counted(
                    "If each of the {players} players contributes {b}, each has {n} point.",
                    "If each of the {players} players contributes {b}, each has {n} points.",
                    everybody,
                    1,
                    players=core.seats,
                    b=per_player(core.baseline),
                )
            )
        return section(title, [*lines, *first, *_welfare(core)], screen="pays")
    largest = float(np.max(core.endowment))
    amounts = np.round(np.array([0.0, 0.1, 0.25, 0.5, 1.0]) * largest, 6)
    produced = [
        float(private_payoff(core, np.full(core.seats, amount))["production"][0])
        for amount in amounts
    ]
    table = [
        {"head": _("You contribute"), "cells": [exact(float(amount)) for amount in amounts]},
        {"head": _("That produces for you"), "cells": [number(amount) for amount in produced]},
    ]
    lines = [_("What you contribute produces points for you, each further point a little less.")]
    if core.production == "power" and core.beta == 1:
        lines = [_("What you contribute produces points for you.")]
    if core.synergy:
        lines.append(
            _(
                "All contributions together bring {gamma} times their geometric mean, shared "
                "among the players ({share}). It is nothing if one player contributes nothing."
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
            "You also get a part of what each other player earns before sanctions: your trust in "
            "this player (no more than his or her reputation allows) times how much you depend on "
            "each other. {d}"
        ).format(d=_dependence(core))
    ]
    if core.reward == "cooperative":
        lines.append(_("Then what all have is added up and shared equally."))
    return lines


def _dependence(core: SanctionsCore) -> str:
    if isinstance(core.dependence, float):
        return _("That is {d} for all.").format(d=exact(core.dependence))
    rows = [
        _("Player {n}: {row}").format(n=n, row=", ".join(exact(weight) for weight in row))
        for n, row in enumerate(core.dependence, 1)
    ]
    return _("How much each player depends on each: {rows}.").format(rows="; ".join(rows))


def _sanctions(game: SanctionsGame) -> Section:
    core = game.core
    if not reacts(core):
        return section(_("Sanctions and rewards"), [_("There are none.")])
    itself = _(
        "This happens by itself; nobody decides it. Points taken go to nobody, and points "
        "given cost nobody anything."
    )
    if plain.is_shared(game):
        itself = _("This happens by itself; nobody decides it.")
    lines = [_compared(core), _reaction(core), itself]
    if core.form == "multiplier":
        line = _("1 point of it changes what one earns in the period by {share}.")
        lines.append(line.format(share=_share(1 / float(np.mean(core.endowment)))))
    return section(_("Sanctions and rewards"), lines, _sanction_table(core))


def _compared(core: SanctionsCore) -> str:
    """Describe the signal and its memory window in a sentence."""
    with_baseline = {
        "inclusive": _(
            "What counts is a player's average contribution over the last {k} periods, the present "
            "one included, compared with what is expected."
        ),
        "prior": _(
            "What counts is a player's average contribution over the {k} periods before, compared "
            "with what is expected."
        ),
        "peer": _(
            "What counts is a player's average contribution over the last {k} periods, the present "
            "one included and the very first left out, compared with what is expected. In the "
            "first period the average counts as 0."
        ),
        "full": _(
            "What counts is a player's average contribution over the last {k} periods, the present "
            "one included, compared with what is expected. Periods before the first count as if "
            "what is expected had been given."
        ),
    }
    with_past = {
        "inclusive": _(
            "What counts is a player's contribution, compared with his or her own average over the "
            "last {k} periods, the present one included."
        ),
        "prior": _(
            "What counts is a player's contribution, compared with his or her own average over the "
            "{k} periods before. In the first period there is nothing to compare with."
        ),
        "peer": _(
            "What counts is a player's contribution, compared with his or her own average over the "
            "last {k} periods, the present one included and the very first left out. In the first "
            "period the average counts as 0."
        ),
        "full": _(
            "What counts is a player's contribution, compared with his or her own average over the "
            "last {k} periods, the present one included. Periods before the first count as if what "
            "is expected had been given."
        ),
    }
    lines = with_baseline if core.signal == "baseline" else with_past
    return lines[core.window].format(k=core.memory)


def _reaction(core: SanctionsCore) -> str:
    if core.falls_on == "deviator":
        return _("If it is less, this player loses points through each other; if more, gains.")
    return _("If it is less, each other player loses points through this one; if more, gains.")


def _sanction_table(core: SanctionsCore) -> list[dict[str, Any]]:
    """Return a table of the points that pass between two players at the initial trust.

    It is upright to fit narrow screens.
    """
    effects = passed(core)
    if not effects:
        return []
    digits = 1 if Reciprocity(core).weight.max() * core.initial_trust >= 1 else 3
    rows = []
    for far, *ends in effects:
        shown = dict.fromkeys(written(end, digits) for end in ends)
        rows.append({"head": far, "cells": [" ... ".join(shown)]})
    head = {
        "head": _("Less or more by"),
        "cells": [_("points through one other player, at the trust of the start")],
    }
    return [head, *rows]


def _trust(game: SanctionsGame) -> Section:
    core, lines = game.core, []
    if reacts(core) and core.falls_on == "deviator":
        lines = [
            _("The more another player trusts you, the more you lose or gain through him or her.")
        ]
    elif reacts(core):
        lines = [
            _("The more you trust another player, the more you lose or gain through him or her.")
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
            "A contribution clearly below what is expected takes {share} of the trust in this "
            "player."
        ).format(share=_share(1.0 - max(worst, 0.0))),
        _("One clearly above closes {share} of what is missing.").format(
            share=_share(core.lambda_plus)
        ),
    ]
    if core.mu_R:
        line = _(
            "Giving too little also damages one's reputation, which limits trust from then on."
        )
        lines.append(line)
    return lines


def _share(share: float) -> str:
    return percent(round(share, 4))


def _mean_dependence(core: SanctionsCore) -> float:
    matrix = dependence_matrix(core)
    return float(matrix[~np.eye(core.seats, dtype=bool)].mean())


def _view(game: SanctionsGame) -> Section:
    lines = []
    if plain.is_seen(game, "contribution", "memory_averages"):
        line = _(
            "After every period you see what each player contributed, and the average that is "
            "remembered of each."
        )
        lines.append(line)
    if plain.is_seen(game, "trust", "reciprocity_effects"):
        line = _("You see who trusts whom, and what you lost and gained through each other player.")
        lines.append(line)
    return section(_("What you see"), lines if len(lines) == 2 else [*lines, plain.limited()])

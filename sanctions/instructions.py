"""The instructions of the sanctions game.

Every number comes from the session's own configuration; none is typed here.
"""

from __future__ import annotations

from gettext import gettext as _
from typing import Any

import numpy as np

from engine.games.sanctions import SanctionsCore
from engine.games.sanctions.core import dependence_matrix
from engine.games.sanctions.equations import Reciprocity, private_payoff
from sanctions.quiz import reacts, to_all
from server.guide import Section
from server.texts import exact, number, per_player, percent, section
from table.options import Options

__all__ = ["sections"]


def sections(core: SanctionsCore, options: Options) -> list[Section]:
    """The instructions, part by part: {title, lines, table}."""
    return [_choice(core, options), _bringing(core), _sanctions(core), _trust(core), _view(core)]


def _choice(core: SanctionsCore, options: Options) -> Section:
    lines = [
        _("You are one of {n} players. The game has {periods} periods.").format(
            n=core.seats, periods=core.periods
        ),
        _("The points a player has in every period: {e}.").format(e=per_player(core.endowment)),
        _("Each player chooses how many of them to contribute, and keeps the rest."),
        _("The contribution that is expected: {b}.").format(b=per_player(core.baseline)),
    ]
    if options.decision_seconds:
        lines.append(_("Doing nothing, as when time is up, is contributing nothing."))
    return section(_("Your decision"), lines)


def _bringing(core: SanctionsCore) -> Section:
    title = _("What contributions bring")
    if core.production == "public_good":
        lines = [
            _(
                "Every point that anybody contributes pays {mpcr} points to every player, also to "
                "the one who contributed it."
            ).format(mpcr=exact(core.mpcr))
        ]
        everybody = to_all(core)
        if everybody is not None:
            line = _("If all {n} players contribute {b}, everybody has {x} points.")
            lines.append(
                line.format(n=core.seats, b=per_player(core.baseline), x=number(everybody))
            )
        return section(title, [*lines, *_welfare(core)])
    most = float(np.max(core.endowment))
    given = np.round(np.array([0.0, 0.1, 0.25, 0.5, 1.0]) * most, 6)
    produced = [
        float(private_payoff(core, np.full(core.seats, amount))["production"][0])
        for amount in given
    ]
    table = [
        {"head": _("You contribute"), "cells": [exact(float(amount)) for amount in given]},
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
    return section(title, [*lines, *_welfare(core)], table)


def _shares(core: SanctionsCore) -> str:
    share = core.share
    if isinstance(share, tuple):
        return per_player(share)
    return _("{share} each").format(share=f"{100 * float(share or 0):.4g} %")


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


def _sanctions(core: SanctionsCore) -> Section:
    if not reacts(core):
        return section(_("Sanctions and rewards"), [_("There are none.")])
    lines = [_compared(core), _reaction(core)]
    lines.append(
        _(
            "This happens by itself; nobody decides it. Points taken go to nobody, and points "
            "given cost nobody anything."
        )
    )
    if core.form == "multiplier":
        line = _("1 point of it changes what one earns in the period by {share}.")
        lines.append(line.format(share=_share(1 / float(np.mean(core.endowment)))))
    return section(_("Sanctions and rewards"), lines, _sanction_table(core))


def _compared(core: SanctionsCore) -> str:
    """Whose memory of what: the signal and its window in a sentence."""
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
    }
    lines = with_baseline if core.signal == "baseline" else with_past
    return lines[core.window].format(k=core.memory)


def _reaction(core: SanctionsCore) -> str:
    if core.falls_on == "deviator":
        return _("If it is less, this player loses points through each other; if more, gains.")
    return _("If it is less, each other player loses points through this one; if more, gains.")


def _sanction_table(core: SanctionsCore) -> list[dict[str, Any]]:
    """What passes between two players at the trust of the start, upright for narrow screens."""
    weight = Reciprocity(core).weight
    pairs = weight[~np.eye(core.seats, dtype=bool)] * core.initial_trust
    low, high = float(pairs.min()), float(pairs.max())
    if not high:
        return []
    digits = 1 if high >= 1 else 3
    rows = []
    for far in (-10.0, -2.0, -1.0, 0.0, 1.0, 2.0, 10.0):
        ends = [_signed(end * float(np.tanh(core.kappa * far)), digits) for end in (low, high)]
        rows.append({"head": _signed(far, 0), "cells": [" ... ".join(dict.fromkeys(ends))]})
    head = {
        "head": _("Less or more by"),
        "cells": [_("points through one other player, at the trust of the start")],
    }
    return [head, *rows]


def _signed(value: float, digits: int) -> str:
    shown = f"{abs(value):.{digits}f}"
    if float(shown) == 0:
        return "0"
    return ("+" if value > 0 else "\N{MINUS SIGN}") + shown


def _trust(core: SanctionsCore) -> Section:
    lines = []
    if reacts(core) and core.falls_on == "deviator":
        lines = [
            _("The more another player trusts you, the more you lose or gain through him or her.")
        ]
    elif reacts(core):
        lines = [
            _("The more you trust another player, the more you lose or gain through him or her.")
        ]
    lines.append(_("Trust is {trust} at the start.").format(trust=percent(core.initial_trust)))
    return section(_("Trust"), [*lines, *_changing_trust(core)])


def _changing_trust(core: SanctionsCore) -> list[str]:
    if not core.kappa_T:
        return [_("It never changes.")]
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
    return f"{exact(round(100 * share, 2))} %"


def _mean_dependence(core: SanctionsCore) -> float:
    matrix = dependence_matrix(core)
    return float(matrix[~np.eye(core.seats, dtype=bool)].mean())


def _view(core: SanctionsCore) -> Section:
    lines = [
        _(
            "After every period you see what each player contributed, and the average that is "
            "remembered of each."
        ),
        _("You see who trusts whom, and what you lost and gained through each other player."),
    ]
    return section(_("What you see"), lines)

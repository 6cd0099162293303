"""What the sanctions game says to people: instructions, words on the play page, results.

Every number comes from the session's own configuration; none is typed here.
"""

from __future__ import annotations

from gettext import gettext as _
from typing import Any

import numpy as np

from engine.games.sanctions import SanctionsCore
from engine.games.sanctions.equations import Reciprocity, private_payoff
from sanctions.quiz import quiz, to_all
from seats.options import Options
from seats.table import Table
from seats.texts import exact, number, percent, section

__all__ = ["TITLE", "prepare", "quiz", "sections", "summary", "texts"]

Section = dict[str, Any]

TITLE = _("Giving and trusting")


def sections(core: SanctionsCore, options: Options) -> list[Section]:
    """The instructions, part by part: {title, lines, table}."""
    return [_choice(core, options), _bringing(core), _sanctions(core), _trust(core), _view(core)]


def told(value: Any) -> str:
    """A number of the rules, or the numbers of all players where they differ."""
    if not isinstance(value, tuple):
        return exact(value)
    parts = [_("{x} for Player {n}").format(x=exact(x), n=n) for n, x in enumerate(value, 1)]
    return ", ".join(parts)


def _choice(core: SanctionsCore, options: Options) -> Section:
    lines = [
        _("You are one of {n} players. The game has {periods} periods.").format(
            n=core.seats, periods=core.periods
        ),
        _("The points a player has in every period: {e}.").format(e=told(core.endowment)),
        _("All choose at the same time how many of them to contribute, and keep the rest."),
        _("The contribution that is expected: {b}.").format(b=told(core.baseline)),
    ]
    if options.decision_seconds:
        lines.append(_("Who does not choose in time contributes nothing."))
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
            lines.append(line.format(n=core.seats, b=told(core.baseline), x=number(everybody)))
        return section(title, [*lines, *_welfare(core)])
    most = float(np.max(core.endowment))
    given = np.round(np.array([0.0, 0.1, 0.25, 0.5, 1.0]) * most, 6)
    made = [
        float(private_payoff(core, np.full(core.seats, each))["production"][0]) for each in given
    ]
    table = [
        {"head": _("You contribute"), "cells": [exact(float(each)) for each in given]},
        {"head": _("That produces for you"), "cells": [number(each) for each in made]},
    ]
    lines = [_("What you contribute produces points for you, each further point a little less.")]
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
        return told(share)
    return _("{share} each").format(share=f"{100 * float(share or 0):.4g} %")


def _welfare(core: SanctionsCore) -> list[str]:
    if core.reward == "private":
        return []
    lines = [
        _(
            "You also get a part of what each other player earns: as much as you trust this "
            "player, times how much you depend on each other ({d})."
        ).format(d=exact(core.dependence) if isinstance(core.dependence, float) else "D")
    ]
    if core.reward == "cooperative":
        lines.append(_("Then what all have is added up and shared equally."))
    return lines


def _sanctions(core: SanctionsCore) -> Section:
    return section(_("Sanctions and rewards"), _sanction_lines(core), _sanction_table(core))


def _sanction_lines(core: SanctionsCore) -> list[str]:
    when = {
        "inclusive": _("the last {k} periods, the present one included"),
        "prior": _("the {k} periods before"),
        "peer": _("the last {k} periods, the present one included and the very first left out"),
    }[core.window].format(k=core.memory)
    if core.signal == "baseline":
        lines = [_("All remember what each player contributed on average in {when}.")]
        compared = _("If that is less than expected")
    else:
        lines = [_("What a player contributes is compared with his or her average in {when}.")]
        compared = _("If it is less than that")
    if core.falls_on == "deviator":
        lines.append(
            _("{if_less}, each other player takes points from this player; if it is more, gives.")
        )
    else:
        lines.append(
            _("{if_less}, each other player loses points by it; if it is more, gains points.")
        )
    if core.form == "multiplier":
        mean = float(np.mean(core.endowment))
        share = percent(1 / mean)
        lines.append(
            _("An effect of 1 point changes what one earns in the period by {share}.").format(
                share=share
            )
        )
    return [line.format(when=when, if_less=compared) for line in lines]


def _sanction_table(core: SanctionsCore) -> list[dict[str, Any]]:
    """What one other player takes or gives, at the trust of the start."""
    weight = Reciprocity(core).weight
    pairs = weight[~np.eye(core.seats, dtype=bool)]
    if np.ptp(pairs) > 1e-12:
        return []
    far = (-10.0, -2.0, -1.0, 0.0, 1.0, 2.0, 10.0)
    effects = [pairs[0] * core.initial_trust * np.tanh(core.kappa * each) for each in far]
    digits = 1 if abs(effects[0]) >= 1 else 3
    return [
        {"head": _("Compared with that"), "cells": [_signed(each, 0) for each in far]},
        {
            "head": _("Points from one other player"),
            "cells": [_signed(float(each), digits) for each in effects],
        },
    ]


def _signed(value: float, digits: int) -> str:
    shown = f"{abs(value):.{digits}f}"
    if float(shown) == 0:
        return "0"
    return ("+" if value > 0 else "\N{MINUS SIGN}") + shown


def _trust(core: SanctionsCore) -> Section:
    whose = (
        _("trusts the one concerned")
        if core.falls_on == "deviator"
        else _("trusts the one who contributed")
    )
    lines = [
        _("How many points that are depends on trust: the more the other player {whose}, the more.")
        if core.falls_on == "deviator"
        else _("How many points that are depends on trust: the more one {whose}, the more."),
        _("At the start trust is {trust}. It grows when somebody contributes more than expected."),
        _(
            "It falls when somebody contributes less, and the damage is remembered: it limits how "
            "far trust can come back."
        ),
    ]
    said = {"whose": whose, "trust": percent(core.initial_trust)}
    return section(_("Trust"), [line.format(**said) for line in lines])


def _view(core: SanctionsCore) -> Section:
    lines = [
        _(
            "After every period you see what each player contributed, and the average that is "
            "remembered of each."
        ),
        _("You see who trusts whom, and the points taken and given between you and each other."),
    ]
    return section(_("What you see"), lines)


def texts(core: SanctionsCore) -> dict[str, str]:
    """Words of the stage, the decision card and the ledger."""
    return {
        "contribution_request": _("How many points do you contribute?"),
        "keeps": _("You keep {kept} points."),
        "kept": _("Kept"),
        "production": _("From the common good")
        if core.production == "public_good"
        else _("Own production"),
        "synergy": _("Share of the synergy"),
        "others": _("Part in the others"),
        "sanctions": _("Sanctions and rewards"),
        "remembered_of_you": _("What the others remember of you, on average"),
        "expected": _("expected: {b}"),
        "nothing_remembered": _("nothing yet"),
        "network": _("Points taken and given last period"),
        "network_text": _("Last period: {pairs}."),
        "pair_text": _("{player} to you {received}, you to {player} {given}"),
        "to_you": _("to you"),
        "from_you": _("from you"),
        "gives": _("gives"),
        "takes": _("takes"),
        "trust": _("Trust in %: who (row) trusts whom (column)"),
        "trusts": _("trusts"),
        "received": _("to you"),
        "given": _("from you"),
        "contributed": _("contributed"),
        "average": _("on average"),
        "own_series": _("your contribution"),
        "mean_series": _("average of all"),
        "expected_line": _("expected"),
    }


def summary(table: Table, log: list[dict[str, Any]], seat: int) -> list[str]:
    """What happened and why one earned what one earned, in sentences."""
    core = table.game.core
    rows = [row for row in log if row["kind"] == "period"]
    if not rows:
        return []
    given = np.array([row["state"]["contribution"] for row in rows])
    parts = {
        name: sum(row["components"][name][seat] for row in rows) for name in rows[0]["components"]
    }
    others = np.delete(given, seat, axis=1)
    lines = [
        _("You contributed {own} points on average, the others {others}. Expected: {b}.").format(
            own=number(float(given[:, seat].mean())),
            others=number(float(others.mean())),
            b=told(core.baseline),
        ),
        *_earned(core, parts),
        _sanctioned(core, parts["sanctions"]),
        _trusted(core, rows, seat),
    ]
    total = sum(sum(row["rewards"]) for row in rows)
    line = _("All players together earned {points} points.")
    return [*lines, line.format(points=number(total))]


def _earned(core: SanctionsCore, parts: dict[str, float]) -> list[str]:
    names = {
        "kept": _("{x} points that you kept"),
        "production": _("{x} from the common good")
        if core.production == "public_good"
        else _("{x} that you produced"),
        "synergy": _("{x} from the synergy"),
        "others": _("{x} through the others"),
    }
    said = [line.format(x=number(parts[name])) for name, line in names.items() if parts[name]]
    return [_("Your points: {parts}.").format(parts=", ".join(said))] if said else []


def _sanctioned(core: SanctionsCore, effect: float) -> str:
    if core.falls_on == "deviator":
        line = (
            _("For what you contributed the others took {x} points from you.")
            if effect < 0
            else _("For what you contributed the others gave you {x} points.")
        )
    else:
        line = (
            _("What the others contributed cost you {x} points through sanctions.")
            if effect < 0
            else _("What the others contributed brought you {x} points through rewards.")
        )
    return line.format(x=number(abs(effect)))


def _trusted(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> str:
    trust = np.array(rows[-1]["state"]["trust"])[:, seat]
    mean = float(np.delete(trust, seat).mean())
    line = _("Trust in you was {before} at the start and {after} at the end.")
    return line.format(before=percent(core.initial_trust), after=f"{number(100 * mean)} %")


def prepare(core: SanctionsCore) -> None:
    """Nothing has to be worked out before people arrive."""

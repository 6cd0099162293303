"""Names used in the sanctions game, sentences about its main rule, and the texts of its play
page."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.games.sanctions import SanctionsCore, SanctionsGame
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.engine.games.sanctions.equations import Reciprocity, private_payoff
from mixed_company.language import Words, forms, translated
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.texts import counted, exact, number, per_player
from sanctions import framing
from sanctions.quiz import expects

TITLE = translated("The common pool")

QUANTITIES = (
    translated("contribution"),
    translated("contribution expected of each player"),
    translated("contributed by each player last period"),
    translated("remembered average contribution"),
    translated("contributed in the last period"),
    translated("points that everyone gets for each point in the pool"),
    translated("multiplier for what contributions produce"),
    translated("signal"),
    translated("average trust between players"),
    translated("gains and losses between players"),
    translated("damage to one player's reputation with another"),
    translated("trust of one player in another"),
    translated("how much one player depends on another"),
    translated("remembered contributions"),
    translated("earned by each player in the last period"),
)
"""Names of the game's quantities, for rules about layers and roles (`server.pages.rules`)."""


def lead(game: SanctionsGame, seat: int) -> str:
    """Return a few sentences about the rule that matters most to a seat. The list is empty if no
    rule applies."""
    limit = most_given(game, seat)
    if plain.is_shared(game) or game.shocks or not limit:
        return ""
    core, rules = game.core, Reciprocity(game.core)
    by_deviator = core.falls_on == "deviator"
    weight = rules.weight[:, seat] if by_deviator else rules.weight[seat]
    trust = core.initial_trust or core.kappa_T * core.lambda_plus
    if not (weight * core.kappa * trust).any():
        return _dilemma(game)
    if not core.initial_trust:  # sanctions begin once there is trust
        return ""
    if not by_deviator:
        return _through_others(core)
    if core.signal == "deviation":
        return _(
            "Your contribution is compared with your own average. Below it you lose points; "
            "above it you gain points."
        )
    return _expected(game, float(rules.baseline[seat]), limit)


def brings(game: SanctionsGame, seat: int) -> str:
    """Return a sentence about the points that a contributed point earns, or an empty string if
    these vary."""
    core, limit = game.core, most_given(game, seat)
    if plain.is_shared(game) or not plain.is_steady(game, "mpcr", "theta") or limit < 1:
        return ""
    if core.production == "public_good":
        return counted(*framing.brings(core), core.mpcr)
    first, last = (
        float(np.ptp(private_payoff(core, np.full((2, core.seats), ends))["production"][:, seat]))
        for ends in ([[0.0], [1.0]], [[limit - 1.0], [limit]])
    )
    line = _("The first point you give produces {first} points for you. Point {n} produces {last}.")
    return line.format(first=number(first), n=exact(limit), last=number(last))


def most_given(game: SanctionsGame, seat: int) -> float:
    """Return the most points that a seat can contribute: its endowment, or the limit set by its
    role."""
    endowment = float(per_seat(game.core.endowment, game.seats)[seat])
    return min(plain.most(game, "contribution")[seat], endowment)


def leads(game: SanctionsGame) -> list[str]:
    """Return the main rule if it is the same for all seats; otherwise an empty list."""
    sentences = {lead(game, seat) for seat in range(game.seats)}
    return [line for line in sentences if line and len(sentences) == 1]


def _expected(game: SanctionsGame, baseline: float, limit: float) -> str:
    if game.core.window == "peer":  # at first nothing is remembered, which counts as 0
        return ""
    if limit > baseline:
        line = _(
            "Your average contribution is compared with the expected contribution of {b}. "
            "Below {b} you lose points; above {b} you gain points."
        )
    else:
        line = _(
            "Your average contribution is compared with the expected contribution of {b}. "
            "Below {b} you lose points."
        )
    return line.format(b=exact(baseline))


def _through_others(core: SanctionsCore) -> str:
    if core.signal == "baseline":
        return _(
            "When another player contributes less than expected on average, you lose "
            "points. When another player contributes more, you gain points. Your "
            "contributions affect the others in the same way."
        )
    return _(
        "When another player contributes less than their own average, you lose points. When "
        "another player contributes more, you gain points. Your contributions affect the others in "
        "the same way."
    )


def _dilemma(game: SanctionsGame) -> str:
    """Return the main rule of a game in which no player can lose or gain points because of
    another."""
    core = game.core
    of_good = core.production == "public_good" and core.reward == "private"
    tempting = core.mpcr < 1.0 < core.mpcr * core.seats
    if not (of_good and tempting and plain.is_steady(game, "mpcr")):
        return ""
    return framing.dilemma(core)


def texts(core: SanctionsCore) -> Words:
    """Return the texts of the stage, the decision card and the ledger."""
    words = {**_of_decision(core), **_of_stage(core), **_of_why(core)}
    return {**words, **framing.on_page(core)}


def _of_decision(core: SanctionsCore) -> Words:
    common = core.production == "public_good"
    return {
        "contribution_request": _("Points you give"),
        "keeps": forms("You keep {n} point.", "You keep {n} points."),
        "kept": _("Kept"),
        "production": _("From the common pool") if common else _("Own production"),
        "synergy": _("Share of the synergy"),
        "others": _("From others' points"),
        "sanctions": _("Sanctions and rewards"),
        "sum_kept": _("keep {x}"),
        "sum_production": _("pool {x}") if common else _("production {x}"),
        "sum_synergy": _("synergy {x}"),
        "sum_others": _("others {x}"),
        "sum_reward": _("reward {x}"),
        "sum_sanction": _("sanction {x}"),
        "sum_most": _("{term} (of at most {most})"),
        "sum_more": _("{sum} + {term}"),
        "sum_less": _("{sum} \N{MINUS SIGN} {term}"),
        "sum_total": forms("{sum} = {n} point", "{sum} = {n} points"),
        "sum_about": forms("{sum} = about {n} point", "{sum} = about {n} points"),
        "about": _("about {x}"),
        "as_last": _("“About” assumes that the others contribute the same amount as last period."),
        "as_expected": _("“About” assumes that the others make the expected contribution."),
        "stays": forms(
            "What you give counts towards your remembered average for {n} period.",
            "What you give counts towards your remembered average for {n} periods.",
        ),
        "ends": _("Sanctions and rewards: from {low} to {high} points."),
        "would_be": forms(
            "Your remembered average ({n} period) would then be {average}.",
            "Your remembered average ({n} periods) would then be {average}.",
        ),
    }


def _of_stage(core: SanctionsCore) -> Words:
    with_baseline = core.signal == "baseline"
    return {
        "remembered_of_you": _("your remembered average"),
        "compared": _("expected: {b}") if with_baseline else _("your last contribution: {b}"),
        "compared_below": _("below the expected {b}")
        if with_baseline
        else _("below your last contribution of {b}"),
        "compared_above": _("at or above the expected {b}")
        if with_baseline
        else _("at or above your last contribution of {b}"),
        "nothing_remembered": _("nothing yet"),
        "none_remembered": _("no remembered average yet"),
        "strip": _("Your contributions that count"),
        "strip_now": _("this period"),
        "strip_leaves": _("drops out next"),
        "strip_given": forms("{n} point", "{n} points"),
        "strip_left": forms("{n} point, drops out next", "{n} points, drops out next"),
        "strip_assumed": forms(
            "counts as {n} point (a period before the first)",
            "counts as {n} points (a period before the first)",
        ),
        "strip_more": _("and earlier periods"),
        "pot": _("in the pool") if core.production == "public_good" else _("given in total"),
        "pot_back": _("{x} back to you"),
        "pot_empty": _("Nothing has been given yet."),
        "pot_text": _("Total given: {total}. {players}."),
        "pot_gave": _("{player}: {given} given"),
        "pot_lost": _("{player}: {given} given, {points} lost"),
        "pot_gained": _("{player}: {given} given, {points} gained"),
        "key_coin": forms("{n} point", "{n} points"),
        "key_loses": _("loses points"),
        "players_last": _("What each player gave last period"),
        "players_expected": _(
            "What each player gave last period. The line marks the expected contribution."
        ),
        "players_now": _("What each player gave in this period"),
        "players_now_expected": _(
            "What each player gave in this period. The line marks the expected contribution."
        ),
        "players_hidden": _("You do not see what the others give."),
        "contributed": _("gave"),
        "earned_column": _("earned"),
        "average": _("remembered"),
        "trusted": _("trust"),
        "trust": _("Trust in %: who (row) trusts whom (column)"),
        "trusts": _("trusts"),
        "own_series": _("your contribution"),
        "mean_series": _("average of all players"),
        "expected_line": _("expected"),
    }


def _of_why(core: SanctionsCore) -> Words:
    """Return the texts about memory, gap and trust, which cause a period's sanctions."""
    with_baseline = core.signal == "baseline"
    return {
        "why": _("Why {points}?"),
        "why_memory": _("Memory: your remembered average"),
        "why_gap": _("Gap: your average minus the expected {b}")
        if with_baseline
        else _("Gap: what you gave minus your average"),
        "why_trust": _("Trust: how much others trust you"),
        "why_through": _("From {player}, in points")
        if core.form == "additive"
        else _("From {player}, in % of what you earned"),
        "gap": _("difference from the expected contribution")
        if with_baseline
        else _("difference from own average"),
        "your_trust": _("your trust"),
        "to_you": _("points for you") if core.form == "additive" else _("for you, in %"),
        "network": _("Gains and losses between you and the others over the whole game"),
        "network_text": _("Over the whole game: {pairs}."),
        "pair_text": _("you, because of {player}: {received}; {player}, because of you: {given}"),
        "gives": _("gains"),
        "takes": _("loses"),
        "compare": _("What each player earned, in points"),
        "all_expected": _("If everyone had given the expected amount")
        if expects(core)
        else _("If everyone had given {b}").format(b=per_player(framing.alike(core))),
        "all_nothing": _("If nobody had given anything"),
        "given_mean": _("gave on average: {x}"),
    }

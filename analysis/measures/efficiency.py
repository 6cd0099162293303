"""What was earned as a share of the most that could be.

The most is that of `engine.solutions`. There is none for the punishment vote: what can be collected
depends on what appears where and on who stands in whose way, and nobody has solved that. Its groups
are compared by points (`points`) and by the harm they do (`harm`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis.data import GROUP
from analysis.measures.declaring import measure
from analysis.measures.plays import Plays, Values
from engine import solutions
from engine.contract.space import Array
from engine.game import Game
from engine.solutions.sanctions import social_optimum

__all__ = ["commons_efficiency", "gem_efficiency", "sanctions_efficiency", "sanctions_period"]

_PRIVATE = ("kept", "production", "synergy")


@measure(
    "group",
    unit="share",
    games=("commons_game",),
    name="efficiency",
    higher_is="better",
    whole=True,
)
def commons_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """What the group earned as a share of the best plan under the group's own rules.

    Other rules have another best: where a rule makes more possible, a group can earn more and be
    less efficient. Compare `mean_points` as well.

    Formula: sum_t delta^t sum_i reward_it / the same of the best group plan
    (engine.solutions.commons_game.best_group_plan), delta the `discount` of the rules. What is left
    in the stock at the end is worth nothing, in both.

    Missing: the play has not ended; a seat was out of the play or its role bars an action; layers
    under which the best is not solved (all but information and hierarchy); or nothing can be
    earned.

    Source: Walker, Gardner and Ostrom (1990), Journal of Environmental Economics and Management
    19(3): rent as a share of the optimum; Clark (1990), Mathematical Bioeconomics, 2nd ed., for
    the plan.
    """
    return _share_of_best(plays)


@measure(
    "group", unit="share", games=("sanctions",), name="efficiency", higher_is="better", whole=True
)
def sanctions_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """Private payoffs of the group as a share of those of the social optimum under its own rules.

    Sanctions, and the welfare of others that counts in a reward, are not in it: it is what
    contributions made of the endowments.

    Formula: sum over seats and periods of `reward_kept` + `reward_production` + `reward_synergy` /
    (periods * sum of the payoffs of engine.solutions.sanctions.social_optimum).

    Missing: the play has not ended; a seat was out of the play or its role bars an action; or
    layers under which the best is not solved (all but information and hierarchy).

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2; the
    optimum: arXiv:2510.18802.
    """
    return _share_of_best(plays)


@measure("period", unit="share", games=("sanctions",), name="efficiency", higher_is="better")
def sanctions_period(plays: Plays, by: list[str]) -> Values[float]:
    """Private payoffs of the period as a share of those of the social optimum.

    Formula: sum over seats of `reward_kept` + `reward_production` + `reward_synergy` / sum of the
    payoffs of engine.solutions.sanctions.social_optimum.

    Missing: a seat was out of the play or its role bars an action; or layers under which the best
    is not solved (all but information and hierarchy).

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    rows = plays.decisions
    earned = rows[[f"reward_{name}" for name in _PRIVATE]].sum(axis=1)
    earned = earned.groupby([rows[key] for key in by]).sum().where(_whole(plays, by))
    best = pd.Series(np.nan, plays.groups.index)
    for game, places in plays.each_game(plays.groups.reset_index()):
        if _known(game):
            best.iloc[places] = float(social_optimum(game.core).payoffs.sum())
    most = best.to_numpy()[plays.number(earned.index.to_frame(index=False))]
    return pd.Series(earned.to_numpy() / most, earned.index)


@measure(
    "group",
    "period",
    unit="share",
    games=("gem_mining",),
    name="efficiency",
    higher_is="better",
    whole=True,
)
def gem_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """Expected points of the joint choices as a share of the best under the group's own rules.

    Chance is not in it: what a choice makes one expect counts, not what was found. The best joint
    choice is that for the chances at the beginning of the period, among the villages in the play.

    Formula: sum of `expected_points` / sum of `best_expected_points`, over the periods of the
    group, or of the period; see engine.solutions.gem_mining.judge.

    Missing: the play has not ended (of a group); in any of the periods the search for the best
    would be too long, or it is 0.

    Source: Roijers, Whiteson and Oliehoek (2015), Journal of AI Research 52, for the exact best.
    """
    best = plays.periods["best_expected_points"].astype("float64")
    sums = pd.DataFrame({"got": plays.periods["expected_points"], "best": best.where(best > 0)})
    grouped = sums.groupby([plays.periods[key] for key in by])
    return grouped["got"].sum() / grouped["best"].sum().where(
        grouped["best"].count() == grouped.size()
    )


# -- the best that the engine knows ---------------------------------------------------------------


def _known(game: Game[Any]) -> bool:
    """Has the engine solved this game as it was played?"""
    return not game.barred and solutions.has_best(game)


def _whole(plays: Plays, by: list[str]) -> Values[bool]:
    """Groups or periods in which no seat was out of the play."""
    return plays.here.groupby([plays.decisions[key] for key in by]).all()


def _share_of_best(plays: Plays) -> Values[float]:
    found = np.full(len(plays.groups), np.nan)
    whole = _whole(plays, GROUP).reindex(plays.groups.index, fill_value=False)
    whole &= plays.over
    groups = plays.groups.reset_index()
    rows = plays.decisions[plays.to_rows(whole, GROUP).astype(bool)]
    for game, places in plays.each_game(groups):
        own = places[whole.iloc[places].to_numpy()]
        if own.size and _known(game):
            some = rows[np.isin(plays.number(rows), own)]
            found[own] = solutions.share_of_best(game, [], _components(game, plays, some, own))
    return pd.Series(found, plays.groups.index)


def _components(
    game: Game[Any], plays: Plays, rows: pd.DataFrame, groups: Array
) -> list[dict[str, Array]]:
    """The reward components of groups of one game, period by period, (groups, n) each.

    Where a group has ended before the others they are 0.
    """
    names = [field.name for field in game.declaration.components]
    place = np.searchsorted(groups, plays.number(rows))
    period, seat = rows["period"].to_numpy(), rows["seat"].to_numpy()
    told = np.zeros((int(period.max()) + 1, len(names), len(groups), game.seats))
    for number, name in enumerate(names):
        told[period, number, place, seat] = rows[f"reward_{name}"]
    return [dict(zip(names, each, strict=True)) for each in told]

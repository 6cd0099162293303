"""Harm that seats cause each other in the punishment vote."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.analysis.data import PERIOD
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import FROM_0
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game


@measure("group", "person", "period", unit="points", higher_is="worse", ends=FROM_0)
def harm_caused(plays: Plays, by: list[str]) -> Values[float]:
    """Mean total cost that a seat imposes on all others in a turn.

    For a group over its whole play, this equals harm_suffered, because the others bear the cost of
    the harm that a seat causes. This also holds for each turn if seats move simultaneously. If they
    move in sequence, others suffer some of the harm a turn later.

    Formula: mean, over the decisions that count, of the harm of the collected kind * number of
    other seats in the play.

    Missing: no decision counts.

    Source: rules of the game, Social Harm System; Pigou (1920), The Economics of Welfare.
    """
    caused = plays.seatwise(_harming, "after_collected")
    seats = plays.here.groupby([plays.decisions[key] for key in PERIOD]).transform("sum")
    return plays.mean(caused * (seats - 1), by)


@measure(
    "group",
    "person",
    "period",
    unit="points",
    higher_is="worse",
    same_as=("harm_caused",),
    ends=FROM_0,
)
def harm_suffered(plays: Plays, by: list[str]) -> Values[float]:
    """Mean loss per seat and turn because of resources that others collected.

    Formula: mean of - `reward_harm` over the decisions that count.

    Missing: no decision counts.

    Source: rules of the game, Social Harm System; Pigou (1920), The Economics of Welfare.
    """
    return plays.mean(0.0 - plays.decisions["reward_harm"], by)


def _harming(game: Game[Any], kinds: Array) -> Array:
    harms = [0.0, *(kind.harm for kind in game.core.resources.values())]
    return np.asarray(np.array(harms)[kinds])

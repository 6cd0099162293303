"""Analysis of the punishment vote: points, the level, harm, collected resources, and the
points within reach after a step, computed from what the seats see."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.analysis.games import (
    POINTS,
    Cooperation,
    GameAnalysis,
    Pattern,
    PolicyTable,
    Quantity,
    Reach,
    Sample,
    Trial,
)
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.games.punishment_vote import sight
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.seats import Gathered


def _votes(game: Game[Any]) -> Array:
    return sight.votes(game.core)


def _refuses(game: Game[Any]) -> str:
    return "" if game.core.vision > 0 else "vision = 0: seats do not see any resources"


def _worth(game: Game[Any], states: Arrays, seats: Array) -> Array:
    """Return the points per step for each seat's view, shape (B, A)."""
    plays = np.arange(len(seats))
    seen_by_all = game.observe(states, game.draw_chance(0, 0))
    seen = Gathered(game.declaration.observations, seen_by_all, plays, seats)
    return sight.points_per_step(seen, game.core)


REACH = Reach("action", _votes, _refuses, _worth)


__all__ = ["ANALYSIS"]


def _level(play: Episode) -> float:
    return 100 * float(play.observations["level"])


_PATTERN = Pattern(
    title="A vote for punishment deters",
    says="If votes change the level, a single player who votes for more punishment is enough to "
    "end the collection of harmful resources, because collecting them no longer pays. If votes "
    "have no effect, the collection continues.",
    source="Yamagishi (1986), Journal of Personality and Social Psychology 51(1)",
    people=("forager", "forager", "forager", "law_and_order"),
    treatments={"votes without effect": {"vote_step": 0.0}, "votes": {}},
    expected={
        "taboo": ("votes", "votes without effect"),
        "harm_caused": ("votes", "votes without effect"),
        "mean_points": ("votes without effect", "votes"),
    },
    course="harm_caused",
    archetype="lab_0_7",
)

ANALYSIS = GameAnalysis(
    main=(
        "points_per_period",
        "efficiency_at_least",
        "harm_caused",
        "level",
        "punishment_demand",
        "taboo",
        "gini",
    ),
    series=("level", "harm_caused", "points_per_period"),
    quantities=(
        Quantity("periods", "after_level", "punishment level"),
        Quantity("decisions", "after_harm_paid", "cumulative harm paid", so_far=True),
        POINTS,
    ),
    cooperation=Cooperation("after_collected", answers=False),
    reach=REACH,
    trials=(
        Trial(
            "quantal_response_reach",
            {"precision": 1.5, "voting": -1.0},
            {"archetype": "lab_0_8", "turns": 30},
        ),
    ),
    policies=PolicyTable(
        archetypes=("lab", "source"),
        heading="level in %",
        meaning="the punishment level at the end",
        number=_level,
    ),
    plays=24,
    pattern=_PATTERN,
    sample=Sample("vote_effect", speed="instant"),
)

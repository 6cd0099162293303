"""Analysis of gem mining: how villages coordinate their choices of mines."""

from __future__ import annotations

from mixed_company.analysis.games import (
    POINTS,
    GameAnalysis,
    Pattern,
    PolicyTable,
    Quantity,
    Sample,
    Trial,
)
from mixed_company.engine import solutions
from mixed_company.engine.play.episode import Episode

__all__ = ["ANALYSIS"]


def _efficiency(play: Episode) -> float:
    """Return the efficiency of the last joint choice, in %."""
    state = play.state_record()
    return 100 * float(solutions.judge(play.game, state, state)["efficiency"])


_LAB = {"archetype": "lab_0_7"}

_PATTERN = Pattern(
    title="Coordination needs information",
    says="If each seat sees only its own finds, a policy that avoids crowds sees nobody and "
    "chooses at random; if it sees all finds, it rarely meets others. So the same policy is "
    "compared with and without information.",
    source="Challet and Zhang (1997), Physica A 246",
    people=("avoid_crowd",) * 4,
    treatments={"own finds seen": {"information": "own"}, "all seen": {"information": "all"}},
    expected={
        "excess_crowding": ("all seen", "own finds seen"),
        "efficiency": ("own finds seen", "all seen"),
    },
    course="efficiency",
    archetype="lab_0_7",
)

ANALYSIS = GameAnalysis(
    main=(
        *("efficiency", "points_per_period", "best_choices", "excess_crowding"),
        "pareto_distance",  # no gini, because under the rules all villages earn the same
    ),
    series=("efficiency", "excess_crowding", "points_per_period"),
    quantities=(
        Quantity("decisions", "used_mine", "mine"),
        Quantity("periods", "expected_points", "expected points"),
        POINTS,
    ),
    trials=(
        Trial("quantal_response", {"precision": 8}, _LAB),
        Trial("reinforcement_learning", {"precision": 1.5, "learning_rate": 0.3}, _LAB),
    ),
    policies=PolicyTable(
        archetypes=("lab",),
        heading="efficiency in %",
        meaning="the expected points from the last joint choice, as a percentage of those from "
        "the best joint choice",
        number=_efficiency,
    ),
    pattern=_PATTERN,
    sample=Sample("gems_information"),
)

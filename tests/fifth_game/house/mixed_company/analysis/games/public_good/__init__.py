"""Analysis of the public good: contributions, points assigned to others, and efficiency."""

from __future__ import annotations

from mixed_company.analysis.games import (
    POINTS,
    Contribution,
    Cooperation,
    GameAnalysis,
    PolicyTable,
    Quantity,
    Sample,
)

__all__ = ["ANALYSIS"]


ANALYSIS = GameAnalysis(
    main=("cooperation", "punishment_assigned", "efficiency", "mean_points", "gini"),
    series=("cooperation", "punishment_assigned"),
    quantities=(Quantity("decisions", "used_contribution", "contribution"), POINTS),
    cooperation=Cooperation("used_contribution"),
    contribution=Contribution("used_contribution"),
    policies=PolicyTable(archetypes=("lab", "source")),
    plays=40,
    sample=Sample("public_good_punishment", groups=1),
)

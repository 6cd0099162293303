"""Analysis of the public good: contributions, and the costs of punishment."""

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
    main=("cooperation", "punishment", "efficiency", "mean_points", "gini"),
    series=("cooperation", "punishment"),
    quantities=(
        Quantity("decisions", "used_contribution", "contribution"),
        Quantity("decisions", "used_punishment", "spent on punishing"),
        Quantity("decisions", "after_suffered", "lost to punishment"),
        POINTS,
    ),
    cooperation=Cooperation("used_contribution"),
    contribution=Contribution("used_contribution"),
    policies=PolicyTable(archetypes=("lab", "source")),
    plays=40,
    sample=Sample("public_good_punishment", groups=1),
)

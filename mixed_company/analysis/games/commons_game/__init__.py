"""Analysis of the commons game: stock, harvest, and contributions to a pool."""

from __future__ import annotations

from mixed_company.analysis.games import (
    POINTS,
    Contribution,
    Cooperation,
    Future,
    GameAnalysis,
    Pattern,
    PolicyTable,
    Quantity,
    Sample,
    Trial,
)
from mixed_company.analysis.games.commons_game import stock_worth

__all__ = ["ANALYSIS"]


_QUOTA = {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 2.5}}}}
_POOL = {"governance": "per_step", "pool_effect": 2.0}
_LASTING = {"periods": 20, "growth_rate": 0.8}

_PATTERN = Pattern(
    title="Over-harvesting under open access, and governance as a remedy",
    says="Without rules, the stock collapses; a pool that feeds it, or a quota, sustains it. The "
    "pool also raises earnings; the quota only preserves the stock.",
    source="Gordon (1954), Journal of Political Economy 62(2); Ostrom (1990), Governing "
    "the Commons",
    people=("greedy", "half_capacity", "noisy_person", "steward"),
    treatments={"open access": {}, "pool": _POOL, "quota": {"layers": _QUOTA}},
    expected={
        "periods_survived": ("open access", "pool"),
        "stock_share": ("open access", "pool", "quota"),
        "mean_points": ("open access", "pool"),
    },
    course="stock_share",
    archetype="lab_0_7",
)

ANALYSIS = GameAnalysis(
    main=(
        *("efficiency", "mean_points", "periods_survived", "stock_share", "harvest"),
        *("contribution", "gini"),
    ),
    series=("stock_share", "harvest", "contribution"),
    lasting=("periods_survived", "collapsed"),
    quantities=(
        Quantity("periods", "after_stock", "stock"),
        Quantity("decisions", "used_harvest", "harvest"),
        Quantity("decisions", "used_contribution", "contribution"),
        POINTS,
    ),
    cooperation=Cooperation("used_harvest"),
    contribution=Contribution("used_contribution", lambda game: game.core.governance != "none"),
    future=Future("harvest", stock_worth.refuses, stock_worth.worth),
    trials=(
        Trial("conditional_cooperation", {"intercept": 0.5, "slope": 0.7, "noise": 1}, _LASTING),
        Trial("quantal_response", {"precision": 0.3}, _LASTING),
        Trial(
            "quantal_response_future",
            {"precision": 0.6, "future": 0.8},
            {"periods": 20, "growth_rate": 0.4},
        ),
    ),
    policies=PolicyTable(archetypes=("lab", "governed")),
    pattern=_PATTERN,
    sample=Sample("commons_quota", groups=5),
)

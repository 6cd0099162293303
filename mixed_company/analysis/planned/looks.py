"""The look at which the data of a plan are, and the level that is left for it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from mixed_company.analysis.data import Data
from mixed_company.analysis.statistics.effects import is_difference
from mixed_company.analysis.statistics.spending import levels, unbiased
from mixed_company.experiment.plan import Plan

__all__ = ["Look", "played", "taken"]


@dataclass(frozen=True)
class Look:
    """A look at the tests of a plan.

    groups   of each treatment that have played to the end; of the treatment that has fewest
    stated   the plan has a look at so many, or all have played
    shares   of the groups that were planned, at this look and those before
    """

    plan: Plan
    groups: int
    stated: bool
    shares: tuple[float, ...]

    @property
    def by_family(self) -> dict[str, float]:
        """The level of each test of a family: alpha is divided by its hypotheses, and each spends
        its own share of it over the looks."""
        return {
            family: levels(self.shares, alpha, self.plan.spending)[-1]
            for family, alpha in self._alphas.items()
        }

    @property
    def _alphas(self) -> dict[str, float]:
        """What each hypothesis of a family has to spend over all looks."""
        sizes = Counter(own.family for own in self.plan.hypotheses.values())
        return {family: self.plan.alpha / size for family, size in sizes.items()}

    def unbiased(self, hypotheses: pd.DataFrame) -> list[float]:
        """Return the effects of hypotheses (`tested.tested`) less their bias.

        NaN: those that are not decided and go on, and effects that are no difference.
        """
        return [self._unbiased(row) for row in hypotheses.to_dict("records")]

    def _unbiased(self, row: Mapping[Any, Any]) -> float:
        own, family = self.plan, row["family"]
        later = [look / own.groups for look in (*own.looks, own.groups) if look > self.groups]
        goes_on = bool(later) and row["p"] > self.by_family[family]
        if pd.isna(row["p"]) or goes_on or not is_difference(row["effect_name"]):
            return math.nan
        shares, at = [*self.shares, *later], len(self.shares) - 1
        return unbiased(row["effect"], row["p"], shares, at, self._alphas[family], own.spending)

    def words(self, hypotheses: pd.DataFrame) -> Iterator[str]:
        """Yield what a look means, for a report of hypotheses with their unbiased effects."""
        own = self.plan
        yield (
            f"Look {len(self.shares)}: {self.groups} of {own.groups} groups of each treatment, of "
            f"looks stated at {', '.join(map(str, (*own.looks, own.groups)))}. Alpha is spent as "
            f"by {_NAMES[own.spending]} (Lan and DeMets 1983): a hypothesis is decided where its "
            "p, not the corrected one, is at most its level. Intervals are repeated confidence "
            "intervals (Jennison and Turnbull 1989), each of 1 less the level: they leave out 0 "
            "just where the hypothesis is decided, and hold the truth at all looks together as "
            "often as the plan's alpha says. Early ones are wide, and where no value could decide "
            "there is none."
        )
        if hypotheses["unbiased_effect"].notna().any():
            yield (
                "Experiments that can stop early overstate effects, on average. Unbiased effect: "
                "that of which such experiments on average estimate the effect beside it "
                "(Whitehead 1986)."
            )


_NAMES = {"obrien_fleming": "O'Brien and Fleming", "pocock": "Pocock"}


def taken(data: Data, plan: Plan) -> Look | None:
    """Return the look that these data allow; None without looks, or before any play."""
    groups = min(played(data, plan).values())
    if not plan.looks or not groups:
        return None
    at = [*(look for look in plan.looks if look < groups), min(groups, plan.groups)]
    stated = groups in plan.looks or groups >= plan.groups
    return Look(plan, groups, stated, tuple(one / plan.groups for one in dict.fromkeys(at)))


def played(data: Data, plan: Plan) -> dict[str, int]:
    """Return the groups of each treatment that have played to the end, of the first block."""
    groups = data.groups
    names = groups["treatment"].astype(str)[groups["ended"] != ""]
    first = f", {plan.block_names[0]}" if plan.blocks else ""  # later blocks are theirs
    return {name: int((names == f"{name}{first}").sum()) for name in plan.treatments}

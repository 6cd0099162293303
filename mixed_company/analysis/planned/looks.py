"""Interim looks at a plan's data, and the levels of their tests."""

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


@dataclass(frozen=True)
class Look:
    """An interim or final look at the data of a plan.

    groups   number of groups that played to the end, in the treatment with the fewest such groups
    stated   whether the plan has a look at this number of groups, or all groups have played
    shares   share of the planned groups at this look and at each earlier one
    """

    plan: Plan
    groups: int
    stated: bool
    shares: tuple[float, ...]

    @property
    def by_family(self) -> dict[str, float]:
        """The level of each test, by family. Alpha is divided equally among a family's hypotheses,
        and each hypothesis spends its share over the looks."""
        return {
            family: levels(self.shares, alpha, self.plan.spending)[-1]
            for family, alpha in self._alphas.items()
        }

    @property
    def _alphas(self) -> dict[str, float]:
        """The alpha that each hypothesis of a family can spend over all looks."""
        sizes = Counter(hypothesis.family for hypothesis in self.plan.hypotheses.values())
        return {family: self.plan.alpha / size for family, size in sizes.items()}

    def unbiased(self, hypotheses: pd.DataFrame) -> list[float]:
        """Return the hypotheses' effects (`tested.tested`), corrected for their bias.

        They are NaN for hypotheses that are not yet decided and for effects that are not
        differences.
        """
        return [self._unbiased(row) for row in hypotheses.to_dict("records")]

    def _unbiased(self, row: Mapping[Any, Any]) -> float:
        plan, family = self.plan, row["family"]
        later = [look / plan.groups for look in (*plan.looks, plan.groups) if look > self.groups]
        continues = bool(later) and row["p"] > self.by_family[family]
        if pd.isna(row["p"]) or continues or not is_difference(row["effect_name"]):
            return math.nan
        shares, place = [*self.shares, *later], len(self.shares) - 1
        return unbiased(row["effect"], row["p"], shares, place, self._alphas[family], plan.spending)

    def words(self, hypotheses: pd.DataFrame) -> Iterator[str]:
        """Yield sentences that explain the look and the columns of a table of hypotheses."""
        plan = self.plan
        yield (
            f"Look {len(self.shares)}: {self.groups} of {plan.groups} groups of each treatment; "
            f"looks are planned at {', '.join(map(str, (*plan.looks, plan.groups)))}. Alpha is "
            f"spent as in {_NAMES[plan.spending]} (Lan and DeMets 1983). A hypothesis is decided "
            f"if its uncorrected p is at most its level. Intervals are repeated confidence "
            "intervals (Jennison and Turnbull 1989) with confidence 1 minus the level. They "
            "exclude 0 if and only if the hypothesis is decided, and over all looks they cover "
            "the true effect as often as the plan's alpha implies. Early intervals are wide, and "
            "missing if no value could decide the hypothesis."
        )
        if hypotheses["unbiased_effect"].notna().any():
            yield (
                "Experiments that can stop early overstate effects on average. The unbiased effect "
                "is the true effect for which such experiments would, on average, find the effect "
                "shown next to it (Whitehead 1986)."
            )


_NAMES = {"obrien_fleming": "O'Brien and Fleming", "pocock": "Pocock"}


def taken(data: Data, plan: Plan) -> Look | None:
    """Return the look that these data allow; None if there are no looks or no finished groups."""
    groups = min(played(data, plan).values())
    if not plan.looks or not groups:
        return None
    looks = [*(look for look in plan.looks if look < groups), min(groups, plan.groups)]
    stated = groups in plan.looks or groups >= plan.groups
    return Look(plan, groups, stated, tuple(count / plan.groups for count in dict.fromkeys(looks)))


def played(data: Data, plan: Plan) -> dict[str, int]:
    """Return the number of groups of each treatment that played the first block to the end."""
    groups = data.groups
    if "play" in data.config:  # all plays of a block have the same people
        groups = groups[(data.config["play"] == 0).to_numpy()]
    names = groups["treatment"].astype(str)[groups["ended"] != ""]
    first = f", {plan.block_names[0]}" if plan.blocks else ""  # later blocks have the same groups
    return {name: int((names == f"{name}{first}").sum()) for name in plan.treatments}

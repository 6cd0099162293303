"""Interim looks at a plan's data: which look a hypothesis is at, and the level of its test.

Blocks end one after the other, so hypotheses about different blocks can be at different looks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from mixed_company.analysis.data import Data
from mixed_company.analysis.planned.tested import of_block
from mixed_company.analysis.statistics.effects import is_difference
from mixed_company.analysis.statistics.spending import levels, unbiased
from mixed_company.experiment.comparisons import abridged, counted, listed
from mixed_company.experiment.digests import label
from mixed_company.experiment.plan import Plan


@dataclass(frozen=True)
class Look:
    """An interim or final look at a plan's data.

    counts   number of groups that played to the end, by treatment
    """

    plan: Plan
    counts: Mapping[str, int]

    @property
    def groups(self) -> int:
        """The number of groups in the treatment with the fewest groups."""
        return min(self.counts.values())

    @property
    def stated(self) -> bool:
        """Return whether the plan has a look at this number of groups of each treatment, or all
        groups have played."""
        at_look = self._is_even and self.groups in self.plan.looks
        return at_look or self.groups >= self.plan.groups

    @property
    def _is_even(self) -> bool:
        return len(set(self.counts.values())) == 1

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of the planned groups at each earlier look and at this one."""
        whole, groups = self.plan.groups, self.groups
        looks = [*(look for look in self.plan.looks if look < groups), min(groups, whole)]
        return tuple(count / whole for count in looks)

    @property
    def in_words(self) -> str:
        """The numbers of groups, by treatment if they differ."""
        counts = {"each treatment": self.groups} if self._is_even else self.counts
        return abridged([f"{counted(count, 'group')} of {name}" for name, count in counts.items()])

    @property
    def by_family(self) -> dict[str, float]:
        """The level of each test, by family. Alpha is divided equally among a family's hypotheses,
        and each hypothesis spends its share of alpha over the looks."""
        return {
            family: levels(self.shares, alpha, self.plan.spending)[-1]
            for family, alpha in _alphas(self.plan).items()
        }

    def unbiased(self, hypotheses: pd.DataFrame) -> list[float]:
        """Return the hypotheses' effects (`tested.tested`), corrected for their bias.

        They are NaN for hypotheses that are not yet decided and for effects that are not
        differences.
        """
        return [self._unbiased(row) for row in hypotheses.to_dict("records")]

    def _unbiased(self, row: Mapping[Any, Any]) -> float:
        plan, family = self.plan, row["family"]
        if pd.isna(row["p"]) or not is_difference(row["effect_name"]):
            return math.nan
        later = [look / plan.groups for look in (*plan.looks, plan.groups) if look > self.groups]
        if later and row["p"] > self.by_family[family]:
            return math.nan
        shares, place = [*self.shares, *later], len(self.shares) - 1
        alpha = _alphas(plan)[family]
        return unbiased(row["effect"], row["p"], shares, place, alpha, plan.spending)


def _alphas(plan: Plan) -> dict[str, float]:
    """Return the alpha that each hypothesis of a family can spend over all looks."""
    sizes = Counter(hypothesis.family for hypothesis in plan.hypotheses.values())
    return {family: plan.alpha / size for family, size in sizes.items()}


def planned_levels(plan: Plan) -> dict[str, list[float]]:
    """Return the level of a hypothesis's test at each planned look, by family."""
    shares = [count / plan.groups for count in (*plan.looks, plan.groups)]
    return {family: levels(shares, alpha, plan.spending) for family, alpha in _alphas(plan).items()}


def levels_in_words(plan: Plan) -> str:
    """Describe the level at each planned look; by family, if families differ."""
    by_text: dict[str, list[str]] = {}
    for family, at_looks in planned_levels(plan).items():
        text = "; ".join(
            f"{look} groups of each treatment at level {level:.2g}"
            for look, level in zip((*plan.looks, plan.groups), at_looks, strict=True)
        )
        by_text.setdefault(text, []).append(family)
    if len(by_text) == 1:
        return next(iter(by_text))
    return "; ".join(f"family {listed(names)}: {text}" for text, names in by_text.items())


def taken(data: Data, plan: Plan, blocks: Sequence[str] = ()) -> Look | None:
    """Return the look that is possible with the groups that played these blocks to the end, by
    default the first block. Return None if there are no looks or a treatment has no such group."""
    if not plan.looks:
        return None
    parts = [played(data, plan, block) for block in blocks or ("",)]
    counts = {name: min(part[name] for part in parts) for name in plan.treatments}
    return Look(plan, counts) if min(counts.values()) else None


def played(data: Data, plan: Plan, block: str = "") -> dict[str, int]:
    """Return each treatment's number of groups that played a block to the end, by default the first
    block. In a repeated block, the play that the fewest groups ended counts."""
    block = block or (plan.block_names[0] if plan.blocks else "")
    plays = next((other.repeat for other in plan.blocks if other.name == block), 1)
    numbers = data.config["play"].to_numpy() if "play" in data.config else 0
    groups = data.groups.assign(play=numbers)
    ended = groups[groups["ended"] != ""]
    names = ended["treatment"].astype(str)
    return {
        name: min(
            int(((names == label(name, block)) & (ended["play"] == play)).sum())
            for play in range(plays)
        )
        for name in plan.treatments
    }


def of_hypotheses(games: Sequence[Data], plan: Plan) -> dict[str, Look]:
    """Return the look that each hypothesis is at. Hypotheses are left out if a treatment has no
    group that played their block to the end; all are, if the plan has no looks.

    games   data of each block's game (`tested.tested`)
    """
    looks = {
        name: taken(of_block(games, hypothesis), plan, hypothesis.blocks or (hypothesis.block,))
        for name, hypothesis in plan.hypotheses.items()
    }
    return {name: look for name, look in looks.items() if look is not None}


def by_hypotheses(looks: Mapping[str, Look]) -> dict[str, Look]:
    """Return the different looks by the names of their hypotheses, separated by commas."""
    names: dict[object, list[str]] = {}
    for name, look in looks.items():
        names.setdefault(tuple(look.counts.items()), []).append(name)
    return {", ".join(hypotheses): looks[hypotheses[0]] for hypotheses in names.values()}


def levels_of(looks: Mapping[str, Look], plan: Plan) -> dict[str, float] | None:
    """Return the level of each hypothesis's test; None if the plan has no looks."""
    hypotheses = plan.hypotheses
    by_name = {name: look.by_family[hypotheses[name].family] for name, look in looks.items()}
    return by_name if plan.looks else None


def with_levels(table: pd.DataFrame, looks: Mapping[str, Look], plan: Plan) -> pd.DataFrame:
    """Return the table of hypotheses with each test's level and unbiased effect; unchanged if no
    hypothesis is at a look."""
    if not looks:
        return table
    table, names = table.copy(), table["hypothesis"]
    effects = {name: looks[name].unbiased(table[names == name])[0] for name in looks}
    place = list(table.columns).index("p_corrected") + 1
    table.insert(place, "level", names.map(levels_of(looks, plan) or {}))
    place = list(table.columns).index("effect") + 1
    table.insert(place, "unbiased_effect", names.map(effects).astype(float))
    return table


def words(looks: Mapping[str, Look], plan: Plan, table: pd.DataFrame) -> Iterator[str]:
    """Yield sentences that explain the looks and the columns of a hypothesis table."""
    if not looks:
        return
    planned = f"looks are planned at {', '.join(map(str, (*plan.looks, plan.groups)))}"
    by_names = by_hypotheses(looks)
    for names, look in by_names.items():
        about = f" ({names})" if len(by_names) > 1 else ""
        yield f"Look {len(look.shares)}{about}: {look.in_words}; {planned}."
    yield (
        f"Alpha is spent as in {_NAMES[plan.spending]} (Lan and DeMets 1983). A hypothesis is "
        "decided if its uncorrected p is at most its level. Intervals are repeated confidence "
        "intervals (Jennison and Turnbull 1989) with confidence 1 minus the level. They "
        "exclude 0 (for a probability of superiority: 0.5) if and only if the hypothesis is "
        "decided, and over all looks they cover the true effect as often as the plan's alpha "
        "implies. Early intervals are wide. An interval is missing if no value could decide the "
        "hypothesis, or if its kind of effect has no interval."
    )
    if table["unbiased_effect"].notna().any():
        yield (
            "Experiments that can stop early overstate effects on average. The unbiased effect "
            "is the true effect for which such experiments would, on average, find the effect "
            "shown next to it (Whitehead 1986)."
        )


_NAMES = {"obrien_fleming": "O'Brien and Fleming", "pocock": "Pocock"}

"""What a report says of the plan of an experiment: its hypotheses, and what was done otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.data import Data
from analysis.planned.deviations import before_data, deviations
from analysis.planned.looks import taken
from analysis.planned.tested import tested
from analysis.report.parts import Table, function_name
from experiment.plan import Plan
from experiment.sealing import Seal

__all__ = ["Planned", "of_plan"]


@dataclass(frozen=True)
class Planned:
    """The part of a report that is about the plan.

    title         of the plan
    question      what its first hypothesis expects
    measures      what its hypotheses are about
    confirmatory  it was sealed before anybody came
    words         what that means, and what the plan says that no test can look at
    tables        hypotheses and deviations
    """

    title: str
    question: str
    measures: tuple[str, ...]
    confirmatory: bool
    words: tuple[str, ...]
    tables: tuple[Table, ...]


def of_plan(
    data: Data,
    plan: Plan,
    content: Mapping[str, Any],
    seal: Seal | None,
    others: Sequence[Data] = (),
) -> Planned:
    """`data` are those of the plan (`analysis.planned.tested.of_plan`), of the game of its first
    block, `others` those of other games that blocks play; `content` is that of the file now. With
    a seal, what was sealed is tested, whatever the file says now."""
    own = plan if seal is None else Plan.model_validate(seal.content["plan"])
    confirmatory = seal is not None and before_data(data, seal)
    word = "confirmatory" if confirmatory else "exploratory"
    table = tested([data, *others], own)
    table.insert(1, "status", word)
    look = taken(data, own)
    if look is not None:
        at = list(table.columns).index("p_corrected")
        table.insert(at + 1, "level", table["family"].map(look.by_family))
    listed = deviations(data, own, content, seal, others)
    tables = (
        Table("hypotheses", "The hypotheses", table, function_name(tested), _TESTS),
        Table("deviations", "Deviations that the data show", listed, function_name(deviations)),
    )
    hypotheses = list(own.hypotheses.values())
    return Planned(
        own.title,
        hypotheses[0].meaning if hypotheses else "",
        tuple(dict.fromkeys(hypothesis.measure for hypothesis in hypotheses)),
        confirmatory,
        (*_words(own, seal, confirmatory, listed), *(look.words if look else ())),
        tables,
    )


_TESTS = (
    "One test each, as the plan names it; the group is the unit. P corrected: by Holm, over the "
    "hypotheses of a family."
)


def _words(plan: Plan, seal: Seal | None, confirmatory: bool, listed: pd.DataFrame) -> list[str]:
    lines = []
    if confirmatory and seal is not None:
        lines.append(
            f"Sealed {seal.sealed}, before anybody came ({seal.digest:.12}). The hypotheses below "
            "are confirmatory; everything else in this report is exploratory."
        )
    else:
        why = "was not sealed" if seal is None else "was sealed only after people had come"
        lines.append(f"The plan {why}: everything in this report is exploratory.")
    lines += [f"Excluded, as planned: {rule}" for rule in plan.exclusions]
    if plan.exclusions:
        lines.append("No exclusion is made by this report: all groups that played are in it.")
    lines.append(f"Stopping, as planned: {plan.stopping or 'no rule'}")
    lines.append(f"Deviations that the data show: {len(listed)}.")
    return lines

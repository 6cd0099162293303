"""How likely the hypotheses of a plan are found, by simulation (`analysis.power`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.planned.tested import STRATIFIED, measured
from mixed_company.analysis.power import power
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.plan import Hypothesis, Plan
from mixed_company.experiment.simulated_people import SimulatedPeople
from mixed_company.table.setup import Setup

__all__ = ["powered", "unsimulated"]


def powered(
    plan: Plan, series: Sequence[Mapping[str, Setup]], groups: Sequence[int], **simulation: Any
) -> pd.DataFrame:
    """Return the power of every hypothesis at every number of groups.

    Columns: `hypothesis`, `groups`, `power`, `low`, `high`, and with looks `looks`, the groups at
    which it is tested: as large a share as in the plan. `simulation` are the repetitions, seed,
    workers and so on of `analysis.power.power`.

    People do as the policies that the plan names for them, and vote so where groups choose a
    rule. The level is divided by the number of hypotheses of the family: Holm's correction finds
    that much or more. With looks, each hypothesis spends its part over them, as
    `analysis.planned.looks` has it.
    Each block is played by itself, since policies bring nothing along from the one before: so
    hypotheses that compare blocks of the same people have no row, nor have those whose unit is a
    session. Simulated sessions have nothing of their own: a stratified test is one of means. Groups
    that mix with each other count as one.
    Raises what `analysis.power` does, ConfigError where nobody stands for people, or where no
    hypothesis is left.
    """
    sizes = Counter(hypothesis.family for hypothesis in plan.hypotheses.values())
    tables = []
    for name, own in plan.hypotheses.items():
        if own.blocks or own.unit == "session":
            continue
        number = plan.block_names.index(own.block) + 1
        setups = series[number - 1]
        mixed = plan.matching_groups if number > 1 else 1
        table = power(
            next(iter(setups.values())).game.id,
            {name: _treated(plan, name, setups[name], number) for name in plan.compared(own)},
            own.measure if own.of == "group" else partial(_of_people, own),
            [max(count // mixed, 1) for count in groups],
            test="permutation" if own.test == STRATIFIED else own.test,
            alpha=plan.alpha / sizes[own.family],
            looks=[look / plan.groups for look in plan.looks],
            spending=plan.spending,
            **simulation,
        )
        table["groups"] = groups
        table.insert(0, "hypothesis", name)
        tables.append(table)
    if not tables:
        why = "compare blocks of the same people, or sessions, which policies cannot stand for"
        why = why if plan.hypotheses else "the plan has none; power is of a test"
        raise ConfigError(f"hypotheses: {why}")
    return pd.concat(tables, ignore_index=True)


def unsimulated(plan: Plan, series: Sequence[Mapping[str, Setup]]) -> Iterator[str]:
    """Yield sentences on what `powered` leaves out."""
    for name, own in plan.hypotheses.items():
        if own.blocks or own.unit == "session":
            what = "blocks of the same people" if own.blocks else "sessions"
            yield f"{name}: compares {what}, for which policies cannot stand; it has no row"
            continue
        setups = series[plan.block_names.index(own.block)]
        talking = ", ".join(one for one in plan.compared(own) if setups[one].options.talks)
        if talking:
            how = "policies do as where nobody does"
            yield f"{name}: nobody talks in a simulation; in {talking} {how}"


def _of_people(own: Hypothesis, data: Data) -> pd.Series[float]:
    """Return the mean of a measure over the people of every group."""
    means: pd.Series[float] = measured(data, own).groupby(GROUP)[own.measure].mean()
    return means


def _treated(plan: Plan, name: str, setup: Setup, number: int) -> dict[str, Any]:
    """Return a treatment as `power` takes it."""
    simulated = SimulatedPeople.seated(plan.people_of(name, number), setup)
    if simulated is None:
        raise ConfigError(f"people: nobody stands for people in treatment {name!r}")
    return {"setup": setup, "people": simulated.people, "bots": simulated.bots}

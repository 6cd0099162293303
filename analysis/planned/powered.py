"""How likely the hypotheses of a plan are found, by simulation (`analysis.power`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.power import power
from engine.contract.errors import ConfigError
from experiment.plan import Plan
from experiment.treatments import seats_of
from table.setup import Setup

__all__ = ["powered"]


def powered(
    plan: Plan,
    setups: Mapping[str, Setup],
    groups: Sequence[int],
    *,
    repetitions: int = 1000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """One row per hypothesis and number of groups: `hypothesis`, `groups`, `power`, `low`, `high`.

    People do as the policies do that the plan names for them. The level is divided by the number of
    hypotheses of the family: Holm's correction finds that much or more.
    Raises what `analysis.power` does, ConfigError where nobody stands for people.
    """
    game = next(iter(setups.values())).game.id
    sizes = Counter(own.family for own in plan.hypotheses.values())
    tables = []
    for name, own in plan.hypotheses.items():
        treated = {one: _treated(plan, one, setups[one]) for one in plan.compared(own)}
        table = power(
            game,
            treated,
            own.measure,
            groups,
            test=own.test,
            alpha=plan.alpha / sizes[own.family],
            repetitions=repetitions,
            seed=seed,
            progress=progress,
        )
        table.insert(0, "hypothesis", name)
        tables.append(table)
    if not tables:
        raise ConfigError("hypotheses: the plan has none; power is of a test")
    return pd.concat(tables, ignore_index=True)


def _treated(plan: Plan, name: str, setup: Setup) -> dict[str, Any]:
    """What `power` takes of a treatment."""
    if not plan.people_of(name):
        raise ConfigError(f"people: nobody stands for people in treatment {name!r}")
    people, bots = seats_of(plan, name, setup.options, setup.game.seats)
    config = setup.config
    sections = {key: config[key] for key in ("layers", "agents")}
    return {**config["core"], **sections, "people": people, "bots": bots}

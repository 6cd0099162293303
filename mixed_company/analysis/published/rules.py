"""Rules that the groups of an export played, and their differences from the rules of a study.

Groups of one treatment can play different rules, for example because they voted on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import Group
from mixed_company.engine.contract.errors import short
from mixed_company.table.export import group_id


@dataclass(frozen=True)
class Rules:
    """The core parameters that some groups of a treatment played, including defaults.

    where   the groups in words; empty if all groups of the treatment played these rules
    """

    treatment: str
    core: Any
    groups: tuple[Group, ...]
    where: str = ""

    @property
    def name(self) -> str:
        """The treatment, with the groups if other groups of the treatment played other rules."""
        return f"{self.treatment} ({self.where})" if self.where else self.treatment

    def unlike(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Return the keys that do not have the wanted values, with the values that they have."""
        values = {key: getattr(self.core, key) for key in wanted}
        return {
            key: value for key, value in values.items() if not np.array_equal(value, wanted[key])
        }


def shown(value: Any) -> str:
    """Return a parameter's value in words."""
    return "not set" if value is None or np.size(value) == 0 else short(value)


def rules_of(data: Data) -> list[Rules]:
    """Return the rules of every treatment, each with the groups that played them. `periods` counts
    the periods of all plays of a repeated block."""
    games, played = data.games, dict[str, dict[str, tuple[Any, list[Group]]]]()
    for row in data.groups.sort_values("treatment", kind="stable").to_dict("records"):
        key = (str(row["session"]), int(row["group"]))
        if key in games:
            core = games[key].config.core
            cores = played.setdefault(str(row["treatment"]), {})
            cores.setdefault(core.model_dump_json(), (core, []))[1].append(key)
    return [
        rules
        for treatment, cores in played.items()
        for rules in _of_treatment(treatment, list(cores.values()), data.plays[treatment])
    ]


def _of_treatment(
    treatment: str, cores: list[tuple[Any, list[Group]]], plays: int
) -> Iterator[Rules]:
    count = sum(len(groups) for _, groups in cores)
    for core, groups in cores:
        whole = core.model_copy(update={"periods": plays * core.periods})
        ids = ", ".join(group_id(*group) for group in groups)
        where = f"{len(groups)} of {count} groups: {ids}" if len(cores) > 1 else ""
        yield Rules(treatment, whole, tuple(groups), where)

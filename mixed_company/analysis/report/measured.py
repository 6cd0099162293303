"""Measures by treatment: which belong together, their means, and their course over periods.

Every number comes from `analysis.measures` and `analysis.statistics`; what is here puts them into
tables, one row per thing to be read. Tests are in `compared`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from mixed_company.analysis import games, measures, statistics
from mixed_company.analysis.data import GROUP, SEAT, Data
from mixed_company.engine.contract.errors import UnknownName, nearest, short

__all__ = [
    "OF_GAME",
    "Main",
    "Measured",
    "by_treatment",
    "codebook",
    "series",
    "types",
    "without_value",
]

TWINS = {"mean_points": "points"}
"""Measures of groups that have another name as measures of people."""


@dataclass(frozen=True)
class Main:
    """The measures that are compared first, and whose they are, `group` or `person`; no names:
    those that the game declares."""

    names: Sequence[str] = ()
    level: str = "group"


OF_GAME = Main()
"""Those that the game declares."""


@dataclass(frozen=True)
class Measured:
    """The measures of an export, computed once.

    main    what is compared first
    played  the data that say whether treatments differ in bots, where labels in `data` are
            permuted; None: `data`
    """

    data: Data
    main: Main = OF_GAME
    played: Data | None = None

    @cached_property
    def described(self) -> pd.DataFrame:
        return measures.described(self.data.game_id)

    @cached_property
    def plays(self) -> measures.Plays:
        return measures.Plays(self.data)

    @cached_property
    def groups(self) -> pd.DataFrame:
        return measures.groups(self.plays)

    @cached_property
    def people(self) -> pd.DataFrame:
        return measures.people(self.plays)

    @cached_property
    def periods(self) -> pd.DataFrame:
        return measures.periods(self.plays)

    def numbers(self, level: str, frame: pd.DataFrame) -> list[str]:
        """The measures of a level that are numbers and have one anywhere, in their order."""
        names = self.names(level)
        there = frame[names].select_dtypes("float64").notna().any()
        return [name for name in names if there.get(name, False)]

    def words(self) -> list[str]:
        """The measures of people that are words: their types."""
        kinds = self.people.dtypes
        return [name for name in self.names("person") if kinds[name] != "float64"]

    @cached_property
    def only_people(self) -> pd.DataFrame:
        """The measures of people, without the seats of bots."""
        return self.people[self.people["person"].astype(bool)]

    @cached_property
    def bots_differ(self) -> bool:
        """Do treatments differ in the bots that their groups began with?"""
        data = self.played or self.data
        first = data.seats.sort_values("since_period", kind="stable").groupby(SEAT).first()
        seated = first["policy_id"].groupby(GROUP).agg(lambda ids: ",".join(sorted(ids)))
        treatment = data.groups.set_index(GROUP)["treatment"].astype(str)
        kinds: dict[str, set[str]] = {}
        for name, ids in zip(treatment.reindex(seated.index), seated, strict=True):
            kinds.setdefault(str(name), set()).add(ids)
        return len({frozenset(own) for own in kinds.values()}) > 1

    @cached_property
    def families(self) -> list[tuple[str, str, pd.DataFrame, list[str]]]:
        """Which tests belong together: name, level, frame and measures. Raises UnknownName.

        Measures of groups count what bots do. So where treatments differ in bots, the main measures
        that the game declares are those of people.
        """
        level, known = self.main.level, self.names(self.main.level)
        main = tuple(self.main.names) or games.find(self.data.game_id).main
        for name in main:
            if name not in known:
                raise UnknownName(f"measure {short(name)}: there is none{nearest(name, known)}")
        if self.bots_differ and not self.main.names:
            level, main = "person", tuple(TWINS.get(name, name) for name in main)
        rest = {
            "group": (self.groups, self.numbers("group", self.groups)),
            "person": (self.only_people, self.numbers("person", self.only_people)),
        }
        frame, there = rest[level]
        first = [name for name in main if name in there]
        return [
            ("main", level, frame, first),
            *(
                (other, other, own, [name for name in names if other != level or name not in first])
                for other, (own, names) in rest.items()
            ),
        ]

    def units(self) -> dict[tuple[str, str], str]:
        """The unit of every measure, by level and name."""
        rows = self.described
        keys = zip(rows["level"], rows["measure"], strict=True)
        return dict(zip(keys, rows["unit"], strict=True))

    def names(self, level: str) -> list[str]:
        """All measures of a level."""
        return list(self.described.loc[self.described["level"] == level, "measure"])


def without_value(measured: Measured) -> pd.DataFrame:
    """The measures that have no value anywhere, and when that is so: they have no row and no test.

    One row per level and measure.
    """
    rows = []
    for level, frame in (
        ("group", measured.groups),
        ("person", measured.people),
        ("period", measured.periods),
    ):
        there = {*measured.numbers(level, frame), *(measured.words() if level == "person" else ())}
        own = measured.described[measured.described["level"] == level]
        rows += [
            {"level": level, "measure": row["measure"], "missing": row["missing"]}
            for row in own.to_dict("records")
            if row["measure"] not in there
        ]
    return pd.DataFrame(rows, columns=["level", "measure", "missing"])


def codebook(measured: Measured) -> pd.DataFrame:
    """One row per measure: what `measures.described` says, with all its levels in one row."""
    described = measured.described
    same = ["measure", "unit", "meaning", "formula", "missing", "source", "function"]
    rows = [
        {**dict(zip(same, key, strict=True)), "levels": ", ".join(own["level"])}
        for key, own in described.groupby(same, sort=False)
    ]
    return pd.DataFrame(rows, columns=["measure", "levels", *same[1:]])


def by_treatment(measured: Measured, compared: pd.DataFrame) -> pd.DataFrame:
    """One row per measure and treatment: groups, mean and its 95% t interval over groups.

    The numbers of `compared`, below each other.
    """
    units = measured.units()
    rows = [
        {
            **{name: row[name] for name in ("family", "level", "measure")},
            "unit": units[row["level"], row["measure"]],
            "treatment": treatment,
            "groups": row[f"n {treatment}"],
            **{name: row[f"{name} {treatment}"] for name in ("mean", "low", "high")},
        }
        for row in compared.to_dict("records")
        for treatment in measured.data.treatments
        if row.get(f"n {treatment}", 0) > 0
    ]
    columns = ["family", "level", "measure", "unit", "treatment", "groups", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def series(measured: Measured) -> pd.DataFrame:
    """The mean over groups of measures of periods, one row per measure, treatment and period.

    period      as people saw it, from 1 on
    groups      that have a value in this period; those whose play was over have none
    of          the most groups of the treatment that had one in any period
    low, high   95% t interval over groups, at each period by itself
    """
    names = games.find(measured.data.game_id).series
    wanted = [name for name in names if name in measured.numbers("period", measured.periods)]
    rows = [row for name in wanted for row in _course(measured, name)]
    columns = ["measure", "unit", "treatment", "period", "groups", "of", "mean", "low", "high"]
    table = pd.DataFrame(rows, columns=columns)
    table["of"] = table.groupby(["measure", "treatment"])["groups"].transform("max")
    return table


def _course(measured: Measured, name: str) -> Iterator[dict[str, Any]]:
    periods, unit = measured.periods, measured.units()["period", name]
    for period, own in periods[periods[name].notna()].groupby("period"):
        means = statistics.means(statistics.units(own, name))
        for row in means.to_dict("records"):
            yield {
                "measure": name,
                "unit": unit,
                "treatment": row["treatment"],
                "period": int(str(period)) + 1,
                "groups": row["n"],
                **{key: row[key] for key in ("mean", "low", "high")},
            }


def types(measured: Measured) -> pd.DataFrame:
    """How many people are of each type, one row per treatment, kind of type and type.

    share   of the people of the treatment that are of a type at all
    """
    rows = []
    for kind in measured.words():
        own = measured.only_people
        for treatment, some in own[own[kind] != ""].groupby("treatment", observed=True):
            counts = some[kind].value_counts().sort_index()
            rows += [
                {
                    "treatment": treatment,
                    "kind": kind,
                    "type": name,
                    "people": count,
                    "share": count / len(some),
                }
                for name, count in counts.items()
            ]
    return pd.DataFrame(rows, columns=["treatment", "kind", "type", "people", "share"])

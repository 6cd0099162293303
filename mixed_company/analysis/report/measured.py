"""Measures by treatment: which belong together, their means, and types of people.

Every number comes from `analysis.measures` and `analysis.statistics`; here they are put into
tables, one row per thing to be read. Tests are in `compared`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from mixed_company.analysis import games, measures
from mixed_company.analysis.data import GROUP, SEAT, Data
from mixed_company.engine.contract.errors import UnknownName, nearest, short

__all__ = [
    "OF_GAME",
    "Main",
    "Measured",
    "by_treatment",
    "codebook",
    "types",
    "without_value",
]

TWINS = {"mean_points": "points"}
"""Measures of groups that have another name as measures of people."""


@dataclass(frozen=True)
class Main:
    """The measures that are compared first, and their level, `group` or `person`.

    Without names these are the measures that the game declares.
    """

    names: Sequence[str] = ()
    level: str = "group"


OF_GAME = Main()


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

    def names(self, level: str) -> list[str]:
        """Return all measures of a level."""
        return list(self.described.loc[self.described["level"] == level, "measure"])

    def numbers(self, level: str, frame: pd.DataFrame) -> list[str]:
        """Return the measures of a level that are numbers and have one anywhere, in their order."""
        values = frame[self.names(level)].select_dtypes("float64")
        return [str(name) for name in values.columns[values.notna().any()]]

    def words(self) -> list[str]:
        """Return the measures of people that are words: their types."""
        return [name for name in self.names("person") if self.people[name].dtype != "float64"]

    def units(self) -> dict[tuple[str, str], str]:
        """Return the unit of every measure, by level and name."""
        keys = self.described[["level", "measure"]].itertuples(index=False, name=None)
        return dict(zip(keys, self.described["unit"], strict=True))

    @cached_property
    def only_people(self) -> pd.DataFrame:
        """The measures of people, without the seats of bots."""
        return self.people[self.people["person"].astype(bool)]

    @cached_property
    def bots_differ(self) -> bool:
        """Whether treatments differ in the bots that their groups began with."""
        data = self.played or self.data
        first = data.seats.sort_values("since_period", kind="stable").groupby(SEAT).first()
        seated = first["policy_id"].groupby(GROUP).agg(lambda ids: ",".join(sorted(ids)))
        treatment = data.groups.set_index(GROUP)["treatment"].astype(str).reindex(seated.index)
        kinds = seated.groupby(treatment.to_numpy(), dropna=False).agg(frozenset)
        return kinds.nunique() > 1

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
        frames = {"group": self.groups, "person": self.only_people}
        names = {kind: self.numbers(kind, frame) for kind, frame in frames.items()}
        first = [name for name in main if name in names[level]]
        names[level] = [name for name in names[level] if name not in first]
        others = [(kind, kind, frame, names[kind]) for kind, frame in frames.items()]
        return [("main", level, frames[level], first), *others]


def without_value(measured: Measured) -> pd.DataFrame:
    """Return the measures that have no value anywhere, by level, and when that is so.

    They have no row and no test.
    """
    frames = {"group": measured.groups, "person": measured.people, "period": measured.periods}
    known = {
        (level, name) for level in frames for name in measured.numbers(level, frames[level])
    } | {("person", name) for name in measured.words()}
    rows = measured.described[["level", "measure", "missing"]]
    return rows[[key not in known for key in zip(rows["level"], rows["measure"], strict=True)]]


def codebook(measured: Measured) -> pd.DataFrame:
    """Return `measures.described` with all levels of a measure in one row."""
    same = ["measure", "unit", "meaning", "formula", "missing", "source", "function"]
    levels = measured.described.groupby(same, sort=False)["level"].agg(", ".join)
    table = levels.rename("levels").reset_index()
    return table[["measure", "levels", *same[1:]]]


def by_treatment(measured: Measured, compared: pd.DataFrame) -> pd.DataFrame:
    """Return groups, mean and its 95% t interval over groups, per measure and treatment.

    These are the numbers of `compared`, below each other.
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


def types(measured: Measured) -> pd.DataFrame:
    """Return how many people are of each type, one row per treatment, kind of type and type.

    share   of the people of the treatment that are of a type at all
    """
    rows = []
    for kind in measured.words():
        people = measured.only_people
        for treatment, typed in people[people[kind] != ""].groupby("treatment", observed=True):
            for name, count in typed[kind].value_counts().sort_index().items():
                rows.append((treatment, kind, name, count, count / len(typed)))
    return pd.DataFrame(rows, columns=["treatment", "kind", "type", "people", "share"])

"""Measures by treatment: their families, their means, and types of people.

All numbers come from `analysis.measures` and `analysis.statistics`. This module arranges them in
tables with one item per row. Tests are in `compared`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from mixed_company.analysis import games, measures
from mixed_company.analysis.data import GROUP, SEAT, Data
from mixed_company.engine.contract.errors import UnknownName, nearest, short
from mixed_company.experiment.comparisons import follows

TWINS = {"mean_points": "points"}
"""Group measure -> its name as a measure of people, if that is different."""
PEOPLE_ONLY = "people only"
IN_BLOCKS = (
    "The same people played several blocks, so groups in different blocks are not independent. "
    "Treatments are compared only within a block, and blocks are not compared."
)
MIXED = "Groups that exchange people count as one."
ALL_SEATS = "all seats, including bots"


@dataclass(frozen=True)
class Main:
    """The main measures, which are compared first, and their level, `group` or `person`.

    If no names are given, the game's main measures are used.
    """

    names: Sequence[str] = ()
    level: str = "group"


OF_GAME = Main()


@dataclass(frozen=True)
class Measured:
    """The measures of an export, computed only once.

    In `groups`, `people` and `periods`, groups have their true numbers; in the frames for tests,
    groups that exchange people have the same number (`Data.by_unit`).

    main    the main measures
    played  the true data, if the labels in `data` are permuted; they show whether treatments differ
            in bots. None: `data`
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
        return self.plays.once(measures.groups)

    @cached_property
    def people(self) -> pd.DataFrame:
        return self.plays.once(measures.people)

    @cached_property
    def periods(self) -> pd.DataFrame:
        return self.plays.once(measures.periods)

    @cached_property
    def blocks(self) -> dict[str, list[str]]:
        """The treatments of each block (`Data.blocks`), as they were played."""
        return (self.played or self.data).shortened().blocks

    @property
    def in_blocks(self) -> bool:
        """True if the same people played several blocks, whose treatments are not compared."""
        return len(self.blocks) > 1

    @cached_property
    def by_period(self) -> pd.DataFrame:
        """The period measures that are drawn and regressed. If treatments differ in bots,
        measures that also exist for people cover only people's decisions. Groups that exchange
        people have the same number."""
        if not self.bots_differ:
            return self.data.by_unit(self.periods)
        of_people = measures.periods(self.plays.of_people(), self._shared)
        return self.data.by_unit(self.periods.assign(**of_people[self._shared]))

    @cached_property
    def _shared(self) -> list[str]:
        """Period measures that also exist for people."""
        people = self.names("person")
        return [name for name in self.names("period") if name in people]

    def seats(self, name: str) -> str:
        """Return a description of the seats that a measure in `by_period` covers; empty if no bot
        decided."""
        if self.bots_differ and name in self._shared:
            return PEOPLE_ONLY
        return ALL_SEATS if (self.data.decisions["decided_by"] == "policy").any() else ""

    def names(self, level: str) -> list[str]:
        """Return all measures at a level."""
        return list(self.described.loc[self.described["level"] == level, "measure"])

    def numbers(self, level: str, frame: pd.DataFrame) -> list[str]:
        """Return the numeric measures at a level that have at least one value, in order."""
        values = frame[self.names(level)].select_dtypes("float64")
        return [str(name) for name in values.columns[values.notna().any()]]

    def words(self) -> list[str]:
        """Return the measures of people with values that are words: types of people."""
        types = self.people[self.names("person")].select_dtypes(exclude="float64")
        return [str(name) for name in types.columns[types.notna().any()]]

    def units(self) -> dict[tuple[str, str], str]:
        """Return the units of all measures, by level and name."""
        keys = self.described[["level", "measure"]].itertuples(index=False, name=None)
        return dict(zip(keys, self.described["unit"], strict=True))

    @cached_property
    def only_people(self) -> pd.DataFrame:
        """Measures of people, without bots' seats. Groups that exchange people have the same
        number."""
        return self.data.by_unit(self.people[self.people["person"].astype(bool)])

    @cached_property
    def bots_differ(self) -> bool:
        """True if groups started with different bots in different treatments."""
        return self._differ(lambda ids: ",".join(sorted(ids)))

    @cached_property
    def bot_share_differs(self) -> bool:
        """True if groups started with different numbers of bots in different treatments."""
        return self._differ(lambda ids: int((ids != "").sum()))

    def _differ(self, described: Callable[[pd.Series[str]], Any]) -> bool:
        """Return whether groups started with different bots in different treatments. `described`
        computes a group's value from its seats' policy ids, which are empty for people."""
        data = self.played or self.data
        first = data.seats.sort_values("since_period", kind="stable").groupby(SEAT).first()
        seated = first["policy_id"].groupby(GROUP).agg(described)
        treatment = data.groups.set_index(GROUP)["treatment"].astype(str).reindex(seated.index)
        kinds = seated.groupby(treatment.to_numpy(), dropna=False).agg(frozenset)
        return bool(kinds.nunique() > 1)

    @cached_property
    def families(self) -> list[tuple[str, str, pd.DataFrame, list[str]]]:
        """The families of tests, each with its name, level, frame and measures. Raises UnknownName.

        Group measures include bots' decisions. So if treatments differ in bots, measures of
        people take the place of the game's main measures; measures that follow directly from what
        bots do are left out. Groups that exchange people have the same number.
        """
        level, available = self.main.level, self.names(self.main.level)
        main = tuple(self.main.names) or games.find(self.data.game_id).main
        for name in main:
            if name not in available:
                raise UnknownName(f"unknown measure {short(name)}{nearest(name, available)}")
        if self.bots_differ and not self.main.names:
            twins = [TWINS.get(name, name) for name in main]
            level, main = "person", tuple(name for name in twins if not follows(name))
        frames = {"group": self.data.by_unit(self.groups), "person": self.only_people}
        names = {kind: self.numbers(kind, frame) for kind, frame in frames.items()}
        first = [name for name in dict.fromkeys(main) if name in names[level]]
        names[level] = [name for name in names[level] if name not in first]
        others = [(kind, kind, frame, names[kind]) for kind, frame in frames.items()]
        return [("main", level, frames[level], first), *others]


def without_value(measured: Measured) -> pd.DataFrame:
    """Return the measures that have no values, by level, and the cases in which values are missing.

    These measures have no row and no test in the other tables.
    """
    frames = {"group": measured.groups, "person": measured.people, "period": measured.periods}
    present = {
        (level, name) for level in frames for name in measured.numbers(level, frames[level])
    } | {("person", name) for name in measured.words()}
    rows = measured.described[["level", "measure", "missing"]]
    return rows[[key not in present for key in zip(rows["level"], rows["measure"], strict=True)]]


def codebook(measured: Measured) -> pd.DataFrame:
    """Return `measures.described` with all levels of a measure in one row."""
    same = ["measure", "unit", "meaning", "formula", "missing", "source", "function"]
    levels = measured.described.groupby(same, sort=False)["level"].agg(", ".join)
    table = levels.rename("levels").reset_index()
    return table[["measure", "levels", *same[1:]]]


def by_treatment(measured: Measured, compared: pd.DataFrame) -> pd.DataFrame:
    """Return the means of measures, with 95% intervals over groups, one row per treatment.

    These are the numbers of `compared` in long format.
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
        if not pd.isna(count := row.get(f"n {treatment}", 0)) and count > 0
    ]
    columns = ["family", "level", "measure", "unit", "treatment", "groups", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


NO_TYPE = "not classified"
SEVERAL_TYPES = "different types in different plays"


def dependent(data: Data, blocks: Mapping[str, Sequence[str]]) -> str:
    """Return sentences about groups that are not independent; empty if all are. `blocks` has the
    treatments of each block, as they were played."""
    mixed = [MIXED] if are_mixed(data) else []
    return " ".join([*([IN_BLOCKS] if len(blocks) > 1 else []), *mixed])


def are_mixed(data: Data) -> bool:
    """Return whether some groups share a unit of independence."""
    keys = data.config[GROUP]
    return bool((data.by_unit(keys)["group"] != keys["group"]).any())


def by_person(people: pd.DataFrame) -> pd.api.typing.DataFrameGroupBy[Any, Any]:
    """Return the rows of people's seats by treatment and person. In a repeated block, a person has
    one row for each play. A row without a participant's code is a person of its own."""
    codes = people["participant"].mask(people["participant"] == "", people.index.astype("str"))
    return people.groupby(["treatment", "session", codes], sort=False, observed=True)


def types(measured: Measured) -> pd.DataFrame:
    """Return the number of people of each type, one row per treatment, classification and type.

    People that the measure leaves out have the type NO_TYPE, and people with different types in
    different plays of a repeated block have SEVERAL_TYPES.

    share   share of all people in the treatment
    """
    rows = []
    for kind in measured.words():
        people = by_person(measured.only_people)[kind].agg(_type)
        for treatment, of_treatment in people.groupby(level=0, observed=True):
            counts = of_treatment.value_counts().sort_index()
            of_types = {str(name): int(count) for name, count in counts.items() if name}
            of_types[NO_TYPE] = len(of_treatment) - sum(of_types.values())
            for name, count in of_types.items():
                rows.append((treatment, kind, name, count, count / len(of_treatment)))
    return pd.DataFrame(rows, columns=["treatment", "kind", "type", "people", "share"])


def _type(kinds: pd.Series[str]) -> str:
    """Return a person's type from the types in all plays; empty if no play has one."""
    names = {str(kind) for kind in kinds if kind}
    return SEVERAL_TYPES if len(names) > 1 else "".join(names)


def without_type(measured: Measured) -> str:
    """Return the note about types of people, which says when a measure leaves a person out; empty
    if there are no types."""
    people = measured.described[measured.described["level"] == "person"].set_index("measure")
    cases = [f"{kind}: {people.loc[kind, 'missing']!s}" for kind in measured.words()]
    return f"{_OF_TYPES} {' '.join(cases)}" if cases else ""


_OF_TYPES = (
    "Share: of all people in the treatment, including people in groups that ended early. Not "
    "classified: people whose type is missing, for example because their group had too few "
    "periods. Types come from play and depend on what the others, including bots, do, so the same "
    "people can have different types when they play with other players."
)

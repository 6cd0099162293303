"""Published numbers from studies, and a comparison of an export's means with them.

Each study is a file NAME.toml in this folder. It contains only numbers that could be verified, each
with the table, figure or page that it comes from.

    title, source  for readers
    game           the game in which the study can be repeated
    needs          keys and values of the game that a treatment must have, because the numbers
                   depend on them
    design         other keys of the study; if a treatment has other values, a note says so
    matching       how groups were formed from period to period: partners, or strangers
    conditions     by name: `meaning`, and more `needs` and `design`
    figures        each: `measure` (of periods), `condition`, `sample` (the people), `where`, and
                   `values`, one for each period from the first, or `mean` over periods 1 to `last`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files as shipped
from typing import Any

import numpy as np
import pandas as pd

from mixed_company import files
from mixed_company.analysis import measures, statistics
from mixed_company.analysis.audit.way import plan_of
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.published.options import differences
from mixed_company.analysis.ranges import Range
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short

__all__ = ["Condition", "Figure", "Study", "find", "names"]


@dataclass(frozen=True)
class Condition:
    """A condition of a study, expressed in keys of its game."""

    meaning: str
    needs: Mapping[str, Any]
    design: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Figure:
    """The published numbers for a measure in one condition and sample."""

    measure: str
    condition: str
    sample: str
    where: str
    values: tuple[float, ...] = ()
    mean: float | None = None
    last: int = 0

    @property
    def over(self) -> int:
        """The number of periods, counted from the first, that the numbers cover."""
        return self.last or len(self.values)

    @property
    def whole(self) -> float:
        """The mean of the published numbers over the periods that they cover."""
        return sum(self.values) / len(self.values) if self.mean is None else self.mean


@dataclass(frozen=True)
class Study:
    """A study and its published numbers."""

    name: str
    title: str
    source: str
    game: str
    needs: Mapping[str, Any]
    design: Mapping[str, Any]
    conditions: Mapping[str, Condition]
    figures: tuple[Figure, ...]
    matching: str = "partners"

    @property
    def samples(self) -> list[str]:
        """The samples, in the order of the study file."""
        return list(dict.fromkeys(figure.sample for figure in self.figures))

    def of_sample(self, sample: str) -> list[Figure]:
        """Return a sample's figures. Raises UnknownName."""
        if sample not in self.samples:
            raise UnknownName(
                f"sample = {sample!r}: {self.name} has published numbers for "
                f"{', '.join(self.samples)}"
                f"{nearest(sample, self.samples)}"
            )
        return [figure for figure in self.figures if figure.sample == sample]


def names() -> list[str]:
    """Return the names of all studies."""
    entries = shipped(__name__).iterdir()
    return sorted(entry.name[:-5] for entry in entries if entry.name.endswith(".toml"))


def find(name: str) -> Study:
    """Return the study with this name. Raises UnknownName."""
    if name not in names():
        listed = ", ".join(names())
        raise UnknownName(
            f"study {name!r}: unknown; the studies with published numbers are: {listed}"
            f"{nearest(name, names())}"
        )
    content = files.toml((shipped(__name__) / f"{name}.toml").read_text("utf-8"))
    conditions = {key: Condition(**table) for key, table in content.pop("conditions").items()}
    figures = tuple(
        Figure(**{**table, "values": tuple(table.get("values", ()))})
        for table in content.pop("figures")
    )
    return Study(name=name, conditions=conditions, figures=figures, **content)


# -- the comparison ------------------------------------------------------------------------------


KEYS = ("measure", "treatment", "condition", "period")


@dataclass(frozen=True)
class Comparison:
    """A comparison of an export with a study.

    table   a row per measure, treatment, condition and period, counted from 1 (`1-10`: the mean):
            groups, their mean with its 95% interval, the published number, the difference, and
            where the published number comes from
    notes   sentences about differences in design from the study
    """

    study: Study
    sample: str
    table: pd.DataFrame
    notes: tuple[str, ...]


def compared(data: Data, study: Study, sample: str = "") -> Comparison:
    """Compare an export's treatments with the conditions of a study that have the same rules.

    `sample`: name of a sample in the study; empty: the first one in the file. Raises ConfigError if
    the data are from another game or have other rules, UnknownName for an unknown sample.
    """
    if data.game_id != study.game:
        raise ConfigError(
            f"game = {data.game_id!r}: {study.name} has published numbers for {study.game!r} only"
        )
    sample = sample or study.samples[0]
    figures = study.of_sample(sample)
    rules = _rules(data)
    pairs = [
        (treatment, figure)
        for treatment, core in rules.items()
        for figure in figures
        if not _unlike(_needs(study, study.conditions[figure.condition]), core)
    ]
    if not pairs:
        raise ConfigError("\n".join(_refusals(study, figures, rules)))
    periods = data.by_unit(measures.periods(data, {figure.measure for _, figure in pairs}))
    ends = measures.ranges(data.game_id)
    table = pd.concat(
        [_beside(periods, treatment, figure, ends[figure.measure]) for treatment, figure in pairs],
        ignore_index=True,
    )
    notes = (*_notes(data, study, pairs, rules), *_incomplete(periods, pairs))
    return Comparison(study, sample, table, notes)


def _rules(data: Data) -> dict[str, Any]:
    """Return the core parameters of each treatment's game, including defaults. `periods` counts the
    periods of all plays of a repeated block."""
    games = data.games
    rules: dict[str, Any] = {}
    for row in data.groups.sort_values("treatment").to_dict("records"):
        game = games.get((str(row["session"]), int(row["group"])))
        if game is not None:
            rules.setdefault(str(row["treatment"]), game.config.core)
    if "play" not in data.config:
        return rules
    plays = 1 + data.config["play"].groupby(data.groups["treatment"], observed=True).max()
    return {
        name: core.model_copy(update={"periods": int(plays[name]) * core.periods})
        for name, core in rules.items()
    }


def _needs(study: Study, condition: Condition) -> Mapping[str, Any]:
    return {**study.needs, **condition.needs}


def _unlike(wanted: Mapping[str, Any], core: Any) -> dict[str, Any]:
    """Return the keys that do not have the wanted values, with the values that they have."""
    values = {key: getattr(core, key) for key in wanted}
    return {key: value for key, value in values.items() if not np.array_equal(value, wanted[key])}


def _shown(value: Any) -> str:
    return "not set" if value is None or np.size(value) == 0 else short(value)


def _refusals(study: Study, figures: list[Figure], rules: Mapping[str, Any]) -> Iterator[str]:
    """Yield, for each treatment, its differences from the most similar condition."""
    conditions = dict.fromkeys(figure.condition for figure in figures)
    for treatment, core in rules.items():
        unlike = [_unlike(_needs(study, study.conditions[name]), core) for name in conditions]
        closest = min(range(len(unlike)), key=lambda number: len(unlike[number]))
        name = list(conditions)[closest]
        needs = _needs(study, study.conditions[name])
        for key, value in unlike[closest].items():
            yield (
                f"treatment {treatment!r}: {key} = {_shown(value)}: should be {_shown(needs[key])} "
                f"for the condition {name!r} of {study.name}"
            )


def _beside(periods: pd.DataFrame, treatment: str, figure: Figure, ends: Range) -> pd.DataFrame:
    """Return the rows of a treatment for one figure: one per period, and one for the mean over
    them."""
    rows = periods[(periods["treatment"] == treatment) & (periods["period"] < figure.over)]
    rows = rows.assign(treatment=treatment)
    listed = [
        (str(number + 1), rows[rows["period"] == number], value)
        for number, value in enumerate(figure.values)
    ]
    listed.append((f"1-{figure.over}", rows[_is_complete(rows, figure)], figure.whole))
    return pd.DataFrame(
        [
            {
                **dict(zip(KEYS, (figure.measure, treatment, figure.condition, name), strict=True)),
                **_mean(part, figure.measure, ends),
                "published": published,
                "where": figure.where,
            }
            for name, part, published in listed
        ]
    ).assign(difference=lambda table: table["mean"] - table["published"])


def _is_complete(rows: pd.DataFrame, figure: Figure) -> pd.Series[bool]:
    """Return, for each row, whether its group has a value in all periods of a figure."""
    periods = rows["period"].where(rows[figure.measure].notna())
    return periods.groupby([rows[key] for key in GROUP]).transform("nunique") == figure.over


def _incomplete(periods: pd.DataFrame, pairs: list[tuple[str, Figure]]) -> Iterator[str]:
    """Yield sentences about how many groups do not have all periods of a figure."""
    notes: dict[str, None] = {}
    for treatment, figure in pairs:
        rows = periods[(periods["treatment"] == treatment) & (periods["period"] < figure.over)]
        groups = rows[GROUP].drop_duplicates()
        incomplete = len(groups) - len(
            rows.loc[_is_complete(rows, figure), GROUP].drop_duplicates()
        )
        if incomplete:
            notes[
                f"{treatment}: {incomplete} of {len(groups)} groups do not have all periods; the "
                f"mean over periods 1-{figure.over} leaves them out"
            ] = None
    yield from notes


def _mean(rows: pd.DataFrame, measure: str, ends: Range) -> dict[str, Any]:
    """Return the number of groups, their mean and its interval; groups without a value are left
    out."""
    values = rows.dropna(subset=[measure])
    if values.empty:
        return {"groups": 0, "mean": np.nan, "low": np.nan, "high": np.nan}
    (row,) = statistics.means(statistics.units(values, measure), ends=ends).to_dict("records")
    numbers = {name: row[name] for name in ("mean", "low", "high")}
    return {"groups": int(values.groupby(GROUP).ngroups), **numbers}


def _matching(data: Data, treatment: str) -> str:
    """Return how a treatment's groups were formed from play to play. Within a play, groups stay the
    same."""
    rows = data.config[(data.groups["treatment"].astype(str) == treatment).to_numpy()]
    if "play" not in rows or not (rows["play"] > 0).any():
        return "partners"
    plans = [plan_of(data.manifest, session) or {} for session in rows["session"].unique()]
    return " or ".join(dict.fromkeys(str(plan.get("matching", "partners")) for plan in plans))


def _notes(
    data: Data,
    study: Study,
    pairs: list[tuple[str, Figure]],
    rules: Mapping[str, Any],
) -> Iterator[str]:
    """Yield caveats: differences in design, and treatments that were left out."""
    compared_with = {treatment: study.conditions[figure.condition] for treatment, figure in pairs}
    for treatment, condition in compared_with.items():
        design = {**study.design, **condition.design}
        unlike = _unlike(design, rules[treatment])
        for key, value in unlike.items():
            yield f"{treatment}: {key} = {_shown(value)}, but {_shown(design[key])} in the study"
        matching = _matching(data, treatment)
        if matching != study.matching:
            yield f"{treatment}: matching = {matching}, but {study.matching} in the study"
        yield from dict.fromkeys(differences(data, treatment))
    left_out = [name for name in rules if name not in compared_with]
    if left_out:
        yield f"Treatments without published numbers: {', '.join(left_out)}"

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
from mixed_company.analysis.kept import Group, without
from mixed_company.analysis.published.options import differences
from mixed_company.analysis.published.rules import Rules, rules_of, shown
from mixed_company.analysis.ranges import Range
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest

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

    Groups of a treatment that played other rules are left out, and `notes` names them.

    `sample`: name of a sample in the study; empty: the first one in the file. Raises ConfigError if
    the data are from another game, have other rules, or have no group that can be played;
    UnknownName for an unknown sample.
    """
    if data.game_id != study.game:
        raise ConfigError(
            f"game = {data.game_id!r}: {study.name} has published numbers for {study.game!r} only"
        )
    sample = sample or study.samples[0]
    figures = study.of_sample(sample)
    played = rules_of(data)
    if not played:
        raise ConfigError("groups = 0: the data have no group with a playable configuration")
    pairs = list(_pairs(study, figures, played))
    if not pairs:
        raise ConfigError("\n".join(_refusals(study, figures, played)))
    periods = measures.periods(data, {pair.figure.measure for pair in pairs})
    ends = measures.ranges(data.game_id)
    frames = [data.by_unit(_rows(periods, pair)) for pair in pairs]
    both = list(zip(frames, pairs, strict=True))
    table = pd.concat(
        [_beside(rows, pair, ends[pair.figure.measure]) for rows, pair in both], ignore_index=True
    )
    notes = dict.fromkeys((*_notes(data, study, pairs, played), *_incomplete(both)))
    return Comparison(study, sample, table, tuple(notes))


@dataclass(frozen=True)
class _Pair:
    """A treatment's groups that played the rules of a figure's condition."""

    treatment: str
    figure: Figure
    rules: tuple[Rules, ...]

    @property
    def groups(self) -> list[Group]:
        return [group for rules in self.rules for group in rules.groups]


def _pairs(study: Study, figures: list[Figure], played: list[Rules]) -> Iterator[_Pair]:
    for treatment in dict.fromkeys(rules.treatment for rules in played):
        for figure in figures:
            needs = _needs(study, figure.condition)
            rules = [of for of in played if of.treatment == treatment and not of.unlike(needs)]
            if rules:
                yield _Pair(treatment, figure, tuple(rules))


def _needs(study: Study, condition: str) -> Mapping[str, Any]:
    return {**study.needs, **study.conditions[condition].needs}


def _refusals(study: Study, figures: list[Figure], played: list[Rules]) -> Iterator[str]:
    """Yield, for each treatment, its differences from the most similar condition."""
    conditions = dict.fromkeys(figure.condition for figure in figures)
    for rules in played:
        closest = min(conditions, key=lambda name: len(rules.unlike(_needs(study, name))))
        where = f" ({rules.where})" if rules.where else ""
        for line in _different(study, closest, rules):
            yield f"treatment {rules.treatment!r}{where}: {line}"


def _different(study: Study, condition: str, rules: Rules) -> Iterator[str]:
    """Yield the keys that a condition needs and that have other values."""
    needs = _needs(study, condition)
    for key, value in rules.unlike(needs).items():
        yield (
            f"{key} = {shown(value)}: should be {shown(needs[key])} for the condition "
            f"{condition!r} of {study.name}"
        )


def _rows(periods: pd.DataFrame, pair: _Pair) -> pd.DataFrame:
    """Return the rows of a pair's groups in the periods of its figure."""
    in_pair = pd.MultiIndex.from_frame(periods[GROUP]).isin(pair.groups)
    return periods[in_pair & (periods["period"] < pair.figure.over)]


def _beside(rows: pd.DataFrame, pair: _Pair, ends: Range) -> pd.DataFrame:
    """Return the rows of a treatment for one figure: one per period, and one for the mean over
    them."""
    treatment, figure = pair.treatment, pair.figure
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


def _incomplete(pairs: list[tuple[pd.DataFrame, _Pair]]) -> Iterator[str]:
    """Yield sentences about how many groups do not have all periods of a figure."""
    for rows, pair in pairs:
        groups, figure = rows[GROUP].drop_duplicates(), pair.figure
        complete = rows.loc[_is_complete(rows, figure), GROUP].drop_duplicates()
        if len(complete) < len(groups):
            yield (
                f"{pair.treatment}: {len(groups) - len(complete)} of {len(groups)} groups do not "
                f"have all periods; the mean over periods 1-{figure.over} leaves them out"
            )


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


def _notes(data: Data, study: Study, pairs: list[_Pair], played: list[Rules]) -> Iterator[str]:
    """Yield caveats: differences in design, and groups and treatments that were left out."""
    for pair in pairs:
        treatment, name = pair.treatment, pair.figure.condition
        others = [of for of in played if of.treatment == treatment and of not in pair.rules]
        for rules in others:
            for line in _different(study, name, rules):
                yield f"{rules.name}: left out, because {line}"
        design = {**study.design, **study.conditions[name].design}
        for rules in pair.rules:
            for key, value in rules.unlike(design).items():
                yield f"{rules.name}: {key} = {shown(value)}, but {shown(design[key])} in the study"
        matching = _matching(data, treatment)
        if matching != study.matching:
            yield f"{treatment}: matching = {matching}, but {study.matching} in the study"
        left_out = [group for rules in others for group in rules.groups]
        yield from differences(without(data, left_out), treatment, pair.figure.over)
    compared_with = {pair.treatment for pair in pairs}
    unmatched = dict.fromkeys(of.treatment for of in played if of.treatment not in compared_with)
    if unmatched:
        yield f"Treatments without published numbers: {', '.join(unmatched)}"

"""Measures by period: their means, the survival of groups, and regressions.

A regression

    measure ~ treatment * period

estimates the starting level of each treatment and how it changes from period to period. A mean over
all periods cannot show that. Errors are clustered by group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis import games, measures, statistics
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.measures.peers import SERIES
from mixed_company.analysis.notes import stopped
from mixed_company.analysis.report.compared import SEED
from mixed_company.analysis.report.measured import PEOPLE_ONLY, Measured
from mixed_company.analysis.report.parts import from_one
from mixed_company.analysis.rounding import TINY, size
from mixed_company.analysis.statistics import NoTest, Result
from mixed_company.analysis.statistics.regressing import FEW

LEAST = 3
"""Minimum number of groups per treatment. With fewer groups, neither clustered errors nor the
bootstrap are valid."""


def _drawn(measured: Measured) -> list[tuple[str, str]]:
    """Return the name and unit of each measure that is drawn by period and has a value.

    The game's other measures are left out if they never change, because then the rule behind them
    is off. An example is trust in a public good without sanctions.
    """
    names, units = measured.numbers("period", measured.by_period), measured.units()
    first, *others = games.find(measured.data.game_id).series
    changing = [name for name in others if measured.periods[name].nunique() > 1]
    drawn = dict.fromkeys((first, *changing, *SERIES))
    return [(name, units["period", name]) for name in drawn if name in names]


def series(measured: Measured) -> pd.DataFrame:
    """Return means over groups, with one row per measure of periods, treatment and period.

    seats       seats that the measure covers (`Measured.seats`)
    period      counted from 1
    groups      number of groups with a value in this period; groups that finished earlier have none
    of          maximum of `groups` over all periods of the treatment
    low, high   95% interval of the mean over groups, separately for each period
    """
    rows, ends = [], measures.ranges(measured.data.game_id)
    for name, unit in _drawn(measured):
        values, seats = measured.by_period.dropna(subset=[name]), measured.seats(name)
        for period, groups in values.groupby("period"):
            means = statistics.means(statistics.units(groups, name), ends=ends[name])
            number = int(str(period)) + 1
            rows.append(means.assign(measure=name, unit=unit, seats=seats, period=number))
    columns = [
        "measure",
        "unit",
        "seats",
        "treatment",
        "period",
        "groups",
        "of",
        "mean",
        "low",
        "high",
    ]
    if not rows:
        return pd.DataFrame(columns=columns)
    table = pd.concat(rows, ignore_index=True).rename(columns={"n": "groups"})
    table["of"] = table.groupby(["measure", "treatment"])["groups"].transform("max")
    return table[columns]


def of_people(measured: Measured) -> pd.DataFrame:
    """Return the drawn measures that cover only people, one row per group and period.

    There are measure columns only if treatments differ in bots.
    """
    names = [name for name, _ in _drawn(measured) if measured.seats(name) == PEOPLE_ONLY]
    groups = measured.periods["group"]  # without units
    return from_one(
        measured.by_period.assign(group=groups)[[*GROUP, "period", "treatment", *names]]
    )


# -- how long groups played ------------------------------------------------------------------------


def lengths(data: Data) -> pd.DataFrame:
    """Return how many periods groups played, one row per treatment.

    groups, plays  number of groups and, if a block is repeated, of its plays. Each play has its own
                   groups, so `groups` counts a group that stays together once per play
    planned        number of periods in the configuration; a range if groups differ
    least, median, most   number of periods played
    playing        groups that are still playing
    early          groups that ended after fewer periods than planned
    reasons        reasons why these groups ended, with the number of groups for each
    """
    games, plays = data.games, data.plays
    keys = data.groups[GROUP].itertuples(index=False, name=None)
    groups = data.groups.assign(horizon=[games[key].horizon for key in keys], reason=_reasons(data))
    rows = []
    for name, part in groups.groupby("treatment", observed=True):
        early = part[(part["periods"] < part["horizon"]) & (part["reason"] != "")]
        reasons = early["reason"].value_counts()
        shortest, longest = part["horizon"].min(), part["horizon"].max()
        rows.append(
            {
                "treatment": str(name),
                "groups": len(part),
                "plays": plays[str(name)],
                "planned": _between(shortest, longest),
                **{key: getattr(part["periods"], how)() for key, how in _HOW.items()},
                "playing": int((part["reason"] == "").sum()),
                "early": len(early),
                "reasons": ", ".join(f"{reason} {count}" for reason, count in reasons.items()),
            }
        )
    several = ["plays"] if "play" in data.config else []
    columns = ["treatment", "groups", *several, "planned", *_HOW, "playing", "early", "reasons"]
    return pd.DataFrame(rows, columns=columns)


def _reasons(data: Data) -> list[str]:
    """Return the reason why each group's play ended; empty if the group is still playing."""
    reasons = {key: f"stopped {why}" for key, why in stopped(data).items()}
    rows = data.groups[[*GROUP, "ended"]].itertuples(index=False, name=None)
    return [ended or reasons.get((session, group), "") for session, group, ended in rows]


def _between(shortest: int, longest: int) -> str:
    return f"{shortest}" if shortest == longest else f"{shortest} to {longest}"


_HOW = {"least": "min", "median": "median", "most": "max"}


# -- survival, in games that declare `lasting` measures --------------------------------------------


def seen(measured: Measured) -> pd.DataFrame:
    """Return for how many periods each finished group was observed.

    `ended` is 1 if the event of the game's `lasting` measure occurred then, and 0 if the group is
    censored. Games without such a measure have no rows.
    """
    columns = ["treatment", "session", "group", "duration", "ended"]
    names = games.find(measured.data.game_id).lasting
    if names is None:
        return pd.DataFrame(columns=columns)
    groups = measured.groups
    frame = groups.rename(columns=dict(zip(names, ("duration", "ended"), strict=True)))
    return frame[columns].dropna(subset=["duration", "ended"])


def _lives(groups: pd.DataFrame) -> tuple[Any, Any, list[str]]:
    """Return the groups' durations, event indicators and treatments, ordered by treatment."""
    frame = groups.sort_values("treatment", kind="stable")
    durations, ended = frame[["duration", "ended"]].to_numpy(dtype=float).T
    return durations, ended, list(frame["treatment"].astype(str))


def survival(measured: Measured) -> pd.DataFrame:
    """Return the `statistics.survival` of the groups, with treatments in their order. There is no
    interval if groups exchanged people."""
    table = statistics.survival(*_lives(seen(measured)))
    mixed = [name for name in measured.data.treatments if _exchanged(measured, [name])]
    table.loc[table["treatment"].isin(mixed), ["low", "high"]] = np.nan
    return table


def _exchanged(measured: Measured, treatments: Sequence[str]) -> bool:
    """Return whether groups of these treatments exchanged people."""
    groups = measured.data.groups
    groups = groups[groups["treatment"].isin(treatments)]
    return len(measured.data.by_unit(groups)[GROUP].drop_duplicates()) < len(groups)


def log_rank(measured: Measured) -> pd.DataFrame:
    """Return one row (per block) with the log-rank test of treatments, or with the reason why there
    is none."""
    columns = ["block", "groups", "ended", "test", "statistic", "p", "notes"]
    groups, rows = seen(measured), []
    for block, treatments in measured.blocks.items():
        durations, ended, names = _lives(groups[groups["treatment"].isin(treatments)])
        if not names:
            continue
        row: dict[str, Any] = {"block": block, "groups": len(ended), "ended": int(ended.sum())}
        row["test"] = "log-rank"
        try:
            if _exchanged(measured, treatments):
                raise NoTest("log-rank test: groups exchanged people, so they are not independent")
            row["statistic"], row["p"] = statistics.log_rank(durations, ended, names)
        except NoTest as refusal:
            row["notes"] = str(refusal)
        rows.append(row)
    return pd.DataFrame(rows, columns=columns if measured.in_blocks else columns[1:])


# -- regressions -----------------------------------------------------------------------------------


def regressions(measured: Measured) -> pd.DataFrame:
    """Return one row per coefficient and measure (and block) that is drawn by period.

    `notes` has the kind of errors, or the reason why there is no regression.
    """
    columns = [
        *(["block"] if measured.in_blocks else []),
        *("measure", "unit", "seats", "coefficient", "groups"),
        *("effect", "low", "high", "p", "notes"),
    ]
    rows = [
        {"block": block, "measure": name, "unit": unit, "seats": measured.seats(name), **row}
        for name, unit in _drawn(measured)
        for block, treatments in measured.blocks.items()
        for row in _of_measure(measured, name, treatments)
    ]
    return pd.DataFrame(rows, columns=columns)


def _of_measure(measured: Measured, name: str, listed: Sequence[str]) -> Iterator[dict[str, Any]]:
    frame = measured.by_period[[*GROUP, "treatment", "period", name]].dropna(subset=[name])
    frame = frame[frame["treatment"].isin(listed)]
    counts = frame.drop_duplicates(GROUP)["treatment"].value_counts()
    treatments = [treatment for treatment in measured.data.treatments if counts.get(treatment, 0)]
    if not treatments:
        return
    groups = ", ".join(str(counts[treatment]) for treatment in treatments)
    if min((counts[treatment] for treatment in treatments), default=0) < LEAST:
        reason = f"no regression: a treatment has fewer than {LEAST} groups"
        yield {"groups": groups, "notes": reason}
        return
    frame["treatment"] = pd.Categorical(frame["treatment"].astype(str), treatments)
    try:
        regression = statistics.regression(
            frame,
            f"{name} ~ {'treatment * period' if len(treatments) > 1 else 'period'}",
            errors="wild" if counts.sum() < FEW else "cluster",
            seed=SEED,
        )
    except NoTest as refusal:
        yield {"groups": groups, "notes": f"no regression: {refusal}"}
        return
    rounding = TINY * float(size(frame[name].to_numpy(dtype=float)))
    for coefficient, result in regression.results.items():
        error = float(regression.fit.bse[coefficient])
        numbers = _numbers(result, error, rounding)
        yield {"coefficient": _worded(coefficient, treatments), "groups": groups, **numbers}


def _numbers(result: Result, error: float, rounding: float) -> dict[str, Any]:
    """Return the numbers of a coefficient. There is no interval if the standard error is just a
    rounding error."""
    effect = 0.0 if abs(result.effect) <= rounding else result.effect
    if error <= rounding:
        return {"effect": effect, "notes": "no interval: all its groups are identical"}
    numbers = {key: getattr(result, key) for key in ("low", "high", "p")}
    return {"effect": effect, **numbers, "notes": "; ".join(result.notes)}


def _worded(coefficient: str, treatments: list[str]) -> str:
    """Describe one of patsy's coefficients in words.

    >>> _worded("Intercept", ["open", "pool"])
    'open, first period'
    >>> _worded("treatment[T.pool]:period", ["open", "pool"])
    'pool - open, per period'
    """
    when = "per period" if coefficient.endswith("period") else "first period"
    for other in treatments[1:]:
        if coefficient.startswith(f"treatment[T.{other}]"):
            return f"{other} - {treatments[0]}, {when}"
    return f"{treatments[0]}, {when}"

"""Measures of groups, people and periods: one column per measure, float64, NaN if missing.

    groups(data)         one row per group
    people(data)         one row per seat of a group, including bots; `person` tells them apart
    periods(data)        one row per group and period
    described(game_id)   description of every column: meaning, unit, formula, source, function

Computing all measures takes a while; `groups(data, ["gini"])` computes only the measures named. For
several tables, pass the same `Plays(data)` to each, so shared parts are computed only once.

A measure is a function in a module named after its subject: in this folder, or in
`mixed_company/analysis/games/<id>/` if only one game has it. Measures are registered automatically.
`declaring` explains how to declare them, and `plays` which decisions count. Each measure can be
called separately: `from mixed_company.analysis.measures.points import gini; gini(data)`. `mixed
measures [game]` prints all measures as a document (docs/measures.md).

Groups that cannot be played have no rows; they are named in a LeftOutWarning and in
`data.problems`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from pkgutil import iter_modules

import pandas as pd

from mixed_company import engine
from mixed_company.analysis import games
from mixed_company.analysis.data import Data
from mixed_company.analysis.measures.declaring import KEYS, Measure, measure
from mixed_company.analysis.measures.plays import Plays
from mixed_company.analysis.ranges import Range
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short

__all__ = [
    "Measure",
    "Plays",
    "declared",
    "described",
    "groups",
    "measure",
    "people",
    "periods",
    "ranges",
]


def groups(data: Data | Plays, names: Collection[str] | None = None) -> pd.DataFrame:
    """Return a row per group: session, group, treatment (ordered categories), and its measures.

    `names`: measures to compute; None: all. A name that is not a group measure adds no column.
    """
    plays = data if isinstance(data, Plays) else Plays(data)
    return _shown(plays, _table(plays, "group", plays.groups[["treatment"]], names))


def people(data: Data | Plays, names: Collection[str] | None = None) -> pd.DataFrame:
    """Return a row per seat: session, group, seat, treatment, participant, person, and its
    measures.

    `person`: whether a person decided in at least one period. `names` as in `groups`.
    """
    plays = data if isinstance(data, Plays) else Plays(data)
    return _shown(plays, _table(plays, "person", _with_treatment(plays, plays.seats), names))


def periods(data: Data | Plays, names: Collection[str] | None = None) -> pd.DataFrame:
    """Return a row per group and period: session, group, period, treatment, and its measures.

    `names` as in `groups`. In a plan's repeated block, periods are numbered across all plays.
    """
    plays = data if isinstance(data, Plays) else Plays(data)
    rows = pd.DataFrame(index=plays.keys(KEYS["period"]))
    table = _counted_on(plays, _table(plays, "period", _with_treatment(plays, rows), names))
    return _shown(plays, table)


def _shown(plays: Plays, table: pd.DataFrame) -> pd.DataFrame:
    """Return the measures; in blind data, without values that must not be shown (`permuted`)."""
    permuted = plays.data.permuted
    return table if permuted is None else permuted.veiled(table)


def _counted_on(plays: Plays, table: pd.DataFrame) -> pd.DataFrame:
    """Count a play's periods from the end of the previous play in the same block."""
    config, group = plays.data.config, KEYS["group"]
    if "play" not in config:
        return table
    games, keys = plays.data.games, pd.MultiIndex.from_frame(config[group])
    lengths = [games[key].horizon if key in games else 0 for key in keys]
    before = (config["play"] * lengths).set_axis(keys)
    places = pd.MultiIndex.from_frame(table[group])
    return table.assign(period=table["period"] + before.reindex(places).to_numpy())


def described(game_id: str) -> pd.DataFrame:
    """Return one row per level and measure of a game, in the order of the columns. Raises
    UnknownName.

    level, measure, unit, formula, source, function, higher_is, meaning, missing; untested: why it
    is not tested; same_as: measures that it can coincide with, separated by commas
    """
    if game_id not in engine.game_ids():
        raise UnknownName(f"game = {short(game_id)}{nearest(game_id, engine.game_ids())}")
    rows = [
        {
            "level": level,
            "measure": measure.name,
            "unit": measure.unit,
            "formula": measure.formula,
            "source": measure.source,
            "function": measure.function,
            "higher_is": measure.higher_is,
            "meaning": measure.meaning,
            "missing": measure.missing,
            "untested": measure.untested,
            "same_as": ",".join(measure.same_as),
        }
        for level in KEYS
        for measure in declared()
        if level in measure.levels and game_id in measure.games
    ]
    return pd.DataFrame(rows, dtype="str")


def ranges(game_id: str) -> dict[str, Range]:
    """Return the ranges of a game's measures, by name."""
    return {measure.name: measure.ends for measure in declared() if game_id in measure.games}


@lru_cache(maxsize=1)
def declared() -> tuple[Measure, ...]:
    """Return all measures by subject, in source order; measures that only one game has come last.

    Raises ConfigError if two of them would fill the same column of the same game, or if `same_as`
    names a measure that does not exist.
    """
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    modules += [module for _, module in games.modules()]
    modules.sort(key=lambda module: module.__name__.rpartition(".")[2])
    measures = [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Measure) and value.function.rpartition(".")[0] == module.__name__
    ]
    taken: dict[tuple[str, str, str], str] = {}
    for candidate in measures:
        for key in (
            (game, level, candidate.name) for game in candidate.games for level in candidate.levels
        ):
            if key in taken:
                raise ConfigError(
                    f"{candidate.function}: {key} is already a column of {taken[key]}"
                )
            taken[key] = candidate.function
    for candidate in measures:
        for other in candidate.same_as:
            if not any((game, level, other) in taken for game in candidate.games for level in KEYS):
                raise ConfigError(
                    f"{candidate.function}: same_as = {other!r}: there is no such measure"
                )
    return tuple(measures)


def _with_treatment(plays: Plays, rows: pd.DataFrame) -> pd.DataFrame:
    keys = pd.MultiIndex.from_frame(rows.index.to_frame(index=False)[KEYS["group"]])
    treatment = plays.groups["treatment"].reindex(keys).array  # keeps categories and their order
    return pd.concat([pd.DataFrame({"treatment": treatment}, index=rows.index), rows], axis=1)


def _table(
    plays: Plays, level: str, rows: pd.DataFrame, names: Collection[str] | None
) -> pd.DataFrame:
    columns = {
        measure.name: measure(plays, level)
        for measure in declared()
        if level in measure.levels and plays.game_id in measure.games
        if names is None or measure.name in names
    }
    return pd.concat([rows, pd.DataFrame(columns, index=rows.index)], axis=1).reset_index()


# -- a document of all measures ------------------------------------------------------------------


_HEAD = """# Measures

`mixed measures` writes this page from the measures' docstrings. Each measure is a column of
`measures.groups(data)`, `measures.people(data)` or `measures.periods(data)`, depending on its
level: group, person (a seat; bots also have rows, with `person` False) or period. A value
that is undefined is NaN, never 0; *missing* says when that happens. The [codebook](codebook.md)
describes the columns that formulas use.
"""


def document(games: Sequence[str] = ()) -> str:
    """Return the measures of these games, or of all games, as Markdown. Raises UnknownName."""
    for game in games:
        if game not in engine.game_ids():
            raise UnknownName(f"game = {short(game)}{nearest(game, engine.game_ids())}")
    chosen = [measure for measure in declared() if not games or set(games) & set(measure.games)]
    counted = str(import_module(Plays.__module__).__doc__).splitlines()[2:]
    parts = [_HEAD, "\n" + "\n".join(counted) + "\n"]
    for subject, measures_of_it in groupby(chosen, key=_subject):
        listed = list(measures_of_it)
        parts.append(f"\n## {subject.capitalize()}\n\n{_about(subject, listed)}\n")
        names = Counter(measure.name for measure in listed)
        parts += [_written(measure, names[measure.name] > 1) for measure in listed]
    return "".join(parts)


def _subject(measure: Measure) -> str:
    return measure.function.split(".")[-2]


def _about(subject: str, listed: Sequence[Measure]) -> str:
    """Return the docstring of the subject's module for all games or, if there is none, the
    docstrings of its modules for individual games."""
    general = f"{__name__}.{subject}"
    modules = dict.fromkeys(measure.function.rpartition(".")[0] for measure in listed)
    names = [general] if find_spec(general) is not None else list(modules)
    return "\n\n".join(str(import_module(name).__doc__).strip() for name in names)


def _written(measure: Measure, is_repeated: bool) -> str:
    """Return a measure's section; `is_repeated` adds games and levels to its heading."""
    of = "all games" if len(measure.games) == len(engine.game_ids()) else ", ".join(measure.games)
    unit = measure.unit + (f"; higher means {measure.higher_is}" if measure.higher_is else "")
    tested = f"- not tested: {measure.untested}\n" if measure.untested else ""
    if measure.same_as:
        others = ", ".join(f"`{name}`" for name in measure.same_as)
        tested += f"- not tested alongside {others} if it is the same on another scale\n"
    where = f" ({', '.join(measure.levels)}; {of})" if is_repeated else ""
    return f"""
### `{measure.name}`{where}

{measure.meaning}

- of: {", ".join(measure.levels)}; {of}
- unit: {unit}
- formula: {measure.formula}
- missing: {measure.missing}
- source: {measure.source}
- function: `{measure.function}`
{tested}"""

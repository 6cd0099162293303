"""Well-known findings, at most one per game, reproduced with policies in place of people.

The plays are simulated. They show that games, policies, measures and tests work together, and that
the incentives match the literature. They say nothing about people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan
from typing import Any

import pandas as pd

from mixed_company.analysis import games, measures, statistics
from mixed_company.analysis.data import Data
from mixed_company.analysis.games import Pattern
from mixed_company.analysis.simulated import simulated
from mixed_company.analysis.writing import joined
from mixed_company.engine.contract.chance import MAX_SEED, generator
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.policies.sharing import Sharing


def pattern(game: str) -> Pattern:
    """Return the pattern that a game declares. Raises UnknownName."""
    declared = games.find(game).pattern if game in with_pattern() else None
    if declared is None:
        raise UnknownName(
            f"game = {short(game)}: no pattern for this game{nearest(game, with_pattern())}"
        )
    return declared


def with_pattern() -> tuple[str, ...]:
    """Return the ids of the games that have a pattern."""
    return games.having(lambda module: module.pattern)


def played(
    game: str, groups: int, seed: int, workers: int = 1, scheduler: str | None = None
) -> Data:
    """Play this many groups per treatment with the same policies, using different seeds in each
    treatment.

    So groups of different treatments are independent, as unpaired tests require. The plays do not
    depend on the number of processes or on whether a Dask cluster is used.
    """
    if groups < 2:
        raise ConfigError(
            f"groups = {groups}: should be at least 2 per treatment, so treatments can be compared"
        )
    names = list(pattern(game).treatments)
    work = [(game, name, groups, seed) for name in names]
    with Sharing(workers, scheduler, progress=True) as sharing:
        plays = sharing.gathered(_of_treatment, work, f" groups of {game}", [groups] * len(names))
    return joined(*plays)


def _of_treatment(work: tuple[str, str, int, int]) -> Data:
    game, name, groups, seed = work
    declared = pattern(game)
    return simulated(
        game,
        declared.people,
        groups=groups,
        seed=int(generator(seed, f"groups of {name}").integers(MAX_SEED)),
        treatment=name,
        **{"archetype": declared.archetype, **declared.treatments[name]},
    )


def compared(data: Data, seed: int = 0) -> pd.DataFrame:
    """Compare the treatments with `statistics.compare_all` on each measure with an expected order,
    one row per measure."""
    expected = list(pattern(data.game_id).expected)
    ends = measures.ranges(data.game_id)
    return statistics.compare_all(measures.groups(data, expected), expected, ends=ends, seed=seed)


def as_expected(data: Data) -> dict[str, bool]:
    """Return, for each measure, whether its means are in the order that the literature reports,
    without ties."""
    declared = pattern(data.game_id)
    frame = measures.groups(data, list(declared.expected))
    means = frame.groupby("treatment")[list(declared.expected)].mean()
    ordered = {
        measure: means.loc[list(order), measure] for measure, order in declared.expected.items()
    }
    return {
        measure: bool(values.is_monotonic_increasing and values.is_unique)
        for measure, values in ordered.items()
    }


def described(data: Data, seed: int) -> Iterator[str]:
    """Describe the groups `played` with this seed, as lines of Markdown."""
    declared, table, right = pattern(data.game_id), compared(data, seed), as_expected(data)
    names = list(declared.treatments)
    groups = len(data.groups) // len(names)
    yield f"## {declared.title} (`{data.game_id}`)\n"
    yield f"{declared.says} Source: {declared.source}.\n"
    yield (
        f"Simulated: {groups} groups per treatment, with the policies {', '.join(declared.people)} "
        f"in place of people; `{declared.archetype}`, seed {seed}. Group means with 95% "
        f"intervals.\n"
    )
    yield f"| measure | {' | '.join(names)} | test | p (Holm) | as expected |"
    yield f"|---|{'---|' * len(names)}---|---|---|"
    for row in table.to_dict("records"):
        cells = [_mean(row, name) for name in names]
        order = " < ".join(declared.expected[row["measure"]])
        verdict = f"{'yes' if right[row['measure']] else 'no'}: {order}"
        yield (
            f"| {row['measure']} | {' | '.join(cells)} | {row['test'] or 'not tested'} "
            f"| {_p(row['p_corrected'])} "
            f"| {verdict} |"
        )
    yield ""


def _mean(row: Mapping[Any, Any], name: str) -> str:
    mean, low, high = (row[f"{key} {name}"] for key in ("mean", "low", "high"))
    return f"{mean:.2f}" if isnan(low) else f"{mean:.2f} [{low:.2f}, {high:.2f}]"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"

"""Estimate the power of experiments by simulation, with policies in place of people.

    power("commons_game",
          {"open": {"people": ["conditional_cooperator"], "bots": ["greedy"], "archetype": "lab"},
           "kind": {"people": ["conditional_cooperator"], "bots": ["steward"], "archetype": "lab"}},
          measure="points", groups=[4, 8, 12], seed=1)

For each treatment, a pool of groups is played once. Each repetition draws groups from every
treatment's pool, without replacement, and tests them; power is the share of repetitions with p at
or below alpha, in the expected direction if there is one. If the treatments are identical, power is
the share of false positives.

The result assumes that people behave like the policies. Policies vary less than people, so real
experiments need more groups. The pool is finite: it has 10 blocks, each repetition draws from one
of them, and the interval accounts for the variance between blocks. If people come from an estimated
population, `uncertain` draws a different population for every block. Power is then the average over
the possible populations (O'Hagan, Stevens and Campbell 2005, Pharmaceutical Statistics 4(3):
assurance).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.power.experiments import Experiments, findings, interval, looked
from mixed_company.analysis.rounding import alike
from mixed_company.analysis.simulated import simulated
from mixed_company.analysis.statistics.comparing import chosen_test
from mixed_company.analysis.statistics.effects import has_direction
from mixed_company.analysis.statistics.result import NoTest, check, chosen
from mixed_company.analysis.statistics.spending import SPENDING
from mixed_company.analysis.statistics.units import these, units
from mixed_company.engine.contract.chance import MAX_SEED, check_seed, generator
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.comparisons import counted
from mixed_company.policies.populations.uncertain import MARK, split
from mixed_company.policies.sharing import Sharing
from mixed_company.policies.spec import POPULATION

BLOCKS = 10
"""Number of independent blocks in a pool."""
UNCERTAIN = 25
"""Number of blocks in a pool if each has different populations."""
_TIMES = 2
"""The default size of a block, as a multiple of the largest number of groups."""
_RESAMPLES = 999
_SIGNS = {"": 0, "higher": 1, "lower": -1}
"""The sign of the results that count, by direction."""

Measure = str | Callable[[Data], "pd.Series[float]"]


def power(
    game: str,
    treatments: Mapping[str, Mapping[str, Any]],
    measure: Measure,
    groups: Sequence[int],
    *,
    test: str | None = None,
    direction: str = "",
    alpha: float = 0.05,
    looks: Sequence[float] = (),
    spending: str = "obrien_fleming",
    repetitions: int = 1000,
    pool: int | None = None,
    resamples: int = _RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
    uncertain: bool = False,
    progress: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
) -> pd.DataFrame:
    """Return one row per number of groups per treatment: `groups`, `power`, `low` and `high`.

    treatments   two or more treatments by name, in the order of a trend. Each has `people`, `bots`
                 and `people_per_group` as for `simulated`, and either parameters of `engine.make`
                 or a `setup` with rules that groups vote on
    measure      a column of the tables outcomes (people only), decisions, periods (all seats) or
                 groups, or else a measure of groups or people (`measures.described`); seats' values
                 are averaged by group as in `units`. Alternatively, a function that takes the Data
                 and returns one number per group, as a Series with the index (session, group)
    test         one of statistics.TESTS; None: the rank test for this number of treatments
    direction    "higher" or "lower": the values that the last treatment is expected to have. Only
                 significant results in this direction count as power; the `opposite` column has the
                 share of results in the opposite direction. Empty: both directions count
    looks        shares of the groups after which interim tests are made. An experiment is
                 significant if any look is. The levels come from `statistics.spending`
    pool         number of groups to play for each treatment; None: 20 times the largest of `groups`
    resamples    number of permutations in tests that draw them
    uncertain    draw a different population for each block of the pool, using the errors of its
                 parameters; all treatments in a block share it. There are then UNCERTAIN
                 blocks
    workers      number of processes, or `scheduler`, the address of a Dask cluster to use. The
                 result is the same. If the measure is a function, it must then be importable

    `low` and `high` are Wilson's interval (1927, JASA 22) for an effective number of repetitions
    that accounts for the variance between blocks and is at most their actual number, as in Korn and
    Graubard (1998), Survey Methodology 24(2). Further columns: `test`, `alpha`, `repetitions`,
    `pool` and, with looks, `looks`: the numbers of groups at each. Raises UnknownName or
    ConfigError, and NoTest if a group has no value or if all groups of each treatment have the same
    value.
    """
    check_seed(seed)
    check(level=level, resamples=resamples)
    chosen("spending", spending, SPENDING)
    chosen("direction", direction, _SIGNS)
    name = chosen_test(test, len(treatments))
    if direction and not has_direction(name, len(treatments)):
        raise ConfigError(
            f"direction = {direction!r}: {name} of {len(treatments)} treatments has no direction"
        )
    count = UNCERTAIN if uncertain else BLOCKS
    size = checked_size(treatments, groups, alpha, looks, repetitions, pool, count)
    counts = [looked(looks, number) for number in groups]
    with Sharing(workers, scheduler, progress) as sharing:
        (blocks,) = pools(game, treatments, [measure], size, seed, uncertain, sharing)
        options = (name, alpha, spending, resamples, repetitions, seed, _SIGNS[direction])
        drawn = [Experiments(blocks, places, *options) for places in counts]
        shares = sharing.gathered(findings, drawn, " tests", [repetitions] * len(drawn))
    rows = [interval(share[:, 0], repetitions, level) for share in shares]
    table = pd.DataFrame(rows, columns=["power", "low", "high"])
    if direction:
        table["opposite"] = [float(share[:, 1].mean()) for share in shares]
    table.insert(0, "groups", list(groups))
    table = table.assign(test=name, alpha=alpha, repetitions=repetitions, pool=size * count)
    if not looks:
        return table
    return table.assign(looks=[", ".join(map(str, look_counts)) for look_counts in counts])


def pools(
    game: str,
    treatments: Mapping[str, Mapping[str, Any]],
    measured: Sequence[Measure],
    size: int,
    seed: int,
    uncertain: bool,
    sharing: Sharing,
) -> list[list[Sequence[Array]]]:
    """Play the pool once. Return the groups' values of each measure, block by block and treatment
    by treatment; a block has `size` groups of every treatment.

    Raises NoTest if groups never differ within a treatment on some measure.
    """
    count = UNCERTAIN if uncertain else BLOCKS
    parts = _parts(game, treatments, measured, size, seed, count)
    if uncertain:
        parts = _uncertain(parts, seed, count)
    values = sharing.gathered(_values_of, parts, " groups", [size] * len(parts))
    return [
        _of_measure([part[number] for part in values], count) for number in range(len(measured))
    ]


def _of_measure(values: Sequence[Array], count: int) -> list[Sequence[Array]]:
    """Return the values of all parts, block by block. Raises NoTest."""
    pools = [values[start : start + count] for start in range(0, len(values), count)]
    if all(alike(np.concatenate(pool)) for pool in pools):
        raise NoTest(
            "measure: always the same within a treatment, because these policies are "
            "deterministic, so power would be 0 or 1 for any number of groups. Use policies with "
            "random decisions, such as noisy_person"
        )
    return list(zip(*pools, strict=True))


def checked_size(
    treatments: Mapping[str, Mapping[str, Any]],
    groups: Sequence[int],
    alpha: float,
    looks: Sequence[float],
    repetitions: int,
    pool: int | None,
    count: int,
    least: int = 2,
) -> int:
    """Return the number of groups in a block. Raises ConfigError if an argument is invalid; `least`
    is the smallest valid number of groups."""
    if len(treatments) < 2:
        raise ConfigError(f"treatments: {len(treatments)} given; power needs 2 or more")
    for name, settings in treatments.items():
        if "people" not in settings:
            raise ConfigError(
                f"treatment {name!r}: people: should name the policies that play in place of people"
            )
    if not groups or min(groups) < least:
        raise ConfigError(
            f"groups = {list(groups)}: should be numbers of groups per treatment, each {least} or "
            "more"
        )
    if not 0 < alpha < 1:
        raise ConfigError(f"alpha = {alpha}: should be between 0 and 1, such as 0.05")
    if not all(0 < share < 1 for share in looks):
        raise ConfigError(f"looks = {list(looks)}: should be shares between 0 and 1")
    if repetitions < count or repetitions % count:
        raise ConfigError(
            f"repetitions = {repetitions}: should be a multiple of {count}, such as 1000"
        )
    size = _TIMES * max(groups) if pool is None else pool // count
    if size < max(groups):
        raise ConfigError(
            f"pool = {pool}: should be at least {count * max(groups)}, so each of {count} "
            f"blocks has {max(groups)} groups"
        )
    return size


# -- the pool -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """A block of a treatment's pool."""

    game: str
    name: str
    treatment: Mapping[str, Any]
    measured: Sequence[Measure]
    groups: int
    seed: int


def _parts(
    game: str,
    treatments: Mapping[str, Mapping[str, Any]],
    measured: Sequence[Measure],
    size: int,
    seed: int,
    count: int,
) -> list[_Part]:
    """Return the blocks of all treatments, treatment by treatment."""
    parts = []
    for name, settings in treatments.items():
        rng = generator(seed, f"pool of {name}")
        seeds = [int(rng.integers(MAX_SEED)) for _ in range(count)]
        parts += [
            _Part(game, name, dict(settings), measured, size, part_seed) for part_seed in seeds
        ]
    return parts


def _uncertain(parts: Sequence[_Part], seed: int, count: int) -> list[_Part]:
    """Return the parts, with the populations' parameters redrawn in every block, based on their
    standard errors.

    Raises ConfigError if no policy is such a population.
    """
    rng = generator(seed, "populations")
    seeds = [int(rng.integers(MAX_SEED)) for _ in range(count)]
    named = [[*part.treatment["people"], *part.treatment.get("bots", ())] for part in parts]
    if all(_redrawn(name, 0) == name for names in named for name in names):
        raise ConfigError("uncertain: no policy is a population whose parameters can be drawn")
    drawn = []
    for number, part in enumerate(parts):
        policies = {
            key: [_redrawn(name, seeds[number % count]) for name in part.treatment.get(key, ())]
            for key in ("people", "bots")
        }
        drawn.append(replace(part, treatment={**part.treatment, **policies}))
    return drawn


def _redrawn(name: str, seed: int) -> str:
    """Return a policy's name; if it is a population, add the seed of the draw."""
    is_population = name.startswith(POPULATION) and split(name)[1] is None
    return f"{name}{MARK}{seed}" if is_population else name


def _values_of(part: _Part) -> list[Array]:
    """Play the groups of a part, and return the values of each measure."""
    settings = {"bots": (), **part.treatment}
    game = settings.pop("setup", part.game)
    played = simulated(game, groups=part.groups, seed=part.seed, treatment=part.name, **settings)
    return [_values(played, measure, part.name) for measure in part.measured]


def _values(data: Data, measure: Measure, treatment: str) -> Array:
    """Return the measure for every group. Raises UnknownName, NoTest."""
    by_group = _column(data, measure) if isinstance(measure, str) else measure(data)
    index = pd.MultiIndex.from_frame(data.config[GROUP])
    values = by_group.reindex(index).astype("Float64").astype("float64")
    if values.isna().any():
        listed = these([tuple(key) for key in index[values.isna().to_numpy()]])
        raise NoTest(
            f"measure: {int(values.isna().sum())} of {counted(len(index), 'group')} of treatment "
            f"{treatment!r} have no value ({listed}); define one for them"
        )
    return values.to_numpy()


def _column(data: Data, name: str) -> pd.Series[float]:
    """Return one value per group: the mean of a column, or a measure. Raises UnknownName,
    ConfigError."""
    names: set[str] = set()
    for table in _TABLES:
        frame = table(data, name)
        numeric = [
            column for column in frame.columns if pd.api.types.is_numeric_dtype(frame[column])
        ]
        if name in numeric:
            means = units(frame.assign(treatment="all"), name)
            return means.frame.set_index(GROUP)["value"]
        names |= set(map(str, numeric))
    if name in frame.columns:
        raise ConfigError(f"measure {name!r}: its values are words; power needs numbers")
    described = measures.described(data.game_id)
    names |= set(described.loc[described["level"] != "period", "measure"])
    raise UnknownName(f"measure {short(name)}: unknown in {data.game_id}{nearest(name, names)}")


_TABLES: tuple[Callable[[Data, str], pd.DataFrame], ...] = (
    lambda data, name: data.outcomes,
    lambda data, name: data.decisions,
    lambda data, name: data.periods,
    lambda data, name: data.groups,
    lambda data, name: measures.groups(data, [name]),
    lambda data, name: measures.people(data, [name]),
)
"""Tables that are searched for a measure, in this order."""

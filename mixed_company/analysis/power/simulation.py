"""How many groups an experiment needs: power by simulation, with policies in people's places.

    power("commons_game",
          {"open": {"people": ["conditional_cooperator"], "bots": ["greedy"], "archetype": "lab"},
           "kind": {"people": ["conditional_cooperator"], "bots": ["steward"], "archetype": "lab"}},
          measure="points", groups=[4, 8, 12], seed=1)

Of each treatment a pool of groups is played once. Each repetition draws so many groups of every
treatment's pool, without replacement, and tests them; power is the share of repetitions with p at
or below alpha. A treatment given twice under two names gives the share of false findings.

What it rests on: people do as the policies do. Policies that stand in for people differ less than
people, and real groups then need more. The pool is finite: it comes in 10 blocks, each repetition
draws from one, and from how much the blocks differ the interval knows what another pool could say.
Where people are of a population with errors, `uncertain` draws another one for every block: power
is then the mean over what the population might be (O'Hagan, Stevens and Campbell 2005,
Pharmaceutical Statistics 4(3): assurance).
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
from mixed_company.analysis.statistics.result import NoTest, check, chosen, counted
from mixed_company.analysis.statistics.spending import SPENDING
from mixed_company.analysis.statistics.units import these, units
from mixed_company.engine.contract.chance import MAX_SEED, check_seed, generator
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.policies.populations.uncertain import MARK, split
from mixed_company.policies.sharing import Sharing
from mixed_company.policies.spec import POPULATION

__all__ = ["power"]

BLOCKS = 10
"""Independent parts of a pool."""
UNCERTAIN = 25
"""The same, where each is of populations of its own."""
_TIMES = 2
"""So many times the largest number of groups is in each block, unless told otherwise."""
_RESAMPLES = 999

Measure = str | Callable[[Data], "pd.Series[float]"]


def power(
    game: str,
    treatments: Mapping[str, Mapping[str, Any]],
    measure: Measure,
    groups: Sequence[int],
    *,
    test: str | None = None,
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
    """Return rows of `groups` (of each treatment), `power`, `low` and `high`.

    treatments   by name: `people` and `bots`, ids of policies as for `simulated`, and parameters
                 of `engine.make` or a `setup`, on whose rules groups vote; two or more, in the
                 order of a trend
    measure      a column of the outcomes (of people), decisions or periods (of all seats) or groups
                 of the game, or else a measure of groups or people (`measures.described`); of what
                 is of seats a group has the mean as in `units`. Or what gives one number per group
                 of the Data, a Series with the index (session, group)
    test         one of statistics.TESTS; None: the rank test for so many treatments
    looks        shares of the groups at which it is tested before the end, too: an experiment finds
                 something if one of its looks does. Their levels are of `statistics.spending`
    pool         groups played of each treatment; None: 20 times the largest of `groups`
    resamples    arrangements in tests that draw them
    uncertain    is each block of the pool of other populations, drawn from the errors of their
                 numbers, the same ones in all treatments? There are UNCERTAIN blocks then
    workers      processes that do it, or `scheduler`, the address of a Dask cluster; whoever does
                 it, the result is the same. A measure that is a function must then be one of a file

    `low` and `high` are Wilson's interval (1927, JASA 22), for as many repetitions as would vary
    like the blocks of the pool do, at most all of them: an effective sample size as in Korn and
    Graubard (1998), Survey Methodology 24(2). Also: `test`, `alpha`, `repetitions`, `pool`,
    and with looks `looks`, the groups at each.
    Raises UnknownName, ConfigError; NoTest where a group has no value, or where all groups of every
    treatment have the same.
    """
    check_seed(seed)
    check(level=level, resamples=resamples)
    chosen("spending", spending, SPENDING)
    name = chosen_test(test, len(treatments))
    count = UNCERTAIN if uncertain else BLOCKS
    size = _checked(treatments, groups, alpha, looks, repetitions, pool, count)
    parts = _parts(game, treatments, measure, size, seed, count)
    if uncertain:
        parts = _uncertain(parts, seed, count)
    counts = [looked(looks, number) for number in groups]
    with Sharing(workers, scheduler, progress) as sharing:
        blocks = _played(parts, size, count, sharing)
        drawn = [
            Experiments(blocks, places, name, alpha, spending, resamples, repetitions, seed)
            for places in counts
        ]
        shares = sharing.gathered(findings, drawn, " tests", [repetitions] * len(drawn))
    rows = [interval(share, repetitions, level) for share in shares]
    table = pd.DataFrame(rows, columns=["power", "low", "high"])
    table.insert(0, "groups", list(groups))
    table = table.assign(test=name, alpha=alpha, repetitions=repetitions, pool=size * count)
    return table.assign(looks=[", ".join(map(str, own)) for own in counts]) if looks else table


def _played(
    parts: Sequence[_Part], size: int, count: int, sharing: Sharing
) -> list[Sequence[Array]]:
    """Return the measures of groups, block by block and treatment by treatment.

    Raises NoTest where no treatment has groups that differ.
    """
    values = sharing.gathered(_values_of, parts, " groups", [size] * len(parts))
    pools = [values[start : start + count] for start in range(0, len(parts), count)]
    if all(alike(np.concatenate(pool)) for pool in pools):
        raise NoTest(
            "measure: it is the same in all groups of a treatment, since these policies leave "
            "nothing to chance; power would be 0 or 1 for any number of groups. Take policies that "
            "differ, such as noisy_person"
        )
    return list(zip(*pools, strict=True))


def _checked(
    treatments: Mapping[str, Mapping[str, Any]],
    groups: Sequence[int],
    alpha: float,
    looks: Sequence[float],
    repetitions: int,
    pool: int | None,
    count: int,
) -> int:
    """Return the groups of a block. Raises ConfigError."""
    if len(treatments) < 2:
        raise ConfigError(f"treatments: {len(treatments)} given; power is of 2 or more")
    for name, own in treatments.items():
        if "people" not in own:
            raise ConfigError(f"treatment {name!r}: people: the policies in people's places")
    if not groups or min(groups) < 2:
        raise ConfigError(f"groups = {list(groups)}: numbers of groups per treatment, 2 or more")
    if not 0 < alpha < 1:
        raise ConfigError(f"alpha = {alpha}: between 0 and 1, such as 0.05")
    if not all(0 < share < 1 for share in looks):
        raise ConfigError(f"looks = {list(looks)}: shares of the groups, between 0 and 1")
    if repetitions < count or repetitions % count:
        raise ConfigError(f"repetitions = {repetitions}: a multiple of {count}, such as 1000")
    size = _TIMES * max(groups) if pool is None else pool // count
    if size < max(groups):
        raise ConfigError(
            f"pool = {pool}: at least {count * max(groups)}, so that each of {count} blocks has "
            f"{max(groups)} groups"
        )
    return size


# -- the pool -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """A block of the pool of a treatment."""

    game: str
    name: str
    treatment: Mapping[str, Any]
    measure: Measure
    groups: int
    seed: int


def _parts(
    game: str,
    treatments: Mapping[str, Mapping[str, Any]],
    measure: Measure,
    size: int,
    seed: int,
    count: int,
) -> list[_Part]:
    """Return all blocks of the first treatment, then those of the next."""
    parts = []
    for name, own in treatments.items():
        rng = generator(seed, f"pool of {name}")
        seeds = [int(rng.integers(MAX_SEED)) for _ in range(count)]
        parts += [_Part(game, name, dict(own), measure, size, one) for one in seeds]
    return parts


def _uncertain(parts: Sequence[_Part], seed: int, count: int) -> list[_Part]:
    """Return the parts with populations drawn from their errors, other ones for every block.

    Raises ConfigError where there is none to be drawn.
    """
    rng = generator(seed, "populations")
    seeds = [int(rng.integers(MAX_SEED)) for _ in range(count)]
    seated = [[*part.treatment["people"], *part.treatment.get("bots", ())] for part in parts]
    if all(_anew(name, 0) == name for names in seated for name in names):
        raise ConfigError("uncertain: no policy is a population, whose numbers could be drawn")
    drawn = []
    for number, part in enumerate(parts):
        own = {
            key: [_anew(name, seeds[number % count]) for name in part.treatment.get(key, ())]
            for key in ("people", "bots")
        }
        drawn.append(replace(part, treatment={**part.treatment, **own}))
    return drawn


def _anew(name: str, seed: int) -> str:
    """Return a policy's name, of a population with the seed by which its numbers are drawn."""
    whole = name.startswith(POPULATION) and split(name)[1] is None
    return f"{name}{MARK}{seed}" if whole else name


def _values_of(part: _Part) -> Array:
    """Play the groups of a part, and return their measures."""
    own = {"bots": (), **part.treatment}
    game = own.pop("setup", part.game)
    played = simulated(game, groups=part.groups, seed=part.seed, treatment=part.name, **own)
    return _values(played, part.measure, part.name)


def _values(data: Data, measure: Measure, treatment: str) -> Array:
    """Return the measure of every group. Raises UnknownName, NoTest."""
    by_group = _column(data, measure) if isinstance(measure, str) else measure(data)
    every = pd.MultiIndex.from_frame(data.config[GROUP])
    values = by_group.reindex(every).astype("Float64").astype("float64")
    if values.isna().any():
        which = these([tuple(key) for key in every[values.isna().to_numpy()]])
        raise NoTest(
            f"measure: {int(values.isna().sum())} of {counted(len(every), 'group')} of treatment "
            f"{treatment!r} have no value ({which}); say what it is for them"
        )
    return values.to_numpy()


def _column(data: Data, name: str) -> pd.Series[float]:
    """Return means of groups of a column, or a measure. Raises UnknownName, ConfigError."""
    known: set[str] = set()
    for table in _TABLES:
        frame = table(data, name)
        numbers = [
            column for column in frame.columns if pd.api.types.is_numeric_dtype(frame[column])
        ]
        if name in numbers:
            means = units(frame.assign(treatment="all"), name)
            return means.frame.set_index(GROUP)["value"]
        known |= set(map(str, numbers))
    if name in frame.columns:
        raise ConfigError(f"measure {name!r}: its values are words; power is of numbers")
    described = measures.described(data.game_id)
    known |= set(described.loc[described["level"] != "period", "measure"])
    raise UnknownName(f"measure {short(name)}: unknown in {data.game_id}{nearest(name, known)}")


_TABLES: tuple[Callable[[Data, str], pd.DataFrame], ...] = (
    lambda data, name: data.outcomes,
    lambda data, name: data.decisions,
    lambda data, name: data.periods,
    lambda data, name: data.groups,
    lambda data, name: measures.groups(data, [name]),
    lambda data, name: measures.people(data, [name]),
)
"""Where a measure is looked for, in this order."""

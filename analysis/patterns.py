"""Classic patterns, one per game, reproduced with policies in people's places.

Simulated, and only that: what is shown is that games, policies, measures and tests fit together,
and that the incentives are those of the literature. It says nothing about people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis import measures, statistics
from analysis.data import Data, joined
from analysis.simulated import simulated
from engine.contract.chance import MAX_SEED, generator
from engine.contract.errors import ConfigError, UnknownName, nearest

__all__ = [
    "PATTERNS",
    "Pattern",
    "as_expected",
    "found",
    "pattern",
    "played",
    "told",
]


@dataclass(frozen=True)
class Pattern:
    """A pattern of the literature, and how it is looked for.

    says        what should be seen
    people      policies in people's places, one per seat
    treatments  name -> what is changed in the archetype `lab`
    expected    measure -> the treatments in order, from the lowest to the highest mean
    course      the measure of periods that shows it best, drawn over the periods
    """

    game: str
    title: str
    says: str
    source: str
    people: tuple[str, ...]
    treatments: Mapping[str, Mapping[str, Any]]
    expected: Mapping[str, tuple[str, ...]]
    course: str


_QUOTA = {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 2.5}}}}

PATTERNS = {
    each.game: each
    for each in (
        Pattern(
            game="commons_game",
            title="Over-harvesting under open access, and its relief by governance",
            says="Without rules the stock breaks down; a pool that feeds it, or a quota, lets the "
            "group go on. The pool raises points too; the quota keeps the stock but does not.",
            source="Gordon (1954), Journal of Political Economy 62(2); Ostrom (1990), Governing "
            "the Commons",
            people=("greedy", "half_capacity", "noisy_person", "steward"),
            treatments={
                "open access": {},
                "pool": {"governance": "per_step", "pool_effect": 2.0},
                "quota": {"layers": _QUOTA},
            },
            expected={
                "periods_survived": ("open access", "pool"),
                "stock_share": ("open access", "pool", "quota"),
                "mean_points": ("open access", "pool"),
            },
            course="stock_share",
        ),
        Pattern(
            game="punishment_vote",
            title="A vote for punishment deters",
            says="Where votes move the level, one voter for more of it ends what harms others, "
            "since it no longer pays; where they do not, it goes on.",
            source="Yamagishi (1986), Journal of Personality and Social Psychology 51(1)",
            people=("forager", "forager", "forager", "law_and_order"),
            treatments={"votes without effect": {"vote_step": 0.0}, "votes": {}},
            expected={
                "taboo": ("votes", "votes without effect"),
                "harm_caused": ("votes", "votes without effect"),
                "mean_points": ("votes without effect", "votes"),
            },
            course="harm_caused",
        ),
        Pattern(
            game="sanctions",
            title="Cooperation decays without sanctions and stays with them",
            says="Conditional cooperators who give a little less than others fall well below where "
            "they began (not to nothing: the noisy one is drawn back to its baseline); who gives "
            "more after a sanction keeps contributions up where there are some.",
            source="Fehr and Gaechter (2000), American Economic Review 90(4)",
            people=("sanction_averse", "sanction_averse", "sanction_averse", "noisy_person"),
            treatments={"no sanctions": {"lambda_R": 0.0}, "sanctions": {}},
            expected={
                "last_contribution": ("no sanctions", "sanctions"),
                "contribution_slope": ("no sanctions", "sanctions"),
                "mean_points": ("no sanctions", "sanctions"),
            },
            course="contribution",
        ),
        Pattern(
            game="gem_mining",
            title="Coordination needs to be seen",
            says="Who avoids the crowd sees nobody where only own finds are seen, and chooses at "
            "random; where all is seen it hardly meets others. What is compared is random against "
            "informed choice, by the same policy.",
            source="Challet and Zhang (1997), Physica A 246",
            people=("avoid_crowd",) * 4,
            treatments={
                "own finds seen": {"information": "own"},
                "all seen": {"information": "all"},
            },
            expected={
                "excess_crowding": ("all seen", "own finds seen"),
                "efficiency": ("own finds seen", "all seen"),
            },
            course="efficiency",
        ),
    )
}


def pattern(game: str) -> Pattern:
    """The pattern of a game. Raises UnknownName."""
    if game not in PATTERNS:
        raise UnknownName(f"game = {game!r}: has no pattern{nearest(game, PATTERNS)}")
    return PATTERNS[game]


def played(game: str, groups: int, seed: int) -> Data:
    """So many groups per treatment, of the same policies; every treatment has seeds of its own.

    Groups of two treatments are then independent of each other, as unpaired tests want them.
    """
    if groups < 2:
        raise ConfigError(f"groups = {groups}: at least 2 per treatment, to compare them")
    own = pattern(game)
    return joined(
        *(
            simulated(
                game,
                own.people,
                groups=groups,
                seed=int(generator(seed, f"groups of {name}").integers(MAX_SEED)),
                treatment=name,
                archetype="lab",
                **changes,
            )
            for name, changes in own.treatments.items()
        )
    )


def found(data: Data, seed: int = 0) -> pd.DataFrame:
    """What is expected, compared: one row per measure, as `statistics.compare_all` gives it."""
    own = pattern(data.game_id)
    return statistics.compare_all(measures.groups(data), list(own.expected), seed=seed)


def as_expected(data: Data) -> dict[str, bool]:
    """Measure -> are the means of the treatments in the order of the literature, without ties?"""
    own, frame = pattern(data.game_id), measures.groups(data)
    means = frame.groupby("treatment")[list(own.expected)].mean()
    ordered = {measure: means.loc[list(order), measure] for measure, order in own.expected.items()}
    return {
        measure: bool(each.is_monotonic_increasing and each.is_unique)
        for measure, each in ordered.items()
    }


def told(data: Data, seed: int) -> Iterator[str]:
    """What was `played` with this seed, as lines of Markdown."""
    own, groups = pattern(data.game_id), len(data.groups) // len(pattern(data.game_id).treatments)
    table, right = found(data, seed), as_expected(data)
    names = list(own.treatments)
    yield f"## {own.title} (`{own.game}`)\n"
    yield f"{own.says} Source: {own.source}.\n"
    yield (
        f"Simulated: {groups} groups per treatment of {', '.join(own.people)} in people's places, "
        f"`lab`, seed {seed}. Means of groups with 95 % bootstrap intervals.\n"
    )
    yield f"| measure | {' | '.join(names)} | test | p (Holm) | as expected |"
    yield f"|---|{'---|' * len(names)}---|---|---|"
    for row in table.to_dict("records"):
        cells = [_mean(row, name) for name in names]
        order = " < ".join(own.expected[row["measure"]])
        said = f"{'yes' if right[row['measure']] else 'no'}: {order}"
        yield (
            f"| {row['measure']} | {' | '.join(cells)} | {row['test'] or 'not tested'} "
            f"| {_p(row['p_corrected'])} "
            f"| {said} |"
        )
    yield ""


def _mean(row: Mapping[Any, Any], name: str) -> str:
    mean, low, high = (row[f"{key} {name}"] for key in ("mean", "low", "high"))
    return f"{mean:.2f} [{low:.2f}, {high:.2f}]"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"

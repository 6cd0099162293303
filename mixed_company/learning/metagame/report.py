"""The meta-game as tables (CSV, Markdown), and a paragraph that explains why solutions differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.bootstrap import Draws, drawn, percentiles
from mixed_company.learning.metagame.composition import Composition
from mixed_company.learning.metagame.dynamics import (
    ALPHA,
    POPULATION,
    STARTS,
    Rest,
    Setting,
    alpha_rank,
    moran,
    replicated,
    rest_points,
    swept,
)
from mixed_company.learning.metagame.game import Equilibrium, MetaGame, clones, equilibria, of_plays
from mixed_company.learning.tournament.means import Mean, csv_text, interval, markdown, mean, number

TIMES = 200
"""Length of the replicators' path from equal shares."""

SELDOM = 0.05
"""Share of bootstrap samples below which a policy is not listed as an equilibrium."""


@dataclass(frozen=True)
class Solved:
    """A meta-game and its solutions; only the first of several exact clones is included.

    moran, alpha   (m,) shares of time
    draws          the same shares in bootstrap samples
    sweep          the same shares at other strengths of selection and population sizes
    rests          points where replicators come to rest
    path           (times, m) shares of replicators that begin with equal shares
    """

    game: MetaGame
    clones: dict[str, list[str]]
    equilibria: list[Equilibrium]
    moran: Array
    alpha: Array
    draws: Draws
    sweep: list[Setting]
    rests: list[Rest]
    path: Array


def solved(
    policies: tuple[str, ...],
    plays: Mapping[Composition, Array],
    seed: int,
    population: int = POPULATION,
    alpha: float = ALPHA,
) -> Solved:
    """Solve the meta-game, given the earnings of each place in each play, (P, n), by
    composition."""
    same = clones(policies, plays)
    copies = {copy for others in same.values() for copy in others}
    game = of_plays(policies, plays).only([policy for policy in policies if policy not in copies])
    size = len(game.policies)
    rests = rest_points(game, STARTS, seed)
    mixtures = equilibria(game, [rest.high for rest in rests if rest.high is not None])
    return Solved(
        game,
        same,
        mixtures,
        moran(game, population, alpha),
        alpha_rank(game, population, alpha),
        drawn(game, plays, mixtures, rests, seed, population, alpha),
        swept(game, population, alpha),
        rests,
        replicated(game, np.full((1, size), 1.0 / size), TIMES)[:, 0],
    )


def payoffs_csv(policies: tuple[str, ...], plays: Mapping[Composition, Array]) -> str:
    """Return a CSV row for every policy of every composition, with its seats and earnings."""
    return csv_text(
        [
            {
                **{name: composition.count(name) for name in policies},
                "policy": policy,
                **interval("points", mean(earned[:, _places(composition, policy)].mean(axis=1))),
                "plays": len(earned),
            }
            for composition, earned in plays.items()
            for policy in dict.fromkeys(composition)
        ]
    )


def _places(composition: Composition, policy: str) -> list[bool]:
    return [name == policy for name in composition]


def summary(result: Solved, origin: Mapping[str, Any]) -> str:
    """Return the solution as text and tables; `origin` contains the settings that it depends on."""
    game = result.game
    parts = [
        ", ".join(f"{name}: {value}" for name, value in origin.items()) + ".",
        *(
            f"`{first}` also represents its exact clones: {', '.join(map(_code, others))}."
            for first, others in result.clones.items()
        ),
        _standing(result),
        reading(game, (result.moran, result.alpha), result.draws, result.sweep),
        _equilibria(result),
        _rests(result),
    ]
    return "\n\n".join(parts) + "\n"


def _standing(result: Solved) -> str:
    game, draws, rows = result.game, result.draws, []
    for place in np.argsort(-result.moran, kind="stable").tolist():
        policy = game.policies[place]
        others = [policy] * (game.seats - 1)
        alone = game.earns(policy, others)
        best = max(game.policies, key=lambda reply: game.earns(reply, others))
        gains = game.earns(best, others) - alone > 1e-9 * game.range
        reply = f"{_code(best)} {game.earns(best, others):.2f}" if gains else "itself"
        shares = [
            _ends(percentiles(100 * float(of[place]), 100 * sample[:, place]), 1)
            for of, sample in ((result.moran, draws.moran), (result.alpha, draws.alpha))
        ]
        rows.append([_code(policy), f"{alone:.2f}", reply, *shares])
    return markdown(("policy", "alone", "best reply to it", "% of time: Moran", "alpha-rank"), rows)


def _equilibria(result: Solved) -> str:
    """Return the equilibria, their points, and how often they occur in bootstrap samples."""
    game, draws = result.game, result.draws
    rows = [
        (
            _ends(percentiles(points, draws.points[:, place]), 2),
            _mixture(game, shares, shares) + ", among others" * one_of_many,
            f"{100 * (~np.isnan(draws.points[:, place])).mean():.0f}",
        )
        for place, (shares, points, _, one_of_many) in enumerate(result.equilibria)
    ]
    pure = {int(row.shares.argmax()) for row in result.equilibria if row.shares.max() == 1}
    rows += [
        ("", f"100.0% {_code(policy)}, not in these plays", f"{100 * share:.0f}")
        for place, (policy, share) in enumerate(zip(game.policies, draws.alone, strict=True))
        if place not in pure and share >= SELDOM
    ]
    heading = (
        "Equilibria that the search found, with the points that a seat earns in each, and the "
        "share of bootstrap samples in which the same policies are in equilibrium:"
    )
    heads = ("points", "mixture", "% of samples")
    return f"{heading}\n\n{markdown(heads, rows)}"


def _rests(result: Solved) -> str:
    """Return the replicators' rest points, and how often they occur in bootstrap samples."""
    game, sampled = result.game, result.draws.rests
    rows = [
        (
            _ends(percentiles(100 * rest.share, 100 * sampled[:, place]), 1),
            "still moving"
            if rest.low is None or rest.high is None
            else _mixture(game, rest.low, rest.high),
            f"{100 * (sampled[:, place] > 0).mean():.0f}",
        )
        for place, rest in enumerate(result.rests)
    ]
    heading = (
        f"Mixtures where replicator dynamics come to rest, from {STARTS} starting points. The "
        f"last column is the share of {len(sampled)} bootstrap samples in which at least one of "
        "these points leads to a mixture of the same policies:"
    )
    heads = ("% of starting points", "mixture", "% of samples")
    return f"{heading}\n\n{markdown(heads, rows)}"


def _ends(estimate: Mean, digits: int) -> str:
    """Return a number with its interval in brackets, or without the interval if its limits are
    equal."""
    value, *ends = (number(part, digits) for part in estimate)
    return value if ends[0] == ends[1] == value or not ends[0] else f"{value} ({' to '.join(ends)})"


def _mixture(game: MetaGame, smallest: Array, largest: Array) -> str:
    """Return shares in percent, the largest first; a range if `low` and `high` differ."""
    parts = []
    for place in np.argsort(-largest, kind="stable").tolist():
        low, high = (round(100 * float(ends[place]), 1) for ends in (smallest, largest))
        if high > 0:
            shown = f"{high}" if high - low <= 2.0 else f"{low} to {high}"
            parts.append(f"{shown}% {_code(game.policies[place])}")
    return ", ".join(parts)


def _code(policy: str) -> str:
    return f"`{policy}`"


_TIE = 0.005
"""Two policies share first place if their shares of time differ by less than this."""

_QUESTIONS = (
    "In an equilibrium, no seat gains by switching to another policy. Replicator dynamics show "
    "the mixture that a very large population settles on if its members only imitate each other; "
    "this depends on where it starts. "
    "Moran and alpha-rank show which policy makes up a finite population most of the time if "
    "newcomers are rare. Moran compares a newcomer with residents of all groups, most of whom have "
    "not met the newcomer. Alpha-rank compares the newcomer with the residents of its group."
)


def reading(
    game: MetaGame,
    shares: tuple[Array, Array],
    draws: Draws,
    settings: Iterable[Setting],
) -> str:
    """Return the paragraph, given the shares of Moran and alpha-rank, their bootstrap samples and
    their sweeps."""
    every, sentences = list(settings), [_QUESTIONS]
    kinds = {
        "Moran": (shares[0], draws.moran, [setting.moran for setting in every]),
        "alpha-rank": (shares[1], draws.alpha, [setting.alpha_rank for setting in every]),
    }
    leaders = {}
    for kind, (share, sample, sweep) in kinds.items():
        leaders[kind] = ahead = _first(share)
        sure = np.mean([_first(drawn) == ahead for drawn in sample])
        usual = Counter(_first(swept) for swept in sweep)
        sentences.append(
            f"Here {kind} puts {_named(game, ahead)} first: in {100 * sure:.0f}% of {len(sample)} "
            f"bootstrap samples, and in {usual[ahead]} of the {len(every)} sweep settings."
        )
    first, second = leaders.values()
    if len(second) > 1 and np.allclose(game.pairs[..., 0], game.pairs[..., game.seats - 2].T):
        sentences.append(
            "Alpha-rank cannot tell policies apart here, because all seats in a group earn the "
            "same."
        )
    elif first == second:
        sentences.append("The two methods agree.")
    elif len(first) == len(second) == 1:
        sentences.append(f"They disagree. {_why(game, first[0], second[0])}")
        sentences.append(_why(game, second[0], first[0]))
    else:
        sentences.append("They disagree.")
    return " ".join(sentences)


def _first(shares: Array) -> tuple[int, ...]:
    """Return the policies with the largest share of time."""
    return tuple(np.flatnonzero(shares >= shares.max() - _TIE).tolist())


def _named(game: MetaGame, places: tuple[int, ...]) -> str:
    if len(places) == len(game.policies):
        return "all policies"
    return " and ".join(f"`{game.policies[place]}`" for place in places)


def _why(game: MetaGame, resident: int, newcomer: int) -> str:
    """Return the earnings of a newcomer, and of residents inside and outside its group."""
    new, old = (f"`{game.policies[place]}`" for place in (newcomer, resident))
    earned = game.pairs[newcomer, resident, 0]
    beside = game.pairs[resident, newcomer, game.seats - 2]
    elsewhere = game.pairs[resident, newcomer, game.seats - 1]
    inside, outside = _than(earned - beside), _than(earned - elsewhere)
    joint = "and" if inside == outside else "but"
    return (
        f"A single {new} among {old} earns {earned:.1f}, {inside} a {old} in its group "
        f"({beside:.1f}), {joint} {outside} a {old} in other groups ({elsewhere:.1f})."
    )


def _than(difference: float) -> str:
    if abs(difference) < 0.05:
        return "as much as"
    return "more than" if difference > 0 else "less than"

"""A paragraph that explains the solutions of a meta-game, and why they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.bootstrap import Draws
from mixed_company.learning.metagame.game import MetaGame
from mixed_company.learning.metagame.sweep import Setting

_TIE = 0.005
"""Difference in shares of time below which two policies share the first place."""

_QUESTIONS = (
    "In an equilibrium, no seat gains by switching to another policy. Replicator dynamics show "
    "the mixture on which a very large population settles if its members only imitate each other; "
    "this depends on where it starts. "
    "Moran and alpha-rank show which policy a finite population consists of most of the time if "
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
            f"Here {kind} puts {_named(game, ahead)} first: in {100 * sure:.0f} % of {len(sample)} "
            f"bootstrap samples, and in {usual[ahead]} of the {len(every)} settings of the sweep."
        )
    first, second = leaders.values()
    if len(second) > 1 and np.allclose(game.pairs[..., 0], game.pairs[..., game.seats - 2].T):
        sentences.append(
            "Alpha-rank cannot tell policies apart here, because all seats of a group earn the "
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

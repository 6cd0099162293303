"""Models fitted to half of the sessions, and their scores for the people in the other half.

All 20 ways to choose three of the six sessions are used. The people whose replies are predicted
never met the people used for fitting. A person's score is the mean over the fits that do not use
the person's session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy import stats

from docs.judged import bots, chains, imitation
from docs.judged.chains import Chain
from docs.judged.reading import People
from mixed_company.analysis.behaviour.fitting import mean_by_groups
from mixed_company.engine.contract.space import Array
from mixed_company.policies import populations
from mixed_company.policies.populations import Described, Move

SOURCE, MOVING = "fischbacher_gaechter_2010", "fischbacher_gaechter_2010_moving"
DATA = "Andreozzi, Ploner and Saral (2020), Scientific Reports 10, 13610"
CHANCE, CONSTANT = "chance", "constant"
STAYING, MOVES = "types that stay", "types that move"
IMITATION, SAME_GIFT = "imitation", "imitation, same gift"
POLICY = "sanctions_imitation"
"""The policy in bots/trained that imitates these people."""
DRAWS = 100
"""Number of bootstrap samples of people for the standard errors of rates."""
CERTAIN = 2.0
"""A rate is kept if it is at least this many standard errors from zero."""

Fit = Callable[[Array], Chain]


@dataclass(frozen=True)
class Judged:
    """A model's predictions for people to whom it was not fitted.

    scores   (P,) log likelihood per reply of each person
    course   (T, 4) as `Chain.course`; None for an imitation, which needs the previous choices
    spread   standard deviation of people's mean replies; None for an imitation
    types    smallest and largest number of types in the fits
    """

    scores: Array
    course: Array | None
    spread: float | None
    types: tuple[int, int]


def models() -> dict[str, Fit]:
    """Return the models by name: each fits a chain to replies."""
    shipped = [name for name in populations.names("sanctions") if name != MOVING]
    chain = {name: bots.chain_of(populations.read(name)[0]) for name in shipped}
    return {
        CHANCE: lambda replies: Chain(np.ones(1), np.ones((1, 1)), np.full((1, 3, 3), 1 / 3)),
        CONSTANT: chains.constant,
        STAYING: lambda replies: chains.fitted(replies, moves=False),
        MOVES: lambda replies: chains.fitted(replies, moves=True),
        **{name: _staying(chain[name]) for name in shipped},
        MOVING: lambda replies: with_moves(chain[SOURCE], replies),
    }


def _staying(chain: Chain) -> Fit:
    return lambda replies: chains.climbed(chain, replies, moves=False)


def with_moves(chain: Chain, replies: Array, kept: Array | None = None) -> Chain:
    """Return the chain with the most likely rates and error; `kept` (S, S) flags possible moves."""
    rates = chains.staying(len(chain.start), 0.9)
    if kept is not None:
        rates = np.where(kept | np.eye(len(rates), dtype=np.bool_), rates, 0.0)
        rates /= rates.sum(axis=1, keepdims=True)
    return chains.climbed(replace(chain, rates=rates), replies, moves=True)


def judged(people: People) -> dict[str, Judged]:
    """Return the predictions of all models."""
    judgements = {name: _judged(fit, people) for name, fit in models().items()}
    judgements[IMITATION] = imitated(people, same=False)
    judgements[SAME_GIFT] = imitated(people, same=True)
    return judgements


def _halves(people: People) -> list[Array]:
    """Return, for every split of the sessions, flags (P,) for the people to whom models are
    fitted."""
    sessions = np.unique(people.session)
    return [np.isin(people.session, half) for half in combinations(sessions, len(sessions) // 2)]


def _judged(fit: Fit, people: People) -> Judged:
    periods, count, gifts = people.replies.shape
    halves = _halves(people)
    scores = np.full((len(halves), count), np.nan)
    fits = []
    for row, half in enumerate(halves):
        chain = fit(people.replies[:, half])
        scores[row, ~half] = chain.scores(people.replies[:, ~half]) / (periods * gifts)
        fits.append(chain)
    types = [len(chain.start) for chain in fits]
    return Judged(
        np.nanmean(scores, axis=0),
        np.mean([chain.course(periods) for chain in fits], axis=0),
        float(np.mean([chain.spread(periods) for chain in fits])),
        (min(types), max(types)),
    )


def imitated(people: People, same: bool) -> Judged:
    """Return the predictions of the imitation; `same` as in `imitation.of_tables`."""
    seen, halves = imitation.of_tables(people, same), _halves(people)
    scores = np.full((len(halves), people.replies.shape[1]), np.nan)
    for row, half in enumerate(halves):
        fit = imitation.fitted(seen[:, half], people.replies[:, half])
        scores[row, ~half] = fit.scores(seen[:, ~half], people.replies[:, ~half]).mean(axis=(0, 2))
    return Judged(np.nanmean(scores, axis=0), None, None, (1, 1))


def beside(judged: Judged, other: Judged, people: People) -> tuple[float, float, float]:
    """Return how much better a model predicts a reply than `other` does, with a 95% t interval
    across sessions.
    """
    mean, error = mean_by_groups(judged.scores - other.scores, people.session)
    half = error * stats.t.isf(0.025, len(np.unique(people.session)) - 1)
    return mean, mean - half, mean + half


def moving(people: People) -> Described:
    """Return the population `SOURCE` with people who change type, at rates fitted to all people."""
    described, _ = populations.read(SOURCE)
    chain = bots.chain_of(described)
    fit, errors = _rates(chain, people, None)
    kept = (fit.rates >= CERTAIN * errors) & (errors > 0)
    fit, errors = _rates(chain, people, kept)
    names = [kind.name for kind in described.types]
    types = tuple(
        kind.model_copy(
            update={
                "moves": tuple(
                    Move(
                        to=names[target],
                        rate=round(float(fit.rates[row, target]), 4),
                        rate_error=round(float(errors[row, target]), 4),
                        source=f"fitted to {DATA}",
                    )
                    for target in np.flatnonzero(kept[row] & (np.arange(len(names)) != row))
                )
            }
        )
        for row, kind in enumerate(described.types)
    )
    return described.model_copy(
        update={
            "sentence": "The types of fischbacher_gaechter_2010, who move with experience.",
            "source": f"{described.source}; rates of moves fitted to {DATA}: 134 people",
            "types": types,
        }
    )


def _rates(chain: Chain, people: People, kept: Array | None) -> tuple[Chain, Array]:
    """Return the fit to all people, and the bootstrap standard errors (S, S) of its rates."""
    rng, count = np.random.default_rng(1), people.replies.shape[1]
    fit = with_moves(chain, people.replies, kept)
    samples = [
        with_moves(chain, people.replies[:, rng.integers(count, size=count)], kept).rates
        for _ in range(DRAWS)
    ]
    return fit, np.std(samples, axis=0)


def seen(people: People) -> tuple[Array, float]:
    """Return people's numbers per period, as in `Chain.course`, and the standard deviation of their
    mean replies."""
    replies = people.replies
    nothing = (replies == 0).all(axis=2).mean(axis=1)
    ends = [(replies == end).mean(axis=(1, 2)) for end in (0, 2)]
    course = np.column_stack([replies.mean(axis=(1, 2)) / 2, *ends, nothing])
    return course, float((replies.mean(axis=(0, 2)) / 2).std())


def better(judgements: Mapping[str, Judged], people: People) -> bool:
    """Return whether moves improve the population's predictions, with an interval above zero."""
    return beside(judgements[MOVING], judgements[SOURCE], people)[1] > 0

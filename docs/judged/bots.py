"""Replies of a population's types, as a chain of types.

Each type plays with a partner who always gives 0, 10 or 20 out of 20. The reply is rounded to the
nearest of these gifts. If people of the type always reply to a gift in the same way, each reply
table that occurs becomes a separate type of the chain. Otherwise the type is not divided, and its
table contains the frequencies of its replies.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from docs.judged.chains import CHOICES, Chain
from mixed_company import engine, policies
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.space import Array
from mixed_company.policies import populations
from mixed_company.policies.bench import Bench
from mixed_company.policies.populations import Described, Type

PEOPLE = 1000
_RARE = 0.005
"""Minimum share of a type's people who must have the same reply table for it to be kept."""


def chain_of(described: Described) -> Chain:
    """Return the types of a population, with their shares and rates."""
    parts = [_parts(described, kind) for kind in described.types]
    owner = np.repeat(np.arange(len(parts)), [len(weights) for weights, _ in parts])
    weights = np.concatenate([weights for weights, _ in parts])
    shares = np.array([kind.share for kind in described.types])
    rates = described.rates[np.ix_(owner, owner)] * weights
    rates[owner[:, None] == owner] = 0.0
    np.fill_diagonal(rates, np.diag(described.rates)[owner])
    start = shares[owner] * weights
    return Chain(start / start.sum(), rates, np.concatenate([tables for _, tables in parts]))


def _parts(described: Described, kind: Type) -> tuple[Array, Array]:
    """Return the weights (C,) and tables (C, 3, 3) of the types into which this type is divided."""
    alone = kind.model_copy(update={"share": 1.0, "moves": ()})
    replies = _replies(described.model_copy(update={"types": (alone,)}))  # (2, PEOPLE, 3)
    if (replies[0] != replies[1]).any():
        return np.ones(1), np.eye(CHOICES)[replies].mean(axis=(0, 1))[None]
    tables, counts = np.unique(replies[0], axis=0, return_counts=True)
    kept = counts >= _RARE * PEOPLE
    return counts[kept] / counts[kept].sum(), np.eye(CHOICES)[tables[kept]]


def _replies(described: Described) -> Array:
    """Return people's replies to each gift in two periods, shape (2, PEOPLE, 3)."""
    game = engine.make("sanctions", archetype="unsanctioned", seats=2, mpcr=0.7, periods=5)
    seeds, columns = play_seeds(1, np.arange(PEOPLE)), []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "alone.toml"
        file.write_text(populations.text(described), "utf-8")
        for gift in (0.0, 0.5, 1.0):
            bench = Bench(
                game,
                [
                    (policies.make(f"population:{file}", game), np.array([True, False])),
                    (
                        policies.make(f"fixed:contribution={20 * gift:g}", game),
                        np.array([False, True]),
                    ),
                ],
            )
            state, seen = game.reset(seeds)
            amounts = [after["contribution"] for after, _ in bench.play(seeds, state, seen)]
            shares = np.stack(amounts[1:3])[:, :, 0] / 20
            columns.append(np.floor(2 * shares + 0.5).astype(np.int64))
    return np.stack(columns, axis=-1)

"""A population whose numbers are redrawn according to their standard errors.

    population:own.toml@7       seed 7; the same seed gives the same numbers

Shares are drawn from a Dirichlet distribution whose mean is the population's shares. Its
concentration matches the total error of the shares: the sum over types of share * (1 - share)
equals the sum of error^2, times the concentration plus one. Means are drawn from normal
distributions, jointly within a type by their `correlation`. Spreads are drawn separately, and are
at least 0. The rates of a type's moves are drawn like shares, together with the rate of staying.
Numbers without errors do not change.
"""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.chance import check_seed, generator
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.populations.form import Described, Move, Number, Spread, Type

MARK = "@"
_LEAST = 1e-9
"""Smallest share that is drawn."""


def split(name: str) -> tuple[str, int | None]:
    """Return a population's name and the seed for its numbers, or None if they are not redrawn.

    Raises ConfigError for an invalid seed.
    """
    population, mark, seed = name.rpartition(MARK)
    if not mark or not seed.isdecimal():
        return name, None
    check_seed(int(seed))
    return population, int(seed)


def drawn(described: Described, seed: int, digest: str) -> Described:
    """Return the population with its numbers drawn according to their standard errors.

    Raises ConfigError if no number has a standard error.
    """
    if not any(_is_uncertain(kind) for kind in described.types):
        raise ConfigError(
            f"{MARK}{seed}: none of the population's numbers has a standard error, so nothing can "
            "be drawn"
        )
    rng = generator(seed, f"numbers of {digest}")
    shares = _shares(
        np.array([kind.share for kind in described.types]),
        np.array([kind.share_error or 0.0 for kind in described.types]),
        rng,
    )
    kinds = [
        _type(kind, float(share), rng)
        for kind, share in zip(described.types, shares.tolist(), strict=True)
    ]
    return described.model_copy(update={"types": tuple(kinds)})


def _is_uncertain(kind: Type) -> bool:
    numbers = (kind.first, *kind.parameters.values())
    spreads = [number for number in numbers if isinstance(number, Spread)]
    errors = [kind.share_error, *(move.rate_error for move in kind.moves)]
    errors += [spread.mean_error for spread in spreads]
    return any(errors) or any(spread.sd_error for spread in spreads)


def _shares(shares: Array, errors: Array, rng: np.random.Generator) -> Array:
    """Draw shares, (K,), which sum to 1, or return them unchanged if they have no errors (0)."""
    uncertain = errors > 0
    if not uncertain.any():
        return shares
    spread = (shares * (1 - shares))[uncertain].sum()
    concentration = max(spread / (errors[uncertain] ** 2).sum() - 1, 1.0)
    parts = np.maximum(rng.standard_gamma(concentration * shares), _LEAST)
    return np.asarray(parts / parts.sum())


def _type(kind: Type, share: float, rng: np.random.Generator) -> Type:
    steps = _steps(kind, rng)
    return kind.model_copy(
        update={
            "share": share,
            "first": _moved(kind.first, rng.standard_normal(), rng),
            "parameters": {
                name: _moved(number, steps[name], rng) for name, number in kind.parameters.items()
            },
            "moves": _rates(kind.moves, rng),
        }
    )


def _rates(moves: tuple[Move, ...], rng: np.random.Generator) -> tuple[Move, ...]:
    """Draw the rates of a type's moves, which sum to at most 1."""
    if not any(move.rate_error for move in moves):
        return moves
    rates = np.array([move.rate for move in moves])
    errors = np.array([move.rate_error or 0.0 for move in moves])
    staying = max(1 - rates.sum(), 0.0)
    drawn_rates = _shares(np.append(rates, staying), np.append(errors, 0.0), rng)
    return tuple(
        move.model_copy(update={"rate": rate})
        for move, rate in zip(moves, drawn_rates[:-1].tolist(), strict=True)
    )


def _steps(kind: Type, rng: np.random.Generator) -> dict[str, float]:
    """Draw the shift of each of a type's means, in standard errors, jointly for all parameters."""
    names = list(kind.parameters)
    values, vectors = np.linalg.eigh(kind.correlations)
    steps = vectors @ (np.sqrt(np.maximum(values, 0.0)) * rng.standard_normal(len(names)))
    return dict(zip(names, steps.tolist(), strict=True))


def _moved(number: Number | None, by: float, rng: np.random.Generator) -> Number | None:
    """Return a number with its mean moved by `by` standard errors, and its spread redrawn."""
    widened = rng.standard_normal()
    if not isinstance(number, Spread) or number.mean is None or number.sd is None:
        return number
    mean = number.mean + by * (number.mean_error or 0.0)
    sd = max(number.sd + widened * (number.sd_error or 0.0), 0.0)
    return number.model_copy(update={"mean": mean, "sd": sd})

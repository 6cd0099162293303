"""The infos of a period of the sanctions game, named as in GraduatedSanction-v0.

Pairs are named `i->j` for seat i observing seat j, counted from 0. A signal and an average depend
only on j, so they are the same for all its observers. The numbers depend on the settings (`signal`,
`window`); in the archetype `coopetition_gym` they are those of the published game.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

from mixed_company.engine.contract.declaration import Info
from mixed_company.engine.contract.space import Arrays

_AVERAGE = "memory_averages"
_EFFECT = "reciprocity_effects"


def infos(seats: int) -> tuple[Info, ...]:
    """Return the declared infos for a game with this number of seats."""
    keys = tuple(f"{i}->{j}" for i, j in permutations(range(seats), 2))
    signal = ("contribution", _AVERAGE, "baseline")
    average, effect = "remembered average contribution, for each pair", "effect for each pair"
    return (
        Info("step", "periods played", "periods"),
        Info("mean_trust", "average trust between players", of=("trust",)),
        Info("cooperation_signals", "signal for each pair", "points", of=signal, keys=keys),
        Info(_AVERAGE, average, "points", of=(_AVERAGE,), keys=keys),
        Info(_EFFECT, f"{effect} by reciprocity", "points", of=(_EFFECT,), keys=keys),
        Info("tr4_memory_window", "memory k", "periods"),
    )


def info(after: Arrays, seats: int, memory: int) -> dict[str, Any]:
    """Return the values of `infos` after a period of one play."""
    pairs = [(f"{i}->{j}", i, j) for i, j in permutations(range(seats), 2)]
    signals, averages, effects = (
        after[name].tolist() for name in ("cooperation_signals", _AVERAGE, _EFFECT)
    )
    return {
        "step": int(after["period"]),
        "mean_trust": float(after["mean_trust"]),
        "cooperation_signals": {pair: signals[j] for pair, _, j in pairs},
        _AVERAGE: {pair: averages[j] for pair, _, j in pairs},
        _EFFECT: {pair: effects[i][j] for pair, i, j in pairs},
        "tr4_memory_window": memory,
    }

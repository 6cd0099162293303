"""The equations of the sanctions game; steps are numbered as in `engine.games.sanctions`.

Matrices are (n, n): row i, column j is seat i observing seat j. A leading batch axis is kept
innermost in memory (order F), so numpy's inner loops run over plays, not over a few seats.

A play is bit for bit the same on its own or in a batch. On another type of processor, numpy's tanh,
log and exp can differ in the last digit, so a log replays only to within about 1e-12.

`infos` declares the infos of a period, named as in GraduatedSanction-v0. Pairs are named `i->j` for
seat i observing seat j, counted from 0. A signal and an average depend only on j, so they are the
same for all observers. The numbers depend on the settings (`signal`, `window`); in the
`coopetition_gym` archetype, they are the numbers of the published game.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.declaration import Info
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.games.sanctions.core import SanctionsCore, dependence_matrix, per_seat


def private_payoff(
    core: SanctionsCore,
    contribution: Array,
    *,
    mpcr: Any = None,
    theta: Any = None,
    playing: Array | None = None,
) -> dict[str, Array]:
    """Return the components of pi in points, (n,) each, for contributions (n,): step 3.

    `mpcr` () and `theta` (1) are the period's values, if they differ from the parameters; `playing`
    (n,) flags the active seats, over which the geometric mean is taken.
    """
    kept = np.asarray(core.endowment) - contribution
    nothing = 0.0 * contribution
    if core.production == "public_good":
        rate = core.mpcr if mpcr is None else mpcr
        good = nothing + (rate * over_seats(contribution))[..., None]
        return {"kept": kept, "production": good, "synergy": nothing}
    if core.production == "logarithmic":
        produced = (core.theta if theta is None else theta) * np.log1p(contribution)
    else:
        produced = np.power(contribution, core.beta)
    mean = _geometric_mean(contribution, playing)
    synergy = nothing + np.asarray(core.share) * (core.synergy * mean)[..., None]
    return {"kept": kept, "production": produced, "synergy": synergy}


def _geometric_mean(contribution: Array, playing: Array | None) -> Array:
    count: Any = contribution.shape[-1]
    with np.errstate(divide="ignore"):  # log 0 = -inf and exp(-inf) = 0 if a seat gives nothing
        logs = np.log(contribution)
    if playing is not None:
        logs = np.where(playing, logs, 0.0)
        count = np.maximum(over_seats(playing.astype(np.float64)), 1.0)
    mean: Array = np.exp(over_seats(logs) / count)
    return mean


class Reciprocity:
    """Steps 2, 4 and 5 under one configuration, with precomputed constants.

    baseline        (n,) expected contributions, points
    dependence      (n, n) D
    slots           number of periods that the ring of contributions holds
    unplayed        (n, k) the ring before period 0
    weight          (n, n) lambda_R (1 + omega D) rho_0 D^eta, 0 on the diagonal: the largest effect
    """

    def __init__(self, core: SanctionsCore) -> None:
        self.core = core
        self.baseline = per_seat(core.baseline, core.seats)
        self.dependence = np.asfortranarray(dependence_matrix(core))
        self.slots = min(core.memory, core.periods)
        kept = self.baseline[:, None] if core.window == "full" else 0.0
        self.unplayed = np.zeros((core.seats, self.slots)) + kept
        others = np.asfortranarray(1.0 - np.eye(core.seats))
        self._places = np.arange(self.slots)
        self._damage = core.mu_R * others
        self._erosion = others * core.lambda_minus * (1.0 + core.xi * self.dependence)
        self._overshoots = bool(self._erosion.max() > 1.0)
        sensitivity = core.rho_0 * np.power(self.dependence, core.eta)
        gate = core.lambda_R * (1.0 + core.omega * self.dependence)
        self.weight = others * gate * sensitivity

    def trust(self, trust: Array, reputation: Array, contribution: Array) -> tuple[Array, Array]:
        """Return trust and reputation (n, n) after the contributions (n,): step 2."""
        core = self.core
        kept = np.tanh(core.kappa_T * (contribution - self.baseline))[..., None, :]
        better, worse = np.maximum(kept, 0.0), np.maximum(-kept, 0.0)
        ceiling = 1.0 - reputation  # at most 1, so min(1 - T, ceiling - T) is ceiling - T
        built = core.lambda_plus * better * (np.maximum(ceiling, trust) - trust)
        moved = trust + built - trust * worse * self._erosion
        if self._overshoots:
            moved = np.maximum(moved, 0.0)
        damage = ceiling * worse * self._damage
        healed = reputation * (core.delta_R * (kept >= 0.0))
        return np.minimum(moved, ceiling), reputation + damage - healed

    def remember(
        self, period: Array, ring: Array, contribution: Array
    ) -> tuple[Array, Array, Array]:
        """Return the ring (n, k) after period t, the averages (n,) and the signals (n,): step 4."""
        core, period = self.core, period[..., None]
        place = np.equal(self._places, period % self.slots, order="F")
        if core.window == "peer":  # period 0 is never remembered
            place = place & (period > 0)
        after = np.where(place[..., None, :], contribution[..., None], ring)
        counted = self.counted(period)
        averages = self._averages(ring if core.window == "prior" else after, counted)
        signals = averages - self.baseline if core.signal == "baseline" else contribution - averages
        if core.window == "prior":
            signals = np.where(counted > 0, signals, 0.0)
        return after, averages, signals

    def _averages(self, seen: Array, counted: Array) -> Array:
        if self.core.window != "full":
            return np.asarray(over_seats(seen) / np.maximum(counted, 1))
        # add up deviations from the baseline, so that a seat that keeps to it has exactly this
        # average
        return np.asarray(self.baseline + over_seats(seen - self.baseline[:, None]) / counted)

    def counted(self, period: Array) -> Array:
        """Return the number of remembered periods after period t, in the same shape as `period`."""
        if self.core.window == "full":
            return np.full_like(period, self.core.memory)
        counted: Array = np.minimum(period + (self.core.window == "inclusive"), self.core.memory)
        return counted

    def effects(self, trust: Array, signals: Array) -> Array:
        """Return the effects in points, (n, n), before they are assigned to a seat: step 5."""
        response = np.tanh(self.core.kappa * signals)
        effects: Array = trust * response[..., None, :] * self.weight
        return effects + 0.0  # -0.0 becomes 0.0, which is clearer in a log


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
    """Return the values of `infos` after a period."""
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

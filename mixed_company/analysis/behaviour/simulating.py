"""Simulate people who decide exactly as a model says, and recover the model's parameters from their
data.

They play in `analysis.simulated` like any other policy. In their first period, and whenever the
model does not apply (for example because they do not see the others), they draw uniformly from all
possible actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from mixed_company import engine, policies
from mixed_company.analysis.behaviour.estimates import Per, fitted
from mixed_company.analysis.behaviour.model import Model, field_of, find
from mixed_company.analysis.behaviour.panel import GRID, Faced, Panel, faced
from mixed_company.analysis.data import Data
from mixed_company.analysis.simulated import Player, simulated
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.policies.policy import Action, Memory, Observation, Policy
from mixed_company.policies.staged import Staged

Values = Mapping[str, float]


def simulated_people(
    model: str,
    parameters: Values | Sequence[Values],
    game: str | Game[Any],
    *,
    groups: int,
    seed: int,
    people: int | None = None,
    others: Sequence[str] = (),
    rest: str = "",
    field: str | None = None,
    grid: int = GRID,
    treatment: str = "simulated",
    **settings: Any,
) -> Data:
    """Simulate groups of people who decide as a model says; return the tables of an export.

    parameters  parameters that everyone shares, or one mapping per person's seat
    people      number of seats with people, counted from the first; by default all
    others      policies in the remaining seats, as in `analysis.simulated`
    rest        policy that decides all other action fields; empty: their defaults. In the second
                stage of a period, the second policy of `first+second` decides; if none is named,
                nobody does anything
    grid        number of grid points for amounts, if the model chooses from a grid
    settings    arguments of `engine.make`

    Raises UnknownName for an unknown name, ConfigError if a parameter is invalid or the model does
    not apply to the game.
    """
    resolved = game if isinstance(game, Game) else engine.make(game, **settings)
    chosen = field_of(resolved.id, field)
    instance = find(model, resolved.id, field)
    reason = "agents.timing: seats decide in turn" if resolved.sight.order is not None else ""
    reason = reason or instance.refuses(resolved, chosen)
    if reason:
        raise ConfigError(f"{model}: {reason}")
    count = resolved.seats if people is None else people
    per_seat = [parameters] * count if isinstance(parameters, Mapping) else list(parameters)
    if len(per_seat) != count:
        raise ConfigError(f"parameters: {len(per_seat)} given for {count} seats with people")
    if rest:
        policies.make(rest, resolved)  # fail early for an unknown policy
    seated = [_player(instance, values, chosen, grid, rest) for values in per_seat]
    return simulated(resolved, seated, others, groups=groups, seed=seed, treatment=treatment)


def _player(model: Model, values: Values, field: str, grid: int, rest: str) -> Player:
    vector = model.vector(values)
    text = ";".join(f"{name}={value:g}" for name, value in values.items())

    def policy(episode: Episode, steps: Sequence[Period]) -> Policy:
        other = policies.make(rest, episode.game) if rest else None
        if isinstance(other, Staged):
            decider = _Decider(model, vector, field, grid, episode, steps, other.first)
            return Staged(f"decider+{other.second.id}", decider, other.second)
        return _Decider(model, vector, field, grid, episode, steps, other)

    return Player(f"model {model.name}:{text}", policy)


class _Decider(Policy):
    """Policy that decides as a model says, from the same inputs as a fitted model; one per seat and
    episode."""

    id = "decider"
    games = ()
    source = "mixed_company.analysis.behaviour"

    def __init__(
        self,
        model: Model,
        values: Array,
        field: str,
        grid: int,
        episode: Episode,
        steps: Sequence[Period],
        rest: Policy | None,
    ) -> None:
        super().__init__(episode.game.core)
        self.model, self.values, self.field, self.grid = model, values, field, grid
        self.episode, self.steps, self.rest = episode, steps, rest
        self.past: list[Faced] = []

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        seat = int(observation["seat"])
        situation = faced(self.episode, self.field, seat)
        self.past.append(situation)
        action: Action = self.episode.allowed(seat).default_action()
        if self.rest is not None:
            action, memory = self.rest.act(observation, memory, rng)
        panel = self._panel(seat)
        chosen = self._at_random(panel, rng)
        free = len(self.past) > 1 and situation.high > situation.low
        if free and not self.model.silent(panel)[-1]:
            chosen = self.model.draw(self.values, self.model.prepared(panel), rng)
        return {**action, self.field: chosen}, memory

    def _panel(self, seat: int) -> Panel:
        """Return the panel of the decisions so far; the pending decision comes last."""
        past = self.past if self.model.remembers else self.past[-1:]
        steps = self.steps if self.model.remembers else ()
        actions = [float(step.used[self.field][seat]) for step in steps]
        points = [float(step.rewards[seat]) for step in steps]
        actions, points = [*actions, np.nan], [*points, np.nan]
        persons, reasons = [0] * len(past), [""] * len(past)
        return Panel.of(self.field, self.grid, past, actions, points, persons, reasons)

    def _at_random(self, panel: Panel, rng: np.random.Generator) -> float:
        if self.model.amounts:
            return float(rng.uniform(panel.low[-1], panel.high[-1]))
        return float(rng.choice(panel.actions[-1][np.isfinite(panel.actions[-1])]))


# -- recovery -------------------------------------------------------------------------------------


def recovery(
    model: str,
    game: str | Game[Any],
    truths: Sequence[Values],
    *,
    groups: int,
    seed: int,
    repetitions: int,
    per: Per = "person",
    people: int | None = None,
    grid: int | None = None,
    field: str | None = None,
    **settings: Any,
) -> pd.DataFrame:
    """Estimate known parameters from simulated people. Return one row per set of true values and
    parameter.

    In each of `repetitions` sessions of `groups` groups, everyone decides with the same values. The
    model is fitted `per` person or to everyone together.

    `truth`, `parameter`; `true`; `fits`, and `without`, the number of fits without an estimate
    (because the action is constant or the parameters are not identified); `mean` and `median` of
    the estimates, `bias` = mean - true, `rmse` = sqrt(mean((estimate - true)^2)); `at_bound`:
    number of estimates at a bound; `intervals`: number of fits with a 95% interval, and
    `coverage`, the share of these that contain the true value. The other arguments are the same as
    for `simulated_people` and `fitted`.
    """
    instance = find(model, game.id if isinstance(game, Game) else game, field)
    rows = []
    for number, truth in enumerate(truths):
        instance.vector(truth)
        parts = []
        for play_seed in play_seeds(seed, np.arange(repetitions) + number * repetitions).tolist():
            data = simulated_people(
                model,
                truth,
                game,
                groups=groups,
                seed=int(play_seed),
                people=people,
                grid=grid or GRID,
                field=field,
                **settings,
            )
            parts.append(fitted(data, model, per, field=field, grid=grid, seed=int(play_seed)))
        fits = pd.concat(parts, ignore_index=True)
        rows += [
            {"truth": number, **_recovered(fits, parameter.name, truth[parameter.name])}
            for parameter in instance.parameters
        ]
    return pd.DataFrame(rows)


def _recovered(fits: pd.DataFrame, name: str, true: float) -> dict[str, Any]:
    estimates = fits[name].dropna()
    low, high = fits[f"{name}_low"], fits[f"{name}_high"]
    intervals = low.notna() & high.notna()
    covered = ((low <= true) & (true <= high))[intervals]
    bound = [name in str(names).split(", ") for names in fits["at_bound"]]
    return {
        "parameter": name,
        "true": true,
        "fits": len(fits),
        "without": len(fits) - len(estimates),
        "mean": float(estimates.mean()),
        "median": float(estimates.median()),
        "bias": float(estimates.mean() - true),
        "rmse": float(np.sqrt(((estimates - true) ** 2).mean())),
        "at_bound": sum(bound),
        "intervals": int(intervals.sum()),
        "coverage": float(covered.mean()) if len(covered) else np.nan,
    }

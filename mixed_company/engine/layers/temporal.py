"""Temporal structure: delayed rewards and reputation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mixed_company.engine.contract.arrays import masked, over_seats, spread, total
from mixed_company.engine.contract.chance import Chance
from mixed_company.engine.contract.declaration import Declaration
from mixed_company.engine.contract.rules import Rules
from mixed_company.engine.contract.section import parameter
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.layers.base import Layer, Parameters, Settled


class TemporalParameters(Parameters):
    """Reward delay, and the length of the reputation window."""

    reward_delay: int = parameter(
        0, "periods until a reward is paid", unit="periods", ge=0, le=1000
    )
    reputation_window: int = parameter(
        0,
        "number of periods over which a reputation averages cooperation",
        unit="periods",
        ge=0,
        le=1000,
    )


class Temporal(Layer[TemporalParameters]):
    """Component `delayed`; observation `reputation`. See `engine.layers`."""

    name = "temporal"
    position = 2
    order = 5
    parameters = TemporalParameters

    def __init__(
        self, settings: TemporalParameters, rules: Rules[Any], declared: Declaration
    ) -> None:
        super().__init__(settings, rules, declared)
        self.check_says_something(settings, "reward_delay", "reputation_window")
        taken = {field.name for field in (*declared.observations, *declared.state)}
        # a game may have its own reputation, such as one between pairs of seats
        self.shown = "mean_cooperation" if "reputation" in taken else "reputation"
        if settings.reward_delay:
            declared = self._with_delay(declared)
        if settings.reputation_window:
            declared = self._with_reputation(declared)
        self.declared = declared

    def _with_delay(self, declared: Declaration) -> Declaration:
        low, high = (self.s * end for end in spread(declared.components))
        periods = self.settings.reward_delay
        delayed = Field(
            "delayed", "points paid from earlier periods, less points that are paid later", "points"
        )
        ends = (low - high, high - low, periods * low, periods * high)
        owed = Field(
            "owed", "points to be paid later: 1, 2, ... periods from now", "points", common=True
        )
        return replace(
            declared,
            components=(*declared.components, replace(delayed, low=min(ends), high=max(ends))),
            state=(*declared.state, replace(owed, shape=(periods, self.seats), bulk=True)),
        )

    def _with_reputation(self, declared: Declaration) -> Declaration:
        if not self.rules.defines_cooperation():
            rule = f"{self.rules.id} does not define cooperation; only 0 is accepted"
            raise self.refusal("reputation_window", self.settings.reputation_window, rule)
        n, window = self.seats, self.settings.reputation_window
        mean = Field(
            self.shown, "average cooperation of each player", low=0.0, high=1.0, shape=(n,)
        )
        past = Field("cooperation", "cooperation in recent periods, latest first", common=True)
        past = replace(past, low=0.0, high=1.0, shape=(window, n), bulk=True)
        seen = replace(mean, visibility="private", maskable=True)
        return replace(
            declared,
            observations=(*declared.observations, seen),
            state=(*declared.state, past, replace(mean, visibility="hidden")),
        )

    def draw(self, chance: Chance) -> Arrays:
        return self.sometimes(chance, "reputation") if self.settings.reputation_window else {}

    def initial(self, state: Arrays) -> Arrays:
        batch, n = np.shape(state["period"]), self.seats
        fields: dict[str, Array] = {}
        if self.settings.reward_delay:
            fields["owed"] = np.zeros((*batch, self.settings.reward_delay, n))
        if self.settings.reputation_window:
            fields["cooperation"] = np.zeros((*batch, self.settings.reputation_window, n))
            fields[self.shown] = np.zeros((*batch, n))
        return fields

    def settle(self, period: Settled, components: Arrays) -> tuple[Arrays, Arrays]:
        fields: dict[str, Array] = {}
        if self.settings.reputation_window:
            fields = self._remembered(period)
        if self.settings.reward_delay:
            owed = period.before["owed"]
            later = self.s * total(components)
            all_due = over_seats(np.moveaxis(owed, -2, -1))
            paid = np.where(period.closing, all_due, owed[..., 0, :] - later)
            moved = np.concatenate([owed[..., 1:, :], later[..., None, :]], axis=-2)
            fields["owed"] = np.where(period.closing[..., None, :], 0.0, moved)
            components = {**components, "delayed": paid}
        return components, fields

    def _remembered(self, period: Settled) -> dict[str, Array]:
        """Return the cooperation in the last periods; it no longer changes for seats that have
        ended.
        """
        before = period.before["cooperation"]
        now: Any = self.rules.cooperation(period.before, period.used, period.after)
        past = np.concatenate([now[..., None, :], before[..., :-1, :]], axis=-2)
        count = np.minimum(period.before["period"] + 1, self.settings.reputation_window)
        mean = over_seats(np.moveaxis(past, -2, -1)) / count[..., None]
        if period.playing is not None:
            past = np.where(period.playing[..., None, :], past, before)
            mean = np.where(period.playing, mean, period.before[self.shown])
        return {"cooperation": past, self.shown: np.minimum(mean, 1.0)}

    def view(self, seen: Arrays, state: Arrays, chance: Arrays) -> Arrays:
        if not self.settings.reputation_window:
            return seen
        batch = np.shape(state["period"])
        hidden = ~self.applies(chance, "reputation") | (state["period"] == 0)[..., None]
        return {**seen, self.shown: masked(state[self.shown], hidden, True, batch)}

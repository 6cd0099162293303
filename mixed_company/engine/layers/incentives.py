"""Incentives: a fee on amounts above a quota, instead of a ban."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field as PydanticField

from mixed_company.engine.contract.declaration import Declaration, EventKind, Happened
from mixed_company.engine.contract.rules import Rules
from mixed_company.engine.contract.section import parameter
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.layers.base import Layer, Parameters, Settled

Amount = Annotated[float, PydanticField(ge=0, le=1e9)]


class IncentivesParameters(Parameters):
    """Quotas for actions, and fees on amounts above them."""

    quota: dict[str, Amount] = parameter(
        {}, "per action field: amount without a fee; 0 if not named"
    )
    fee: dict[str, Amount] = parameter(
        {}, "per action field: cost per unit above the quota", unit="points/unit"
    )


class Incentives(Layer[IncentivesParameters]):
    """Component `fee`: - s * fee * max(0, used - quota), added up over the fields with a fee."""

    name = "incentives"
    position = 6
    order = 3
    parameters = IncentivesParameters
    event_kinds: ClassVar[Mapping[str, EventKind]] = {
        "fee": EventKind("a `seat` paid `points` for exceeding its quota")
    }

    def __init__(
        self, settings: IncentivesParameters, rules: Rules[Any], declared: Declaration
    ) -> None:
        super().__init__(settings, rules, declared)
        self.check_says_something(settings, "fee", "quota")
        fields = {field.name: field for field in declared.actions if field.kind != "choice"}
        for key in ("fee", "quota"):
            noun = "an amount that seats decide on"
            self.check_names(settings, key, getattr(settings, key), fields, noun, rules.id)
        for name in self.settings.quota:
            if name not in self.settings.fee:
                rule = "a quota without a fee has no effect"
                raise self.refusal(f"quota.{name}", self.settings.quota[name], rule)
        beyond = [
            fee * max(0.0, rules.most(fields[name]) - self.settings.quota.get(name, 0.0))
            for name, fee in self.settings.fee.items()
            if fee > 0
        ]
        field = Field(
            "fee", "fee on the amount above quota", "points", low=-self.s * sum(beyond), high=0.0
        )
        self.declared = replace(declared, components=(*declared.components, field))

    def settle(self, period: Settled, components: Arrays) -> tuple[Arrays, Arrays]:
        paid: Array = np.zeros(())
        for name, fee in self.settings.fee.items():
            beyond = np.maximum(0.0, period.used[name] - self.settings.quota.get(name, 0.0))
            paid = paid + self.s * fee * beyond
        if period.playing is not None:
            paid = np.where(period.playing, paid, 0.0)
        return {**components, "fee": 0.0 - paid}, {}

    def events(self, period: Happened) -> list[dict[str, Any]]:
        return [
            {"event": "fee", "seat": seat, "points": -earned}
            for seat, earned in enumerate(period.components["fee"].tolist())
            if earned < 0
        ]

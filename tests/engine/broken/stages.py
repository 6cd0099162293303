"""Broken games whose periods have two stages."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.games.commons_game import CommonsCore, CommonsGame


class PunishingCore(CommonsCore):
    peer: str = Field("punishment", description="points against each other")


class Punishing(CommonsGame):
    """Game with peer points and no fault."""

    Core = PunishingCore


class PaysBeforeThePeriodIsOver(Punishing):
    def _between(self, state, used, chance):
        after, outcome = super()._between(state, used, chance)
        return after, outcome._replace(rewards=outcome.rewards + 1.0)


class ForgetsWhatWasTaken(Punishing):
    def so_far(self, state, chance):
        return state


class WantsAllFieldsAtEveryStage(Punishing):
    def allowed(self, state):
        now = super().allowed(state)
        return Allowed(now.fields, now.shape, {}, now.barred, now.closed, now.assigning)


class KeepsPoints(Allowed):
    def used(self, actions):
        used = super().used(actions)
        return {**used, "assign": np.asarray(actions.get("assign", used["assign"]))}


class CountsAssignedPointsFirst(Punishing):
    """Broken game: it keeps points sent in the first stage."""

    def allowed(self, state):
        now = super().allowed(state)
        return KeepsPoints(now.fields, now.shape, {}, now.barred, now.closed, None, now.idle)

    def _between(self, state, used, chance):
        after, outcome = super()._between(state, used, chance)
        return {**after, "received": used["assign"].sum(axis=-2)}, outcome


class ShowsWhoPunished(Punishing):
    def view(self, state, chance):
        seen = super().view(state, chance)
        return {**seen, "stock": seen["stock"] + state["assigned"][..., 0, 1]}


BROKEN: dict[str, tuple[type[CommonsGame], ...]] = {
    "stages_show_what_was_decided": (
        PaysBeforeThePeriodIsOver,
        ForgetsWhatWasTaken,
        WantsAllFieldsAtEveryStage,
        CountsAssignedPointsFirst,
    )
}

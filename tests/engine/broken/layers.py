"""Broken games with layers, seats that leave, or seats that decide in turn."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.games.commons_game import CommonsGame
from tests.engine.broken.actions import wrong


class ListensToALayerThatIsOff(CommonsGame):
    """Broken game: it reads the settings of a layer that is off."""

    def transition(self, state, used, chance):
        after = super().transition(state, used, chance)
        share = 0.5 if self.config.layers.incentives.fee else 1.0
        return {**after, "stock": after["stock"] * share}


class CooperatesBeyondMeasure(CommonsGame):
    def cooperation(self, before, used, after):
        return 3.0 + super().cooperation(before, used, after)


class ForgetsWhatItOwes(CommonsGame):
    """Broken game: it loses points that should be paid later."""

    def step(self, state, actions, chance, leaving=None):
        after, outcome = super().step(state, actions, chance, leaving)
        owed = {"owed": after["owed"] * 0.5} if "owed" in after else {}
        return {**after, **owed}, outcome


class BreaksWhatItRepairs(CommonsGame):
    """Broken game: a shock moves the stock out of its range."""

    def repaired(self, before, after):
        return {**super().repaired(before, after), "stock": after["stock"] + 2 * self.core.capacity}


class PaysThoseWhoLeft(CommonsGame):
    def step(self, state, actions, chance, leaving=None):
        after, outcome = super().step(state, actions, chance, leaving)
        if "seat_reason" in after:
            outcome.components["harvest"][...] += 1.0
        return after, outcome


class ShowsEverythingToThoseWhoLeft(CommonsGame):
    def step(self, state, actions, chance, leaving=None):
        after, outcome = super().step(state, actions, chance, leaving)
        seen = outcome.observations
        shown = {**seen, "wealth": np.nan_to_num(seen["wealth"])}
        return after, outcome._replace(observations=shown)


class TakesThemBack(CommonsGame):
    """Broken game: seats that have left play again in the next period."""

    def step(self, state, actions, chance, leaving=None):
        after, outcome = super().step(state, actions, chance, leaving)
        if "seat_reason" in after:
            after = {**after, "seat_reason": after["seat_reason"] * 0}
        return after, outcome


class GoesOnWithNobody(CommonsGame):
    def step(self, state, actions, chance, leaving=None):
        after, outcome = super().step(state, actions, chance, leaving)
        if "seat_reason" in after:
            after = {**after, "reason": after["reason"] * 0}
        return after, outcome


class TellsNothing(CommonsGame):
    """Broken game: it hides the decisions of earlier seats."""

    def observe(self, state, chance, decided=None):
        return super().observe(state, chance)


class TellsOfTheWrongSeat(CommonsGame):
    def observe(self, state, chance, decided=None):
        moved = {name: np.roll(value, 1) for name, value in (decided or {}).items()}
        return super().observe(state, chance, moved or None)


class HalvesWhatAllDecide(Allowed):
    def used(self, actions):
        used = super().used(actions)
        together = isinstance(actions["harvest"], np.ndarray)
        return {**used, "harvest": used["harvest"] * (0.5 if together else 1.0)}


class DecidesAnew(CommonsGame):
    """Broken game: it plays different actions when the seats decide together."""

    def allowed(self, state):
        return wrong(HalvesWhatAllDecide, super().allowed(state))


BROKEN: dict[str, tuple[type[CommonsGame], ...]] = {
    "layers_at_zero_change_nothing": (ListensToALayerThatIsOff,),
    "layers_keep_the_contract": (CooperatesBeyondMeasure, ForgetsWhatItOwes, BreaksWhatItRepairs),
    "seats_end_one_by_one": (
        PaysThoseWhoLeft,
        ShowsEverythingToThoseWhoLeft,
        TakesThemBack,
        GoesOnWithNobody,
    ),
    "seats_decide_in_turn": (TellsNothing, TellsOfTheWrongSeat, DecidesAnew),
}

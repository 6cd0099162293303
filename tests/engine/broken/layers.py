"""Games that are wrong with layers, about seats that leave, or where seats decide in turn."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.games.commons_game import CommonsGame
from tests.engine.broken.actions import wrong


class ListensToALayerThatIsOff(CommonsGame):
    """Reads what a layer is asked for, and not whether it is on."""

    def transition(self, state, used, chance):
        after = super().transition(state, used, chance)
        share = 0.5 if self.config.layers.incentives.fee else 1.0
        return {**after, "stock": after["stock"] * share}


class CooperatesBeyondMeasure(CommonsGame):
    def cooperation(self, before, used, after):
        return 3.0 + super().cooperation(before, used, after)


class ForgetsWhatItOwes(CommonsGame):
    """Loses the points that were to be paid later."""

    def step(self, state, actions, chance, leaving=None):
        after, outcome = super().step(state, actions, chance, leaving)
        owed = {"owed": after["owed"] * 0.5} if "owed" in after else {}
        return {**after, **owed}, outcome


class BreaksWhatItRepairs(CommonsGame):
    """Lets a shock take the stock where its range does not reach."""

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
    """Seats that have left play again in the next period."""

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
    """Keeps to itself what earlier seats decided."""

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
    """Plays something else when the seats decide together."""

    def allowed(self, state):
        return wrong(HalvesWhatAllDecide, super().allowed(state))


BROKEN: dict[str, tuple[type[CommonsGame], ...]] = {
    "layers_at_zero_change_nothing": (ListensToALayerThatIsOff,),
    "layers_keep_the_contract": (
        CooperatesBeyondMeasure,
        ForgetsWhatItOwes,
        BreaksWhatItRepairs,
    ),
    "seats_end_one_by_one": (
        PaysThoseWhoLeft,
        ShowsEverythingToThoseWhoLeft,
        TakesThemBack,
        GoesOnWithNobody,
    ),
    "seats_decide_in_turn": (TellsNothing, TellsOfTheWrongSeat, DecidesAnew),
}

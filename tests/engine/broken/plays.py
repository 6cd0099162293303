"""Broken games whose plays have wrong random numbers, states, rewards or endings."""

from __future__ import annotations

import numpy as np
from pydantic import ConfigDict

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.games.commons_game import CommonsCore, CommonsGame
from tests.engine.broken.actions import wrong


class DrawsItsOwnLuck(CommonsGame):
    """Broken game: its random generator ignores the seed."""

    def transition(self, state, used, chance):
        after = super().transition(state, used, chance)
        return {**after, "stock": after["stock"] * np.random.default_rng().uniform(0.5, 1)}


class LooksDifferentEveryTime(CommonsGame):
    """Broken game: the first observation changes every time it is read."""

    looks = 0

    def view(self, state, chance):
        type(self).looks += 1
        seen = super().view(state, chance)
        return {**seen, "stock": seen["stock"] / (1 + type(self).looks)}


class DropsThePool(CommonsGame):
    """Broken game: it shows the pool only while the stock is full."""

    def view(self, state, chance):
        seen = dict(super().view(state, chance))
        if np.any(state["stock"] < self.core.capacity):
            del seen["pool"]
        return seen


class ShowsTheStockAsWholeNumber(CommonsGame):
    def view(self, state, chance):
        seen = super().view(state, chance)
        return {**seen, "stock": np.asarray(seen["stock"]).astype(np.int64)}


class ShowsWealthPerSeatWithoutSayingSo(CommonsGame):
    def view(self, state, chance):
        seen = super().view(state, chance)
        return {**seen, "wealth": state["wealth"][..., :1]}


class LetsTheStockGrowTooLarge(CommonsGame):
    def transition(self, state, used, chance):
        after = super().transition(state, used, chance)
        return {**after, "stock": after["stock"] + 2 * self.core.capacity}


class HidesWhatCannotBeHidden(CommonsGame):
    """Broken game: it puts NaN into the state, whose fields are never masked."""

    def transition(self, state, used, chance):
        after = super().transition(state, used, chance)
        return {**after, "pool": after["pool"] * np.nan}


class WritesIntoTheState(CommonsGame):
    def transition(self, state, used, chance):
        wealth = state["wealth"]
        wealth += 1.0
        return {**super().transition(state, used, chance), "wealth": wealth}


class WritesIntoChance(CommonsGame):
    def draw(self, chance):
        return {"luck": chance("luck").uniform((self.seats,))}

    def transition(self, state, used, chance):
        chance["luck"][...] = 0.0
        return super().transition(state, used, chance)


class EmptiesTheActions(Allowed):
    def used(self, actions):
        used = super().used(actions)
        actions["harvest"][...] = 0.0
        return used


class WritesIntoTheActions(CommonsGame):
    def allowed(self, state):
        return wrong(EmptiesTheActions, super().allowed(state))


class PaysWithoutAName(CommonsGame):
    """Broken game: it pays an undeclared component."""

    def reward(self, before, used, after):
        return {**super().reward(before, used, after), "gift": np.ones_like(after["wealth"])}


class ForgetsTheSign(CommonsGame):
    """Broken game: it counts a contribution as a gain."""

    def reward(self, before, used, after):
        return {"harvest": after["harvest"], "contribution": 1.0 + after["contribution"]}


class MixesThePlays(CommonsGame):
    """Broken game: all plays in a batch share one stock."""

    def transition(self, state, used, chance):
        after = super().transition(state, used, chance)
        return {**after, "stock": np.full_like(after["stock"], np.mean(after["stock"]))}


class DrawsOneNoiseForAll(CommonsGame):
    """Broken game: every play in a batch gets the first play's noise."""

    def draw(self, chance):
        noise = chance("noise").normal()
        return {"stock_noise": np.full_like(noise, np.ravel(noise)[0])}

    def view(self, state, chance):
        seen = super().view(state, {})
        return {**seen, "stock": seen["stock"] + chance["stock_noise"]}


class ForgetsAFraction(CommonsGame):
    """Broken game: a declared whole number is a fraction, and storage rounds it."""

    def transition(self, state, used, chance):
        after = super().transition(state, used, chance)
        return {**after, "empty_periods": state["empty_periods"] + 0.5}

    def reward(self, before, used, after):
        share = after["empty_periods"][..., None] / (1 + self.horizon)
        return {"harvest": after["harvest"] * share, "contribution": -after["contribution"]}


class RemembersOutsideTheState(CommonsGame):
    calls = 0

    def transition(self, state, used, chance):
        type(self).calls += 1
        after = super().transition(state, used, chance)
        return {**after, "stock": after["stock"] / type(self).calls}


class LooseCore(CommonsCore):
    model_config = ConfigDict(extra="allow")


class AcceptsAnyParameter(CommonsGame):
    Core = LooseCore


class NeverEnds(CommonsGame):
    def _judged(self, before, world):
        return {**super()._judged(before, world), "reason": np.zeros_like(before["reason"])}


class EndsForNoKnownReason(CommonsGame):
    def _judged(self, before, world):
        judged = super()._judged(before, world)
        return {**judged, "reason": judged["reason"] * 9}


class PaysAfterTheEnd(CommonsGame):
    def step(self, state, actions, chance, leaving=None):
        after, outcome = super().step(state, actions, chance, leaving)
        outcome.rewards[...] += 1.0
        return after, outcome


class RunsOnItsOwnClock(CommonsGame):
    """Broken game: the reward of a play depends on the number of earlier plays."""

    resets = 0

    def initial(self, chance, batch):
        type(self).resets += 1
        return super().initial(chance, batch)

    def reward(self, before, used, after):
        paid = over_seats(after["harvest"])[..., None] / (self.seats + type(self).resets)
        both = np.broadcast_to(paid, np.shape(after["harvest"]))
        return {"harvest": both, "contribution": -after["contribution"]}


BROKEN: dict[str, tuple[type[CommonsGame], ...]] = {
    "same_seed_same_play": (DrawsItsOwnLuck, LooksDifferentEveryTime),
    "layout_is_stable": (
        DropsThePool,
        ShowsTheStockAsWholeNumber,
        ShowsWealthPerSeatWithoutSayingSo,
        LetsTheStockGrowTooLarge,
        HidesWhatCannotBeHidden,
    ),
    "nothing_is_mutated": (WritesIntoTheState, WritesIntoChance, WritesIntoTheActions),
    "components_add_up": (PaysWithoutAName, ForgetsTheSign),
    "batch_is_the_same_play": (MixesThePlays, DrawsOneNoiseForAll),
    "state_goes_through_json": (ForgetsAFraction, RemembersOutsideTheState),
    "config_goes_through_json": (AcceptsAnyParameter,),
    "play_ends": (NeverEnds, EndsForNoKnownReason, PaysAfterTheEnd),
    "log_replays": (RunsOnItsOwnClock,),
}

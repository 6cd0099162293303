"""Games broken on purpose: for each check of the conformance kit, at least one it must catch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import ConfigDict

from engine.contract.allowed import Allowed
from engine.contract.arrays import over_seats
from engine.contract.declaration import Info
from engine.games.commons_game import CommonsCore, CommonsGame


def wrong(kind: type[Allowed], now: Allowed) -> Allowed:
    """The same seats, fields and ends, checked by a kind of Allowed that is wrong."""
    return kind(now.fields, now.shape, now._limits, now.barred)


class DrawsItsOwnLuck(CommonsGame):
    """Uses a generator that no seed reaches."""

    def transition(self, state, used, chance):
        after = super().transition(state, used, chance)
        return {**after, "stock": after["stock"] * np.random.default_rng().uniform(0.5, 1)}


class LooksDifferentEveryTime(CommonsGame):
    """The first observation of a play depends on how often one looked."""

    looks = 0

    def view(self, state, chance):
        type(self).looks += 1
        seen = super().view(state, chance)
        return {**seen, "stock": seen["stock"] / (1 + type(self).looks)}


class DropsThePool(CommonsGame):
    """Shows the pool only while the stock is full."""

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
    """Puts NaN into the state, whose fields are never masked."""

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
    """Pays a component that was never declared."""

    def reward(self, before, used, after):
        return {**super().reward(before, used, after), "gift": np.ones_like(after["wealth"])}


class ForgetsTheSign(CommonsGame):
    """Counts a contribution as a gain."""

    def reward(self, before, used, after):
        return {"harvest": after["harvest"], "contribution": 1.0 + after["contribution"]}


class MixesThePlays(CommonsGame):
    """Lets all plays of a batch fish in one pond."""

    def transition(self, state, used, chance):
        after = super().transition(state, used, chance)
        return {**after, "stock": np.full_like(after["stock"], np.mean(after["stock"]))}


class DrawsOneNoiseForAll(CommonsGame):
    """Gives every play of a batch the noise of the first."""

    def draw(self, chance):
        noise = chance("noise").normal()
        return {"stock_noise": np.full_like(noise, np.ravel(noise)[0])}

    def view(self, state, chance):
        seen = super().view(state, {})
        return {**seen, "stock": seen["stock"] + chance["stock_noise"]}


class ForgetsAFraction(CommonsGame):
    """Keeps a fraction where it declared a whole number, so that storage rounds it."""

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


class ReadsNanAsNothing(Allowed):
    def used(self, actions):
        return super().used({name: np.nan_to_num(value) for name, value in actions.items()})


class TakesNanForNothing(CommonsGame):
    def allowed(self, state):
        return wrong(ReadsNanAsNothing, super().allowed(state))


class DropsUnknownFields(Allowed):
    def used(self, actions):
        known = {field.name for field in self.fields}
        return super().used({k: v for k, v in actions.items() if k in known})


class IgnoresWhatItDoesNotKnow(CommonsGame):
    def allowed(self, state):
        return wrong(DropsUnknownFields, super().allowed(state))


class HasNoEnds(Allowed):
    def used(self, actions):
        super().used(actions)
        return {name: np.array(value, dtype=np.float64) for name, value in actions.items()}


class ClampsNothing(CommonsGame):
    def allowed(self, state):
        return wrong(HasNoEnds, super().allowed(state))


class ForgetsTheStateAlone(Allowed):
    def of(self, index):
        part = super().of(index)
        return Allowed(part.fields, part.shape, {}, part.barred)


class LetsOneSeatDoMoreThanAll(CommonsGame):
    """What the state limits for all seats is open to each of them."""

    def allowed(self, state):
        return wrong(ForgetsTheStateAlone, super().allowed(state))


class DefaultsBeyondTheEnds(Allowed):
    def of(self, index):
        return wrong(DefaultsBeyondTheEnds, super().of(index))

    @property
    def default(self):
        return {field.name: self.low[field.name] - 1.0 for field in self.fields}


class DefaultsToWhatIsNotAllowed(CommonsGame):
    def allowed(self, state):
        return wrong(DefaultsBeyondTheEnds, super().allowed(state))


class HidesTheUpperEnds(Allowed):
    def of(self, index):
        return wrong(HidesTheUpperEnds, super().of(index))

    def to_json(self):
        return {name: [low, None] for name, (low, _) in super().to_json().items()}


class TellsPagesOfOtherEnds(CommonsGame):
    def allowed(self, state):
        return wrong(HidesTheUpperEnds, super().allowed(state))


class RunsOnItsOwnClock(CommonsGame):
    """What a play pays depends on how many plays were played before it."""

    resets = 0

    def initial(self, chance, batch):
        type(self).resets += 1
        return super().initial(chance, batch)

    def reward(self, before, used, after):
        paid = over_seats(after["harvest"])[..., None] / (self.seats + type(self).resets)
        both = np.broadcast_to(paid, np.shape(after["harvest"]))
        return {"harvest": both, "contribution": -after["contribution"]}


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


class LetsTheStockTellOfWealth(CommonsGame):
    """Shows the stock by a hair higher the richer the first seat is."""

    def view(self, state, chance):
        seen = super().view(state, chance)
        return {**seen, "stock": seen["stock"] - 1e-9 * state["wealth"][..., 0]}


class TellsHarvestsOfAllToAll(CommonsGame):
    """Keeps the harvests of others in what is shown of the own one."""

    def view(self, state, chance):
        seen = super().view(state, chance)
        return {
            **seen,
            "pool": seen["pool"] + 1e-9 * state["empty_periods"] + state["harvest"][..., 0],
        }


class NamesAnEventNobodyKnows(CommonsGame):
    def events(self, before, used, after):
        return [{"event": "storm"}]


class TellsMoreThanItDeclares(CommonsGame):
    def info(self, before, used, after):
        return {"pressure": 1.0}


class TellsAnArray(CommonsGame):
    def declare(self):
        return replace(super().declare(), info=(Info("taken", "fish taken", "fish"),))

    def info(self, before, used, after):
        return {"taken": after["harvest"]}


class FollowsFromNothingSeen(CommonsGame):
    def declare(self):
        return replace(super().declare(), info=(Info("used", "fish taken", of=("shoal",)),))

    def info(self, before, used, after):
        return {"used": 0.0}


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
    "bad_actions_are_refused": (TakesNanForNothing, IgnoresWhatItDoesNotKnow),
    "one_value_says_what_is_allowed": (
        LetsOneSeatDoMoreThanAll,
        DefaultsToWhatIsNotAllowed,
        TellsPagesOfOtherEnds,
    ),
    "far_actions_are_clamped": (ClampsNothing,),
    "log_replays": (RunsOnItsOwnClock,),
    "events_and_infos_are_declared": (
        NamesAnEventNobodyKnows,
        TellsMoreThanItDeclares,
        TellsAnArray,
        FollowsFromNothingSeen,
    ),
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
    "nothing_leaks": (LetsTheStockTellOfWealth, TellsHarvestsOfAllToAll),
    "seats_decide_in_turn": (TellsNothing, TellsOfTheWrongSeat, DecidesAnew),
}


def cases(checks: Any) -> list[tuple[Any, type[CommonsGame] | None]]:
    """(check, broken game) for every check; None where there is no game to try it on."""
    return [(check, game) for check in checks for game in BROKEN.get(check.__name__, (None,))]

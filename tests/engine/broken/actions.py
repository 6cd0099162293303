"""Broken games that misstate the seats' allowed actions."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.games.commons_game import CommonsGame


def wrong(kind: type[Allowed], now: Allowed) -> Allowed:
    """Return an Allowed of a broken class with the same seats, fields and bounds."""
    return kind(now.fields, now.shape, now._limits, now.barred)


class ReadsNanAsNothing(Allowed):
    def used(self, actions):
        return super().used({name: np.nan_to_num(value) for name, value in actions.items()})


class TakesNanForNothing(CommonsGame):
    def allowed(self, state):
        return wrong(ReadsNanAsNothing, super().allowed(state))


class DropsUnknownFields(Allowed):
    def used(self, actions):
        declared = {field.name for field in self.fields}
        return super().used({k: v for k, v in actions.items() if k in declared})


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
    """Broken game: each seat may use up the limit that all seats share."""

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


BROKEN: dict[str, tuple[type[CommonsGame], ...]] = {
    "bad_actions_are_refused": (TakesNanForNothing, IgnoresWhatItDoesNotKnow),
    "one_value_says_what_is_allowed": (
        LetsOneSeatDoMoreThanAll,
        DefaultsToWhatIsNotAllowed,
        TellsPagesOfOtherEnds,
    ),
    "far_actions_are_clamped": (ClampsNothing,),
}

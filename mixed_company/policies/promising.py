"""What policies share that say a number before they decide (`policies.talk`)."""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.language import decimals
from mixed_company.policies.policy import Memory, Observation, Policy, Seats
from mixed_company.policies.talk import Saying, Talk, number_in

__all__ = ["Promising", "plain_number"]

_NOTHING = -1.0


def plain_number(amount: float) -> float:
    """An amount as people say it, and as controls can be moved to: rounded down to a whole number,
    below 1 to a tenth."""
    return float(math.floor(amount)) if amount >= 1 else math.floor(10 * amount) / 10


class Promising(Policy):
    """Says a number, and remembers which it said last; where a list has none that is the same, the
    number of the nearest sentence."""

    @abstractmethod
    def amount(self, seat: int) -> float:
        """What a seat promises."""

    @abstractmethod
    def sentence(self) -> str:
        """How that is said in the present language, with a gap `{n}`."""

    def say(self, talk: Talk, observation: Observation, rng: np.random.Generator) -> Saying | None:
        number = decimals(f"{self.amount(talk.seat):.12g}")
        return talk.saying(self.sentence().format(n=number))

    def start(self) -> Memory:
        return {"promised": _NOTHING}

    def hear(self, talk: Talk, memory: Memory) -> Memory:
        own = [number_in(message.text) for message in talk.heard if message.seat == talk.seat]
        numbers = [number for number in own if number is not None]
        return {"promised": numbers[-1] if numbers else _NOTHING}

    def promised(self, seats: Seats) -> Array:
        """(K,) what each seat said last; where nobody talks, what it would say."""
        amounts = np.asarray([self.amount(seat) for seat in seats.seat.tolist()])
        promised = seats.memory["promised"]
        return np.asarray(np.where(promised == _NOTHING, amounts, promised))

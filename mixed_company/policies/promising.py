"""Base class of policies that announce a number before they decide (`policies.talk`)."""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.language import decimals
from mixed_company.policies.policy import Memory, Observation, Policy, Seats
from mixed_company.policies.talk import Saying, Talk, number_in

_NOTHING = -1.0


def plain_number(amount: float) -> float:
    """Return an amount as people would say it: rounded down to a whole number, or to tenths below
    1."""
    return float(math.floor(amount)) if amount >= 1 else math.floor(10 * amount) / 10


class Promising(Policy):
    """Announces a number, and remembers the last number that it announced.

    If the number is not in the list of sentences, it remembers the number in the nearest sentence.
    """

    @abstractmethod
    def amount(self, seat: int) -> float:
        """Return the amount that a seat promises."""

    @abstractmethod
    def sentence(self) -> str:
        """Return the promise in the current language, with the `{n}` placeholder."""

    def say(self, talk: Talk, observation: Observation, rng: np.random.Generator) -> Saying | None:
        number = decimals(f"{self.amount(talk.seat):.12g}")
        return talk.saying(self.sentence().format(n=number))

    def start(self) -> Memory:
        return {"promised": _NOTHING}

    def hear(self, talk: Talk, memory: Memory) -> Memory:
        spoken = [number_in(message.text) for message in talk.heard if message.seat == talk.seat]
        numbers = [number for number in spoken if number is not None]
        return {"promised": numbers[-1] if numbers else _NOTHING}

    def promised(self, seats: Seats) -> Array:
        """Return the last announced amounts (K,), or the intended amounts if seats cannot talk."""
        amounts = np.asarray([self.amount(seat) for seat in seats.seat.tolist()])
        promised = seats.memory["promised"]
        return np.asarray(np.where(promised == _NOTHING, amounts, promised))

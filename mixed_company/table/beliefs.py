"""What an answer was about turned out to be so or so: its error, and what it is paid.

    truth    others_mean: the mean of what the other seats that took part did, as the rules took it;
             others_choosing: how many of them chose an option; seat_action: what one seat did;
             stock: the stock after the period; bots: how many other seats a policy had;
             bot: 100 where a policy had the seat, else 0
    error    how far the answer is from it
    points   the prize, if it is won; a person whose seat a policy had in the end wins nothing

`within`: it is won if the error is at most the margin. `binarised` (Hossain and Okui 2013, "The
Binarized Scoring Rule", Review of Economic Studies 80(3), 984-1001): it is won if

    (error / largest)^2 < u,     largest = most - least,  u uniform from 0 to 1

so with a chance of 1 - (error / largest)^2, which is highest where the answer is the mean of what
one believes, whether one likes risk or not. `u` follows from the seed of the play, in a stream of
its own. The table pays by these rules, exports state them, and the audit checks by them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mixed_company.engine.contract import chance
from mixed_company.table.items import Item, Value

__all__ = ["CERTAIN", "Belief", "Facts", "judged"]

CERTAIN = 100.0
"""What is true of a seat that is a bot's, where it is asked how likely that is."""


class Facts(NamedTuple):
    """What was so in a period that is over.

    occupants   by seat: person, policy or nobody
    used        action field -> by seat, as the rules took it
    state       after the period
    """

    occupants: Sequence[str]
    used: Mapping[str, Sequence[Any]]
    state: Mapping[str, Any]


class Belief(NamedTuple):
    """What became of an answer; None: nothing is true of it, or known."""

    truth: float | None = None
    error: float | None = None
    points: float | None = None


def judged(
    item: Item, value: Value | None, seat: int, facts: Facts, seed: int, period: int
) -> Belief:
    """What became of what the person on a seat answered, None if nothing, in a period."""
    truth = _truth(item, seat, facts)
    if truth is None or value is None or isinstance(value, str):
        return Belief(truth)
    error = abs(value - truth)
    if item.pay == "none":
        return Belief(truth, error)
    stayed = facts.occupants[seat] != "policy"
    won = stayed and _wins(item, error, seed, seat, period)
    return Belief(truth, error, item.prize if won else 0.0)


def _truth(item: Item, seat: int, facts: Facts) -> float | None:
    others = [other for other in range(len(facts.occupants)) if other != seat]
    if item.action:
        among = others if item.seat is None else [item.seat]
        playing = [other for other in among if facts.occupants[other] != "nobody"]
        done = [float(facts.used[item.action][other]) for other in playing]
        if item.choice is not None:
            return float(done.count(item.choice)) if done else None
        return math.fsum(done) / len(done) if done else None
    if item.about == "stock":
        return float(facts.state["stock"])
    if item.about == "bots":
        return float(sum(facts.occupants[other] == "policy" for other in others))
    if item.about == "bot" and item.seat is not None:
        return CERTAIN if facts.occupants[item.seat] == "policy" else 0.0
    return None


def _wins(item: Item, error: float, seed: int, seat: int, period: int) -> bool:
    if item.margin is not None:
        return error <= item.margin
    largest = float(item.most or 0.0) - float(item.least or 0.0)
    drawn = chance.stream(seed, f"prize of {item.name} for seat {seat}", period).uniform()
    return (error / largest) ** 2 < 1.0 - float(drawn)  # above 0, so that who is right wins

"""Scoring of answers to questions: the truth, the error, and the points won.

    truth    others_mean: mean action of the other seats that took part, as the rules applied it;
             others_choosing: how many of them chose an option; seat_action: action of one seat;
             stock: the stock after the period; bots: how many other seats had policies;
             bot: 100 if a policy had the seat, else 0
    error    distance between answer and truth
    points   the prize, if won; a person wins none if a policy had the seat at the end

`within`: the prize is won if the error is at most the margin. `binarised` (Hossain and Okui 2013,
"The Binarized Scoring Rule", Review of Economic Studies 80(3), 984-1001): it is won if

    (error / largest)^2 < u,     largest = most - least,  u uniform from 0 to 1

so the chance is 1 - (error / largest)^2. This chance is highest for people who answer with the mean
of their belief, whatever their attitude to risk. `u` has its own random stream, derived from the
play's seed. The table uses these rules to pay prizes, exports document them, and the audit
reapplies them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mixed_company.engine.contract import chance
from mixed_company.table.items import Item, Value

CERTAIN = 100.0
"""The truth, in per cent, if a bot has the seat and the question asks how likely that is."""


class Facts(NamedTuple):
    """Facts about a finished period.

    occupants   who had each seat: a person, a policy or nobody
    used        action field -> values by seat, as the rules applied them
    state       after the period
    """

    occupants: Sequence[str]
    used: Mapping[str, Sequence[Any]]
    state: Mapping[str, Any]


class Belief(NamedTuple):
    """Score of an answer; values are None if the truth is undefined or unknown."""

    truth: float | None = None
    error: float | None = None
    points: float | None = None


def judged(
    item: Item, value: Value | None, seat: int, facts: Facts, seed: int, period: int
) -> Belief:
    """Score the answer of the person in a seat; `value` is None if the person did not answer."""
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
    return (error / largest) ** 2 < 1.0 - float(drawn)  # u > 0, so an exact answer always wins

"""A bot's answer: what the policy on a seat decides, and when it says so."""

from __future__ import annotations

from typing import Any

import bots
from engine.contract import chance
from engine.play.episode import Episode
from table import thinking
from table.seating import Seat
from table.setup import Setup

__all__ = ["answer"]

Row = dict[str, Any]


def answer(
    setup: Setup, episode: Episode, chair: Seat, at: int, deadline: int | None
) -> tuple[Row, str | None]:
    """The decision of the policy on a seat, begun `at`, and its fault, if there is one.

    `at_ms` of the decision is after its thinking time, at the deadline at the latest. The seat
    keeps what the policy remembers.
    """
    period, seed = episode.period, episode.seed
    decision = bots.decide(
        setup.policy(str(chair.policy_id)),
        episode.actions(chair.seat),
        episode.observation(chair.seat),
        chair.memory,
        chance.generator(seed, f"policy of seat {chair.seat}", period),
    )
    chair.memory = decision.memory
    delay = thinking.delay_ms(setup.options.bot_delay, seed, chair.seat, period)
    row = {
        "action": decision.action,
        "by": "default" if decision.fault else "policy",
        "policy_id": chair.policy_id,
        "at_ms": at + delay if deadline is None else min(at + delay, deadline),
        "delay_ms": delay,
    }
    return row, decision.fault

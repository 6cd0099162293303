"""A bot's answer: what the policy on a seat decides, and when it says so."""

from __future__ import annotations

from typing import Any

import bots
from bots.policy import BUDGET_SECONDS
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
    policy = setup.policy(str(chair.policy_id))
    decision = bots.ask_at(episode, policy, chair.seat, chair.memory, BUDGET_SECONDS)
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

"""A bot's answer: what the policy on a seat decides, and when it says so."""

from __future__ import annotations

import bots
from bots.policy import BUDGET_SECONDS
from engine.play.decision import By, Decision
from engine.play.episode import Episode
from table import thinking, timing
from table.seating import Seat
from table.setup import Setup

__all__ = ["answer"]


def answer(
    setup: Setup, episode: Episode, chair: Seat, at: int, deadline: int | None
) -> tuple[Decision, str | None]:
    """The decision of the policy on a seat, begun `at`, and its fault, if there is one.

    It counts after the thinking time, at the deadline at the latest. The seat keeps what the
    policy remembers.
    """
    period, seed = episode.period, episode.seed
    policy = setup.policy(str(chair.policy_id))
    answered = bots.ask_at(episode, policy, chair.seat, chair.memory, BUDGET_SECONDS)
    chair.memory = answered.memory
    delay = thinking.delay_ms(setup.options.bot_delay, seed, chair.seat, period)
    at_ms = timing.answers_at(at, delay, deadline)
    by: By = "default" if answered.fault else "policy"
    return Decision(answered.action, by, at_ms, chair.policy_id, delay), answered.fault

"""A bot's answer: what the policy on a seat is asked, what it decides, and when that counts.

Most policies are asked at once, where the table is. One that could keep all others waiting
(`Policy.apart`) is asked by whoever keeps the table, who says later what it answered.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.play.decision import By, Decision
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import (
    BUDGET_SECONDS,
    PATIENCE_SECONDS,
    Answer,
    Policy,
    ask,
    seat_chance,
)
from mixed_company.policies.talk import Saying, Talk
from mixed_company.table import thinking, timing
from mixed_company.table.journal import Entry
from mixed_company.table.seating import Seat
from mixed_company.table.setup import Setup
from mixed_company.table.thinking import Taken

__all__ = ["LATE_MS", "Question", "Recalled", "answer", "decision", "late", "question"]

LATE_MS = round(1000 * PATIENCE_SECONDS)
"""So long a policy that is asked elsewhere may take; then the default counts."""


class Recalled:
    """The answers of policies from the time when a journal was written.

    A policy that is asked again decides as it did then, but may have been too slow that time.

    entries   how many there are
    apart     (period, seat) of those that were asked elsewhere
    unsaid    (period, seat) -> why a policy that was to say something did not
    faults    (period, seat) -> why a policy that was to decide did not
    actions   (period, seat) -> what was decided by a policy, in periods that are over
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = 0
        self.apart: set[tuple[int, int]] = set()
        self.unsaid: dict[tuple[int, int], str] = {}
        self.faults: dict[tuple[int, int], str] = {}
        self.actions: dict[tuple[int, int], dict[str, Any]] = {}
        for entry in entries:
            self.entries += 1
            if entry["kind"] == "period":
                for seat, decided in enumerate(entry["seats"]):
                    if decided["policy_id"]:
                        self.actions[entry["period"], seat] = decided["action"]
            elif entry["kind"] == "asked":
                self.apart.add((entry["period"], entry["seat"]))
            elif entry["kind"] == "event" and entry["event"] == "talk_fault":
                self.unsaid[entry["period"], entry["seat"]] = entry["detail"]
            elif entry["kind"] == "event" and entry["event"] == "policy_fault":
                self.faults[entry["period"], entry["seat"]] = entry["detail"]

    def answer(self, wanted: Question, period: int, seat: int) -> Answer:
        """Return what the policy on a seat answered then; what it remembers is of now."""
        place = period, seat
        if place in self.faults:
            return Answer(wanted.allowed.default_action(), wanted.memory, self.faults[place])
        again = self.asked(wanted, period, seat)
        if place in self.actions:
            return replace(again, action=self.actions[place], fault=None)
        return again

    def asked(self, wanted: Question, period: int, seat: int) -> Answer:
        """Ask the policy again, however long it takes."""
        return wanted.answered()

    def said(
        self, policy: Policy, ask: Callable[[], Saying | str | None], period: int, seat: int
    ) -> Saying | str | None:
        """Return what the policy on a seat said then; a text is why it said nothing."""
        fault = self.unsaid.get((period, seat))
        return ask() if fault is None else fault


@dataclass(frozen=True)
class Question:
    """What a policy is asked for a seat: all that its answer follows from, and no more.

    It touches nothing of its table, so that it can be answered anywhere.
    """

    policy: Policy
    allowed: Allowed
    seen: Arrays
    memory: dict[str, Any]
    draws: Draws
    talk: Talk | None = None

    def answered(self, budget: float = math.inf, patience: float = math.inf) -> Answer:
        """Ask the policy, which may take so many seconds (`policies.ask`)."""
        given = self.allowed, self.seen, self.memory, self.draws
        return ask(self.policy, *given, budget, patience=patience, talk=self.talk)


def question(setup: Setup, episode: Episode, chair: Seat, talk: Talk | None = None) -> Question:
    """What the policy on a seat is asked in this period; `talk`: what it reads before."""
    draws = seat_chance(episode.seed, chair.seat, episode.period)
    policy = setup.policy(str(chair.policy_id))
    allowed, seen = episode.allowed(chair.seat), episode.observation(chair.seat)
    return Question(policy, allowed, seen, chair.memory, draws, talk)


def answer(
    setup: Setup,
    episode: Episode,
    chair: Seat,
    recalled: Recalled | None = None,
    talk: Talk | None = None,
) -> Answer:
    """What the policy on a seat answers here and now. Of a table built anew `recalled` holds."""
    wanted = question(setup, episode, chair, talk)
    if recalled is None:
        return _timed(wanted)
    return recalled.answer(wanted, episode.period, chair.seat)


def _timed(wanted: Question) -> Answer:
    """The answer within the time there is; who overran it is not asked here again.

    Its processor time decides, not the clock: on a busy server others take its turns.
    """
    answered = wanted.answered(BUDGET_SECONDS, PATIENCE_SECONDS)
    if answered.overran:
        wanted.policy.slow = True
    return answered


def late(episode: Episode, chair: Seat, waited_ms: int) -> Answer:
    """The default, for a policy that has not answered in time."""
    default = episode.allowed(chair.seat).default_action()
    return Answer(default, chair.memory, f"no answer within {waited_ms} ms")


def decision(
    setup: Setup,
    episode: Episode,
    chair: Seat,
    answered: Answer,
    at: int,
    deadline: int | None,
    taken: Sequence[Taken] = (),
    points: Sequence[float] = (),
) -> Decision:
    """What a policy decides that began to think `at`; the seat keeps what it remembers.

    It counts after the thinking time (`taken`: see there; `points`: of the seat, in the last
    periods), at the deadline at the latest. Who is not to be told from people chooses an amount
    where the control of a page can be moved to.
    """
    chair.memory = answered.memory
    options, action = setup.options, answered.action
    if options.disclosure != "labels":
        action = episode.allowed(chair.seat).nearest(action)
    given = options.bot_delay, episode.seed, chair.seat, episode.period
    delay = thinking.delay_ms(*given, taken, thinking.is_surprising(points))
    by: By = "default" if answered.fault else "policy"
    at_ms = timing.answers_at(at, delay, deadline)
    return Decision(action, by, at_ms, chair.policy_id, delay)

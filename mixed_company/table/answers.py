"""A bot's answer: the question put to its policy, the decision, and when the decision takes effect.

Most policies are asked directly at the table. A policy that could delay everyone else
(`Policy.apart`) is asked by the table's host, which passes the answer back later.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import By, Decision
from mixed_company.policies.asking import ask_together
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import (
    BUDGET_SECONDS,
    PATIENCE_SECONDS,
    Answer,
    Policy,
    ask,
    seat_chance,
)
from mixed_company.policies.spec import part_at
from mixed_company.policies.talk import Saying, Talk
from mixed_company.table import thinking, timing
from mixed_company.table.journal import Entry
from mixed_company.table.seating import Seat
from mixed_company.table.setup import Setup
from mixed_company.table.thinking import Taken

__all__ = ["LATE_MS", "Question", "Recalled", "answer", "decision", "late", "question"]
__all__ += ["place", "together"]

LATE_MS = round(1000 * PATIENCE_SECONDS)
"""Time limit in ms for a policy that the table's host asks; after that, the default is used."""


Place = tuple[Any, ...]


def place(episode: Episode, seat: int) -> Place:
    """Return the key of a seat's current decision: the period and seat, and the stage unless it is
    the first.
    """
    return (
        (episode.period, seat) if episode.at_first_stage else (episode.period, seat, episode.stage)
    )


def _place_of(entry: Entry) -> Place:
    stage = [entry["stage"]] if "stage" in entry else []
    return (entry["period"], entry["seat"], *stage)


class Recalled:
    """Answers that policies gave while a journal was being written.

    If a policy is asked again, it makes the same decision, but it may have been too slow the first
    time.

    entries   number of entries
    unsaid    (period, seat) -> why a policy failed to send a message
    apart     decisions that the table's host asked a policy for, as places
    faults    place -> why a policy failed to decide
    actions   place -> action of a policy, for periods that are over

    A place is a period and a seat and, at a later stage of the period, the stage's name.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = 0
        self.unsaid: dict[tuple[int, int], str] = {}
        self.apart: set[Place] = set()
        self.faults: dict[Place, str] = {}
        self.actions: dict[Place, dict[str, Any]] = {}
        for entry in entries:
            self.entries += 1
            if entry["kind"] == "period":
                self._keep(entry["period"], entry["seats"])
                if "later" in entry:
                    self._keep(entry["period"], entry["later"], entry["stage"])
            elif entry["kind"] == "asked":
                self.apart.add(_place_of(entry))
            elif entry["kind"] == "event" and entry["event"] == "talk_fault":
                self.unsaid[entry["period"], entry["seat"]] = entry["detail"]
            elif entry["kind"] == "event" and entry["event"] == "policy_fault":
                self.faults[_place_of(entry)] = entry["detail"]

    def _keep(self, period: int, decisions: Iterable[Entry], *stage: str) -> None:
        for seat, decided in enumerate(decisions):
            if decided["policy_id"]:
                self.actions[period, seat, *stage] = decided["action"]

    def answer(self, wanted: Question, period: int, seat: int, *stage: str) -> Answer:
        """Return the answer that the policy in a seat gave at the time, with its new memory."""
        key = (period, seat, *stage)
        if key in self.faults:
            return Answer(wanted.allowed.default_action(), wanted.memory, self.faults[key])
        repeated = self.asked(wanted, period, seat, *stage)
        return replace(repeated, fault=None) if key in self.actions else repeated

    def decided(self, decision: Decision, where: Place) -> Decision:
        """Return the decision with the action that was recorded, if its period is over."""
        return replace(decision, action=self.actions.get(where, decision.action))

    def asked(self, wanted: Question, period: int, seat: int, *stage: str) -> Answer:
        """Ask the policy again, without a time limit."""
        return wanted.answered()

    def said(
        self, policy: Policy, ask: Callable[[], Saying | str | None], period: int, seat: int
    ) -> Saying | str | None:
        """Return the message that the policy in a seat sent at the time, or why it sent none."""
        fault = self.unsaid.get((period, seat))
        return ask() if fault is None else fault


@dataclass(frozen=True)
class Question:
    """Everything a policy needs to answer for a seat.

    A question contains no reference to the table, so it can be answered anywhere.
    """

    policy: Policy
    allowed: Allowed
    seen: Arrays
    memory: dict[str, Any]
    draws: Draws
    talk: Talk | None = None

    def answered(self, budget: float = math.inf, patience: float = math.inf) -> Answer:
        """Ask the policy, within `budget` and `patience` in seconds (see `policies.ask`)."""
        arguments = self.allowed, self.seen, self.memory, self.draws
        return ask(self.policy, *arguments, budget, patience=patience, talk=self.talk)


def question(setup: Setup, episode: Episode, chair: Seat, talk: Talk | None = None) -> Question:
    """Return this period's question for the policy in a seat. The policy reads `talk` first."""
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
    """Ask the policy in a seat now. For a table that is being rebuilt, pass `recalled`.

    Once a policy has exceeded a limit, the table's host asks it from then on. The limits apply to
    processor time, not clock time, because other processes delay a busy server.
    """
    wanted = question(setup, episode, chair, talk)
    if recalled is not None:
        return recalled.answer(wanted, *place(episode, chair.seat))
    answered = wanted.answered(BUDGET_SECONDS, PATIENCE_SECONDS)
    if answered.overran:
        wanted.policy.slow = True
    return answered


def together(setup: Setup, episode: Episode, chairs: Sequence[Seat]) -> dict[int, Answer]:
    """Ask each policy that has several of these seats only once, and return the answers by seat.

    Policies that differ only at another stage of the period count as identical. If a seat is
    missing from the result, its policy must be asked separately for that seat (`policies.asking`).
    """
    stage = episode.stage_number
    specs = [part_at(str(chair.policy_id), stage) for chair in chairs]
    answers: dict[int, Answer] = {}
    for spec in dict.fromkeys(specs):
        if specs.count(spec) > 1:
            those = [chair for chair, its in zip(chairs, specs, strict=True) if its == spec]
            answers |= _asked_once(setup, episode, those, stage)
    return answers


def _asked_once(
    setup: Setup, episode: Episode, chairs: Sequence[Seat], stage: int
) -> dict[int, Answer]:
    """Ask one policy for several seats at once, and return its answers by seat.

    The result is empty if the policy must be asked for each seat separately.
    """
    policies = [setup.policy(str(chair.policy_id)) for chair in chairs]
    decider = policies[0].at_stage(stage)
    if decider is None:
        return {}
    seats, paired = [chair.seat for chair in chairs], list(zip(policies, chairs, strict=True))
    memories = [policy.notes_at(stage, chair.memory) for policy, chair in paired]
    limits = BUDGET_SECONDS, PATIENCE_SECONDS
    decided = ask_together(decider, episode, seats, memories, *limits) or ()
    return {
        chair.seat: Answer(answer.action, policy.noted(stage, chair.memory, answer.memory))
        for (policy, chair), answer in zip(paired, decided, strict=False)
    }


def late(episode: Episode, chair: Seat, waited_ms: int) -> Answer:
    """Return the default for a policy that has not answered in time."""
    default = episode.allowed(chair.seat).default_action()
    return Answer(default, chair.memory, f"no answer within {waited_ms} ms")


def decision(
    setup: Setup,
    episode: Episode,
    chair: Seat,
    answered: Answer,
    time_ms: int,
    deadline: int | None,
    taken: Sequence[Taken] = (),
    points: Sequence[float] = (),
) -> Decision:
    """Return the decision of a policy that started thinking at `time_ms`; store its memory.

    The decision takes effect after the thinking time, but no later than the deadline. `taken` is
    explained in `thinking.delay_ms`; `points` holds the seat's points in the last few periods. An
    amount is rounded to the nearest value that the page's control allows. This applies even if bots
    are labelled, so a policy plays the same way no matter what people are told.
    """
    chair.memory = answered.memory
    action = episode.allowed(chair.seat).nearest(answered.action)
    stage = "" if episode.at_first_stage else episode.stage
    arguments = setup.options.bot_delay, episode.seed, chair.seat, episode.period
    delay = thinking.delay_ms(*arguments, taken, points, stage)
    by: By = "default" if answered.fault else "policy"
    at_ms = timing.answers_at(time_ms, delay, deadline)
    return Decision(action, by, at_ms, chair.policy_id, delay)

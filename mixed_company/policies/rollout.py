"""Rollout of a whole play by policies that decide at the same time or, in a sequential game, in
turn.

play = Episode(game, seed=7)
for step in rollout(play, [policies.make("greedy", game)] * game.seats):
    print(step.rewards)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.policies import odds
from mixed_company.policies.policy import Memory, Policy, ask_at


class Fault(NamedTuple):
    """Failed decision of a policy, which the default action replaced.

    `stage` is the name of the stage, or empty for the first stage.
    """

    period: int
    seat: int
    problem: str
    stage: str = ""

    def __str__(self) -> str:
        stage = f", stage {self.stage}" if self.stage else ""
        return f"period {self.period}{stage}, seat {self.seat}: {self.problem}"


def rollout(
    episode: Episode,
    policies: Sequence[Policy],
    leaving: Mapping[int, Sequence[int]] | None = None,
    faults: list[Fault] | None = None,
    entropy: dict[int, list[float | None]] | None = None,
) -> Iterator[Period]:
    """Play with one policy per seat, asked at every stage, and yield each period until the end.

    `leaving` maps each period to the seats that leave in it. In a sequential play, a policy sees
    the decisions of earlier seats in `earlier_<action field>`. Failed decisions are replaced by
    defaults and appended to `faults`. `entropy` is filled with the entropy of each seat's decisions
    by period, in bits, summed over stages; None if a policy reports no odds (`policies.odds`).
    Policies have no time limit, so a play is the same on every machine.
    """
    memories: list[Memory] = [policy.start() for policy in policies]

    def action_of(seat: int) -> dict[str, Any]:
        answer = ask_at(
            episode, policies[seat], seat, memories[seat], with_odds=entropy is not None
        )
        memories[seat] = answer.memory
        if entropy is not None:
            bits = entropy.setdefault(episode.period, [None] * episode.game.seats)
            before = 0.0 if episode.at_first_stage else bits[seat]
            more = None if answer.odds is None else odds.entropy(answer.odds)
            bits[seat] = None if before is None or more is None else before + more
        if answer.fault and faults is not None:
            stage = "" if episode.at_first_stage else episode.stage
            faults.append(Fault(episode.period, seat, answer.fault, stage))
        return answer.action

    while not episode.done:
        left = tuple((leaving or {}).get(episode.period, ())) if episode.at_first_stage else ()
        step = (
            _in_turn(episode, action_of, left)
            if episode.turn is not None
            else _together(episode, action_of, left)
        )
        if step.settled:
            yield step


def _together(episode: Episode, action_of: Any, left: tuple[int, ...]) -> Period:
    out = {*left, *episode.absent}
    actions = {seat: action_of(seat) for seat in range(episode.game.seats) if seat not in out}
    return episode.step(
        {
            field.name: [
                actions[seat][field.name] if seat in actions else None
                for seat in range(episode.game.seats)
            ]
            for field in episode.fields
        },
        left,
    )


def _in_turn(episode: Episode, action_of: Any, left: tuple[int, ...]) -> Period:
    step = None
    while step is None:
        seat = episode.turn
        assert seat is not None  # noqa: S101  the period is not over, so it is a seat's turn
        gone = seat in left
        step = episode.decide(seat, {} if gone else action_of(seat), leaving=gone)
    return step

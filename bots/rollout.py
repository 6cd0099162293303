"""Policies play a whole game: together, or in turn where the game is sequential.

for step in rollout(game, [bots.make("greedy", game)] * game.seats, seed=7):
    print(step.rewards)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bots.policy import Memory, Policy, decide
from engine.chance import generator
from engine.episode import Episode, Step
from engine.game import Game

__all__ = ["rollout"]


def rollout(
    game: Game[Any],
    policies: Sequence[Policy],
    seed: int,
    leaving: Mapping[int, Sequence[int]] | None = None,
) -> Iterator[Step]:
    """The steps of a play, until it ends; one policy per seat.

    `leaving` maps periods to the seats that leave in them. In a sequential play a policy sees in
    `earlier_<action field>` what the seats before it decided. A policy may take a second.
    """
    episode = Episode(game, seed)
    memories: list[Memory] = [policy.start() for policy in policies]

    def answer(seat: int) -> dict[str, float]:
        made = decide(
            policies[seat],
            episode.actions(seat),
            episode.observation(seat),
            memories[seat],
            generator(seed, f"policy of seat {seat}", episode.period),
            budget=1.0,
        )
        memories[seat] = made.memory
        return made.action

    while not episode.done:
        left = tuple((leaving or {}).get(episode.period, ()))
        yield (
            _in_turn(episode, answer, left)
            if episode.turn is not None
            else _together(episode, answer, left)
        )


def _together(episode: Episode, answer: Any, left: tuple[int, ...]) -> Step:
    out = {*left, *episode.absent()}
    answers = {seat: answer(seat) for seat in range(episode.game.seats) if seat not in out}
    return episode.step(
        {
            field.name: [
                answers[seat][field.name] if seat in answers else None
                for seat in range(episode.game.seats)
            ]
            for field in episode.game.declaration.actions
        },
        left,
    )


def _in_turn(episode: Episode, answer: Any, left: tuple[int, ...]) -> Step:
    step = None
    while step is None:
        seat = episode.turn
        assert seat is not None  # noqa: S101  as long as nobody was last, it is someone's turn
        gone = seat in left
        step = episode.decide(seat, {} if gone else answer(seat), leaving=gone)
    return step

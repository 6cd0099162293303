"""A play in which policies take all seats, recorded as a log (`mixed play GAME`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.engine.play import record
from mixed_company.policies import make
from mixed_company.policies.rollout import Fault, rollout


def play(game: Game[Any], specs: Sequence[str], seed: int) -> tuple[list[record.Line], list[Fault]]:
    """Return the log of a play, and the failed decisions that the default action replaced.

    `specs` lists the seats' policies in order; the list repeats if it is shorter than the
    seats. Raises UnknownName or ConfigError.
    """
    if not 1 <= len(specs) <= game.seats:
        rule = f"should name 1 to {game.seats}, one per seat"
        raise ConfigError(f"policies: {rule}, not {len(specs)}")
    policies = [make(specs[seat % len(specs)], game) for seat in range(game.seats)]
    episode, faults = engine.Episode(game, seed), list[Fault]()
    log = record.Recorder(episode)
    wanted = "entropy" in game.config.instrumentation.metrics
    entropy: dict[int, list[float | None]] | None = {} if wanted else None
    for step in rollout(episode, policies, faults=faults, entropy=entropy):
        log.take(step, (entropy or {}).get(step.number))
    return log.lines, faults

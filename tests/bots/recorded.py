"""What every written policy does in plays that are kept, as digests of all that is sent.

    python -m tests.bots.recorded      writes `recorded.json` anew; only where a policy is to change

Kept are two plays of each policy under every archetype and every hard setting, in every second seat
among random ones. A policy that solves equations is left out: among plans that earn the same to a
billionth, rounding picks one on this processor and another on the next (`tests/engine/solutions`
looks at what they earn).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.policies import Policy, make
from mixed_company.policies.rollout import rollout
from tests.bots.contract import HARD, LENGTH
from tests.bots.written import written

KEPT = Path(__file__).with_name("recorded.json")
PLAYS = 2
SEED = 11

SOLVING = {"best_plan"}

Sent = list[dict[str, list[Any]]]
"""What was sent in each period, by action field."""


def settings(game_id: str) -> Iterator[tuple[str, engine.Game[Any]]]:
    """The games that are played, by name."""
    short = {name: min(length, 12) for name, length in LENGTH.get(game_id, {}).items()}
    for archetype in engine.find(game_id).archetypes:
        yield archetype, engine.make(game_id, archetype=archetype, **short)
    reference = engine.find(game_id).reference
    for name, setting in HARD[game_id].items():
        yield f"{reference}, {name}", engine.make(game_id, archetype=reference, **setting)


def company(policy_id: str, game: engine.Game[Any]) -> list[Policy]:
    """Who has which seat."""
    policies = [make(policy_id, game), make("random", game)]
    return [policies[seat % 2] for seat in range(game.seats)]


def recordable(game_id: str) -> list[str]:
    """The policies that are recorded."""
    return [name for name in written(game_id) if name not in SOLVING]


def alone(policy_id: str, game: engine.Game[Any], number: int) -> Sent:
    """A play of this number by itself."""
    episode = engine.Episode(game, int(play_seeds(SEED, number)))
    steps = rollout(episode, company(policy_id, game))
    names = [field.name for field in game.declaration.actions]
    return [{name: list(step.sent[name]) for name in names} for step in steps]


def digest(sent: Sent) -> str:
    """The same for the same numbers, to the last bit; None where a seat is out."""
    plain = [
        {
            name: [None if value is None else float(value) for value in row]
            for name, row in one.items()
        }
        for one in sent
    ]
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()[:16]


def recorded() -> dict[str, dict[str, dict[str, list[str]]]]:
    """game id -> setting -> policy id -> a digest for each play."""
    return {
        game_id: {
            name: {
                policy: [digest(alone(policy, game, number)) for number in range(PLAYS)]
                for policy in recordable(game_id)
            }
            for name, game in settings(game_id)
        }
        for game_id in engine.game_ids()
    }


if __name__ == "__main__":
    KEPT.write_text(json.dumps(recorded(), indent=1) + "\n")

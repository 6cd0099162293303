"""Writes docs/policies.md: every policy with its sentence, its source and how it does with itself.

python -m docs.policies > docs/policies.md
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import bots
import engine
from bots.policy import Policy
from engine import chance
from engine.games import gem_mining
from engine.solutions.commons_game import best_group_plan
from engine.solutions.gem_mining import best_joint_choice, expected_rewards
from engine.space import Array

PLAYS = 50


@dataclass(frozen=True)
class Measured:
    """What is told of a game's policies: besides points one more number of a whole play."""

    archetypes: tuple[str, ...]
    what: str
    number: Callable[[engine.Episode], float]


def efficiency(play: engine.Episode) -> float:
    """Expected points of the last joint choice of gem mining, of those of the best one."""
    core, state = play.game.core, play.state_record()
    told = gem_mining.of_state(core, state)
    best = best_joint_choice(told, core.weights).rewards
    chosen = expected_rewards(told, state["mine"])
    return float(chosen @ core.weights) / float(best @ core.weights)


GAMES = {
    "commons_game": Measured(("lab", "governed"), "periods", lambda play: play.period),
    "gem_mining": Measured(("lab",), "efficiency in %", lambda play: 100 * efficiency(play)),
    "punishment_vote": Measured(
        ("lab", "source"), "level in %", lambda play: 100 * float(play.observations["level"])
    ),
    "sanctions": Measured(
        ("lab", "source"), "trust in %", lambda play: 100 * mean_trust(play.observations["trust"])
    ),
}


def mean_trust(trust: Array) -> float:
    """Of all seats in all others."""
    return float(trust[~np.eye(len(trust), dtype=bool)].mean())


def play(game: engine.Game[Any], policy_id: str, seed: int) -> tuple[engine.Episode, float]:
    """A play in which all seats follow one policy, and the mean points of a seat."""
    policies = [bots.make(policy_id, game) for _ in range(game.seats)]
    episode = engine.Episode(game, seed)
    memories = [policy.start() for policy in policies]
    total = 0.0
    while not episode.done:
        decisions = [
            bots.decide(
                policy,
                episode.actions(seat),
                episode.observation(seat),
                memories[seat],
                chance.generator(seed, f"policy of seat {seat}", episode.period),
                budget=1.0,
            )
            for seat, policy in enumerate(policies)
        ]
        memories = [each.memory for each in decisions]
        names = [field.name for field in game.declaration.actions]
        actions = {name: [each.action[name] for each in decisions] for name in names}
        total += float(episode.step(actions).rewards.mean())
    return episode, total


def measured(game_id: str, policy_id: str, archetype: str) -> tuple[float, float]:
    """Mean points of a seat, and the mean of the game's own number, over PLAYS plays."""
    game = engine.make(game_id, archetype=archetype)
    plays = [play(game, policy_id, seed) for seed in range(PLAYS)]
    number = GAMES[game_id].number
    return sum(points for _, points in plays) / PLAYS, sum(number(p) for p, _ in plays) / PLAYS


def sentence(policy: type[Policy]) -> str:
    """What a policy does: the first line of its docstring."""
    return str(policy.__doc__).strip().split("\n")[0]


def section(game_id: str) -> str:
    """The table of one game."""
    told = GAMES[game_id]
    lines = [f"\n# Policies of {game_id}\n\n"]
    if game_id == "commons_game":
        for archetype in told.archetypes:
            best = best_group_plan(engine.make(game_id, archetype=archetype).core)
            earned = best.value / best.planned
            lines.append(f"`{archetype}`: the best group plan earns {earned:.1f} a seat.\n")
        lines.append("\n")
    heads = "".join(f" {name}: points | {told.what} |" for name in told.archetypes)
    rule = "---|---|" * len(told.archetypes)
    lines.append(f"| id | behaviour | source |{heads}\n|---|---|---|{rule}\n")
    for policy_id in bots.ids(game_id):
        policy = bots.find(policy_id, game_id)
        numbers = [n for name in told.archetypes for n in measured(game_id, policy_id, name)]
        cells = [f"`{policy_id}`", sentence(policy), policy.source]
        lines.append(f"| {' | '.join(cells + [f'{number:.1f}' for number in numbers])} |\n")
    return "".join(lines)


def main() -> None:
    write = sys.stdout.write
    write("Made by `make docs`. The last columns: mean points of a seat, and another number of ")
    write(
        "the play (commons: periods played; vote: the punishment level at the end; sanctions: the "
    )
    write("mean trust at the end; gem mining: expected points of the last joint choice in % of ")
    write("those of the best one), when all ")
    write(f"seats follow the policy ({PLAYS} plays, seeds 0 to {PLAYS - 1}).\n")
    for game_id in GAMES:
        write(section(game_id))


if __name__ == "__main__":
    main()

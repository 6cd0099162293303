"""Writes docs/policies.md: every policy with its sentence, its source and how it does with itself.

python -m docs.policies > docs/policies.md
"""

from __future__ import annotations

import sys

import bots
import engine
from engine import chance
from engine.solutions.commons_game import best_group_plan

GAME = "commons_game"
ARCHETYPES = ("lab", "governed")
PLAYS = 50


def points(policy_id: str, archetype: str) -> tuple[float, float]:
    """Mean points of a seat and mean periods survived when all four seats do the same."""
    game = engine.make(GAME, archetype=archetype)
    policies = [bots.make(policy_id, game) for _ in range(game.seats)]
    totals, lengths = [], []
    for seed in range(PLAYS):
        episode = engine.Episode(game, seed)
        memories = [policy.start() for policy in policies]
        total = 0.0
        while not episode.done:
            decisions = [
                bots.decide(
                    policy,
                    game.declaration.actions,
                    episode.observation(seat),
                    memories[seat],
                    chance.generator(seed, f"policy of seat {seat}", episode.period),
                    budget=1.0,
                )
                for seat, policy in enumerate(policies)
            ]
            memories = [each.memory for each in decisions]
            names = game.default_action()
            actions = {name: [each.action[name] for each in decisions] for name in names}
            total += float(episode.step(actions).rewards.mean())
        totals.append(total)
        lengths.append(episode.period)
    return sum(totals) / PLAYS, sum(lengths) / PLAYS


def main() -> None:
    write = sys.stdout.write
    write("# Policies of the commons game\n\n")
    write("Made by `make docs`. The last columns: mean points of a seat, and mean periods played, ")
    write(f"when all four seats follow the policy ({PLAYS} plays, seeds 0 to {PLAYS - 1}).\n\n")
    for archetype in ARCHETYPES:
        best = best_group_plan(engine.make(GAME, archetype=archetype).core)
        write(f"`{archetype}`: the best group plan earns {best.value / best.planned:.1f} a seat.\n")
    heads = "".join(f" {name}: points | periods |" for name in ARCHETYPES)
    write(f"\n| id | behaviour | source |{heads}\n|---|---|---|{'---|' * 2 * len(ARCHETYPES)}\n")
    for policy_id in bots.ids(GAME):
        policy = bots.find(policy_id, GAME)
        cells = [f"{value:.1f}" for name in ARCHETYPES for value in points(policy_id, name)]
        row = [f"`{policy_id}`", str(policy.__doc__), policy.source, *cells]
        write(f"| {' | '.join(row)} |\n")


if __name__ == "__main__":
    main()

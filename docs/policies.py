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
from bots.rollout import rollout
from bots.trained import Card, Trained
from bots.trained.card import Interval
from engine.contract.space import Array
from engine.solutions import gem_mining
from engine.solutions.commons_game import best_group_plan

PLAYS = 50


@dataclass(frozen=True)
class Measured:
    """What is told of a game's policies: besides points one more number of a whole play."""

    archetypes: tuple[str, ...]
    what: str
    number: Callable[[engine.Episode], float]


def efficiency(play: engine.Episode) -> float:
    """Expected points of the last joint choice of gem mining, of those of the best one."""
    state = play.state_record()
    return float(gem_mining.judge(play.game.core, state, state)["efficiency"])


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
    total = sum(float(step.rewards.mean()) for step in rollout(episode, policies))
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
    every = [bots.find(policy_id, game_id) for policy_id in bots.ids(game_id)]
    for policy in every:
        if issubclass(policy, Trained):
            continue
        numbers = [n for name in told.archetypes for n in measured(game_id, policy.id, name)]
        cells = [f"`{policy.id}`", sentence(policy), policy.source]
        lines.append(f"| {' | '.join(cells + [f'{number:.1f}' for number in numbers])} |\n")
    return "".join(lines) + trained([each.card for each in every if issubclass(each, Trained)])


def trained(cards: list[Card]) -> str:
    """The table of a game's trained policies that have been judged."""
    lines = [
        "\nTrained, each judged as its aim wants it (points, 95 % confidence interval):\n\n",
        "| id | behaviour | aim | judged by | points | best scripted policy | verdict |\n",
        "|---|---|---|---|---|---|---|\n",
    ]
    for card in cards:
        scores = card.scores
        if scores is None:
            continue
        name, best = max(scores.others.items(), key=lambda item: item[1].mean)
        cells = [f"`{card.id}`", card.sentence, card.aim, scores.measure, told(scores.own)]
        cells += [f"`{name}`: {told(best)}", scores.verdict]
        lines.append(f"| {' | '.join(cells)} |\n")
    return "".join(lines) if len(lines) > 3 else ""


def told(interval: Interval) -> str:
    """A mean and its interval."""
    return f"{interval.mean:.1f} ({interval.low:.1f} to {interval.high:.1f})"


def main() -> None:
    write = sys.stdout.write
    write("Made by `make docs`. The last columns: mean points of a seat, and another number of ")
    write(
        "the play (commons: periods played; vote: the punishment level at the end; sanctions: the "
    )
    write("mean trust at the end; gem mining: expected points of the last joint choice in % of ")
    write("those of the best one), when all ")
    write(f"seats follow the policy ({PLAYS} plays, seeds 0 to {PLAYS - 1}). Trained policies are ")
    write(
        "judged on the configuration of their card, `bots/trained/<id>.json`, which also says how "
    )
    write("they were trained; a policy that is told the solution is not beside them. ")
    write("[trained.md](trained.md) says how to train and judge one.\n")
    for game_id in GAMES:
        write(section(game_id))


if __name__ == "__main__":
    main()

"""Writes docs/policies.md: every policy with its sentence, its source and how it does with itself.

python -m docs.policies > docs/policies.md
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from docs.best import sure
from mixed_company import engine
from mixed_company.analysis import games
from mixed_company.engine import solutions
from mixed_company.policies import find, ids, make
from mixed_company.policies.policy import Policy
from mixed_company.policies.rollout import rollout
from mixed_company.policies.trained import Card, Trained
from mixed_company.policies.trained.card import Interval

PLAYS = 50


def play(game: engine.Game[Any], policy_id: str, seed: int) -> tuple[engine.Episode, float]:
    """A play in which all seats follow one policy, and the mean points of a seat."""
    policies = [make(policy_id, game) for _ in range(game.seats)]
    episode = engine.Episode(game, seed)
    total = sum(float(step.rewards.mean()) for step in rollout(episode, policies))
    return episode, total


def measured(game_id: str, policy_id: str, archetype: str) -> tuple[float, float]:
    """Mean points of a seat, and the mean of the game's own number, over PLAYS plays."""
    game = engine.make(game_id, archetype=archetype)
    plays = [play(game, policy_id, seed) for seed in range(PLAYS)]
    number = games.find(game_id).policies.number
    return sum(points for _, points in plays) / PLAYS, sum(number(p) for p, _ in plays) / PLAYS


def sentence(policy: type[Policy]) -> str:
    """What a policy does: the first line of its docstring."""
    return str(policy.__doc__).strip().split("\n")[0]


def section(game_id: str) -> str:
    """The table of one game."""
    table = games.find(game_id).policies
    lines = [f"\n# Policies of {game_id}\n\n", *_bests(game_id, table.archetypes)]
    lines.append(f"The number beside the points: {table.meaning}.\n\n")
    heads = "".join(f" {name}: points | {table.heading} |" for name in table.archetypes)
    rule = "---|---|" * len(table.archetypes)
    lines.append(f"| id | behaviour | source |{heads}\n|---|---|---|{rule}\n")
    policies = [find(policy_id, game_id) for policy_id in ids(game_id)]
    for policy in policies:
        if issubclass(policy, Trained):
            continue
        numbers = [n for name in table.archetypes for n in measured(game_id, policy.id, name)]
        cells = [f"`{policy.id}`", sentence(policy), policy.source]
        lines.append(f"| {' | '.join(cells + [f'{number:.1f}' for number in numbers])} |\n")
    cards = [policy.card for policy in policies if issubclass(policy, Trained)]
    return "".join(lines) + trained(cards)


def _bests(game_id: str, archetypes: Sequence[str]) -> list[str]:
    """The most a group can earn in each archetype, where that is known."""
    lines = []
    for archetype in archetypes:
        game = engine.make(game_id, archetype=archetype)
        best = solutions.best(game)
        if best is not None and best.kind == "bound":
            lines.append(_bound(game, archetype))
        elif best is not None:
            earned = f"{best.value / game.seats:.1f} a seat"
            lines.append(f"`{archetype}`: {best.what} earns {earned} ({sure(best)}).\n")
    return [*lines, "\n"] if lines else []


def _bound(game: engine.Game[Any], archetype: str) -> str:
    """What nobody can earn more of: it may differ between plays, so the mean over those here."""
    bests = [solutions.best(game, seed) for seed in range(PLAYS)]
    most = sum(best.value for best in bests if best is not None) / PLAYS / game.seats
    return f"`{archetype}`: no group can earn more than {most:.1f} a seat (mean of the plays).\n"


def trained(cards: list[Card]) -> str:
    """The table of a game's trained policies that have been judged."""
    lines = [
        "\nTrained, each judged as its aim wants it (points, 95 % confidence interval); the gap ",
        "is what the best reply that was found gains in a field of it, a lower end; at last what ",
        "the same training earns by the aim with this seed and others, where these are known:\n\n",
        "| id | behaviour | learned in | aim | judged by | points | best scripted | verdict | ",
        "gap | training seeds |\n",
        "|---|---|---|---|---|---|---|---|---|---|\n",
    ]
    for card in cards:
        scores = card.scores
        if scores is None:
            continue
        name, best = max(scores.others.items(), key=lambda item: item[1].mean)
        archetype = engine.completed(card.config)["identity"]["archetype"]
        cells = [f"`{card.id}`", card.sentence, f"`{archetype}`", card.aim, scores.measure]
        cells += [written(scores.own), f"`{name}`: {written(best)}", scores.verdict]
        cells += [gap_of(card), seeds_of(card)]
        lines.append(f"| {' | '.join(cells)} |\n")
    return "".join(lines) if any(card.scores for card in cards) else ""


def gap_of(card: Card) -> str:
    """What a best reply gains, its share of the range of all replies, and who has it."""
    gap = card.gap
    if gap is None:
        return ""
    return f"{written(gap.gain)}, {100 * gap.share_of_range:.0f} % of the range, `{gap.reply}`"


def seeds_of(card: Card) -> str:
    """What every training seed earns by the aim."""
    if card.seeds is None:
        return ""
    return ", ".join(f"{seed}: {one.mean:.1f}" for seed, one in card.seeds.by_aim.items())


def seeds_row(card: Card) -> str:
    """Its row in the table of docs/trained.md: by the aim, alone, and among another seed."""
    if card.seeds is None:
        return ""
    columns = (card.seeds.by_aim, card.seeds.alone, card.seeds.among)
    cells = [", ".join(f"{one.mean:.1f}" for one in column.values()) for column in columns]
    return f"| `{card.id}` | {' | '.join(cells)} |\n"


def written(interval: Interval) -> str:
    """A mean and its interval."""
    return f"{interval.mean:.1f} ({interval.low:.1f} to {interval.high:.1f})"


def main() -> None:
    write = sys.stdout.write
    write("Made by `make docs`. The last columns: mean points of a seat, and another number of ")
    write("the play that is named above each table, when all ")
    write(f"seats follow the policy ({PLAYS} plays, seeds 0 to {PLAYS - 1}). Trained policies are ")
    write(
        "judged on the configuration of their card, `bots/trained/<id>.json`, which also says how "
    )
    write("they were trained; a policy that is told the solution is not beside them. ")
    write("[trained.md](trained.md) says how to train and judge one.\n")
    for game_id in engine.game_ids():
        write(section(game_id))


if __name__ == "__main__":
    main()

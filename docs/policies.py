"""Generator for docs/policies.md: every policy with its description, source and results.

python -m docs.policies > docs/policies.md
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from docs.best import sure
from docs.dating import dated
from mixed_company import engine
from mixed_company.analysis import games
from mixed_company.engine import solutions
from mixed_company.policies import find, ids, make
from mixed_company.policies.policy import Policy
from mixed_company.policies.rollout import rollout
from mixed_company.policies.trained import Card, Trained
from mixed_company.policies.trained.card import Interval

PLAYS = 50

INTRODUCTION = f"""# Policies

This page lists all policies of each game, with their sources and results, and, at the end, the
second-stage policies. In the tables of scripted policies, the last columns come from {PLAYS} plays
(seeds 0 to {PLAYS - 1}) in which all seats follow the policy: mean points per seat, and a second
number, which is explained above each table. Trained policies are judged in the configuration on
their card, `bots/trained/<id>.json`, which also says how they were trained. They are not compared
with policies that are told the solution. [trained.md](trained.md) explains how to train and judge a
policy. `make docs` writes this page.
"""


def play(game: engine.Game[Any], policy_id: str, seed: int) -> tuple[engine.Episode, float]:
    """Let all seats follow a policy; return the play and the mean points per seat."""
    policies = [make(policy_id, game) for _ in range(game.seats)]
    episode = engine.Episode(game, seed)
    total = sum(float(step.rewards.mean()) for step in rollout(episode, policies))
    return episode, total


def measured(game_id: str, policy_id: str, archetype: str) -> tuple[float, float]:
    """Return means over PLAYS plays: points per seat, and the additional number for this game
    (`PolicyTable`)."""
    game = engine.make(game_id, archetype=archetype)
    plays = [play(game, policy_id, seed) for seed in range(PLAYS)]
    number = games.find(game_id).policies.number
    return sum(points for _, points in plays) / PLAYS, sum(number(p) for p, _ in plays) / PLAYS


def sentence(policy: type[Policy]) -> str:
    """Return a policy's description: the first line of its docstring."""
    return str(policy.__doc__).strip().split("\n")[0]


def section(game_id: str) -> str:
    """Return the section of one game, with its table."""
    table = games.find(game_id).policies
    lines = [f"\n## Policies of {game_id}\n\n", *_bests(game_id, table.archetypes)]
    lines.append(f"The second column for each archetype shows {table.meaning}.\n\n")
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


def later_stages() -> str:
    """Return the section about policies that decide after a period's first stage."""
    lines = [
        "\n## Second-stage policies\n\n",
        "These policies assign [peer points](peer_points.md). Join them to a policy for the first ",
        "stage with `+`.\n\n",
        "| id | games | behaviour | source |\n|---|---|---|---|\n",
    ]
    games_of: dict[type[Policy], list[str]] = {}
    for game_id in engine.game_ids():
        for policy_id in ids(game_id, stage=1):
            policy = find(policy_id, game_id)
            if policy.stage == 1:
                games_of.setdefault(policy, []).append(game_id)
    for policy, names in games_of.items():
        cells = [f"`{policy.id}`", ", ".join(names), sentence(policy), policy.source]
        lines.append(f"| {' | '.join(cells)} |\n")
    return "".join(lines)


def _bests(game_id: str, archetypes: Sequence[str]) -> list[str]:
    """Return sentences about the best known group result in each archetype."""
    lines = []
    for archetype in archetypes:
        game = engine.make(game_id, archetype=archetype)
        best = solutions.best(game)
        if best is not None and best.kind == "bound":
            lines.append(_bound(game, archetype))
        elif best is not None:
            earned = f"{best.value / game.seats:.1f} per seat"
            lines.append(f"`{archetype}`: {best.name} earns {earned} ({sure(best)}).\n")
    return [*lines, "\n"] if lines else []


def _bound(game: engine.Game[Any], archetype: str) -> str:
    """Return a sentence about the upper bound. It can depend on the seed, so it is averaged over
    the plays."""
    bests = [solutions.best(game, seed) for seed in range(PLAYS)]
    bound = sum(best.value for best in bests if best is not None) / PLAYS / game.seats
    return f"`{archetype}`: no group can earn more than {bound:.1f} per seat (mean of the plays).\n"


def trained(cards: list[Card]) -> str:
    """Return a table of the game's trained policies that have been judged."""
    lines = [
        "\nEach trained policy is judged by its training aim, with a 95% confidence interval. ",
        "*Gap* is how much more the best known reply earns than the policy if all other seats ",
        "follow the policy; it is a lower bound. *Training seeds* lists the points, by the same ",
        "aim, of training runs with other seeds, if there are any:\n\n",
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
    """Return the best reply's gain, the gain as a share of the range of all replies, and the
    policy."""
    gap = card.gap
    if gap is None:
        return ""
    return f"{written(gap.gain)}, {100 * gap.share_of_range:.0f}% of the range, `{gap.reply}`"


def gap_row(card: Card) -> str:
    """Return a policy's row in the table of gaps in docs/trained.md, or "" if its seats were not
    searched separately."""
    gap = card.gap
    if gap is None or not gap.verdict:
        return ""
    gains = ", ".join(f"{gain.mean:.1f}" for gain in gap.seats)
    errors = ", ".join(f"{error:.1f}" for error in gap.errors)
    cost = f"{gap.searched_plays:,} plays, {gap.seconds:.0f} s"
    cells = [f"{gap.own.mean:.1f}", gains, errors, gap.verdict.partition(",")[0], cost]
    return f"| `{card.id}` | {' | '.join(cells)} |\n"


def seeds_of(card: Card) -> str:
    """Return the result of each training seed, measured by the training aim."""
    if card.seeds is None:
        return ""
    return ", ".join(f"{seed}: {score.mean:.1f}" for seed, score in card.seeds.by_aim.items())


def seeds_row(card: Card) -> str:
    """Return a policy's row in the table of docs/trained.md: points by the aim, among copies of
    itself, and among copies of a policy from another training seed."""
    if card.seeds is None:
        return ""
    columns = (card.seeds.by_aim, card.seeds.alone, card.seeds.among)
    cells = [", ".join(f"{score.mean:.1f}" for score in column.values()) for column in columns]
    return f"| `{card.id}` | {' | '.join(cells)} |\n"


def written(interval: Interval) -> str:
    """Format a mean and its interval."""
    return f"{interval.mean:.1f} ({interval.low:.1f} to {interval.high:.1f})"


def main() -> None:
    sys.stdout.write(dated(INTRODUCTION))
    for game_id in engine.game_ids():
        sys.stdout.write(section(game_id))
    sys.stdout.write(later_stages())


if __name__ == "__main__":
    main()

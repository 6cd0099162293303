"""Generator for docs/metagame.md and its pictures, which show the policies that spread in each
game.

    python -m docs.metagame FOLDER

The policies are those that docs/tournaments.md names as a best reply or as the largest exploiter,
and the three policies in each table that earn the most when all seats follow them. The plays are
saved in the folder, so the command can resume after an interruption.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from docs.dating import dated
from mixed_company import engine
from mixed_company.analysis import games
from mixed_company.learning.metagame.composition import all_played, portions
from mixed_company.learning.metagame.pictures import ranks, replicators, sweeps
from mixed_company.learning.metagame.report import solved, summary
from mixed_company.learning.metagame.scenarios import scenarios, scenarios_table

HERE = Path(__file__).resolve().parent
SEED = 0
MOST_ALONE = 3
ARCHETYPE = "lab"

INTRODUCTION = """# Which policies spread

This page shows how well policies do in a population that copies success. The policies come from the
tables in [tournaments.md](tournaments.md). A policy is included if it is a best reply to some
policy, exploits some policy the most, or is one of the three that earn most alone. The policies
play each other in every composition of seats. The result is a game whose strategies are policies.
`mixed metagame` plays and solves such a game, and the docstring of
`mixed_company/learning/metagame` defines the terms. `python -m docs.metagame FOLDER` writes this
page.

- *alone*: points per seat if all seats follow the policy.
- *best reply to it*: the policy in this table that earns the most in a single seat if all other
  seats follow the row's policy.
- *% of time*: share of time during which the whole population follows this policy. The 50 members
  of the population copy policies that earn more, and sometimes try a new one (Moran, alpha-rank);
  the strength of selection is 10. The last picture for each game shows the shares for other sizes
  and strengths (`--population`, `--alpha`).
- Numbers in brackets are 95% intervals from 500 bootstrap samples of the plays, or from the first
  100 for rest points. A number without brackets is the same in all samples. The intervals show how
  precise the figures are for these policies. They say nothing about other policies or other ways of
  copying.
- Equilibria take only these policies into account. The *gap* in [policies.md](policies.md) shows
  how much a search for the best reply can gain against trained policies.
- Exact clones (policies that earn the same in every play) count as one.
"""


def chosen(text: str, game_id: str, archetype: str) -> list[str]:
    """Return the policies to compare in a game, selected from the text of docs/tournaments.md."""
    part = text.split(f"\n## {game_id}\n")[1].split(f"\n### `{archetype}`\n")[1].split("\n##")[0]
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in part.splitlines()
        if line.startswith("| `")
    ]
    names = [re.findall("`(.+?)`", row[0])[0] for row in rows]
    alone = {name: float(row[1].split()[0]) for name, row in zip(names, rows, strict=True)}
    replies = {name for row in rows for cell in row[-2:] for name in re.findall("`(.+?)`", cell)}
    replies |= {name for name, row in zip(names, rows, strict=True) if row[-1] == "itself"}
    top = sorted(names, key=alone.__getitem__, reverse=True)[:MOST_ALONE]
    return sorted(replies | set(top))


def section(game_id: str, policies: list[str], folder: Path) -> tuple[str, dict[str, str]]:
    """Return a game's section, and the contents of its pictures by file name."""
    game, count = engine.make(game_id, archetype=ARCHETYPE), games.find(game_id).plays
    plays = all_played(folder, portions(game, policies, count, SEED), os.cpu_count() or 1)
    result = solved(tuple(policies), plays, SEED)
    origin = {"seats": game.seats, "compositions": len(plays), "plays of each": count, "seed": SEED}
    pictures = {
        f"metagame_{game_id}_replicators.svg": replicators(result),
        f"metagame_{game_id}_ranks.svg": ranks(result),
        f"metagame_{game_id}_sweep.svg": sweeps(result),
    }
    shown = "\n\n".join(f"![{_meaning(name)} in {game_id}]({name})" for name in pictures)
    command = (
        f"    mixed metagame {game_id} --archetype {ARCHETYPE} --plays {count} --seed {SEED} \\\n"
        f"        --policies {','.join(policies)} \\\n        --output results"
    )
    words = summary(result, origin)
    table = scenarios_table(scenarios(game, policies, plays))
    return f"\n## {game_id}, `{ARCHETYPE}`\n\n{command}\n\n{words}\n{table}\n{shown}\n", pictures


def _meaning(name: str) -> str:
    meanings = {
        "replicators": "shares over time",
        "ranks": "time share of each policy",
        "sweep": "time share by selection strength and population size",
    }
    return next(meaning for kind, meaning in meanings.items() if kind in name)


def main() -> None:
    folder = Path(sys.argv[1])
    tournaments = (HERE / "tournaments.md").read_text(encoding="utf-8")
    text = INTRODUCTION
    drawn: dict[str, str] = {}
    for game_id in engine.game_ids():
        part, pictures = section(game_id, chosen(tournaments, game_id, ARCHETYPE), folder)
        text, drawn = text + part, {**drawn, **pictures}
    for name, content in {"metagame.md": dated(text), **drawn}.items():
        (HERE / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Generator of docs/tournaments.md and its pictures: every policy against every other, in all
games, with the settings of the sessions that people play by default.

    python -m docs.tournaments
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docs.dating import dated
from docs.stakes.conditions import shipped
from mixed_company import engine
from mixed_company.analysis import games
from mixed_company.engine import solutions
from mixed_company.learning.tournament.batch import mixes, named
from mixed_company.learning.tournament.results import tournament

HERE = Path(__file__).resolve().parent
SEED = 0
PICTURES = ("exploitation", "returns")

INTRODUCTION = """# Tournaments

How well every policy does against every other one, in the games that people play by default. Each
policy plays with copies of itself (*alone*: all seats follow it), and as the only one of its kind
in a field of each of the other policies. The single seat rotates, so no policy has an advantage.
Play j of every mix has the same seed, so all policies face the same chance events. `make docs`
writes this page.

- *% of best*: the group's points alone, as a share of the best that is named above each table;
  empty if no best is known. In sanctions these are points before sanctions, like those of the best.
- *Gini*: of the points of the seats, alone; empty if a seat lost points.
- *periods*: number of periods played, alone; less than the horizon if the world collapsed.
- *among others*: points as the only one of its kind, mean over all fields.
- *more than its field*: how much more it earns there than each seat of the field. *Exploits most*
  and *exploited most by* name the mixes with the largest difference, as the single seat and as the
  field. In gem mining all seats earn the same, so no policy exploits another.
- *best reply to it*: the policy that earns most in a single seat among copies of it. If that is the
  policy *itself*, no deviation to another policy of the table pays. Other deviations may still pay.

Numbers after ± are half-widths of 95 % intervals of the mean over plays. They say how precise the
mean is, not how much plays differ, and nothing about other parameters of the game. Where neither
the game nor the policies use chance, every play is the same. The interval then covers only the
rotation of the seat, or is 0. Many mixes are compared, so differences as small as their intervals
mean nothing.

Trained policies are included if they fit the game. [policies.md](policies.md) says with which
numbers each was trained.
"""


def archetypes(game_id: str) -> list[str]:
    """Return the archetypes of the sessions in docs/stakes.md."""
    identities = (stake.game.config.identity for stake in shipped() if stake.game.id == game_id)
    return list(dict.fromkeys(identity.archetype for identity in identities))


def section(game_id: str, archetype: str) -> tuple[str, dict[str, str]]:
    """Return the section of an archetype, and the contents of its pictures by name."""
    plays = games.find(game_id).plays
    game = engine.make(game_id, archetype=archetype)
    files = tournament(game_id, archetype, "all", plays, SEED, workers=os.cpu_count() or 1)
    pictures = {
        f"tournament_{game_id}_{archetype}_{name}.svg": files[f"{name}.svg"] for name in PICTURES
    }
    count = len(mixes(named("all", game), game.seats))
    shown = "\n\n".join(
        f"![{name} in {game_id}, {archetype}]({name_of})" for name, name_of in _named(pictures)
    )
    return (
        f"\n### `{archetype}`\n\n"
        f"{game.seats} seats, {game.horizon} periods at most; {count} mixes of "
        f"{plays} plays each, seed {SEED}:\n\n"
        f"    mixed tournament {game_id} --archetype {archetype} --plays {plays} "
        f"--seed {SEED}\n\n{_best(game)}\n\n{files['summary.md']}\n{shown}\n",
        pictures,
    )


def _best(game: engine.Game[Any]) -> str:
    """Describe the best result, with which groups are compared."""
    best = solutions.best(game)
    is_plan = best is not None and best.kind == "plan"
    return f"Best: {best.name}." if best is not None and is_plan else "No best is known."


def _named(pictures: dict[str, str]) -> list[tuple[str, str]]:
    """Return (caption, file) of each picture."""
    contents = ("who exploits whom", "points of each policy")
    return list(zip(contents, pictures, strict=True))


def of_game(game_id: str, named: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return the section of a game, archetype by archetype, and its pictures."""
    parts = [section(game_id, archetype) for archetype in named]
    text = "".join([f"\n## {game_id}\n", *(part for part, _ in parts)])
    return text, {name: content for _, drawn in parts for name, content in drawn.items()}


def main() -> None:
    text = INTRODUCTION
    drawn: dict[str, str] = {}
    for game_id in engine.game_ids():
        part, pictures = of_game(game_id, archetypes(game_id))
        text, drawn = text + part, drawn | pictures
    for name, content in {"tournaments.md": dated(text), **drawn}.items():
        (HERE / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()

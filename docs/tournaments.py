"""Generator for docs/tournaments.md and its pictures: every policy against every other in every
game, with the settings of the default sessions.

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

These tables show how well every policy does against every other policy in the default games. Each
policy plays with copies of itself (*alone*: all seats follow it), and in a single seat among copies
of each of the other policies (its *field*). The position of the single seat rotates, so no policy
has an advantage. Play j of every mix has the same seed, so all policies face the same chance
events. `make docs` writes this page.

- *% of best*: the points of a group of copies, as a share of the best result that is stated above
  each table; empty if that is unknown. In sanctions, both are counted before sanctions.
- *Gini*: Gini coefficient of the seats' points in a group of copies; empty if a seat's total is
  negative.
- *periods*: number of periods that a group of copies played; fewer than the maximum if the play
  ended early.
- *among others*: mean points of the single seat over all fields.
- *more than its field*: how much more the single seat earns than a seat in its field. *Exploits
  most* names the field over which the policy has the largest advantage. *Exploited most by* is the
  single seat that has the largest advantage over copies of the policy. In gem mining, all seats
  earn the same, so no policy exploits another.
- *best reply to it*: the policy that earns the most in a single seat among copies of this policy.
  If this is the policy *itself*, deviating to another policy in the table does not pay. Other
  deviations may still pay.

Numbers after ± are half-widths of 95% intervals of the mean over plays. They say how precise the
mean is. They do not say how much plays differ, or how well policies do with other game parameters.
If neither the game nor the policies involve chance, all plays are the same. The interval then
covers only the rotation of the seat, or is 0. Because many mixes are compared, differences no
larger than their intervals mean nothing.

Trained policies are included if they fit the game. [policies.md](policies.md) lists the archetype
in which each policy was trained.
"""


def archetypes(game_id: str) -> list[str]:
    """Return the archetypes of the sessions in docs/stakes.md."""
    identities = (stake.game.config.identity for stake in shipped() if stake.game.id == game_id)
    return list(dict.fromkeys(identity.archetype for identity in identities))


def section(game_id: str, archetype: str) -> tuple[str, dict[str, str]]:
    """Return an archetype's section, and the contents of its pictures by name."""
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
    """Describe the best result that groups are compared with."""
    best = solutions.best(game)
    is_plan = best is not None and best.kind == "plan"
    return f"Best: {best.name}." if best is not None and is_plan else "The best result is unknown."


def _named(pictures: dict[str, str]) -> list[tuple[str, str]]:
    """Return each picture's (caption, file)."""
    contents = ("who exploits whom", "points of each policy")
    return list(zip(contents, pictures, strict=True))


def of_game(game_id: str, named: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return a game's section, archetype by archetype, and its pictures."""
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

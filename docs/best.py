"""Generator of docs/best.md: the best value of every game and archetype, its method and its error.

python -m docs.best > docs/best.md
"""

from __future__ import annotations

import sys
from math import isnan
from typing import Any

from mixed_company import engine
from mixed_company.engine import solutions
from mixed_company.engine.solutions import Best

__all__ = ["section", "sure"]

INTRODUCTION = """# What could be earned

Made by `make docs`. For each game and archetype the most that all seats together can come to in a
whole play, in points (`mixed_company.engine.solutions.best(game, seed)`). Where it hangs on what
chance decides before play, it is that of seed 0.

- A *plan* can be played and earns its value; by how much another may earn more is its error.
- A *bound* is what nobody can exceed; by how much the true best may be smaller is its error.
- *exact* is an error below 1e-6 points, which is rounding. An error that is not known is said so,
  and so is a best: then pages, measures and reports compare with nothing.

Roles and layers. The best of an archetype is that under its own roles and layers. Information and
hierarchy change what is seen, not what can be earned, and leave it. In the commons limits (power)
and bars of harvesting count: the group may ask for less; those of paying leave the best where
nobody can pay, else none is known. In gem mining a role that bars a village from choosing keeps it
at its first mine, in the best as well. The bounds of the vote hold under every layer but shocks.
Under every other layer, bar, or rule that ends single seats or pays what the game itself does not,
no best is known.
"""


def sure(best: Best) -> str:
    """Describe how far the true best may be from a value."""
    if isnan(best.error):
        return "not known"
    if best.error < 1e-6:
        return "exact"
    return f"at most {best.error:.2g} {'more' if best.kind == 'plan' else 'less'}"


def section(game_id: str) -> str:
    """Return the section of one game, with its table."""
    heads = ("archetype", "best", "points", "kind", "error", "how it was found")
    games = [engine.make(game_id, archetype=name) for name in engine.find(game_id).archetypes]
    rows = "".join(f"| {' | '.join(_row(game))} |\n" for game in games)
    return f"\n## {game_id}\n\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|\n{rows}"


def _row(game: engine.Game[Any]) -> list[str]:
    name, best = f"`{game.config.identity.archetype}`", solutions.best(game)
    if best is None:
        return [name, "not known", "", "", "", ""]
    return [name, best.name, f"{best.value:,.3f}", best.kind, sure(best), best.how]


def main() -> None:
    sys.stdout.write(INTRODUCTION)
    for game_id in engine.game_ids():
        sys.stdout.write(section(game_id))


if __name__ == "__main__":
    main()

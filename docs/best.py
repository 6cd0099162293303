"""Generator for docs/best.md: the best result in every game and archetype, with its method and
error.

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

INTRODUCTION = """# Best group results

For each game and archetype, this page shows the largest number of points that all seats together
can earn in a whole play (`mixed_company.engine.solutions.best(game, seed)`). If this number depends
on random draws before the play, the table gives the value for seed 0. `make docs` writes this page.

- A *plan* is attainable: a group that follows it earns this value. The error is the most that any
  other plan could earn beyond it.
- A *bound* cannot be exceeded. The error shows by how much the true best result could be
  smaller.
- *exact* means an error below 1e-6 points, which is due to rounding. *not known* means that the
  error or best result is unknown. If the latter, pages, measures and reports do not compare
  plays with it.

**Roles and layers.** The table applies to each archetype with its own roles and layers:

- Information and hierarchy change what seats see but not what they can earn, so the best is the
  same.
- In the commons, limits (power) and bars on harvesting matter, because they reduce what the group
  can request. If nobody can pay into a pool, it does not matter whether roles are barred from
  paying; otherwise the best result is unknown.
- In gem mining, a village whose role bars it from choosing stays at its first mine, even in the
  best choice.
- In the vote, the bounds hold under every layer except shocks.
- The best result is unknown under any other layer or restriction, and if rules remove individual
  seats from play or pay points that the game itself does not pay.
"""


def sure(best: Best) -> str:
    """Describe how far the true best may be from the computed one."""
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

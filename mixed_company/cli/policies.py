"""The policies of a game as lines of text."""

from __future__ import annotations

from mixed_company import engine
from mixed_company.policies import find, ids, populations
from mixed_company.policies.spec import POPULATION

__all__ = ["table"]


def table(game_id: str) -> list[str]:
    """A line per policy and population: id, what it does, its source. Raises UnknownName."""
    engine.find(game_id)
    known = [*ids(game_id), *(f"{POPULATION}{name}" for name in populations.names(game_id))]
    policies = [find(policy_id, game_id) for policy_id in known]
    width = max((len(policy.id) for policy in policies), default=0)
    lines = []
    for policy in policies:
        does = str(policy.__doc__).strip().splitlines()[0]
        lines.append(f"  {policy.id:{width}}  {does} ({policy.source})")
    return lines

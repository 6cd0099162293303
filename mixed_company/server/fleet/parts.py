"""A session in parts: so many sessions of the same kind behind one link, each on its own server.

    sizes(people=300, people_per_group=4, parts=4)   # [76, 76, 76, 72]: whole groups

Who comes goes on filling the group that has begun, and else begins one where least is going on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mixed_company.engine.contract.errors import ConfigError

__all__ = ["Part", "part_to_fill", "sizes"]


@dataclass(frozen=True)
class Part:
    """One of the sessions: its code, its places, how many people have come, and its server."""

    code: str
    places: int
    come: int
    server: int


def sizes(people: int, people_per_group: int, parts: int) -> list[int]:
    """How many people each part is for: whole groups, as equal as can be; who is left, the last.

    Raises ConfigError where there are fewer groups than parts.
    """
    groups, left = divmod(people, people_per_group)
    if parts > groups:
        raise ConfigError(
            f"parts = {parts}: more than the groups of {people_per_group} that "
            f"{people} people make, {groups}"
        )
    share, more = divmod(groups, parts)
    whole = [people_per_group * (share + (part < more)) for part in range(parts)]
    return [*whole[:-1], whole[-1] + left]


def part_to_fill(
    parts: Sequence[Part], people_per_group: int, load: Mapping[int, int]
) -> Part | None:
    """The part that the next person goes to; None where all are full.

    `load` says how many people each server has at present.
    """
    free = [part for part in parts if part.come < part.places]
    begun = [part for part in free if part.come % people_per_group]
    if begun:
        return begun[0]
    return min(free, key=lambda part: (load.get(part.server, 0), part.come), default=None)

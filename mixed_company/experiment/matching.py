"""Groups of people in each block of a session, derived from the first groups and the seed.

A matching group is a set of groups whose members mix in later blocks. Matching groups are filled
one after another, within each treatment, in the first block. Every member has a place: the group
(from 0) in which the member started, and the position (from 0) in that group. Blocks count from 0
here.

    partners            person j of group i stays in group i
    perfect_strangers   in block b, person j of group i is in group (i + j b) mod m, of m groups.
                        Two people who met meet again only if m divides the difference of their
                        positions times the difference of two blocks; such m are rejected
    strangers           groups are drawn from the seed in every block

If roles are kept, every group has each position once, so everybody can keep the same seat in all
blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Literal, NamedTuple

from mixed_company.engine.contract import chance
from mixed_company.engine.contract.errors import ConfigError

Matching = Literal["partners", "strangers", "perfect_strangers"]
Roles = Literal["kept", "redrawn"]


class Place(NamedTuple):
    """A person's starting place: the group within the matching group, and the position in it."""

    group: int
    position: int


def is_possible(groups: int, people: int, blocks: int) -> bool:
    """Return whether groups can rotate through the blocks without any two people meeting twice.

    >>> is_possible(5, 4, 3), is_possible(4, 4, 3)
    (True, False)
    """
    return all((apart * later) % groups for apart in range(1, people) for later in range(1, blocks))


def check_matching(how: Matching, groups: int, people: int, blocks: int) -> None:
    """Raise ConfigError if anyone would meet the same person twice in these groups."""
    if how != "perfect_strangers" or is_possible(groups, people, blocks):
        return
    right = next(more for more in count(groups + 1) if is_possible(more, people, blocks))
    fewer = [less for less in range(2, groups) if is_possible(less, people, blocks)]
    numbers = " or ".join(map(str, [*fewer[-1:], right]))
    raise ConfigError(
        f"matching_groups = {groups}: perfect_strangers in {blocks} blocks of groups of {people} "
        f"would meet twice; use {numbers} groups"
    )


def position_of(seat: int, taken: Sequence[int], people: int, seats: int) -> int:
    """Return a person's position in the first group, from 0.

    If people have all seats, the position is the seat number. Otherwise it is the seat's place
    among the people's seats, `taken`. `people` and `seats` are the numbers of a complete group.

        >>> position_of(3, [0, 3], 2, 4), position_of(3, [0, 3], 4, 4)
        (1, 3)
    """
    return seat if people == seats else sorted(taken).index(seat)


def group_in(
    block: int,
    place: Place,
    how: Matching,
    groups: int,
    people: int,
    *,
    roles: Roles = "redrawn",
    seed: int = 0,
    which: str = "",
) -> int:
    """Return the group (from 0) of a person in a block.

    which   name of the matching group in its session; different matching groups have different
            draws
    """
    if block == 0 or how == "partners":
        return place.group
    if how == "perfect_strangers":
        return (place.group + place.position * block) % groups
    name = f"strangers of {which}"
    if roles == "kept":
        order = chance.stream(seed, f"{name}, position {place.position}", block).order(groups)
        return int(order[place.group])
    order = chance.stream(seed, name, block).order(groups * people)
    return int(order[place.group * people + place.position]) // people

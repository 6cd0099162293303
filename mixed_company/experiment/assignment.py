"""Assignment of people to treatments and to paid blocks, using slots in a fixed order, and their
groups in each block of a session.

A session's slots are numbered from 0, and each has a treatment. Consecutive slots form blocks. A
block contains the slots of one group from every treatment, or of groups specified by hand. A person
who starts the instructions gets the first free slot. From then on the person keeps the slot's
treatment, because the instructions depend on it. If a person never reaches a group, the next person
gets the slot. So slots are used in order no matter how many people drop out, and treatment sizes
differ by at most one group.

This module stores nothing, because the order can be computed from the seed.

The first groups and the seed determine all later groups.

A matching group is a set of groups whose members mix in later blocks. Matching groups are filled
one after another, within each treatment, in the first block. Every member has a place: the group
(from 0) in which the member started, and the position (from 0) in that group. Blocks count from 0
here.

    partners            person j of group i stays in group i
    perfect_strangers   in block b, person j of group i is in group (i + j b) mod m, of m groups.
                        Two people who have met meet again only if m divides the difference of their
                        positions times the difference of two blocks; such values of m are rejected
    strangers           groups are drawn from the seed in every block

If roles are kept, every group has each position once, so everybody can keep the same seat in all
blocks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import Literal, NamedTuple

from mixed_company.engine.contract import chance
from mixed_company.engine.contract.errors import ConfigError

Assignment = Literal["balanced", "by_group", "arrival"]
Stay = tuple[str, bool]
"""A participant's status in a block (`table.pay`), and whether the participant had a seat in it."""

_IN_GROUPS = ("seated", "finished", "ended")
_NO_FAULT = ("released", "ended")


def treatment_of(
    slot: int, sizes: Mapping[str, int], how: Assignment, seed: int, by_hand: Sequence[str] = ()
) -> str:
    """Return the treatment of a slot.

    `sizes` maps each treatment to its number of people per group. `by_hand` lists the treatments of
    successive groups if the session specifies them.
    """
    people = sum(sizes[name] for name in by_hand or sizes)
    block, within = divmod(slot, people)
    return block_of(block, sizes, how, seed, by_hand)[within]


def block_of(
    block: int, sizes: Mapping[str, int], how: Assignment, seed: int, by_hand: Sequence[str] = ()
) -> list[str]:
    """Return the treatments of a block's slots, in order; blocks count from 0."""
    groups = list(by_hand or sizes)
    drawing = chance.stream(seed, "treatments of block", block)
    if how == "by_group" and not by_hand:
        groups = [groups[place] for place in drawing.order(len(groups))]
    listed = [name for name in groups for _ in range(sizes[name])]
    if by_hand or how != "balanced":
        return listed
    return [listed[place] for place in drawing.order(len(listed))]


def first_free(held: Collection[int]) -> int:
    """Return the first free slot."""
    taken = set(held)
    return next(slot for slot in count() if slot not in taken)


def holds(status: str, seated: bool, waited_s: float, patience_s: float) -> bool:
    """Return whether a person still holds a slot.

    status      status of the person (`table.options.STATUSES`, arriving, waiting, seated)
    seated      whether the person was ever in a group, which then had that treatment
    waited_s    seconds since the person received the slot
    patience_s  seconds after which a person who has not reached the lobby loses the slot
    """
    if seated or status in _IN_GROUPS or status == "waiting":
        return True
    return status == "arriving" and waited_s <= patience_s


def drawn_block(seed: int, slot: int, blocks: int) -> int:
    """Draw the block (counted from 0) that a slot is paid for, if a plan pays for only one of its
    `blocks`.

    The draw depends only on the seed, so it is fixed from the start and can be recomputed.
    """
    return int(chance.generator(seed, f"paid block of slot {slot}").integers(blocks))


def paid_block(drawn: int, stays: Sequence[Stay]) -> int | None:
    """Return the number (from 0) of the block that a participant is paid for; None if no points are
    paid.

    `stays` lists the participant's blocks so far. A participant who had a seat in the drawn block
    is paid for it. If the participant was released or the play was stopped before the drawn block
    began, the participant is paid for the last block that he or she played. A participant who left
    earlier is paid no points.
    """
    if drawn < len(stays) and stays[drawn][1]:
        return drawn
    played = [block for block, (_, seated) in enumerate(stays) if seated]
    if stays and stays[-1][0] in _NO_FAULT and played:
        return played[-1]
    return None


# -- groups in each block ------------------------------------------------------------------------


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
        f"matching_groups = {groups}: perfect_strangers in groups of {people} would meet twice "
        f"in {blocks} blocks; use {numbers} groups"
    )


def position_of(seat: int, taken: Sequence[int], people: int, seats: int) -> int:
    """Return a person's position in the first group, counted from 0.

    If people have all seats, the position is the seat number. Otherwise it is the seat's place
    among the people's seats, `taken`. `people` and `seats` are their numbers in a complete group.

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
    """Return the number (from 0) of a person's group in a block.

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

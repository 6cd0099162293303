"""Assignment of people to treatments and to paid blocks, using slots in a fixed order.

The slots of a session are counted from 0, and each has a treatment. Consecutive slots form blocks.
A block contains the slots of one group from every treatment, or of the groups specified by hand. A
person who starts the instructions gets the first free slot. From then on the person keeps the
slot's treatment, because the instructions depend on it. If a person never reaches a group, the next
person gets the slot. So slots are used in order however many people drop out, and treatment sizes
differ by at most one group.

This module stores nothing, because the order can be computed from the seed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import Literal

from mixed_company.engine.contract import chance

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
    """Return the first slot that nobody holds."""
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
    """Return the block (from 0) that is drawn for payment of a slot if a plan pays one of its
    `blocks`.

    The draw depends only on the seed, so it is fixed from the start and can be recomputed.
    """
    return int(chance.generator(seed, f"paid block of slot {slot}").integers(blocks))


def paid_block(drawn: int, stays: Sequence[Stay]) -> int | None:
    """Return the block (from 0) that a participant is paid for; None if no points are paid.

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

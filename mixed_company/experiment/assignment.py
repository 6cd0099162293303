"""Which person is of which treatment: slots in an order that is known beforehand.

The slots of a session are counted from 0, and each is of a treatment. They come in blocks; a block
has the slots of one group of every treatment, or of the groups that were given by hand. Whoever
begins with the instructions is given the first slot that is free, and keeps its treatment for good,
since the instructions are those of the treatment. Who never comes to a group gives the slot back,
and the next person has it. So whatever
the dropout, those who hold slots fill the order from its beginning, and treatments differ by one
group's people at most.

Nothing here remembers anything: the order follows from the seed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import Literal

from mixed_company.engine.contract import chance

__all__ = ["Assignment", "block_of", "first_free", "holds", "treatment_of"]

Assignment = Literal["balanced", "arrival"]

_IN_GROUPS = ("seated", "finished", "ended")


def treatment_of(
    slot: int, sizes: Mapping[str, int], how: Assignment, seed: int, by_hand: Sequence[str] = ()
) -> str:
    """The treatment of a slot; `sizes` are the people of a group of every treatment. `by_hand` are
    the treatments of groups, one after the other and over again, where they were given so."""
    people = sum(sizes[name] for name in by_hand or sizes)
    block, within = divmod(slot, people)
    return block_of(block, sizes, how, seed, by_hand)[within]


def block_of(
    block: int, sizes: Mapping[str, int], how: Assignment, seed: int, by_hand: Sequence[str] = ()
) -> list[str]:
    """The treatments of the slots of a block (from 0), in order."""
    listed = [name for name in by_hand or sizes for _ in range(sizes[name])]
    if by_hand or how == "arrival":
        return listed
    order = chance.stream(seed, "treatments of block", block).order(len(listed))
    return [listed[at] for at in order]


def first_free(held: Collection[int]) -> int:
    """The first slot that nobody holds."""
    taken = set(held)
    return next(slot for slot in count() if slot not in taken)


def holds(status: str, seated: bool, waited_s: float, patience_s: float) -> bool:
    """Does somebody still hold a slot?

    status     how the person stands (`table.options.STATUSES`, arriving, waiting, seated)
    seated     was the person ever in a group: then the group was of that treatment
    waited_s   how long ago the slot was given; who is in the lobby is not waited for
    """
    if seated or status in _IN_GROUPS or status == "waiting":
        return True
    return status == "arriving" and waited_s <= patience_s

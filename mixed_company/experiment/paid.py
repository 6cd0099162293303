"""Which block a participant is paid, where a plan pays one of them: drawn from the seed by the slot
of the participant, so that it is known from the beginning and can be computed again.
"""

from __future__ import annotations

from collections.abc import Sequence

from mixed_company.engine.contract.chance import generator

__all__ = ["drawn_block", "paid_block"]

Stay = tuple[str, bool]
"""How a part of somebody stands (`table.pay`), and whether he or she had a seat in it."""

_NO_FAULT = ("released", "ended")


def drawn_block(seed: int, slot: int, blocks: int) -> int:
    """The block (from 0) that is drawn for the participant with a slot, of so many."""
    return int(generator(seed, f"paid block of slot {slot}").integers(blocks))


def paid_block(drawn: int, stays: Sequence[Stay]) -> int | None:
    """The block that is paid to a participant, whose parts in the blocks come to were these.

    That is the one that was drawn. Who was sent home, or whose play was ended, before it came is
    paid the last one that he or she played; who left before is paid no points.
    """
    if drawn < len(stays) and stays[drawn][1]:
        return drawn
    played = [at for at, (_, seated) in enumerate(stays) if seated]
    if stays and stays[-1][0] in _NO_FAULT and played:
        return played[-1]
    return None

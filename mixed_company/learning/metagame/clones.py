"""Which policies are one: in the same composition each place earns the same with either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.composition import Composition, beside

__all__ = ["clones"]


def clones(policies: Sequence[str], plays: Mapping[Composition, Array]) -> dict[str, list[str]]:
    """The first of its kind -> its exact clones, for all that have any.

    Two are exact clones if by themselves, with each other, and as one of a kind or as all but one
    with any third, every place earns the same in every play, to the last bit.
    """
    firsts: dict[str, list[str]] = {}
    for policy in policies:
        same = next((one for one in firsts if _same(one, policy, policies, plays)), policy)
        firsts.setdefault(same, [])
        if same != policy:
            firsts[same].append(policy)
    return {first: others for first, others in firsts.items() if others}


def _same(
    first: str, second: str, policies: Sequence[str], plays: Mapping[Composition, Array]
) -> bool:
    seats = len(next(iter(plays)))
    alone = plays[beside(first, first, 1, seats)]
    together = [plays[beside(second, first, count, seats)] for count in range(1, seats + 1)]
    if not all(np.array_equal(points, alone) for points in together):
        return False
    thirds = [policy for policy in policies if policy not in (first, second)]
    return all(
        np.array_equal(
            plays[beside(first, third, count, seats)], plays[beside(second, third, count, seats)]
        )
        for third in thirds
        for count in {1, seats - 1}
    )

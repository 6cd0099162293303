"""Labels of treatments permuted among groups, so that an analysis is written before its result is
known: the numbers of groups are true, and what a label stands for is not.

Within a session that has groups of several treatments, labels are permuted among its groups; the
groups of all other sessions are permuted together. Groups change labels with groups that came as
far as they: that were not played, have not ended, or have. So each label keeps its number of
groups, of those that ended too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.data import Data
from analysis.kept import kept
from engine.contract.errors import ConfigError

__all__ = ["blinded"]

TRIES = 10_000
"""Of permutations that are drawn; where one is blind at all, far fewer are enough."""


def blinded(data: Data, treatments: Sequence[str], seed: int) -> Data:
    """The groups that can be measured, with the labels of these treatments permuted among them;
    the treatments are in this order.

    The same groups and seed give the same labels, in whatever order the groups are. No label has
    exactly the groups of a treatment, its own or another, since a test would then be the true one
    but for its sign. Who has the seed and the export can compute the labels.
    Raises ConfigError for a group of another treatment, and where no such permutation can be.
    """
    able = kept(data)
    config, groups = able.config, able.groups
    labels = pd.Series(groups["treatment"].astype(str).to_list(), config.index, "str")
    for session, label in zip(config["session"], labels, strict=True):
        if label not in treatments:
            raise ConfigError(
                f"blind: treatment = {label!r} in session {session!r}: its name tells who is of "
                f"it; the labels that are permuted are {', '.join(treatments)}"
            )
    keys = list(zip(config["session"], config["group"], strict=True))
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=int)
    several = labels.groupby(config["session"]).transform("nunique") > 1
    far = (groups["periods"] > 0).astype(int) + (groups["ended"] != "").astype(int)
    within = list(zip(config["session"].where(several, ""), far.tolist(), strict=True))
    drawn = _drawn(labels.to_numpy()[order], [within[at] for at in order], seed)
    permuted = np.empty(len(order), dtype=object)
    permuted[order] = drawn
    names = {name: [f"treatment={name}"] for name in treatments if name in set(labels)}
    own = config.assign(treatment=pd.Series(permuted, config.index, "str"))
    return replace(able, config=own, names=names)


def _drawn(labels: np.ndarray, within: Sequence[object], seed: int) -> np.ndarray:
    """(groups,) labels, permuted among the groups that are alike `within`. Raises ConfigError."""
    places: dict[object, list[int]] = {}
    for place, key in enumerate(within):
        places.setdefault(key, []).append(place)
    random = np.random.default_rng(seed)
    true = _parts(labels)
    for _ in range(TRIES):
        drawn = labels.copy()
        for own in places.values():
            drawn[own] = labels[random.permutation(own)]
        if not true & _parts(drawn):
            return drawn
    counts = ", ".join(f"{name} {count}" for name, count in sorted(Counter(labels).items()))
    raise ConfigError(
        f"blind: groups = {counts or 'none'}: however labels are permuted, one has all groups of a "
        "treatment; it takes two treatments, and two groups of each that can change places"
    )


def _parts(labels: np.ndarray) -> set[frozenset[int]]:
    """The groups of each label."""
    return {frozenset(np.flatnonzero(labels == name).tolist()) for name in set(labels)}

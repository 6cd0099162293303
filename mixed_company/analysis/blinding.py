"""Permute treatment labels among groups, so that people can write an analysis before they know its
result.

Each label keeps its true number of groups, but no longer says which treatment they played.

If a session has groups of several treatments, labels are permuted within the session; the groups of
all other sessions are permuted together. Groups exchange labels only with groups at the same stage:
never played, not ended, or ended. So each label keeps its number of groups and its number of ended
groups. Groups that the tests leave out exchange labels only with one another, because otherwise the
tests could include exactly the groups with a true label.

A test also leaves out groups in which its measure has no value, and groups with equal values can
exchange labels without changing a result. `analysis.permuted` has the rule that says which values
may be shown: no label may have exactly the values of one treatment. The chosen permutation
satisfies this for as many of the main measures as possible. Otherwise, values are missing in the
blind data, and a hypothesis is not tested.

Of the permutations that do this equally well, the chosen one gives the labels the most equal shares
of each treatment's groups. Otherwise, a measure that only one treatment has would show which label
has more of that treatment's groups, and therefore in which direction other measures differ.

The points of a space often have one group each, so every label always has the groups of some point.
For points, the chosen permutation is the one with the variables that correlate least with the true
variables.

`analysis.blinding_blocks` permutes the labels of sessions with several blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import Group, kept, keys_of
from mixed_company.analysis.measures.plays import by_people
from mixed_company.analysis.notes import not_ended
from mixed_company.analysis.permuted import MOST_LEFT, Permuted
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array

TRIES = 10_000
"""Maximum number of permutations to draw. If a blind permutation exists, far fewer are enough."""
EVEN = 100
"""Number of blind permutations that are compared; the most balanced one is used."""


def blinded(
    data: Data,
    treatments: Sequence[str],
    seed: int,
    design: Mapping[str, Array] | None = None,
    without: Collection[Group] = (),
    measured: Collection[str] = (),
) -> Data:
    """Return the data with these treatments' labels permuted among groups that can be measured. If
    the treatments are points of a space, `design` has the columns of the regression at each point
    (`space.columns.matrix`, without the intercept). `without` has the groups that are excluded from
    the tests, and `measured` the main measures.

    The result has the treatments in this order. The same groups and seed always produce the same
    labels, no matter what order the groups are in. No label has exactly the groups of one
    treatment, among all groups or among the groups in the tests, because a test would then be the
    true test, except for its sign. The same holds for the values of a main measure, if possible;
    otherwise, and for other measures, values are missing (`analysis.permuted`).
    Anybody with the seed and the export can compute the labels.
    Raises ConfigError if a group has another treatment or if there is no such permutation.
    """
    able = kept(data)
    config, groups = able.config, able.groups
    if config.empty:
        raise ConfigError(f"blind: groups = 0: {_NEEDED}")
    labels = pd.Series(groups["treatment"].astype(str).to_list(), config.index, "str")
    check_known(config["session"], labels, treatments)
    keys = list(zip(config["session"], config["group"], strict=True))
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=int)
    several = labels.groupby(config["session"]).transform("nunique") > 1
    far = (groups["periods"] > 0).astype(int) + (groups["ended"] != "").astype(int)
    left_out = {*without, *not_ended(able)[0]}
    tested = [key not in left_out for key in keys]
    within = list(zip(config["session"].where(several, ""), far.tolist(), tested, strict=True))
    true = labels.to_numpy(dtype=object)[order]
    unlabelled = Permuted(
        tuple(keys[place] for place in order),
        {"treatment": true},
        {"treatment": true},
        without=frozenset(without),
        design=design,
    )
    drawn = draw_labels(
        unlabelled,
        [within[place] for place in order],
        seed,
        _required(able, unlabelled, left_out),
        numbered_values(unlabelled, frames_of(able, measured), left_out),
    )
    permuted = np.empty(len(order), dtype=object)
    permuted[order] = drawn
    names = {name: [f"treatment={name}"] for name in treatments if name in set(labels)}
    relabelled = config.assign(treatment=pd.Series(permuted, config.index, "str"))
    labelled = replace(unlabelled, drawn={"treatment": drawn})
    return replace(able, config=relabelled, names=names, permuted=labelled)


def check_known(
    sessions: pd.Series[str], labels: pd.Series[str], treatments: Sequence[str]
) -> None:
    """Raise ConfigError if a group's treatment is not one of the permuted treatments."""
    for session, label in zip(sessions, labels, strict=True):
        if label not in treatments:
            raise ConfigError(
                f"blind: treatment = {label!r} in session {session!r}: this name would reveal its "
                f"groups, because the permuted labels are {', '.join(treatments)}"
            )


# -- groups whose labels must not be true ones -----------------------------------------------------


def _required(data: Data, permuted: Permuted, left_out: Collection[Group]) -> list[np.ndarray]:
    """Return flags of all groups, of those in the tests, of those that played, and of those in
    which people decided."""
    flags = permuted.flags
    people = data.decisions[by_people(data.decisions, data.config)]
    decided = (keys_of(frame) for frame in (data.periods, people))
    return [
        np.ones(len(permuted.keys), dtype=bool),
        ~flags(permuted.without),
        ~flags(left_out),
        *map(flags, decided),
    ]


def frames_of(data: Data, names: Collection[str]) -> list[pd.DataFrame]:
    """Return these measures of groups and of people."""
    if not names:
        return []
    plays = measures.Plays(data)
    return [measures.groups(plays, names), measures.people(plays, names)]


def numbered_values(
    permuted: Permuted, frames: Sequence[pd.DataFrame], left_out: Collection[Group]
) -> Iterator[np.ndarray]:
    """Yield, for each measure, a number for each group's values, and the same for the groups in the
    tests; 0 for other groups."""
    tested = ~permuted.flags(left_out)
    for frame in frames:
        for selections in permuted.with_value(frame).values():
            for values in selections:
                yield from (values, np.where(tested, values, 0))


def distinct(every: Iterable[np.ndarray], least: int = 2) -> list[np.ndarray]:
    """Return the different selections of at least this many groups. In a selection of one group,
    every label is the true one, so no permutation is better than another."""
    large = (values for values in every if np.count_nonzero(values) >= least)
    return list({values.tobytes(): values for values in large}.values())


# -- permutations ----------------------------------------------------------------------------------


def draw_labels(
    unlabelled: Permuted,
    within: Sequence[object],
    seed: int | Sequence[int],
    required: Iterable[np.ndarray],
    measured: Iterable[np.ndarray] = (),
) -> np.ndarray:
    """Return the labels, permuted among groups with the same value in `within`.

    required   selections of groups in which labels must not be the true ones
    measured   selections in which they should not be, with a number for each group's values

    Raises ConfigError if there is no such permutation.
    """
    labels = unlabelled.true["treatment"]
    places: dict[object, list[int]] = {}
    for place, key in enumerate(within):
        places.setdefault(key, []).append(place)
    random = np.random.default_rng(seed)
    parts = distinct(required, 1)
    values = distinct(measured)
    number = TRIES if unlabelled.design is None else EVEN
    tries = (_permuted(labels, places.values(), random) for _ in range(number))
    every = (replace(unlabelled, drawn={"treatment": labels}) for labels in tries)
    blind = islice((drawn for drawn in every if all(map(drawn.shows, parts))), EVEN)

    def unsuitable(drawn: Permuted) -> tuple[int, float]:
        hidden = sum(not drawn.shows(chosen) for chosen in values)
        return hidden, sum(drawn.uneven(chosen != 0) for chosen in (*parts, *values))

    best = min(blind, key=unsuitable, default=None)
    if best is None:
        raise ConfigError(f"blind: groups = {_why_not(labels, parts, unlabelled.design)}")
    return best.drawn["treatment"]


def _why_not(
    labels: np.ndarray, parts: Sequence[np.ndarray], design: Mapping[str, Array] | None
) -> str:
    """Return the smallest selection of groups, and why there is no permutation."""
    smallest = min(parts, key=np.sum)
    if design is not None:
        return (
            f"{smallest.sum()}: in every permutation, a variable of the space has a correlation "
            f"above {MOST_LEFT} with a true variable. Blinding needs more groups that can exchange "
            f"labels"
        )
    counts = ", ".join(f"{name} {n}" for name, n in sorted(Counter(labels[smallest]).items()))
    return f"{counts}: in every permutation, one label has all groups of a treatment; {_NEEDED}"


_NEEDED = "blinding needs at least two treatments, each with two groups that can exchange labels"


def _permuted(
    labels: np.ndarray, places: Iterable[Sequence[int]], random: np.random.Generator
) -> np.ndarray:
    drawn = labels.copy()
    for group in places:
        drawn[group] = labels[random.permutation(group)]
    return drawn

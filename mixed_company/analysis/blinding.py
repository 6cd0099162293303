"""Permute treatment labels among groups, so that people can write an analysis before they know its
result.

Each label keeps its true number of groups, but no longer says which treatment they played.

If a session has groups of several treatments, labels are permuted within the session; the groups of
all other sessions are permuted together. Groups exchange labels only with groups at the same stage:
never played, not ended, or ended. So each label keeps its number of groups and its number of ended
groups. Groups that the tests leave out exchange labels only with one another, because otherwise the
tests could include exactly the groups with a true label.

Out of many permutations, the chosen one gives the labels the most equal shares of each treatment's
groups. Otherwise, a measure that only one treatment has would show which label has more of that
treatment's groups, and therefore in which direction other measures differ.

The points of a space often have one group each, so every label always has the groups of some point.
For points, the chosen permutation is the one with the variables that correlate least with the true
variables.

In a session with several blocks, a matching group is one unit. Treatment labels are permuted among
units, and block labels are rotated within each unit, so within a block, any two labels' numbers of
plays differ by at most one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import Group, kept
from mixed_company.analysis.notes import not_ended
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array

TRIES = 10_000
"""Maximum number of permutations to draw. If a blind permutation exists, far fewer are enough."""
EVEN = 100
"""Number of blind permutations that are compared; the most balanced one is used."""
MOST_LEFT = 0.5
"""Largest correlation between a true and a permuted variable of a space."""


def blinded(
    data: Data,
    treatments: Sequence[str],
    seed: int,
    design: Mapping[str, Array] | None = None,
    without: Collection[Group] = (),
) -> Data:
    """Return the data with these treatments' labels permuted among groups that can be measured. If
    the treatments are points of a space, `design` has the columns of the regression at each point
    (`space.columns.matrix`, without the intercept). `without` has the groups that are excluded from
    the tests.

    The result has the treatments in this order. The same groups and seed always produce the same
    labels, no matter what order the groups are in. No label has exactly the groups of one
    treatment, among all groups or among the groups in the tests, because a test would then be the
    true test, except for its sign. Anybody with the seed and the export can compute the labels.
    Raises ConfigError if a group has another treatment or if there is no such permutation.
    """
    able = kept(data)
    config, groups = able.config, able.groups
    labels = pd.Series(groups["treatment"].astype(str).to_list(), config.index, "str")
    _check_known(config["session"], labels, treatments)
    keys = list(zip(config["session"], config["group"], strict=True))
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=int)
    several = labels.groupby(config["session"]).transform("nunique") > 1
    far = (groups["periods"] > 0).astype(int) + (groups["ended"] != "").astype(int)
    left_out = {*without, *not_ended(able)[0]}
    tested = [key not in left_out for key in keys]
    within = list(zip(config["session"].where(several, ""), far.tolist(), tested, strict=True))
    drawn = _drawn(
        labels.to_numpy()[order],
        [within[place] for place in order],
        seed,
        np.array(tested, dtype=bool)[order],
        design,
    )
    permuted = np.empty(len(order), dtype=object)
    permuted[order] = drawn
    names = {name: [f"treatment={name}"] for name in treatments if name in set(labels)}
    relabelled = config.assign(treatment=pd.Series(permuted, config.index, "str"))
    return replace(able, config=relabelled, names=names)


def blinded_blocks(
    games: Sequence[Data],
    treatments: Sequence[str],
    seed: int,
    without: Collection[Group] = (),
) -> list[Data]:
    """Permute labels among and within matching groups, in all games of a session's blocks.

    Blocks of different games do not exchange labels. The result includes only matching groups that
    played all blocks to the end, because a missing label would reveal other labels. The choice does
    not depend on true labels: if a game's blocks exchanged their names, another seed would give the
    same permuted labels. Matching groups with a group in `without` exchange labels only with one
    another. Raises ConfigError as `blinded` does, and if the number of periods reveals a block.
    """
    able = [kept(data) for data in games]
    every = pd.concat([_plays(data, number) for number, data in enumerate(able)], ignore_index=True)
    _check_known(every["session"], every["treatment"], treatments)
    plays = _whole(every[every["matching_group"].notna()])
    units = plays.groupby(_UNIT)["treatment"].first().sort_index()
    left_out = pd.Series([key in set(without) for key in _keys(plays)], plays.index)
    tested = ~left_out.groupby([plays[key] for key in _UNIT]).any().reindex(units.index)
    several = plays.groupby("game")["block"].nunique().max() > 1
    if tested.sum() < 2 or (units.nunique() < 2 and not several):
        raise ConfigError(
            f"blind: {tested.sum()} matching groups have played all blocks to the end and are not "
            f"excluded; blinding needs at least two, and two treatments or two blocks of one game"
        )
    _check_lengths(plays)
    labels, true = units.copy(), units.to_numpy(dtype=object)
    if units.nunique() > 1:
        sessions = pd.Series(units.index.get_level_values("session"), units.index)
        within = sessions.where(units.groupby(sessions).transform("nunique") > 1, "")
        places = list(zip(within, tested, strict=True))
        labels[:] = _drawn(true, places, seed, tested.to_numpy())
    random = np.random.default_rng([seed, 1])
    order = np.lexsort((random.random(len(units)), true.astype(str), labels.astype(str), tested))
    turns = pd.Series(np.argsort(order), units.index)
    blocks = _turned(plays, turns, random)
    keys = plays.set_index(_UNIT).index
    plays = plays.assign(treatment=labels.reindex(keys).to_numpy(), block=blocks)
    return [_labelled(data, plays[plays["game"] == number]) for number, data in enumerate(able)]


_UNIT = ["session", "matching_group"]


def _check_known(
    sessions: pd.Series[str], labels: pd.Series[str], treatments: Sequence[str]
) -> None:
    """Raise ConfigError if a group's treatment is not one of the permuted treatments."""
    for session, label in zip(sessions, labels, strict=True):
        if label not in treatments:
            raise ConfigError(
                f"blind: treatment = {label!r} in session {session!r}: this name would reveal its "
                f"groups, because the permuted labels are {', '.join(treatments)}"
            )


def _plays(data: Data, number: int) -> pd.DataFrame:
    """Return one row per group: the number of its game, its unit and labels, whether it ended, and
    its length.

    `ended`: whether its play is over; `horizon`: the most periods that the play can last.
    """
    lasting = {key: game.horizon for key, game in data.games.items()}
    rows = data.config[["session", "group", "matching_group", "treatment", "block"]]
    horizon = [lasting[key] for key in _keys(rows)]
    return rows.assign(game=number, horizon=horizon, ended=(data.groups["ended"] != "").to_numpy())


def _keys(frame: pd.DataFrame) -> list[tuple[str, int]]:
    """Return the session and number of each row's group."""
    pairs = zip(frame["session"], frame["group"], strict=True)
    return [(str(session), int(group)) for session, group in pairs]


def _whole(plays: pd.DataFrame) -> pd.DataFrame:
    """Return the plays of units that played all blocks to the end.

    Such a unit has the same number of groups in every block of a game.
    """
    groups = plays.groupby(_UNIT)
    whole = groups["ended"].transform("all")
    whole &= groups["block"].transform("nunique") == plays["block"].nunique()
    sizes = plays.groupby([*_UNIT, "game", "block"]).size().groupby([*_UNIT, "game"]).nunique()
    alike = (sizes == 1).groupby(_UNIT).all()
    whole &= alike.reindex(plays.set_index(_UNIT).index).to_numpy()
    return plays[whole].sort_values(["game", *_UNIT, "group"], ignore_index=True)


def _check_lengths(plays: pd.DataFrame) -> None:
    """Raise ConfigError if blocks of the same game and treatment differ in the number of
    periods."""
    for _, blocks in plays.groupby(["game", "treatment"]):
        lengths = blocks.groupby("block")["horizon"].unique()
        if len({tuple(sorted(values)) for values in lengths}) > 1:
            listed = ", ".join(f"{block} {max(values)}" for block, values in lengths.items())
            raise ConfigError(
                f"blind: blocks: periods = {listed}: only one block has measures for some periods, "
                f"and that would reveal it under any label. For a report without the hypotheses, "
                f"use mixed report EXPORT --blind"
            )


def _turned(plays: pd.DataFrame, turns: pd.Series[int], random: np.random.Generator) -> list[str]:
    """Return each play's block label.

    The blocks of a game are put in a random order. In unit i, each block gets the label of the
    block i places later.
    """
    labels: dict[tuple[int, str], tuple[int, list[str]]] = {}
    for game, rows in plays.groupby("game"):
        names = sorted(set(map(str, rows["block"])))
        drawn = [names[place] for place in random.permutation(len(names))]
        labels |= {(int(str(game)), name): (place, names) for place, name in enumerate(drawn)}
    turned = []
    play_turns = turns.reindex(plays.set_index(_UNIT).index)
    for game, block, turn in zip(plays["game"], plays["block"], play_turns, strict=True):
        place, names = labels[int(game), str(block)]
        turned.append(names[(place + int(turn)) % len(names)])
    return turned


def _labelled(data: Data, plays: pd.DataFrame) -> Data:
    """Return the tables with only these groups, under these labels."""
    pairs = zip(plays["treatment"], plays["block"], strict=True)
    labels = dict(zip(_keys(plays), pairs, strict=True))
    frames: dict[str, Any] = {}
    for attribute in fields(data):
        frame = getattr(data, attribute.name)
        if isinstance(frame, pd.DataFrame):
            keys = list(zip(frame["session"], frame["group"], strict=True))
            rows = frame[[key in labels for key in keys]].reset_index(drop=True)
            names = [labels[key] for key in keys if key in labels]
            for place, column in enumerate(("treatment", "block")):
                rows[column] = pd.Series([name[place] for name in names], rows.index, dtype="str")
            frames[attribute.name] = rows
    return replace(data, **frames)


def _drawn(
    labels: np.ndarray,
    within: Sequence[object],
    seed: int,
    tested: np.ndarray,
    design: Mapping[str, Array] | None = None,
) -> np.ndarray:
    """Return the labels, permuted among groups with the same value in `within`. `tested` says which
    groups are in the tests. Raises ConfigError."""
    places: dict[object, list[int]] = {}
    for place, key in enumerate(within):
        places.setdefault(key, []).append(place)
    random = np.random.default_rng(seed)
    true = _parts(labels, tested)
    every = (_permuted(labels, places.values(), random) for _ in range(TRIES))
    if design is not None:
        return _of_points(labels, every, design, tested)
    blind = islice((permuted for permuted in every if not true & _parts(permuted, tested)), EVEN)
    drawn = min(blind, key=partial(_uneven, labels, tested), default=None)
    if drawn is not None:
        return drawn
    counts = ", ".join(f"{name} {count}" for name, count in sorted(Counter(labels[tested]).items()))
    raise ConfigError(
        f"blind: groups = {counts or 'none'}: in every permutation, one label has all groups of a "
        f"treatment; blinding needs at least two treatments, each with two groups that can "
        f"exchange labels"
    )


def _permuted(
    labels: np.ndarray, places: Iterable[Sequence[int]], random: np.random.Generator
) -> np.ndarray:
    drawn = labels.copy()
    for group in places:
        drawn[group] = labels[random.permutation(group)]
    return drawn


def _of_points(
    labels: np.ndarray, every: Iterable[np.ndarray], design: Mapping[str, Array], tested: np.ndarray
) -> np.ndarray:
    """Draw EVEN permutations, and return the one with the regression columns that correlate least
    with the true columns. Raises ConfigError if a correlation exceeds MOST_LEFT."""
    parts = _all_and_tested(tested)
    true = [_standardised(labels[part], design) for part in parts]

    def largest(permuted: np.ndarray) -> float:
        if any((permuted[part] == labels[part]).all() for part in parts):
            return 1.0
        columns = [_standardised(permuted[part], design) for part in parts]
        return max(
            float(np.abs(before.T @ after).max())
            for before, after in zip(true, columns, strict=True)
        )

    drawn = min(islice(every, EVEN), key=largest)
    left = largest(drawn)
    if left > MOST_LEFT:
        raise ConfigError(
            f"blind: groups = {tested.sum()}: in every permutation, a variable of the space has a "
            f"correlation of {left:.2f} with a true variable; at most {MOST_LEFT} is allowed. "
            f"Blinding needs more groups that can exchange labels"
        )
    return drawn


def _standardised(labels: np.ndarray, design: Mapping[str, Array]) -> Array:
    """Return these groups' regression columns, each with mean 0 and length 1; columns that do not
    vary are 0."""
    columns = np.array([design[label] for label in labels])
    columns = columns - columns.mean(axis=0)
    length = np.sqrt((columns**2).sum(axis=0))
    standardised: Array = columns / np.where(length > 0, length, 1.0)
    return standardised


def _all_and_tested(tested: np.ndarray) -> list[np.ndarray]:
    """Return two selections of groups: all groups and, if there are any, the tested groups."""
    return [part for part in (np.ones_like(tested), tested) if part.any()]


def _uneven(labels: np.ndarray, tested: np.ndarray, drawn: np.ndarray) -> float:
    """Return, as a sum of squares, how far the permuted labels are from equal shares of each
    treatment's groups, among all groups and among the groups in the tests."""
    return sum(_unequal(labels[part], drawn[part]) for part in _all_and_tested(tested))


def _unequal(labels: np.ndarray, drawn: np.ndarray) -> float:
    (names, treatment), (_, label) = (
        np.unique(codes, return_inverse=True) for codes in (labels, drawn)
    )
    counts = np.zeros((len(names), len(names)))
    np.add.at(counts, (treatment, label), 1)
    return float(((counts - np.outer(counts.sum(1), counts.sum(0)) / len(labels)) ** 2).sum())


def _parts(labels: np.ndarray, tested: np.ndarray) -> set[frozenset[int]]:
    """Return the groups of each label, and those of them that are in the tests."""
    return {
        frozenset(np.flatnonzero((labels == name) & part).tolist())
        for part in _all_and_tested(tested)
        for name in set(labels[part])
    }

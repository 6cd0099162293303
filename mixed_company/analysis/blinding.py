"""Permute treatment labels among groups, so that people can write an analysis before they know its
result.

Each label keeps its true number of groups, but no longer says which treatment they played.

If a session has groups of several treatments, labels are permuted within the session; the groups of
all other sessions are permuted together. Groups exchange labels only with groups at the same stage:
never played, not ended, or ended. So each label keeps its number of groups and its number of ended
groups. Groups that the tests leave out exchange labels only with one another, because otherwise the
tests could include exactly the groups with a true label.

A test also leaves out groups in which its measure has no value. `analysis.permuted` has the rule
that says which values may be shown: among the groups with a value, too, no label may have exactly
the groups of one treatment. The chosen permutation satisfies this for as many of the main measures
as possible. Otherwise, values are missing in the blind data, and a hypothesis is not tested.

Of the permutations that do this equally well, the chosen one gives the labels the most equal shares
of each treatment's groups. Otherwise, a measure that only one treatment has would show which label
has more of that treatment's groups, and therefore in which direction other measures differ.

The points of a space often have one group each, so every label always has the groups of some point.
For points, the chosen permutation is the one with the variables that correlate least with the true
variables.

In a session with several blocks, a matching group is one unit. Treatment labels are permuted among
units, and block labels are rotated within each unit, so within a block, any two labels' numbers of
plays differ by at most one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import Any

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
ATTEMPTS = 20
"""Number of permutations of blocks that are compared if values cannot be shown under some."""


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
    true test, except for its sign. The same holds among the groups with a value of a main measure,
    if possible; otherwise, and for other measures, values are missing (`analysis.permuted`).
    Anybody with the seed and the export can compute the labels.
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
    true = labels.to_numpy(dtype=object)[order]
    unlabelled = Permuted(
        tuple(keys[place] for place in order),
        {"treatment": true},
        {"treatment": true},
        without=frozenset(without),
        design=design,
    )
    drawn = _drawn(
        unlabelled,
        [within[place] for place in order],
        seed,
        _required(able, unlabelled, left_out),
        _values(unlabelled, _frames(able, measured), left_out),
    )
    permuted = np.empty(len(order), dtype=object)
    permuted[order] = drawn
    names = {name: [f"treatment={name}"] for name in treatments if name in set(labels)}
    relabelled = config.assign(treatment=pd.Series(permuted, config.index, "str"))
    labelled = replace(unlabelled, drawn={"treatment": drawn})
    return replace(able, config=relabelled, names=names, permuted=labelled)


def blinded_blocks(
    games: Sequence[Data],
    treatments: Sequence[str],
    seed: int,
    without: Collection[Group] = (),
    measured: Collection[str] = (),
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
    frames = [_frames(data, measured) for data in able]

    def of_games(drawn: pd.DataFrame) -> list[Permuted]:
        return [_of_game(drawn, number, without) for number in range(len(able))]

    def hidden(drawn: pd.DataFrame) -> int:
        return sum(
            not permuted.shows(chosen)
            for permuted, of_game in zip(of_games(drawn), frames, strict=True)
            for chosen in _distinct(_values(permuted, of_game, without))
        )

    attempts = (_drawn_blocks(plays, units, tested, [seed, n]) for n in range(ATTEMPTS))
    drawn = next(attempts)
    if hidden(drawn):
        drawn = min((drawn, *attempts), key=hidden)
    return [
        replace(_labelled(data, drawn[drawn["game"] == number]), permuted=permuted)
        for number, (data, permuted) in enumerate(zip(able, of_games(drawn), strict=True))
    ]


def _drawn_blocks(
    plays: pd.DataFrame, units: pd.Series[str], tested: pd.Series[bool], seed: Sequence[int]
) -> pd.DataFrame:
    """Return the plays with permuted labels, in the columns `drawn_treatment` and `drawn_block`.
    `units` has the treatment of each unit."""
    labels, true = units.copy(), units.to_numpy(dtype=object)
    if units.nunique() > 1:
        sessions = pd.Series(units.index.get_level_values("session"), units.index)
        within = sessions.where(units.groupby(sessions).transform("nunique") > 1, "")
        places = list(zip(within, tested, strict=True))
        kinds = {"treatment": true}
        unlabelled = Permuted(tuple(units.index), kinds, kinds)
        required = [np.ones(len(units), dtype=bool), tested.to_numpy(dtype=bool)]
        labels[:] = _drawn(unlabelled, places, seed, required)
    random = np.random.default_rng([*seed, 1])
    order = np.lexsort((random.random(len(units)), true.astype(str), labels.astype(str), tested))
    turns = pd.Series(np.argsort(order), units.index)
    blocks = _turned(plays, turns, random)
    keys = plays.set_index(_UNIT).index
    return plays.assign(drawn_treatment=labels.reindex(keys).to_numpy(), drawn_block=blocks)


def _of_game(plays: pd.DataFrame, number: int, without: Collection[Group]) -> Permuted:
    """Return the labels of one game's plays. Kinds with only one true label are left out, because
    they have nothing to reveal."""
    plays = plays[plays["game"] == number]
    true, drawn = (
        {kind: plays[f"{prefix}{kind}"].to_numpy(dtype=object) for kind in ("treatment", "block")}
        for prefix in ("", "drawn_")
    )
    for kinds in (true, drawn):
        pairs = zip(kinds["treatment"], kinds["block"], strict=True)
        kinds["both"] = np.array([f"{treatment}, {block}" for treatment, block in pairs], object)
    varied = [kind for kind, labels in true.items() if len(set(labels)) > 1]
    true, drawn = ({kind: kinds[kind] for kind in varied} for kinds in (true, drawn))
    return Permuted(tuple(_keys(plays)), true, drawn, frozenset(without))


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

    `ended`: whether its play is over; `horizon`: the most periods that the play can last; `play`:
    its number in a repeated block, counted from 0.
    """
    lasting = {key: game.horizon for key, game in data.games.items()}
    rows = data.config[["session", "group", "matching_group", "treatment", "block"]]
    horizon = [lasting[key] for key in _keys(rows)]
    play = data.config.get("play", 0)
    ended = (data.groups["ended"] != "").to_numpy()
    return rows.assign(game=number, horizon=horizon, play=play, ended=ended)


def _keys(frame: pd.DataFrame) -> list[tuple[str, int]]:
    """Return the session and number of each row's group."""
    pairs = zip(frame["session"], frame["group"], strict=True)
    return [(str(session), int(group)) for session, group in pairs]


def _whole(plays: pd.DataFrame) -> pd.DataFrame:
    """Return the plays of units that played all blocks to the end.

    Such a unit has the same number of groups in every play of a game's blocks.
    """
    names = ["game", "block", "play"]
    parts = plays.assign(part=plays.groupby(names).ngroup()).groupby(_UNIT)
    whole = parts["ended"].transform("all")
    whole &= parts["part"].transform("nunique") == len(plays[names].drop_duplicates())
    sizes = plays.groupby([*_UNIT, *names]).size().groupby([*_UNIT, "game"]).nunique()
    alike = (sizes == 1).groupby(_UNIT).all()
    whole &= alike.reindex(plays.set_index(_UNIT).index).to_numpy()
    return plays[whole].sort_values(["game", *_UNIT, "group"], ignore_index=True)


def _check_lengths(plays: pd.DataFrame) -> None:
    """Raise ConfigError if blocks of the same game and treatment differ in the number of plays or
    periods."""
    for _, rows in plays.groupby(["game", "treatment"]):
        blocks = rows.groupby("block")
        counts = 1 + blocks["play"].max()
        lengths = blocks["horizon"].unique().map(sorted)
        if counts.nunique() > 1 or lengths.map(tuple).nunique() > 1:
            listed = ", ".join(
                f"{block} {max(values)}{f' in each of {n} plays' if n > 1 else ''}"
                for block, values, n in zip(counts.index, lengths, counts, strict=True)
            )
            raise ConfigError(
                f"blind: blocks: periods = {listed}: only one block has measures for some periods "
                f"or plays, and that would reveal it under any label. For a report without the "
                f"hypotheses, use mixed report EXPORT --blind"
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
    pairs = zip(plays["drawn_treatment"], plays["drawn_block"], strict=True)
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


def _frames(data: Data, names: Collection[str]) -> list[pd.DataFrame]:
    """Return these measures of groups and of people."""
    if not names:
        return []
    plays = measures.Plays(data)
    return [measures.groups(plays, names), measures.people(plays, names)]


def _values(
    permuted: Permuted, frames: Sequence[pd.DataFrame], left_out: Collection[Group]
) -> Iterator[np.ndarray]:
    """Yield, for each measure, flags of the groups with a value, and of those of them that are in
    the tests."""
    tested = ~permuted.flags(left_out)
    for frame in frames:
        for selections in permuted.with_value(frame).values():
            for chosen in selections:
                yield from (chosen, chosen & tested)


def _distinct(every: Iterable[np.ndarray], least: int = 2) -> list[np.ndarray]:
    """Return the different selections of at least this many groups. In a selection of one group,
    every label is the true one, so no permutation is better than another."""
    return list({chosen.tobytes(): chosen for chosen in every if chosen.sum() >= least}.values())


# -- permutations ----------------------------------------------------------------------------------


def _drawn(
    unlabelled: Permuted,
    within: Sequence[object],
    seed: int | Sequence[int],
    required: Iterable[np.ndarray],
    measured: Iterable[np.ndarray] = (),
) -> np.ndarray:
    """Return the labels, permuted among groups with the same value in `within`.

    required   selections of groups in which labels must not be the true ones
    measured   selections in which they should not be

    Raises ConfigError if there is no such permutation.
    """
    labels = unlabelled.true["treatment"]
    places: dict[object, list[int]] = {}
    for place, key in enumerate(within):
        places.setdefault(key, []).append(place)
    random = np.random.default_rng(seed)
    parts = _distinct(required, 1)
    values = _distinct(measured)
    number = TRIES if unlabelled.design is None else EVEN
    tries = (_permuted(labels, places.values(), random) for _ in range(number))
    every = (replace(unlabelled, drawn={"treatment": labels}) for labels in tries)
    blind = islice((drawn for drawn in every if all(map(drawn.shows, parts))), EVEN)

    def unsuitable(drawn: Permuted) -> tuple[int, float]:
        hidden = sum(not drawn.shows(chosen) for chosen in values)
        return hidden, sum(drawn.uneven(chosen) for chosen in (*parts, *values))

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
    return (
        f"{counts}: in every permutation, one label has all groups of a treatment; blinding needs "
        f"at least two treatments, each with two groups that can exchange labels"
    )


def _permuted(
    labels: np.ndarray, places: Iterable[Sequence[int]], random: np.random.Generator
) -> np.ndarray:
    drawn = labels.copy()
    for group in places:
        drawn[group] = labels[random.permutation(group)]
    return drawn

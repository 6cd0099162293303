"""Permute the labels of treatments and blocks in sessions with several blocks (`blinding`).

A matching group is one unit. Treatment labels are permuted among units, and block labels are
rotated within each unit, so within a block, any two labels' numbers of plays differ by at most one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.blinding import (
    check_known,
    distinct,
    draw_labels,
    frames_of,
    numbered_values,
)
from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import Group, kept
from mixed_company.analysis.permuted import Permuted
from mixed_company.engine.contract.errors import ConfigError

ATTEMPTS = 20
"""Number of permutations of blocks that are compared if values cannot be shown under some."""

_UNIT = ["session", "matching_group"]


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
    check_known(every["session"], every["treatment"], treatments)
    plays = _whole(every[every["matching_group"].notna()])
    units = plays.groupby(_UNIT)["treatment"].first().sort_index()
    left_out = pd.Series([key in set(without) for key in _keys(plays)], plays.index)
    tested = ~left_out.groupby([plays[key] for key in _UNIT]).any().reindex(units.index)
    several = plays.groupby("game")["block"].nunique().max() > 1
    if tested.sum() < 2 or (units.nunique() < 2 and not several):
        raise ConfigError(
            f"blind: matching groups that played all blocks to the end, with the same number of "
            f"groups in every play, and are not excluded = {tested.sum()}: should be at least 2, "
            f"with two treatments or two blocks of one game"
        )
    _check_lengths(plays)
    frames = [frames_of(data, measured) for data in able]

    def of_games(drawn: pd.DataFrame) -> list[Permuted]:
        return [_of_game(drawn, number, without) for number in range(len(able))]

    def hidden(drawn: pd.DataFrame) -> int:
        return sum(
            not permuted.shows(chosen)
            for permuted, of_game in zip(of_games(drawn), frames, strict=True)
            for chosen in distinct(numbered_values(permuted, of_game, without))
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
        labels[:] = draw_labels(unlabelled, places, seed, required)
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
        periods = blocks["horizon"].unique().map(lambda of: " or ".join(map(str, sorted(of))))
        if counts.nunique() > 1 or periods.nunique() > 1:
            listed = ", ".join(
                f"{block} {number}{f' in each of {n} plays' if n > 1 else ''}"
                for block, number, n in zip(counts.index, periods, counts, strict=True)
            )
            raise ConfigError(
                f"blind: blocks: periods = {listed}: blocks of one game and treatment need the "
                f"same number of plays and periods, because a longer block is recognised under any "
                f"label. For a report without the hypotheses, use mixed report EXPORT --blind"
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

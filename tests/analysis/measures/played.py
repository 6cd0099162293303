"""Tiny plays as the tables of an export, written action by action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mixed_company import engine
from mixed_company.analysis import Data
from mixed_company.analysis.measures import Plays
from mixed_company.analysis.measures.declaring import Measure
from mixed_company.analysis.simulated import _identity, frame_of
from mixed_company.engine import solutions
from mixed_company.experiment.simulated_people import SimulatedGroup
from mixed_company.table.export import pair_rows, period_row, seat_rows, tables

__all__ = ["BY", "played", "values", "with_columns"]

BY = {"person": "person", "policy": "policy", "default": "person", "absent": "nobody"}
"""Occupant of a seat, by the value in the decider column."""


def played(
    game_id: str,
    actions: Sequence[Mapping[str, Sequence[float]]],
    *,
    people: int | None = None,
    by: Mapping[tuple[int, int], str] | None = None,
    leaving: Mapping[int, Sequence[int]] | None = None,
    took: Mapping[tuple[int, int], int] | None = None,
    group: int = 0,
    seed: int = 1,
    over: bool = True,
    **parameters: Any,
) -> Data:
    """Return one group that plays these periods. The play may stop early.

    The last period in the list ends the play if it is `over`.

    `people` have the first seats (all by default), and policies have the others. `by` names a
    different decider for a (period, seat), and `took` is the time of its decision in milliseconds.
    """
    game = engine.make(game_id, **parameters)
    episode = engine.Episode(game, seed)
    count = game.seats if people is None else people
    base = {"session": "s", "group": group}
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in tables(game)}
    before = episode.state_record()
    for sent in actions:
        step = episode.play_period(sent, tuple((leaving or {}).get(episode.period, ())))
        line = step.to_json()
        period = {**base, "period": line["period"]}
        for seat, row in enumerate(seat_rows(game, line)):
            place = (line["period"], seat)
            occupant = "person" if seat < count else "policy"
            occupant = "absent" if seat in step.absent else occupant
            occupant = (by or {}).get(place, occupant)
            who = {"seat": seat, "occupant": BY[occupant], "decided_by": occupant}
            who["participant"] = f"{group}-{seat}" if seat < count else ""
            who["policy_id"] = "greedy" if occupant == "policy" else ""
            who |= {f"{stage}_by": occupant for stage in game.stages.names[1:]}
            times = {"shown_ms": 1000, "received_ms": 1000 + took[place]} if took else {}
            rows["decisions"].append({**period, **who, **times, **row})
        judged = solutions.judge(game, before, line["state"])
        rows["periods"].append({**period, **period_row(game, line, judged)})
        if "pairs" in rows:
            rows["pairs"] += [{**period, **row} for row in pair_rows(game, line)]
        before = line["state"]
    if over and rows["periods"]:
        rows["periods"][-1]["ended"] = rows["periods"][-1]["ended"] or "horizon"
    for seat in range(game.seats):
        code = f"{group}-{seat}" if seat < count else ""
        who = {"occupant": "person", "participant": code} if code else {"occupant": "policy"}
        rows["seats"].append({**base, "seat": seat, "since_period": 0, "reason": "seated", **who})
    seated = SimulatedGroup(["greedy"] * count, ["greedy"] * (game.seats - count))
    rows["config"].append({**base, **_identity(game, seated, seed, "tiny")})
    frames: dict[str, Any] = {name: frame_of(name, [game], listed) for name, listed in rows.items()}
    return Data(game_id, **frames)


def with_columns(data: Data, **columns: Sequence[Any]) -> Data:
    """Return the data with different values in columns of `decisions`, in row order."""
    changed = {
        name: pd.Series(value).astype(data.decisions[name].dtype) for name, value in columns.items()
    }
    return replace(data, decisions=data.decisions.assign(**changed))


_measured: list[Plays] = []
"""The plays measured most recently, kept because tests need several measures of the same play."""


def _plays_of(data: Data | Plays) -> Plays:
    if isinstance(data, Plays):
        return data
    if not _measured or _measured[0].data is not data:
        _measured[:] = [Plays(data)]
    return _measured[0]


def values(measure: Measure, data: Data | Plays, level: str | None = None) -> list[Any]:
    """Return the values of a measure in the order of its keys, with None for NaN."""
    measured = measure(_plays_of(data), level).sort_index()
    return [None if isinstance(x, float) and np.isnan(x) else x for x in measured.tolist()]

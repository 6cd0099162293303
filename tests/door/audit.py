"""Is an export the record of the plays it claims to be? Recompute every group and compare.

Every number of `decisions`, `periods` and `pairs` that the rules determine is compared, exactly:
actions as used, rewards and their parts, the state after each period as far as it has a column
(arrays of the group place by place), what the choices of a period were worth, and why the play
ended.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pandas as pd

import engine
from engine import solutions
from engine.episode import Step
from engine.tables import pair_fields, seat_fields
from tests.door.harness import Server


def table(server: Server, name: str, session: dict[str, Any]) -> pd.DataFrame:
    """One exported table, as a user of pandas reads it. `session["app"]` says of which app."""
    return pd.read_csv(io.StringIO(server.table(name, session)))


def leaving(episode: engine.Episode, rows: pd.DataFrame) -> list[int]:
    """The seats that left in a period: absent from it, and not out of the play before."""
    gone = rows.loc[rows["decided_by"] == "absent", "seat"].tolist()
    return [seat for seat in gone if seat not in episode.absent()]


def wrong_numbers(server: Server, session: dict[str, Any]) -> list[str]:
    """Every number that the replay does not give; none if the export is right."""
    names = ["decisions", "periods", "config"]
    if pair_fields(engine.make(session["app"])):
        names.append("pairs")
    return list(differences(*(table(server, name, session) for name in names)))


def differences(
    decisions: pd.DataFrame,
    periods: pd.DataFrame,
    config: pd.DataFrame,
    pairs: pd.DataFrame | None = None,
) -> Iterator[str]:
    """The places where an export differs from what its seeds and actions give."""
    for _, group in config.iterrows():
        episode = engine.Episode(engine.make(json.loads(group["config"])), int(group["seed"]))
        own = decisions[decisions["group"] == group["group"]]
        rounds = periods[periods["group"] == group["group"]]
        assert own["period"].nunique() == len(rounds) > 0, "nothing was played, or rows are missing"
        for (number, rows), (_, whole) in zip(
            own.groupby("period"), rounds.iterrows(), strict=True
        ):
            assert number == episode.period == whole["period"]
            rows = rows.sort_values("seat")
            before = episode.state_record()
            step = episode.step(_columns(rows, "sent_"), leaving(episode, rows))
            had = {**_columns(rows, ""), **whole.to_dict()}
            for name, value in _expected(step, episode, before).items():
                if had[name] != value and not (value is None and pd.isna(had[name])):
                    yield f"period {number}, {name}: {had[name]} should be {value}"
            if pairs is not None:
                own_pairs = pairs[(pairs["group"] == group["group"]) & (pairs["period"] == number)]
                yield from _wrong_pairs(episode, own_pairs)


def _columns(rows: pd.DataFrame, prefix: str) -> dict[str, list[Any]]:
    assert rows["seat"].tolist() == list(range(len(rows)))
    names = [name for name in rows.columns if name.startswith(prefix)]
    return {name.removeprefix(prefix): rows[name].tolist() for name in names}


def _expected(step: Step, episode: engine.Episode, before: dict[str, Any]) -> dict[str, Any]:
    """Column -> value or list of seats."""
    return {
        "reward": step.rewards.tolist(),
        "reward_sum": sum(step.rewards.tolist()),
        **{f"used_{name}": value.tolist() for name, value in step.info["used"].items()},
        **{f"reward_{name}": value.tolist() for name, value in step.components.items()},
        **_state(episode),
        **_judged(episode, before),
        **({"ended": step.reason} if step.done else {}),
    }


def _wrong_pairs(episode: engine.Episode, rows: pd.DataFrame) -> Iterator[str]:
    """What is between two seats, after a period, and differs."""
    state, n = episode.state_record(), episode.game.seats
    assert len(rows) == n * (n - 1)
    for _, row in rows.iterrows():
        i, j = row["seat"], row["partner"]
        expected = {f"after_{f.name}": state[f.name][i][j] for f in pair_fields(episode.game)}
        expected |= {f"partner_{f.name}": state[f.name][j] for f in seat_fields(episode.game)}
        for name, value in expected.items():
            if row[name] != value:
                yield f"pair {i}, {j}, {name}: {row[name]} should be {value}"


def _state(episode: engine.Episode) -> dict[str, Any]:
    """The parts of the state that have a column: numbers of the group, alone or in arrays, and one
    number per seat."""
    n, found = episode.game.seats, {}
    record = episode.state_record()
    for field in episode.game.declaration.state:
        name, value = f"after_{field.name}", record[field.name]
        if field.name in CONTRACT or field.bulk:
            continue
        if field.common:
            found |= _places(name, value)
        elif field.shape in ((), (n,)):
            found[name] = value
    return found


def _judged(episode: engine.Episode, before: dict[str, Any]) -> dict[str, Any]:
    """What the choices of the period were worth, in a game that has a measure of it."""
    found = {}
    for name, value in solutions.judge(episode.game, before, episode.state_record()).items():
        found |= _places(name, value)
    return found


def _places(name: str, value: Any) -> dict[str, Any]:
    """An array as columns: `name_0_0`, `name_0_1`, ..."""
    if not isinstance(value, list):
        return {name: value}
    found = {}
    for number, part in enumerate(value):
        found |= _places(f"{name}_{number}", part)
    return found


CONTRACT = ("period", "reason")

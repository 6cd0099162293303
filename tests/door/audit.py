"""Is an export the record of the plays it claims to be? Recompute every group and compare."""

from __future__ import annotations

import io
import json
from typing import Any

import pandas as pd

from engine.record import replayed
from tests.door.harness import Server


def table(server: Server, name: str, session: dict[str, Any]) -> pd.DataFrame:
    """One exported table of the commons, as a user of pandas reads it."""
    return pd.read_csv(io.StringIO(server.table("commons_game", name, session)))


def wrong_numbers(server: Server, session: dict[str, Any]) -> list[str]:
    """Every number of `decisions` and `periods` that the replay does not give, exactly."""
    decisions, periods = table(server, "decisions", session), table(server, "periods", session)
    found: list[str] = []
    for _, group in table(server, "config", session).iterrows():
        own = decisions[decisions["group"] == group["group"]]
        rounds = periods[periods["group"] == group["group"]]
        config = json.loads(group["config"])
        sent = [_actions(rows) for _, rows in own.groupby("period")]
        assert sent, "nothing was played"
        steps = list(replayed(config, int(group["seed"]), sent))
        assert len(steps) == len(rounds) == own["period"].nunique()
        for (period, rows), step in zip(own.groupby("period"), steps, strict=True):
            whole = rounds[rounds["period"] == period].iloc[0]
            found += [f"period {period}, {each}" for each in _differences(rows, whole, step)]
    return found


def _actions(rows: pd.DataFrame) -> dict[str, list[float]]:
    ordered = rows.sort_values("seat")
    assert ordered["seat"].tolist() == list(range(len(ordered)))
    fields = [name.removeprefix("sent_") for name in rows.columns if name.startswith("sent_")]
    return {field: ordered[f"sent_{field}"].tolist() for field in fields}


def _differences(rows: pd.DataFrame, whole: Any, step: Any) -> list[str]:
    rows = rows.sort_values("seat")
    expected = {"reward": step.rewards, **step.observations}
    pairs = [("reward", rows["reward"].tolist(), step.rewards.tolist())]
    pairs += [
        (f"used_{name}", rows[f"used_{name}"].tolist(), values.tolist())
        for name, values in step.info["used"].items()
    ]
    pairs += [
        (f"reward_{name}", rows[f"reward_{name}"].tolist(), values.tolist())
        for name, values in step.components.items()
    ]
    if expected["wealth"].ndim == 1:
        pairs.append(("after_wealth", rows["after_wealth"].tolist(), expected["wealth"].tolist()))
        pairs.append(("after_stock", [whole["after_stock"]], [float(expected["stock"])]))
    ended = "" if pd.isna(whole["ended"]) else whole["ended"]
    pairs.append(("ended", [ended], [step.reason or ""]))
    return [f"{name}: {had} is {gives}" for name, had, gives in pairs if had != gives]

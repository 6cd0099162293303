"""What the groups of an export have in common, and what sets treatments apart.

Groups are of one treatment if they were played by the same rules and options: everything but the
seed. Its name is that of the session config; where groups under one name were played differently,
what differs is added: `commons_lab, growth_rate=0.2`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.described import described

__all__ = ["groups", "treatments"]

_KEYS = ["session", "group"]
_ABSENT = "not set"


def groups(
    config: pd.DataFrame, seats: pd.DataFrame, periods: pd.DataFrame, decisions: pd.DataFrame
) -> pd.DataFrame:
    """One row per group that was formed; see `Data.groups`."""
    table = config[[*_KEYS, "seed", "session_config"]].copy()
    table["treatment"] = treatments(config)
    resolved = [_described(text) for text in config["config"]]
    table["archetype"] = [str(rules["identity"].get("archetype", "")) for rules in resolved]
    table["n"] = _counted(table, decisions.groupby(_KEYS)["seat"].nunique())
    people = seats[seats["occupant"] == "person"].groupby(_KEYS)["seat"].nunique()
    table["people"] = _counted(table, people)
    policies = seats[seats["policy_id"] != ""].groupby(_KEYS)["policy_id"]
    table["policies"] = _looked_up(table, policies.agg(lambda ids: ",".join(sorted(set(ids)))), "")
    table["periods"] = _counted(table, periods.groupby(_KEYS)["period"].nunique())
    ended = periods[periods["ended"] != ""].groupby(_KEYS)["ended"].last()
    table["ended"] = _looked_up(table, ended, "")
    return table.reset_index(drop=True)


def _counted(table: pd.DataFrame, numbers: pd.Series[int]) -> list[int]:
    return [int(value) for value in _looked_up(table, numbers, 0)]


def _looked_up(table: pd.DataFrame, values: pd.Series[Any], otherwise: Any) -> list[Any]:
    known = values.to_dict()
    keys = zip(table["session"], table["group"], strict=True)
    return [known.get(key, otherwise) for key in keys]


def treatments(config: pd.DataFrame) -> list[str]:
    """The name of the treatment of every row of the `config` table."""
    rules = [_rules(row) for row in config.to_dict("records")]
    names = [str(name) for name in config["session_config"]]
    of_name: dict[str, list[dict[str, str]]] = {}
    for name, own in zip(names, rules, strict=True):
        of_name.setdefault(name, []).append(own)
    differ = {name: _differing(variants) for name, variants in of_name.items()}
    return [
        ", ".join([name, *(f"{key}={own.get(key, _ABSENT)}" for key in differ[name])])
        for name, own in zip(names, rules, strict=True)
    ]


def _rules(row: Mapping[Any, Any]) -> dict[str, str]:
    """All that has effect, but the seed: configuration and options, by the key of the session."""
    config, options = _described(row["config"]), _described(row["options"])
    config["identity"].pop("seed", None)
    options.pop("identity")
    core = config.pop("core", {})
    if not isinstance(core, Mapping):  # damaged
        core = {"core": core}
    return dict([*_leaves(core, ""), *_leaves(config, ""), *_leaves(options, "")])


def _described(text: str) -> dict[str, Any]:
    """What a JSON text describes, with an identity; what is none is told from all others."""
    config = described(text)
    if config is None:
        config = {"config": "cannot be read"}
    if not isinstance(config.get("identity"), dict):
        config["identity"] = {}
    return config


def _leaves(value: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    leaves = []
    for key, item in value.items():
        if isinstance(item, Mapping) and item:
            leaves += _leaves(item, f"{prefix}{key}.")
        else:
            leaves.append((f"{prefix}{key}", item if isinstance(item, str) else json.dumps(item)))
    return leaves


def _differing(rules: list[dict[str, str]]) -> list[str]:
    """The keys in which these differ, in order."""
    keys = dict.fromkeys(key for own in rules for key in own)
    return [key for key in keys if len({own.get(key, _ABSENT) for own in rules}) > 1]

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
    found = config[[*_KEYS, "seed", "session_config"]].copy()
    found["treatment"] = treatments(config)
    resolved = [_described(text) for text in config["config"]]
    found["archetype"] = [str(each["identity"].get("archetype", "")) for each in resolved]
    found["n"] = _counted(found, decisions.groupby(_KEYS)["seat"].nunique())
    people = seats[seats["occupant"] == "person"].groupby(_KEYS)["seat"].nunique()
    found["people"] = _counted(found, people)
    policies = seats[seats["policy_id"] != ""].groupby(_KEYS)["policy_id"]
    found["policies"] = _looked_up(found, policies.agg(lambda ids: ",".join(sorted(set(ids)))), "")
    found["periods"] = _counted(found, periods.groupby(_KEYS)["period"].nunique())
    ended = periods[periods["ended"] != ""].groupby(_KEYS)["ended"].last()
    found["ended"] = _looked_up(found, ended, "")
    return found.reset_index(drop=True)


def _counted(found: pd.DataFrame, numbers: pd.Series[int]) -> list[int]:
    return [int(value) for value in _looked_up(found, numbers, 0)]


def _looked_up(found: pd.DataFrame, values: pd.Series[Any], otherwise: Any) -> list[Any]:
    known = values.to_dict()
    keys = zip(found["session"], found["group"], strict=True)
    return [known.get(key, otherwise) for key in keys]


def treatments(config: pd.DataFrame) -> list[str]:
    """The name of the treatment of every row of the `config` table."""
    rules = [_rules(row) for row in config.to_dict("records")]
    names = [str(name) for name in config["session_config"]]
    of_name: dict[str, list[dict[str, str]]] = {}
    for name, own in zip(names, rules, strict=True):
        of_name.setdefault(name, []).append(own)
    differ = {name: _differing(found) for name, found in of_name.items()}
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
    found = described(text)
    if found is None:
        found = {"config": "cannot be read"}
    if not isinstance(found.get("identity"), dict):
        found["identity"] = {}
    return found


def _leaves(value: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    found = []
    for key, each in value.items():
        if isinstance(each, Mapping) and each:
            found += _leaves(each, f"{prefix}{key}.")
        else:
            found.append((f"{prefix}{key}", each if isinstance(each, str) else json.dumps(each)))
    return found


def _differing(rules: list[dict[str, str]]) -> list[str]:
    """The keys in which these differ, in order."""
    keys = dict.fromkeys(key for own in rules for key in own)
    return [key for key in keys if len({own.get(key, _ABSENT) for own in rules}) > 1]

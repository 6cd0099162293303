"""What the groups of an export have in common, and what sets treatments apart.

Groups are of one treatment if they were played by the same rules and options: everything but the
seed, and what they chose themselves. Its name is the one that the plan of the session has for it,
else that of the session config; where groups under one name were played differently, what differs
is added: `commons_lab, growth_rate=0.2`. Names of one's own take its place.

Treatments have one order, which no code of a session and no order of rows can change: those with
names of one's own as these are given; then by session config, in the order of the settings, and of
treatments of a plan in its order (the manifest says both), else by the alphabet; then by the values
that differ, numbers by their size.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from mixed_company.analysis.described import described
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest
from mixed_company.table.export import group_id

__all__ = ["Names", "check_names", "groups_of", "shortened", "treatments"]

Names = Mapping[str, Sequence[str]]
"""Name of a treatment -> what its groups have: a session config, a treatment of a plan,
`treatment=pool`, the rule that they chose, `rule=pool`, a parameter, `growth_rate=0.2`, or the
whole name that the treatment has by itself."""

_KEYS = ["session", "group"]
_ABSENT = "not set"


def groups_of(
    config: pd.DataFrame,
    seats: pd.DataFrame,
    periods: pd.DataFrame,
    decisions: pd.DataFrame,
    settings: Sequence[str] = (),
    names: Names | None = None,
) -> pd.DataFrame:
    """One row per group that was formed; see `Data.groups`."""
    table = config[[*_KEYS, "seed", "session_config"]].copy()
    table["treatment"] = treatments(config, settings, names)
    table["group_id"] = [
        group_id(*key) for key in zip(table["session"], table["group"], strict=True)
    ]
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


def treatments(
    config: pd.DataFrame, settings: Sequence[str] = (), names: Names | None = None
) -> pd.Categorical:
    """The treatment of every row of the `config` table; the categories are in their order.

    settings   session configs in the order of the settings; of a plan, its treatments in its order
    """
    automatic, known = _automatic(config, settings), _known(config)
    own = [
        next((name for name, parts in (names or {}).items() if {*parts} <= {*has, label}), label)
        for label, has in zip(automatic, known, strict=True)
    ]
    order = [*(names or ()), *automatic.categories]
    return pd.Categorical(own, [name for name in dict.fromkeys(order) if name in own])


def check_names(config: pd.DataFrame, names: Names) -> None:
    """Raises UnknownName for what no group has, ConfigError for a group under two names."""
    automatic, known = list(_automatic(config, ())), _known(config)
    every = sorted({*automatic, *(part for has in known for part in has)})
    for name, parts in names.items():
        for part in parts:
            if part not in every:
                near = nearest(part, every)
                raise UnknownName(f"treatment {name!r}: no group has {part!r}{near}")
    for label, has, row in zip(automatic, known, config.to_dict("records"), strict=True):
        own = [name for name, parts in names.items() if {*parts} <= {*has, label}]
        if len(own) > 1:
            raise ConfigError(
                f"treatment {own[1]!r}: group {row['group']} of session {row['session']!r} is in "
                f"{own[0]!r} as well; a group has one treatment"
            )


def _known(config: pd.DataFrame) -> list[list[str]]:
    """What can be said of each group, for names: its session config, its treatment and its block as
    the plan names them, the rule that it chose, and all its parameters."""
    return [
        [
            str(row["session_config"]),
            f"treatment={row.get('treatment') or row['session_config']}",
            *([f"block={row['block']}"] if row.get("block") else []),
            *([f"rule={row['rule']}"] if row.get("rule") else []),
            *(f"{key}={value}" for key, value in _rules(row).items()),
        ]
        for row in config.to_dict("records")
    ]


def _named(row: Mapping[Any, Any]) -> str:
    """The treatment that the plan names, and the block, `pool, second`; of sessions without a plan,
    and of exports of before, the session config."""
    name, block = str(row.get("treatment") or row["session_config"]), row.get("block")
    return f"{name}, {block}" if block else name


def _automatic(config: pd.DataFrame, settings: Sequence[str]) -> pd.Categorical:
    """The names that treatments have by themselves, in order."""
    rules = [_rules(row) for row in config.to_dict("records")]
    configs = [_named(row) for row in config.to_dict("records")]
    of_name: dict[str, list[dict[str, str]]] = {}
    for name, own in zip(configs, rules, strict=True):
        of_name.setdefault(name, []).append(own)
    differ = {name: _differing(variants) for name, variants in of_name.items()}
    places = {name: place for place, name in reversed(list(enumerate(settings)))}
    labels, order = [], dict[object, Any]()
    for name, own in zip(configs, rules, strict=True):
        values = [own.get(key, _ABSENT) for key in differ[name]]
        pairs = zip(differ[name], values, strict=True)
        labels.append(", ".join([name, *(f"{key}={value}" for key, value in pairs)]))
        place = places.get(name, len(places))
        order[labels[-1]] = (place, name, [_size(value) for value in values])
    categories: list[object] = sorted(order, key=lambda label: order[label])
    return pd.Categorical(labels, categories)


def _size(value: str) -> tuple[int, float, str]:
    """What a value is sorted by: none first, then numbers by their size, then texts."""
    if value == _ABSENT:
        return (0, 0.0, "")
    try:
        number = float(value)
    except ValueError:
        return (2, 0.0, value)
    return (2, 0.0, value) if math.isnan(number) else (1, number, "")


def _rules(row: Mapping[Any, Any]) -> dict[str, str]:
    """All that has effect, but the seed: configuration and options, by the key of the session."""
    if row.get("rules"):  # what the group chose of them does not set it apart
        rules = _described(row["rules"])
        del rules["identity"]
        played = {name: _without_identity(own) for name, own in rules.items()}
        return {**dict(_leaves(played, "rules.")), **_of_options(row)}
    config = _described(row["config"])
    config["identity"].pop("seed", None)
    core = config.pop("core", {})
    if not isinstance(core, Mapping):  # damaged
        core = {"core": core}
    return dict([*_leaves(core, ""), *_leaves(config, ""), *_of_options(row).items()])


def _without_identity(config: Any) -> Any:
    if not isinstance(config, Mapping):
        return config
    return {key: value for key, value in config.items() if key != "identity"}


def _of_options(row: Mapping[Any, Any]) -> dict[str, str]:
    options = _described(row["options"])
    options.pop("identity")
    return dict(_leaves(options, ""))


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


# -- short names -----------------------------------------------------------------------------------

LONGEST = 40
"""A name of more letters does not fit beside an axis, in two lines."""


def shortened(config: pd.DataFrame) -> dict[str, str]:
    """Of the name that each treatment has by itself a short one: what sets it apart from others.

    Where all are of one session config (or of one treatment of a plan), as few parameters as tell
    them apart, the first that do: `governance=none`. Where their values are too long for a figure,
    numbers. Else the names as they are.
    """
    labels = _automatic(config, ())
    rows = config.to_dict("records")
    if len({_named(row) for row in rows}) > 1 or len(labels.categories) < 2:
        return {str(label): str(label) for label in labels.categories}
    rules = {str(label): _rules(row) for label, row in zip(labels, rows, strict=True)}
    keys = _differing(list(rules.values()))
    for count in (1, 2):
        for chosen in combinations(keys, count):
            names = {label: _by(own, chosen) for label, own in rules.items()}
            if len(set(names.values())) == len(names) and max(map(len, names.values())) <= LONGEST:
                return names
    return {str(label): f"treatment {at}" for at, label in enumerate(labels.categories, 1)}


def _by(rules: Mapping[str, str], keys: Sequence[str]) -> str:
    """These parameters of a treatment, without the sections they stand in."""
    return ", ".join(f"{key.rpartition('.')[2]}={rules.get(key, _ABSENT)}" for key in keys)

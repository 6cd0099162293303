"""The treatments of an export's groups: their names, order and differences.

Groups have the same treatment if they were played under the same rules and options, except for the
seed and the groups' own choices. The treatment's name comes from the session's plan or, without a
plan, is the session config. If groups with the same name were played differently, the differences
are added: `commons_lab, growth_rate=0.2`. Custom names replace all of this.

The order of treatments does not depend on session codes or on the order of rows. Custom names come
first, in the caller's order. The others are sorted by session config, in the order of the settings,
and by treatment, in the plan's order. The manifest has both orders; without them, names are sorted
alphabetically. The differing values break the remaining ties, with numbers sorted by size.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest
from mixed_company.table.export import group_id

Names = Mapping[str, Sequence[str]]
"""Name of a treatment -> properties of its groups: a session config, a treatment of a plan
(`treatment=pool`), the chosen rule (`rule=pool`), a parameter (`growth_rate=0.2`), or the
treatment's full automatic name."""

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
    """Return one row per group that was formed; see `Data.groups`."""
    keys = list(zip(config["session"], config["group"], strict=True))

    def of_groups(values: pd.Series[Any], missing: int | str) -> list[Any]:
        by_key = values.to_dict()
        return [by_key.get(key, missing) for key in keys]

    people = seats[seats["occupant"] == "person"].groupby(_KEYS)["seat"].nunique()
    policies = seats[seats["policy_id"] != ""].groupby(_KEYS)["policy_id"]
    ids = policies.agg(lambda ids: ",".join(sorted(set(ids))))
    identities = [_described(text)["identity"] for text in config["config"]]
    return (
        config[[*_KEYS, "seed", "session_config"]]
        .assign(
            treatment=treatments(config, settings, names),
            group_id=[group_id(*key) for key in keys],
            archetype=[str(identity.get("archetype", "")) for identity in identities],
            n=of_groups(decisions.groupby(_KEYS)["seat"].nunique(), 0),
            people=of_groups(people, 0),
            policies=of_groups(ids, ""),
            periods=of_groups(periods.groupby(_KEYS)["period"].nunique(), 0),
            ended=of_groups(periods[periods["ended"] != ""].groupby(_KEYS)["ended"].last(), ""),
        )
        .reset_index(drop=True)
    )


def treatments(
    config: pd.DataFrame, settings: Sequence[str] = (), names: Names | None = None
) -> pd.Categorical:
    """Return the treatment of every row in the `config` table, as ordered categories.

    settings   names in the order in which they are shown: session configs or, for a config with a
               plan, the plan's treatments
    """
    automatic = _automatic(config, settings)
    if not names:
        return automatic
    chosen = [
        next(iter(_names_of(parts, names)), label)
        for label, parts in zip(automatic, _properties(config, automatic), strict=True)
    ]
    order = dict.fromkeys([*names, *automatic.categories])
    return pd.Categorical(chosen, [name for name in order if name in chosen])


def _names_of(parts: set[str], names: Names) -> list[str]:
    """Return the names with entries that match a group's properties."""
    return [name for name, listed in names.items() if {*listed} <= parts]


def check_names(config: pd.DataFrame, names: Names) -> None:
    """Raise UnknownName if no group has a property, ConfigError if a group has two names."""
    properties = _properties(config, _automatic(config, ()))
    every = sorted(set[str]().union(*properties))
    for name, parts in names.items():
        for part in parts:
            if part not in every:
                near = nearest(part, every)
                raise UnknownName(f"treatment {name!r}: no group has {part!r}{near}")
    for of_group, row in zip(properties, config.to_dict("records"), strict=True):
        fitting = _names_of(of_group, names)
        if len(fitting) > 1:
            raise ConfigError(
                f"treatment {fitting[1]!r}: group {row['group']} of session {row['session']!r} is "
                f"also in {fitting[0]!r}, but a group has one treatment"
            )
    _check_exchanged(config, names, properties)


def _check_exchanged(
    config: pd.DataFrame, names: Names, properties: Sequence[Collection[str]]
) -> None:
    """Raise ConfigError if a name is already the treatment or session config of other groups."""
    labels = _automatic(config, ())
    present = [
        {str(label), str(row.get("treatment") or ""), str(row["session_config"])}
        for label, row in zip(labels, config.to_dict("records"), strict=True)
    ]
    for of_group, own_names, label in zip(properties, present, labels, strict=True):
        for name in _names_of({*of_group}, names):
            if name not in own_names and any(name in others for others in present):
                raise ConfigError(
                    f"treatment {name!r}: already the name of groups other than those of {label!r}"
                )


def _properties(config: pd.DataFrame, labels: pd.Categorical) -> list[set[str]]:
    """Return the properties of each group that names depend on. These are its label, its session
    config, its treatment and block in the plan, its chosen rule, and all its parameters.
    """
    return [
        {
            label,
            str(row["session_config"]),
            f"treatment={row.get('treatment') or row['session_config']}",
            *(f"{key}={row[key]}" for key in ("block", "rule") if row.get(key)),
            *(f"{key}={value}" for key, value in _rules(row).items()),
        }
        for label, row in zip(labels, config.to_dict("records"), strict=True)
    ]


def _named(row: Mapping[Any, Any]) -> str:
    """Return the treatment and block from the plan, such as `pool, second`.

    For sessions without a plan, and in exports from earlier releases, it is the session config.
    """
    name, block = str(row.get("treatment") or row["session_config"]), row.get("block")
    return f"{name}, {block}" if block else name


def _automatic(config: pd.DataFrame, settings: Sequence[str]) -> pd.Categorical:
    """Return the automatic names of treatments, in order."""
    rows = config.to_dict("records")
    names, rules = [_named(row) for row in rows], [_rules(row) for row in rows]
    of_name: dict[str, list[dict[str, str]]] = {}
    for name, parameters in zip(names, rules, strict=True):
        of_name.setdefault(name, []).append(parameters)
    differ = {name: _differing(variants) for name, variants in of_name.items()}
    places = {name: place for place, name in reversed(list(enumerate(settings)))}
    labels, order = [], dict[object, Any]()
    for name, parameters in zip(names, rules, strict=True):
        values = {key: parameters.get(key, _ABSENT) for key in differ[name]}
        labels.append(", ".join([name, *(f"{key}={value}" for key, value in values.items())]))
        sizes = [_size(value) for value in values.values()]
        order[labels[-1]] = (places.get(name, len(places)), name, sizes)
    categories: list[object] = sorted(order, key=lambda label: order[label])
    return pd.Categorical(labels, categories)


def _size(value: str) -> tuple[int, float, str]:
    """Return a value's sort key: missing values come first, then numbers by size, then strings."""
    if value == _ABSENT:
        return (0, 0.0, "")
    try:
        number = float(value)
    except ValueError:
        return (2, 0.0, value)
    return (2, 0.0, value) if math.isnan(number) else (1, number, "")


def _rules(row: Mapping[Any, Any]) -> dict[str, str]:
    """Return all parameters and options except the seed, by name."""
    options = _described(row["options"])
    del options["identity"]
    if row.get("rules"):  # the group's choice among them is not a difference between treatments
        rules = _described(row["rules"])
        del rules["identity"]
        return dict([*_leaves(_without_identities(rules), "rules."), *_leaves(options, "")])
    config = _described(row["config"])
    config["identity"].pop("seed", None)
    core = config.pop("core", {})
    if not isinstance(core, Mapping):  # damaged
        core = {"core": core}
    return dict([*_leaves(core, ""), *_leaves(config, ""), *_leaves(options, "")])


def _without_identities(rules: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {key: value for key, value in rule.items() if key != "identity"}
        if isinstance(rule, Mapping)
        else rule
        for name, rule in rules.items()
    }


def described(text: str) -> dict[str, Any] | None:
    """Return the mapping in a JSON string; None if it is damaged or not a mapping.

    >>> described('{"pace": "clock"}'), described("{pace"), described("[1]")
    ({'pace': 'clock'}, None, None)
    """
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _described(text: str) -> dict[str, Any]:
    """Return the mapping in a JSON string, or a mapping that says that the string cannot be read.

    Both have an `identity`.
    """
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
    """Return the keys with different values in these mappings, in order."""
    keys = dict.fromkeys(key for parameters in rules for key in parameters)
    return [key for key in keys if len({part.get(key, _ABSENT) for part in rules}) > 1]


# -- short names -----------------------------------------------------------------------------------

LONGEST = 40
"""Maximum length of a name that fits next to an axis in two lines."""


def shortened(config: pd.DataFrame) -> dict[str, str]:
    """Return a short name for the automatic name of each treatment.

    If all have the same session config (or the same treatment of a plan), short names consist of
    the first few parameters that distinguish them: `governance=none`. If their values are too long
    for a figure, the treatments are numbered. In all other cases the names are unchanged.
    """
    labels = _automatic(config, ())
    rows = config.to_dict("records")
    if len({_named(row) for row in rows}) > 1 or len(labels.categories) < 2:
        return {str(label): str(label) for label in labels.categories}
    rules = {str(label): _rules(row) for label, row in zip(labels, rows, strict=True)}
    keys = _differing(list(rules.values()))
    for count in (1, 2):
        for chosen in combinations(keys, count):
            names = {label: _by(parameters, chosen) for label, parameters in rules.items()}
            if len(set(names.values())) == len(names) and max(map(len, names.values())) <= LONGEST:
                return names
    return {str(label): f"treatment {place}" for place, label in enumerate(labels.categories, 1)}


def _by(rules: Mapping[str, str], keys: Sequence[str]) -> str:
    """Return these parameters of a treatment, without the names of their sections."""
    return ", ".join(f"{key.rpartition('.')[2]}={rules.get(key, _ABSENT)}" for key in keys)

"""The configuration: five sections, built from an archetype and the user's keys.

An archetype maps core parameters to values; its `layers` and `agents` keys contain whole sections.
The user's keys override the archetype's. An archetype's lists with an entry per seat
(`agents.seats`, `layers.hierarchy.groups`) are repeated to cover all seats.

A complete configuration contains every key: `configured` rejects incomplete ones.
`completed` fills in the keys that are missing from a handwritten configuration. `kept` prepares a
configuration from an earlier release for `completed`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from typing import Any, get_args, get_origin

from pydantic import ValidationError, create_model

from mixed_company.engine.contract.chance import check_seed
from mixed_company.engine.contract.config import MOST_SEATS, Configuration, CoreT, refusal
from mixed_company.engine.contract.declaration import EVENTS
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.section import Section
from mixed_company.engine.layers import LAYERS

_SECTIONS = ("layers", "agents")
_LATER_EVENTS = {"fee", "drift"}

_layers: Any = {layer.name: (layer.parameters, layer.parameters()) for layer in LAYERS}
Layers: Any = create_model("Layers", __base__=Section, **_layers)
Layers.__doc__ = "The seven layers of the framework; `mixed_company.engine.layers` is their manual."


class Config(Configuration[CoreT]):
    """A complete configuration."""

    layers: Layers = Layers()


def resolved(
    game: Any,
    archetype: str | None,
    seed: int,
    sections: Mapping[str, Any],
    core: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the configuration of an archetype with the user's changes, as an unvalidated dict.
    Raises UnknownName."""
    archetypes = {"custom": {}, **game.known_archetypes()}
    if archetype is not None and not isinstance(archetype, str):
        raise UnknownName(f"archetype = {short(archetype)}: must be a string")
    if archetype is not None and archetype not in archetypes:
        raise UnknownName(
            f"archetype = {short(archetype)}: unknown in {game.id}"
            f"{nearest(archetype, ['custom', *game.archetypes])}"
        )
    values = dict(archetypes[archetype or "custom"])
    parts = {key: values.pop(key) for key in _SECTIONS if key in values}
    filled = {**values, **core}
    seats = filled.get("seats", game.Core.model_fields["seats"].default)
    if seats in range(1, MOST_SEATS + 1):  # any other number is rejected later
        parts = _fitted(parts, int(seats))
    identity = {"archetype": archetype or "custom", "seed": check_seed(seed)}
    return {"identity": identity, "core": filled, **merged(parts, sections)}


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with `changes` applied; mappings present in both are merged key by key."""
    both = dict(base)
    for key, value in changes.items():
        inner = both.get(key)
        nested = isinstance(inner, Mapping) and isinstance(value, Mapping)
        both[key] = merged(inner, value) if nested else value  # type: ignore[arg-type]
    return both


def _fitted(parts: Mapping[str, Any], seats: int) -> dict[str, Any]:
    def repeated(part: Mapping[str, Any], key: str) -> dict[str, Any]:
        return {**part, key: tuple(islice(cycle(part[key]), seats))} if key in part else {**part}

    fitted = dict(parts)
    if "agents" in fitted:
        fitted["agents"] = repeated(fitted["agents"], "seats")
    if "hierarchy" in fitted.get("layers", {}):
        hierarchy = _without_gaps(repeated(fitted["layers"]["hierarchy"], "groups"))
        fitted["layers"] = {**fitted["layers"], "hierarchy": hierarchy}
    return fitted


def _without_gaps(hierarchy: dict[str, Any]) -> dict[str, Any]:
    """Renumber the groups without gaps, because there can be fewer seats than groups."""
    numbers = {group: i for i, group in enumerate(sorted(set(hierarchy["groups"])))}
    return {**hierarchy, "groups": tuple(numbers[group] for group in hierarchy["groups"])}


def configured(game: Any, data: Mapping[str, Any]) -> Config[Any]:
    """Return the configuration of a Game class from a complete dict.

    Raises ConfigError. Missing and unknown keys are reported before any value is checked.
    """
    identity = data.get("identity")
    if isinstance(identity, Mapping):
        _check_identity(game, identity.get("game"), identity.get("version"))
    missing = [f"{key}: is missing" for key in _missing(game.config_model(), data)]
    if missing:
        raise ConfigError("\n".join([*missing, *_unknown(game, data)]))
    return completed(game, data)


def completed(game: Any, data: Mapping[str, Any]) -> Config[Any]:
    """Return the configuration of a Game class from a partial dict, completed with defaults.

    Raises ConfigError.
    """
    identity = data.get("identity", {})
    if isinstance(identity, Mapping):
        identity = {"game": game.id, "version": game.version, **identity}
        _check_identity(game, identity["game"], identity["version"])
    schema = game.config_model()
    try:
        config: Config[Any] = schema.model_validate({**data, "identity": identity})
    except ValidationError as error:
        raise refusal(error, schema) from None
    archetype = config.identity.archetype
    if archetype not in {"custom", *game.known_archetypes()}:
        hint = nearest(archetype, ["custom", *game.archetypes])
        raise ConfigError(f"identity.archetype = {short(archetype)}: unknown in {game.id}{hint}")
    _check_events(config.instrumentation.events, known_events(game), game.id)
    return config


def _missing(kind: Any, value: Any, prefix: str = "") -> Iterator[str]:
    """Yield the missing keys of a value of this type: a section, or a container of sections."""
    if isinstance(kind, type) and issubclass(kind, Section):
        if isinstance(value, Mapping):
            for name, field in kind.model_fields.items():
                if name in value:
                    yield from _missing(field.annotation, value[name], f"{prefix}{name}.")
                elif name not in kind.unwritten():
                    yield prefix + name
    elif get_origin(kind) is dict and isinstance(value, Mapping):
        for name, part in value.items():
            yield from _missing(get_args(kind)[1], part, f"{prefix}{name}.")
    else:
        for part in get_args(kind):
            yield from _missing(part, value, prefix)


def _unknown(game: Any, data: Mapping[str, Any]) -> list[str]:
    """Explain unknown keys, which may be misspelt missing keys."""
    try:
        completed(game, data)
    except ConfigError as error:
        return [line for line in str(error).splitlines() if ": unknown key" in line]
    return []


def known_events(game: Any) -> set[str]:
    """Return the kinds of events that plays of a Game class can log, with any layers."""
    return {*EVENTS, *game.event_kinds, *(kind for layer in LAYERS for kind in layer.event_kinds)}


def _check_events(chosen: Any, kinds: set[str], game: str) -> None:
    for event in () if chosen == "all" else chosen:
        if event not in kinds:
            raise ConfigError(
                f"instrumentation.events = {list(chosen)!r}: {event!r} is not an event of {game}"
                f"{nearest(event, kinds)}"
            )


def kept(game: Any, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a stored configuration with the same meaning as when it was written.

    Before `instrumentation.events` existed, all events except `fee` and `drift` were logged.
    """
    section = data.get("instrumentation")
    if not isinstance(section, Mapping) or "events" in section:
        return data
    return {
        **data,
        "instrumentation": {**section, "events": sorted(known_events(game) - _LATER_EVENTS)},
    }


def _check_identity(game: Any, name: Any, version: Any) -> None:
    """Refuse a configuration of another game, or of another version of its rules, before its keys
    are reported as unknown."""
    if isinstance(name, str) and name != game.id:
        raise ConfigError(f"identity.game = {name!r}: should be {game.id!r}")
    if isinstance(version, str) and version != game.version:
        versions = ["1", *game.changes]
        later = versions[versions.index(version) + 1 :] if version in versions else []
        raise ConfigError(
            f"identity.version = {version!r}: "
            f"the rules of {game.id} installed here are version {game.version!r}"
            + "".join(f"; new in {number!r}: {game.changes[number]}" for number in later)
        )

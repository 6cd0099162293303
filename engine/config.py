"""One configuration: the five sections, and how it comes of an archetype and what is given.

An archetype maps core parameters to values; its keys `layers` and `agents` hold whole sections.
What is given goes before what the archetype says, key by key. Lists with an entry per seat in an
archetype (`agents.seats`, `layers.hierarchy.groups`) are repeated for as many seats as there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle, islice
from typing import Any

from pydantic import ValidationError, create_model

from engine.contract.chance import check_seed
from engine.contract.config import Configuration, CoreT, refusal
from engine.contract.errors import ConfigError, UnknownName, nearest
from engine.contract.section import Section
from engine.layers import LAYERS

__all__ = ["Config", "Layers", "configured", "resolved"]

_SECTIONS = ("layers", "agents")

_layers: Any = {layer.name: (layer.parameters, layer.parameters()) for layer in LAYERS}
Layers: Any = create_model("Layers", __base__=Section, **_layers)
Layers.__doc__ = "The seven layers of the framework; `engine.layers` is their manual."


class Config(Configuration[CoreT]):
    """A whole configuration."""

    layers: Layers = Layers()


def resolved(
    game: Any,
    archetype: str | None,
    seed: int,
    sections: Mapping[str, Any],
    core: Mapping[str, Any],
) -> dict[str, Any]:
    """A configuration of a Game class as a dict, not checked yet. Raises UnknownName."""
    known = {"custom": {}, **game.archetypes}
    if archetype is not None and archetype not in known:
        raise UnknownName(
            f"archetype = {archetype!r}: unknown in {game.id}{nearest(archetype, known)}"
        )
    own = dict(known[archetype or "custom"])
    parts = {key: own.pop(key) for key in _SECTIONS if key in own}
    filled = {**own, **core}
    seats = filled.get("seats", game.Core.model_fields["seats"].default)
    if isinstance(seats, int):
        parts = _fitted(parts, seats)
    identity = {"archetype": archetype or "custom", "seed": check_seed(seed)}
    return {"identity": identity, "core": filled, **merged(parts, sections)}


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with `changes`; mappings in both are merged key by key."""
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
    """With fewer seats than groups, those that are left are numbered anew."""
    numbers = {group: i for i, group in enumerate(sorted(set(hierarchy["groups"])))}
    return {**hierarchy, "groups": tuple(numbers[group] for group in hierarchy["groups"])}


def configured(game: Any, data: Mapping[str, Any]) -> Config[Any]:
    """The configuration of a Game class from a dict. Raises ConfigError."""
    identity = {"game": game.id, "version": game.version, **data.get("identity", {})}
    _check_identity(game, identity["game"], identity["version"])
    schema = game.config_model()
    try:
        config: Config[Any] = schema.model_validate({**data, "identity": identity})
    except ValidationError as error:
        raise refusal(error, schema) from None
    archetype = config.identity.archetype
    if archetype not in {"custom", *game.archetypes}:
        known = nearest(archetype, ["custom", *game.archetypes])
        raise ConfigError(f"identity.archetype = {archetype!r}: unknown in {game.id}{known}")
    return config


def _check_identity(game: Any, name: Any, version: Any) -> None:
    """Refuse another game and other rules, before any of their keys is called unknown."""
    if isinstance(name, str) and name != game.id:
        raise ConfigError(f"identity.game = {name!r}: this is {game.id!r}")
    if isinstance(version, str) and version != game.version:
        versions = ["1", *game.changes]
        later = versions[versions.index(version) + 1 :] if version in versions else []
        raise ConfigError(
            f"identity.version = {version!r}: "
            f"the rules of {game.id} installed here are version {game.version!r}"
            + "".join(f"; new in {number!r}: {game.changes[number]}" for number in later)
        )

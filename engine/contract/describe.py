"""A configuration in words: every value with its unit, symbol, range and meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engine.contract.config import Configuration, Section

__all__ = ["Parameter", "as_text", "keys", "parameters", "rule"]

_WIDEST = 34


class Parameter(NamedTuple):
    """One value of a configuration. `key` is its dotted path."""

    key: str
    value: str
    unit: str
    symbol: str
    rule: str
    meaning: str


def keys(section: type[Section]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The keys of a section with what its JSON Schema says of each (see `rule`)."""
    properties = section.model_json_schema()["properties"]
    yield from ((name, properties[name]) for name in section.model_fields)


def parameters(section: Section, prefix: str = "") -> Iterator[Parameter]:
    """Every value in a section and in the sections within it, in the order of declaration."""
    schemas = type(section).model_json_schema()["properties"]
    plain = section.model_dump(mode="json")
    for name, field in type(section).model_fields.items():
        key, value, schema = prefix + name, getattr(section, name), schemas[name]
        if isinstance(value, Section):
            yield from parameters(value, f"{key}.")
        elif isinstance(value, Mapping) and any(isinstance(x, Section) for x in value.values()):
            for inner, part in value.items():
                yield from parameters(part, f"{key}.{inner}.")
        else:
            unit, symbol = schema.get("unit", ""), schema.get("symbol", "")
            meaning = field.description or ""
            yield Parameter(key, _written(plain[name]), unit, symbol, _range(schema), meaning)


def _written(value: Any) -> str:
    """A value as it is given on a command line."""
    return value if isinstance(value, str) else json.dumps(value)


def _range(schema: Mapping[str, Any]) -> str:
    """The rule of a key in plain text, with what its schema says of types."""
    parts = [rule(schema).replace("`", "")]
    kinds = {part.get("type") for part in (schema, *schema.get("anyOf", ()))}
    if "boolean" in kinds:
        parts.append("true, false")
    if "array" in kinds:
        parts.append("a list")
    return " or ".join(part for part in parts if part)


def rule(schema: Mapping[str, Any]) -> str:
    """The range or the choices of a key, from its JSON Schema."""
    for part in (schema, *schema.get("anyOf", ())):
        if "enum" in part:
            return ", ".join(f"`{choice}`" for choice in part["enum"])
        if "const" in part:
            return f"`{part['const']}`"
    words = {"minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most"}
    parts = [schema, *schema.get("anyOf", ())]
    return ", ".join(
        f"{words[key]} {part[key]:g}" for key in words for part in parts if key in part
    )


def as_text(config: Configuration[Any]) -> str:
    """The whole configuration as aligned lines, section by section."""
    lines = []
    for name in type(config).model_fields:
        rows = list(parameters(getattr(config, name)))
        lines += [name, *_aligned(rows), ""]
    return "\n".join(lines)


def _aligned(rows: list[Parameter]) -> Iterator[str]:
    """Columns as wide as what is in them; a long value gets lines of its own below its key."""
    short = [row._replace(value="...") if len(row.value) > _WIDEST else row for row in rows]
    widths = [max(map(len, column), default=0) for column in zip(*short, strict=True)]
    for row, shown in zip(rows, short, strict=True):
        cells = [cell.ljust(width) for cell, width in zip(shown, widths, strict=True) if width]
        yield "  " + "  ".join(cells).rstrip()
        if shown is not row:
            yield f"      {row.value}"

"""Description of a configuration in plain text: each value with its unit, symbol, range and
meaning.

The module also describes a play's components, endings, event kinds and infos.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mixed_company.engine.contract.config import Configuration, Section
from mixed_company.engine.contract.declaration import EventKind, Info
from mixed_company.engine.contract.space import Field

_WIDEST = 34

TECHNICAL = 1e6
"""Bounds this large only protect the arithmetic, so rules do not mention them."""


class Parameter(NamedTuple):
    """One value of a configuration. `key` is its dotted path."""

    key: str
    value: str
    unit: str
    symbol: str
    rule: str
    meaning: str


class Declared(NamedTuple):
    """One key of a section, without a value. `key` is its dotted path; `*` stands for a name."""

    key: str
    symbol: str
    type: str
    unit: str
    rule: str
    meaning: str


_TYPES = {
    "integer": "whole",
    "number": "real",
    "boolean": "flag",
    "string": "text",
    "null": "empty",
}


def declared(section: type[Section]) -> Iterator[Declared]:
    """Yield every key in a section and its subsections, in declaration order."""
    schema = _schema(section)
    return _declared(schema, schema.get("$defs", {}), "")


def _declared(
    schema: Mapping[str, Any], sections: Mapping[str, Any], prefix: str
) -> Iterator[Declared]:
    for name, about in schema["properties"].items():
        unit, symbol = about.get("unit", ""), about.get("symbol", "")
        key, meaning = prefix + name, about["description"]
        yield Declared(key, symbol, _type(about), unit, rule(about), meaning)
        for path, inner in _within(about):
            yield from _declared(sections[inner], sections, f"{key}.{path}")


def _within(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the (path, name) of each section that a value can hold."""
    for part in _alternatives(schema):
        if "$ref" in part:
            yield "", part["$ref"].rpartition("/")[2]
        for path, inner in (("*.", "additionalProperties"), ("*.", "items")):
            if isinstance(part.get(inner), Mapping):
                yield from ((path + more, name) for more, name in _within(part[inner]))


def _alternatives(schema: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    choices: Sequence[Mapping[str, Any]] = schema.get("anyOf", (schema,))
    return choices


def _type(schema: Mapping[str, Any]) -> str:
    """Return the name of a value's type: whole, real, flag, text, or a list of these."""
    return " or ".join(dict.fromkeys(_type_of(part) for part in _alternatives(schema)))


def _type_of(part: Mapping[str, Any]) -> str:
    if part.get("type") == "array":
        places = part.get("prefixItems") or [part.get("items", {})]
        return f"list of {_type(places[0])}"
    if part.get("type") == "object":
        return f"{_type(part['additionalProperties'])} by name"
    return _TYPES.get(part.get("type", ""), "section")


def keys(section: type[Section]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the keys of a section with their JSON Schema (see `rule`)."""
    properties = _schemas(section)
    yield from ((name, properties[name]) for name in section.model_fields)


def _schemas(section: type[Section]) -> Mapping[str, Any]:
    """Return the JSON Schema of each key in a section."""
    properties: Mapping[str, Any] = _schema(section)["properties"]
    return properties


@lru_cache(maxsize=128)
def _schema(section: type[Section]) -> Mapping[str, Any]:
    return section.model_json_schema()


def parameters(section: Section, prefix: str = "") -> Iterator[Parameter]:
    """Yield every value in a section and its subsections, in declaration order.

    Values that have no effect and are therefore not written (`Section.unwritten`) are left out.
    """
    schemas = _schemas(type(section))
    plain = section.model_dump(mode="json")
    for name, field in type(section).model_fields.items():
        key, value, schema = prefix + name, getattr(section, name), schemas[name]
        if isinstance(value, Section):
            yield from parameters(value, f"{key}.")
        elif isinstance(value, Mapping) and any(isinstance(x, Section) for x in value.values()):
            for inner, part in value.items():
                yield from parameters(part, f"{key}.{inner}.")
        elif name in plain:
            unit, symbol = schema.get("unit", ""), schema.get("symbol", "")
            meaning = field.description or ""
            yield Parameter(key, _written(plain[name]), unit, symbol, _range(schema), meaning)


def _written(value: Any) -> str:
    """Return a value as it would be written on the command line."""
    return value if isinstance(value, str) else json.dumps(value)


def _range(schema: Mapping[str, Any]) -> str:
    """Return a key's rule in plain text, with the types from its schema."""
    parts = [rule(schema).replace("`", "")]
    kinds = {part.get("type") for part in (schema, *schema.get("anyOf", ()))}
    if "boolean" in kinds:
        parts.append("true, false")
    if "array" in kinds:
        parts.append("a list")
    return " or ".join(part for part in parts if part)


def rule(schema: Mapping[str, Any]) -> str:
    """Return a key's range or choices, from its JSON Schema."""
    for part in (schema, *schema.get("anyOf", ())):
        if "enum" in part:
            return ", ".join(f"`{choice}`" for choice in part["enum"])
        if "const" in part:
            return f"`{part['const']}`"
    words = {"minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most"}
    parts = [*_numbers(schema)]
    bounds = [(key, part[key]) for key in words for part in parts if key in part]
    rules = (f"{words[key]} {bound:g}" for key, bound in bounds if abs(bound) < TECHNICAL)
    return ", ".join(dict.fromkeys(rules))


def _numbers(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the schemas of a value and of its items, if it is a list or an object."""
    yield schema
    for part in schema.get("anyOf", ()):
        yield from _numbers(part)
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), Mapping):
            yield from _numbers(schema[inner])


def as_text(config: Configuration[Any]) -> str:
    """Return the configuration as aligned lines, section by section."""
    lines = []
    for name in type(config).model_fields:
        rows = list(parameters(getattr(config, name)))
        lines += [name, *_aligned(rows), ""]
    return "\n".join(lines)


def _aligned(rows: list[Parameter]) -> Iterator[str]:
    """Yield rows as aligned columns; a long value goes on its own line below its key."""
    short = [row._replace(value="...") if len(row.value) > _WIDEST else row for row in rows]
    for row, shown, line in zip(rows, short, _columns(short), strict=True):
        yield line
        if shown is not row:
            yield f"      {row.value}"


def diagnostics(kinds: Mapping[str, EventKind], infos: Sequence[Info]) -> str:
    """Return a period's event kinds and its infos as two blocks of aligned lines."""
    rows = {
        "events (for logs)": [
            (name, "changes a rule" if kind.changes_rule else "", kind.meaning)
            for name, kind in kinds.items()
        ],
        "info (values of a period, for logs)": [
            (info.name, info.unit, info.meaning) for info in infos
        ],
    }
    return _in_parts(rows)


def outcomes(
    components: Sequence[Field], endings: Mapping[str, str], seat_endings: Mapping[str, str]
) -> str:
    """Return lines that describe a period's components and the endings of plays and of individual
    seats."""
    rows = {
        "components (of a period's rewards)": [
            (part.name, f"{part.low:g} .. {part.high:g} {part.unit}", part.meaning)
            for part in components
        ],
        "endings (of the play)": [(reason, result, "") for reason, result in endings.items()],
        "endings (of one seat)": [(reason, result, "") for reason, result in seat_endings.items()],
    }
    return _in_parts(rows)


def _in_parts(rows: Mapping[str, Sequence[tuple[str, str, str]]]) -> str:
    lines = []
    for heading, cells in rows.items():
        if cells:
            lines += [heading, *_columns(cells), ""]
    return "\n".join(lines)


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield rows as lines, with every column as wide as its longest cell; skip empty columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True) if width]
        yield "  " + "  ".join(cells).rstrip()

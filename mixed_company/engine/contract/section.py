"""Base classes for the parts of a configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Number
from types import UnionType
from typing import Annotated, Any, Self, Union, get_args, get_origin

import numpy as np
from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    SerializerFunctionWrapHandler,
    model_serializer,
)
from pydantic import Field as PydanticField


class AnotherType(ValueError):
    """Error for a value whose type does not match its key."""


def _look(right: Callable[[Any], bool], rule: str) -> Callable[[Any], Any]:
    """Return a validator that accepts a value, unchanged, only if its type is right."""

    def look(value: Any) -> Any:
        if not right(value):
            raise AnotherType(rule)
        return value

    return look


def _is_number(value: Any) -> bool:
    return isinstance(value, Number) and not isinstance(value, bool)


_LOOKS = {
    "int": _look(_is_number, "should be a valid integer"),
    "float": _look(_is_number, "should be a valid number"),
    "bool": _look(lambda value: isinstance(value, bool | np.bool_), "should be a valid boolean"),
    "str": _look(lambda value: isinstance(value, str), "should be a valid string"),
}


def _typed(schema: Any) -> Any:
    """Return a pydantic schema that first checks the types of numbers, flags and strings."""
    if isinstance(schema, list | tuple):
        return type(schema)(_typed(part) for part in schema)
    if not isinstance(schema, dict):
        return schema
    kind, function = schema.get("type"), schema.get("function")
    if isinstance(kind, str) and kind in _LOOKS:  # else it is a field named `type`
        look = {"type": "no-info", "function": _LOOKS[kind]}
        return {"type": "function-before", "function": look, "schema": schema}
    if isinstance(function, dict) and function.get("function") in _LOOKS.values():
        return schema  # in a section within this one
    values = ("default", "metadata")  # no schemas
    return {key: part if key in values else _typed(part) for key, part in schema.items()}


class Section(BaseModel):
    """Frozen part of a configuration that rejects unknown keys.

    Numbers can come from any library, but flags must be booleans and strings must be strings.
    By itself, pydantic would accept True and "4" as numbers, and 1 and "no" as flags.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, strict=False)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return _typed(handler(source))

    @classmethod
    def unwritten(cls) -> tuple[str, ...]:
        """Return the keys that a complete configuration may lack, because they have no effect."""
        return ()

    def idle(self) -> set[str]:
        """Return the keys that have no effect given the other values, such as a pool's keys if
        there is no pool."""
        return set()

    @classmethod
    def trusted(cls, data: Mapping[str, Any]) -> Self:
        """Return the section with the JSON form `data`, without validation.

        Use it only for data that this code has validated and written, because an invalid value
        would go unnoticed.
        """
        fields = cls.model_fields.items()
        return cls.model_construct(
            **{key: _again(field.annotation, data[key]) for key, field in fields if key in data}
        )


class Sparse(Section):
    """Section whose JSON form leaves out its `unwritten` keys if they are empty. The digest of a
    section that does not use them therefore stays the same.
    """

    @model_serializer(mode="wrap")
    def _written(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = serialise(self)
        return {key: value for key, value in data.items() if value or key not in self.unwritten()}


def _again(kind: Any, value: Any) -> Any:
    """Convert a value from its JSON form to its type; JSON has lists instead of tuples."""
    if isinstance(kind, type) and issubclass(kind, Section):
        return kind.trusted(value) if isinstance(value, dict) else value
    origin, parts = get_origin(kind), get_args(kind)
    if origin is dict and isinstance(value, dict):
        return {key: _again(parts[1], part) for key, part in value.items()}
    if origin is tuple and isinstance(value, list):
        return tuple(_again(parts[0], part) for part in value)
    for part in parts if origin in (Annotated, Union, UnionType) else ():
        if (again := _again(part, value)) is not value:
            return again
    return value


def parameter(
    default: Any,
    meaning: str,
    *,
    unit: str = "",
    symbol: str = "",
    group: str = "",
    first: bool = False,
    **rule: Any,
) -> Any:
    """Declare a parameter with its meaning, unit and symbol.

    `rule` holds pydantic's constraints (ge, le, gt ...). `group` is the heading under which a form
    shows it. `first` parameters come before all headings, because people change them first.
    """
    named = (("unit", unit), ("symbol", symbol), ("group", group), ("first", first))
    extra: Any = {key: value for key, value in named if value}
    return PydanticField(default, description=meaning, json_schema_extra=extra, **rule)

"""What all parts of a configuration have in common."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic import Field as PydanticField

__all__ = ["Section", "parameter"]


class Section(BaseModel):
    """A frozen part of a configuration that refuses what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, strict=False)


def parameter(default: Any, meaning: str, *, unit: str = "", symbol: str = "", **rule: Any) -> Any:
    """A parameter with its meaning, unit and symbol; `rule` is pydantic's (ge, le, gt, lt ...)."""
    extra: Any = {key: text for key, text in (("unit", unit), ("symbol", symbol)) if text}
    return PydanticField(default, description=meaning, json_schema_extra=extra, **rule)

"""A population as the text of its file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from mixed_company.policies.populations.form import Described, Last, Spread

__all__ = ["text"]

_DIGITS = 6


def text(described: Described) -> str:
    """The TOML that `policies.populations.read` reads as this population."""
    return "\n".join(_lines(described)) + "\n"


def _lines(described: Described) -> Iterator[str]:
    for key in ("game", "sentence", "source", "whole"):
        yield f"{key} = {_value(getattr(described, key))}"
    for kind in described.types:
        yield "\n[[types]]"
        for key in ("name", "policy", "share", "share_error", "source", "first", "last"):
            if getattr(kind, key) is not None:
                yield f"{key} = {_value(getattr(kind, key))}"
        for name, value in kind.parameters.items():
            yield f"parameters.{name} = {_value(value)}"
        for name, others in kind.correlation.items():
            yield f"correlation.{name} = {_value(others)}"
    if described.calibration:
        yield "\n[calibration]"
        yield from (f"{key} = {_value(value)}" for key, value in described.calibration.items())


def _value(value: Any) -> str:
    if isinstance(value, Spread | Last):
        return _value(value.model_dump(exclude_none=True, exclude_defaults=True))
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_value(part)}' for key, part in value.items())} }}"
    if isinstance(value, float):
        return json.dumps(float(f"{value:.{_DIGITS}g}"))
    return json.dumps(value, ensure_ascii=False)
